// Slack follows from the user's variables. A state that violates nothing but the sum with its slack
// is a feasible solution: its slack bits can be set so that g is zero, f stays what it was.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "embedding/embedding.hpp"

namespace chainmail {

class SlackSetter {
 public:
  explicit SlackSetter(const Embedding& embedding);
  bool any() const { return any_; }  // is there slack at all

  // f of the state with its slack set right, from f and g as it stands; nothing when it violates a
  // constraint whatever the slack.
  std::optional<double> feasible_f(std::span<const Spin> spins, double f, double g) const;
  void set(std::vector<Spin>& spins) const;

 private:
  const Embedding* embedding_;
  bool any_ = false;
};

}  // namespace chainmail
