// What a state is worth, from the state alone and in double: a device's own f and g may be rounded,
// and only decide which states are judged.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "embedding/embedding.hpp"
#include "solve/result.hpp"

namespace chainmail {

// Judges a logical state in the user's own terms, e.g. on the model it was compiled from.
using Accepts = std::function<bool(std::span<const Spin>)>;

class Judge {
 public:
  // `accepts`, if given, has the last word on what is feasible. If the embedding's model has forms,
  // only they count.
  Judge(const Problem& problem, const Embedding& embedding, Accepts accepts = {})
      : problem_(&problem), embedding_(&embedding), accepts_(std::move(accepts)) {}

  // A state of the device's p-bits; chains that disagree are decoded by majority.
  TrialResult operator()(std::span<const Spin> physical, std::uint64_t sweep) const;
  // The same of logical spins.
  TrialResult solution(std::vector<Spin> spins) const;

  // Whether this g of a device means that nothing is violated.
  bool holds(double g) const {
    return embedding_->model.forms ? g == 0.0 : g <= embedding_->model.feasible;
  }
  // Whether replicas may be in this state: one-hot groups never break.
  bool possible(std::span<const Spin> physical) const;

 private:
  const Problem* problem_;
  const Embedding* embedding_;
  Accepts accepts_;
};

}  // namespace chainmail
