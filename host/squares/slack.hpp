// Slack follows from the user's variables. A state that only violates sums with slack is a feasible
// solution: its slack bits can be set so that g is zero, and f does not change.
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

  // f of the state with its slack set right, from its f and g; nothing if it violates a constraint
  // whatever the slack.
  std::optional<double> feasible_f(std::span<const Spin> spins, double f, double g) const;
  void set(std::vector<Spin>& spins) const;

 private:
  const Embedding* embedding_;
  bool any_ = false;
};

}  // namespace chainmail
