#include "grid/replica_grid.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "support/error.hpp"
#include "support/random.hpp"

namespace chainmail {

namespace {
constexpr std::uint64_t kPenaltyEvery = 4;  // rounds, with SwapSets::columns
}

SwapSets swap_sets_from_name(const std::string& name) {
  if (name == "toggle") return SwapSets::toggle;
  if (name == "all") return SwapSets::all;
  if (name == "columns") return SwapSets::columns;
  throw UsageError("unknown swap sets '" + name + "'; expected toggle, all or columns");
}

std::string name_of(SwapSets sets) {
  switch (sets) {
    case SwapSets::toggle:
      return "toggle";
    case SwapSets::all:
      return "all";
    case SwapSets::columns:
      return "columns";
  }
  return {};
}

ReplicaGrid::ReplicaGrid(std::size_t rows, std::size_t columns,
                         std::vector<Parameters> cell_parameters, SwapSets sets, bool swap_penalty,
                         std::uint64_t seed)
    : rows_(rows),
      columns_(columns),
      cell_parameters_(std::move(cell_parameters)),
      sets_(sets),
      swap_penalty_(swap_penalty),
      seed_(seed),
      state_{std::vector<std::uint32_t>(rows * columns),
             std::vector<std::uint8_t>(rows * columns, 0), SwapStatistics(rows * columns)},
      replica_at_(rows * columns) {
  std::iota(state_.cell_of.begin(), state_.cell_of.end(), 0U);
  std::iota(replica_at_.begin(), replica_at_.end(), 0U);
}

void ReplicaGrid::swap_round(std::uint64_t round, std::span<const double> f,
                             std::span<const double> g) {
  const bool along_beta = rows_ > 1;
  const bool pauses = sets_ == SwapSets::columns && along_beta && round % kPenaltyEvery != 0;
  const bool along_penalty = swap_penalty_ && columns_ > 1 && !pauses;
  const std::size_t phase = (round - 1) % 4;
  if (sets_ != SwapSets::toggle) {
    for (std::size_t first : {0U, 1U}) {
      if (along_penalty) swap_set(round, true, first, f, g);
    }
    for (std::size_t first : {0U, 1U}) {
      if (along_beta) swap_set(round, false, first, f, g);
    }
  } else if (along_penalty && along_beta) {
    swap_set(round, phase < 2, phase % 2, f, g);
  } else if (along_penalty || along_beta) {
    swap_set(round, along_penalty, phase % 2, f, g);  // no round is lost on a one-way ladder
  }
  count_round_trips();
}

void ReplicaGrid::swap_set(std::uint64_t round, bool along_penalty, std::size_t first,
                           std::span<const double> f, std::span<const double> g) {
  const std::size_t lines = along_penalty ? rows_ : columns_;
  const std::size_t length = along_penalty ? columns_ : rows_;
  const std::size_t step = along_penalty ? 1 : columns_;
  SwapStatistics& counts = state_.statistics;
  auto& attempts = along_penalty ? counts.attempts_penalty : counts.attempts_beta;
  auto& accepts = along_penalty ? counts.accepts_penalty : counts.accepts_beta;
  for (std::size_t line = 0; line < lines; ++line) {
    for (std::size_t k = first; k + 1 < length; k += 2) {
      const std::size_t low = along_penalty ? line * columns_ + k : k * columns_ + line;
      const std::size_t high = low + step;
      const std::uint32_t a = replica_at_[low];
      const std::uint32_t b = replica_at_[high];
      const double log_ratio =
          rule_(cell_parameters_[low], {f[a], g[a]}, cell_parameters_[high], {f[b], g[b]});
      const double uniform =
          unit_interval(hash_of(seed_, {round, along_penalty ? 1U : 0U, first, low}));
      ++attempts[low];
      if (!accept_swap(log_ratio, uniform)) continue;
      ++accepts[low];
      std::swap(replica_at_[low], replica_at_[high]);
      std::swap(state_.cell_of[a], state_.cell_of[b]);
    }
  }
}

// Hot is the first row (of a one-row grid: the first column); cold is the last row and, where
// replicas move along P, the last column.
void ReplicaGrid::count_round_trips() {
  constexpr std::uint8_t kWasHot = 1;
  constexpr std::uint8_t kWasCold = 2;
  for (std::size_t replica = 0; replica < state_.cell_of.size(); ++replica) {
    const std::size_t row = state_.cell_of[replica] / columns_;
    const std::size_t column = state_.cell_of[replica] % columns_;
    const bool hot = rows_ > 1 ? row == 0 : column == 0;
    const bool cold = row + 1 == rows_ && (!swap_penalty_ || column + 1 == columns_);
    if (hot) {
      if (state_.heading[replica] == kWasCold) ++state_.statistics.round_trips;
      state_.heading[replica] = kWasHot;
    } else if (cold && state_.heading[replica] == kWasHot) {
      state_.heading[replica] = kWasCold;
    }
  }
}

std::vector<Parameters> ReplicaGrid::parameters() const {
  std::vector<Parameters> by_replica(state_.cell_of.size());
  for (std::size_t r = 0; r < by_replica.size(); ++r)
    by_replica[r] = cell_parameters_[state_.cell_of[r]];
  return by_replica;
}

void ReplicaGrid::restore(const State& state) {
  state_ = state;
  for (std::uint32_t replica = 0; replica < state_.cell_of.size(); ++replica) {
    replica_at_[state_.cell_of[replica]] = replica;
  }
}

namespace {

void add(std::vector<std::uint64_t>& to, const std::vector<std::uint64_t>& from) {
  to.resize(std::max(to.size(), from.size()), 0);
  for (std::size_t i = 0; i < from.size(); ++i) to[i] += from[i];
}

void subtract(std::vector<std::uint64_t>& from, const std::vector<std::uint64_t>& what) {
  for (std::size_t i = 0; i < what.size(); ++i) from[i] -= what[i];
}

AcceptanceTable shares(std::size_t rows, std::size_t columns, std::size_t stride,
                       const std::vector<std::uint64_t>& attempts,
                       const std::vector<std::uint64_t>& accepts) {
  constexpr double kNeverTried = std::numeric_limits<double>::quiet_NaN();
  AcceptanceTable table(rows, std::vector<double>(columns, kNeverTried));
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      const std::size_t cell = row * stride + column;
      if (attempts[cell] > 0) {
        table[row][column] =
            static_cast<double>(accepts[cell]) / static_cast<double>(attempts[cell]);
      }
    }
  }
  return table;
}

}  // namespace

SwapStatistics& SwapStatistics::operator+=(const SwapStatistics& other) {
  add(attempts_beta, other.attempts_beta);
  add(accepts_beta, other.accepts_beta);
  add(attempts_penalty, other.attempts_penalty);
  add(accepts_penalty, other.accepts_penalty);
  round_trips += other.round_trips;
  return *this;
}

SwapStatistics& SwapStatistics::operator-=(const SwapStatistics& earlier) {
  subtract(attempts_beta, earlier.attempts_beta);
  subtract(accepts_beta, earlier.accepts_beta);
  subtract(attempts_penalty, earlier.attempts_penalty);
  subtract(accepts_penalty, earlier.accepts_penalty);
  round_trips -= earlier.round_trips;
  return *this;
}

AcceptanceTable acceptance_beta(const SwapStatistics& statistics, std::size_t columns) {
  const std::size_t rows = statistics.attempts_beta.size() / columns;
  return shares(rows - 1, columns, columns, statistics.attempts_beta, statistics.accepts_beta);
}

AcceptanceTable acceptance_penalty(const SwapStatistics& statistics, std::size_t columns) {
  const std::size_t rows = statistics.attempts_penalty.size() / columns;
  return shares(rows, columns - 1, columns, statistics.attempts_penalty,
                statistics.accepts_penalty);
}

}  // namespace chainmail
