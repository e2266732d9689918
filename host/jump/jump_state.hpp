// The state of a jump search: values, sums of rows, weights of what may be violated, and for every
// bit how flipping it would change the weighted violation, kept up to date move by move.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "jump/jump_model.hpp"

namespace chainmail {

class JumpState {
 public:
  explicit JumpState(const JumpModel& model);

  void set(std::span<const std::int64_t> values);  // groups must hold
  void shift(std::uint32_t v, std::int64_t step);
  void move_group(std::uint32_t group, std::uint32_t to);

  // What a change would do to the weighted violation, and to f.
  double turned(std::uint32_t bit) const { return score_[bit]; }
  double group_moved(std::uint32_t group, std::uint32_t to) const;
  double shifted(std::uint32_t v, std::int64_t step) const;
  double cost(std::uint32_t v, std::int64_t step) const {
    return field(v) * static_cast<double>(step) + (soft_ ? soft_cost(v, step) : 0.0);
  }
  // If two members are in one soft row, that counts twice: accurate enough for choosing.
  double group_cost(std::uint32_t group, std::uint32_t to) const {
    return cost(to, 1) + cost(state_[group], -1);
  }

  // Raises the weight of everything violated.
  void raise_weights();
  void reset_weights(std::span<const double> rows);  // empty: all alike

  std::int64_t value(std::uint32_t v) const { return x_[v]; }
  std::span<const std::int64_t> values() const { return x_; }
  std::uint32_t state(std::uint32_t group) const { return state_[group]; }
  double f() const { return f_; }
  std::int64_t sum(std::uint32_t row) const { return sums_[row]; }
  // Numbers of violated rows, and of violated clashes after all rows.
  std::span<const std::uint32_t> violated() const { return violated_; }
  std::uint64_t work() const { return work_; }  // terms looked at so far
  void count(std::uint64_t terms) { work_ += terms; }
  // Variables for which a unit step in one direction lowers f, if f is linear.
  std::span<const std::uint32_t> reducers() const { return reducers_; }

 private:
  void set_sum(std::uint32_t row, std::int64_t sum, std::uint32_t mover);
  void mark(std::uint32_t what, bool violated);
  void note_reducer(std::uint32_t v);
  void score_all();
  void smooth();
  double soft_cost(std::uint32_t v, std::int64_t step) const;
  double field(std::uint32_t v) const {
    return fields_.empty() ? model_.variables[v].cost : fields_[v];
  }

  const JumpModel& model_;
  std::vector<std::int64_t> x_, sums_;
  std::vector<std::uint32_t> state_;
  std::vector<double> score_, row_weight_, clash_weight_, fields_;
  std::vector<std::uint32_t> violated_, place_, reducers_, reducer_place_;
  double f_ = 0.0, total_weight_ = 0.0;
  std::uint64_t work_ = 0;
  bool soft_ = false;
};

}  // namespace chainmail
