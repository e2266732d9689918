// Why this matters: with soft penalties a constraint's two sides rarely agree to the last unit, and
// with many inequalities at once hardly ever in all of them, though the user's own variables may
// satisfy each. Judging those alone finds feasible solutions along the whole ladder. The replicas
// keep their states, so what they sample does not change.
#include "squares/slack.hpp"

#include <algorithm>
#include <cmath>

#include "problem/problem.hpp"

namespace chainmail {

namespace {

constexpr double kWhole = 1e-6;  // residuals are whole numbers

std::span<const Neighbour> slack_of(const Residual& residual) {
  return std::span(residual.terms).last(residual.slack);
}

struct SlackRange {
  double now = 0.0, most = 0.0;
};

SlackRange range_of(const Residual& residual, std::span<const Spin> spins) {
  SlackRange range;
  for (const Neighbour& bit : slack_of(residual)) {
    range.most += 2.0 * bit.value;
    if (spins[bit.spin] > 0) range.now += 2.0 * bit.value;
  }
  return range;
}

}  // namespace

SlackSetter::SlackSetter(const Embedding& embedding)
    : embedding_(&embedding),
      any_(std::any_of(embedding.residuals.begin(), embedding.residuals.end(),
                       [](const Residual& residual) { return residual.slack > 0; })) {}

std::optional<double> SlackSetter::feasible_f(std::span<const Spin> spins, double f,
                                              double g) const {
  for (std::size_t c = 0; c < embedding_->residuals.size(); ++c) {
    const Residual& residual = embedding_->residuals[c];
    const double r = residual(spins);
    const SlackRange slack = range_of(residual, spins);
    if (slack.now - r < -kWhole || slack.now - r > slack.most + kWhole) return std::nullopt;
    g -= residual.weight * r * r;
    if (!embedding_->multipliers.empty()) f -= embedding_->multipliers[c] * r;
  }
  if (g > embedding_->model.feasible)
    return std::nullopt;  // constraints that have no residual, broken chains
  return f;
}

void SlackSetter::set(std::vector<Spin>& spins) const {
  const auto put = [&](std::size_t pbit, Spin value) {
    for (std::size_t copy = 0; copy < embedding_->copies; ++copy) {
      spins[embedding_->pbit(pbit % embedding_->logical, copy)] = value;
    }
  };
  for (const Residual& residual : embedding_->residuals) {
    double left = range_of(residual, spins).now - residual(spins);
    std::vector<Neighbour> bits(slack_of(residual).begin(), slack_of(residual).end());
    // No weight exceeds one more than the sum of the smaller ones, so largest first always works.
    std::sort(bits.begin(), bits.end(),
              [](const Neighbour& a, const Neighbour& b) { return a.value > b.value; });
    for (const Neighbour& bit : bits) {
      const bool up = 2.0 * bit.value <= left + kWhole;
      if (up) left -= 2.0 * bit.value;
      put(bit.spin, up ? Spin{1} : Spin{-1});
    }
  }
}

}  // namespace chainmail
