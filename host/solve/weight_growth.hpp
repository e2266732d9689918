// If there is nothing to minimise, constraints that cold replicas keep violating gain weight
// relative to the others, which moves the search out of where it is stuck.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problem/form_model.hpp"

namespace chainmail {

class WeightGrowth {
 public:
  static constexpr std::uint64_t kEvery = 25;  // sweeps
  static constexpr double kStep = 0.2;  // of its first weight, for a form all cold replicas violate

  explicit WeightGrowth(const FormModel& model) {
    for (const FormLimits& limits : model.limits) first_.push_back(limits.weight);
    state_.weights = first_;
  }

  bool due(std::uint64_t sweeps) const { return sweeps >= state_.next; }
  // By form: how many of the cold replicas violate it.
  void grow(std::uint64_t sweeps, std::span<const std::size_t> violated, std::size_t cold) {
    state_.next = sweeps + kEvery;
    double total = 0.0;
    for (std::size_t form = 0; form < first_.size(); ++form) {
      const double share = static_cast<double>(violated[form]) / static_cast<double>(cold);
      state_.weights[form] += kStep * first_[form] * share;
      total += state_.weights[form] / first_[form];
    }
    const double mean = first_.empty() ? 1.0 : total / static_cast<double>(first_.size());
    for (double& weight : state_.weights) weight /= mean;
  }
  const std::vector<double>& weights() const { return state_.weights; }

  struct State {
    std::uint64_t next = kEvery;
    std::vector<double> weights;
  };
  const State& state() const { return state_; }
  void restore(const State& state) { state_ = state; }

 private:
  std::vector<double> first_;
  State state_;
};

}  // namespace chainmail
