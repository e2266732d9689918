// One replica of a form model: its bits, the sums of its forms, what every bit would change, and
// the moves. Each move satisfies detailed balance for exp(-beta (f + P g)) on its own: a proposal
// is as likely as its reverse and accepted by Metropolis, or drawn from its exact distribution.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <vector>

#include "device/cpu/form_monomials.hpp"
#include "device/cpu/form_noise.hpp"
#include "device/cpu/form_tables.hpp"
#include "device/device.hpp"

namespace chainmail {

// The effect of a change on f through soft forms, and on g through hard ones.
struct FormChange {
  double f = 0.0, g = 0.0;
  FormChange& operator+=(const FormChange& other) {
    f += other.f;
    g += other.g;
    return *this;
  }
};

// Aligned, so that threads with neighbouring replicas share no cache line, nor the adjacent one
// that is prefetched.
class alignas(128) FormReplica {
 public:
  // Limits and weights of the forms are apart from the tables' model: weights may change.
  FormReplica(const FormTables& tables, const std::vector<FormLimits>& limits);

  void set(std::span<const Bit> x);  // groups must hold
  // Other limits, or the same with other weights.
  void use_limits(const std::vector<FormLimits>& limits) {
    limits_ = limits.data();
    refresh();
  }
  // A burst is begin(), sweeps and end(); everything in it follows from bits, limits, parameters
  // and key.
  void begin(const Parameters& parameters, std::uint64_t key);
  void sweep(const FormMoves& moves);
  void end();

  double beta() const { return beta_; }
  double penalty() const { return penalty_; }
  double f() const { return model_->constant + f_; }
  double g() const { return violated_ == 0 ? 0.0 : g_; }
  double energy() const { return f_ + penalty_ * g_; }
  bool feasible() const { return violated_ == 0; }
  std::int64_t violated() const { return violated_; }
  std::span<const Bit> bits() const { return x_; }
  std::span<const std::int64_t> sums() const { return {sums_.data(), model_->forms.size()}; }

  // The lowest feasible f of the burst after any update, and its state; infinity if none.
  double best_f() const { return model_->constant + best_f_; }
  std::span<const Bit> best_bits();

  // In this burst.
  std::uint64_t proposals() const { return proposals_; }
  std::uint64_t raised() const { return raised_; }
  std::uint64_t accepted() const { return accepted_; }

 private:
  void refresh();  // g, from the sums
  bool accept(double rise);
  bool draw_turn(double rise);
  FormChange form_change(std::uint32_t bit, std::int64_t direction) const;
  FormChange shift_forms(std::uint32_t bit, std::int64_t direction);  // and does it
  template <bool kSoft>
  FormChange change_of(std::uint32_t bit, std::int64_t direction) const;
  template <bool kSoft>
  FormChange shift_by(std::uint32_t bit, std::int64_t direction);
  template <bool kSoft>
  FormChange pair_change(std::uint32_t p, std::uint32_t q, std::int64_t dp, std::int64_t dq) const;
  void turn(std::uint32_t bit, double df, double dg);    // all but the forms' sums
  void spread_fields(std::uint32_t bit, int direction);  // after the bit has turned
  double rise_together(std::initializer_list<std::uint32_t> bits);
  void spread_clashes(std::uint32_t bit, int direction);
  void note_if_better() {
    if (f_ < best_f_) {
      best_f_ = f_;
      pending_ = true;
    }
  }
  void keep_best();
  void changed();  // after an accepted move

  BlockState block_state() const;
  void flip_free_bits();
  void flip(std::uint32_t bit);
  void turn_free(std::uint32_t bit);
  void resample(std::uint32_t group);
  double weigh(std::uint32_t group);
  std::size_t draw_member(double left) const;
  void swap_groups();
  void exchange_in_form();
  void exchange_by_weight();
  void exchange_on_edge();
  bool try_pair(std::uint32_t p, std::uint32_t q, bool clash);

  // form_chain.cpp
  struct ChainStep {
    std::uint32_t to, from;  // bits; a group's state before, or kNone
  };
  void chain();
  double apply(std::uint32_t bit);
  double apply_one(std::uint32_t bit);
  void spread_chain();
  void take_back();
  void note_forms(std::uint32_t bit);
  double rise_of(std::uint32_t bit) const;
  bool in_chain(std::uint32_t bit) const;
  void offer_leaving(std::uint32_t group);
  void offer_repairs(std::uint32_t form);
  void offer_partings(std::uint32_t bit);
  void offer_next();
  std::uint32_t draw_candidate();
  std::uint32_t draw_by_weight(double least);

  const FormTables* tables_;
  const FormModel* model_;
  const FormLimits* limits_;  // by form
  FormNoise noise_;
  double beta_ = 0.0, penalty_ = 0.0;
  bool heat_bath_ = false;
  std::vector<Bit> x_;
  std::vector<std::int64_t> sums_;  // by form, and a block of zeros
  std::vector<double> weights_;     // of the forms, as long
  std::vector<double> field_;       // by bit: what setting it adds to f, but for soft forms
  FormMonomials monomials_;
  std::vector<std::int32_t> clashes_;  // by bit: ones among those it clashes with
  std::vector<std::uint32_t> state_;   // by group: the bit that is one
  double f_ = 0.0, g_ = 0.0;           // f without its constant
  std::int64_t violated_ = 0;

  std::vector<Bit> best_;
  double best_f_ = std::numeric_limits<double>::infinity();
  bool pending_ = false;  // the state now is the best one, not copied yet
  std::uint64_t proposals_ = 0, raised_ = 0, accepted_ = 0;
  std::vector<double> scratch_, block_sums_;
  std::vector<double> couplings_;  // of one bit; zero between moves
  struct ColumnChange {
    double g = 0.0;
    std::uint64_t at = 0;  // the exchange it was worked out for
  };
  std::vector<std::array<ColumnChange, 2>> by_column_;  // and value of the bit
  std::uint64_t exchanges_ = 0;
  std::vector<ChainStep> chain_;
  struct Touched {
    std::uint32_t form;
    std::int64_t sum;  // before the chain
  };
  std::vector<Touched> touched_;
  std::vector<std::uint32_t> touched_by_;  // by form: the number of the last chain that did
  std::uint32_t chains_ = 0;
  std::vector<std::uint32_t> turned_;  // bits of the chain, in order
  std::size_t spread_ = 0;             // how many of them have been added to the fields
  std::vector<std::uint32_t> candidates_;
};

}  // namespace chainmail
