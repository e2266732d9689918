// The grid of replicas: which replica holds which (row, column), one swap round at a time, and
// the statistics of what was accepted. Swapping exchanges assignments, never spins.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "grid/swap_rule.hpp"

namespace chainmail {

// toggle:  one of the four sets per round, as in Algorithm 1 (P odd, P even, β odd, β even).
// all:     the four sets one after another in every round.
// columns: both sets of β in every round, both of P in every fourth. Where neighbours in P swap
//          nearly always, all makes one large ladder of the grid whose coldest places the best few
//          replicas keep; columns that are ladders of their own in between turn over faster.
enum class SwapSets { toggle, all, columns };
SwapSets swap_sets_from_name(const std::string& name);
std::string name_of(SwapSets sets);

// How often neighbours in the grid swapped; counts by cell, towards the next row or column.
struct SwapStatistics {
  std::vector<std::uint64_t> attempts_beta, accepts_beta, attempts_penalty, accepts_penalty;
  std::uint64_t round_trips = 0;

  SwapStatistics() = default;
  explicit SwapStatistics(std::size_t cells)
      : attempts_beta(cells),
        accepts_beta(cells),
        attempts_penalty(cells),
        accepts_penalty(cells) {}
  SwapStatistics& operator+=(const SwapStatistics& other);
  SwapStatistics& operator-=(const SwapStatistics& earlier);  // what came after `earlier`
};

// Share of accepted swaps between (row, column) and the next row, or the next column; the last
// row (column) has no next and is left out.
using AcceptanceTable = std::vector<std::vector<double>>;
AcceptanceTable acceptance_beta(const SwapStatistics& statistics, std::size_t columns);
AcceptanceTable acceptance_penalty(const SwapStatistics& statistics, std::size_t columns);

using AcceptanceRule =
    std::function<double(const Parameters&, const Measured&, const Parameters&, const Measured&)>;

class ReplicaGrid {
 public:
  // cell_parameters[row * columns + column], as quantised by the device. Replica r starts in cell
  // r. swap_penalty = false leaves columns alone (J-column).
  ReplicaGrid(std::size_t rows, std::size_t columns, std::vector<Parameters> cell_parameters,
              SwapSets sets, bool swap_penalty, std::uint64_t seed);

  // Round numbers count from 1. f and g by replica. The decisions depend on (seed, round) only.
  void swap_round(std::uint64_t round, std::span<const double> f, std::span<const double> g);

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  std::size_t replicas() const { return state_.cell_of.size(); }
  std::size_t replica_at(std::size_t row, std::size_t column) const {
    return replica_at_[row * columns_ + column];
  }
  std::size_t answer_replica() const { return replica_at_.back(); }
  const std::vector<std::uint32_t>& cells() const { return state_.cell_of; }  // by replica
  std::vector<Parameters> parameters() const;                                 // by replica

  const SwapStatistics& statistics() const { return state_.statistics; }

  // Changes what the cells sample; the replicas in them stay.
  void set_parameters(std::vector<Parameters> cell_parameters) {
    cell_parameters_ = std::move(cell_parameters);
  }

  // For tests that break the rule on purpose.
  void use_rule(AcceptanceRule rule) { rule_ = std::move(rule); }

  // Everything swap_round changes, for checkpoints.
  struct State {
    std::vector<std::uint32_t> cell_of;  // by replica
    std::vector<std::uint8_t> heading;   // by replica: 0 fresh, 1 was hot, 2 was hot, then cold
    SwapStatistics statistics;
  };
  const State& state() const { return state_; }
  void restore(const State& state);

 private:
  void swap_set(std::uint64_t round, bool along_penalty, std::size_t first,
                std::span<const double> f, std::span<const double> g);
  void count_round_trips();

  std::size_t rows_, columns_;
  std::vector<Parameters> cell_parameters_;
  SwapSets sets_;
  bool swap_penalty_;
  std::uint64_t seed_;
  AcceptanceRule rule_ = log_swap_ratio;

  State state_;
  std::vector<std::uint32_t> replica_at_;  // by cell; the inverse of state_.cell_of
};

}  // namespace chainmail
