#include "jump/beside.hpp"

#include <algorithm>

namespace chainmail {

namespace {

// Of a chain; what an update takes without any; terms of a row beyond which a chain samples.
constexpr double kChainSteps = 10.0, kPlainUpdate = 4.0, kLongRow = 200.0;
// Of the grid's work; it returns to the usual share if neither finds anything.
constexpr double kLeastShare = 0.125, kUsualShare = 0.5, kMostShare = 4.0, kReturn = 0.1;
constexpr double kLeastTurn = 1e6;  // terms: shorter turns are saved up

double terms_of_update(const FormModel& model, double chains) {
  double squares = 0.0;
  const auto terms = static_cast<double>(model.forms.items.size());
  for (std::size_t row = 0; row < model.forms.size(); ++row) {
    const auto length = static_cast<double>(model.forms[row].size());
    squares += length * std::min(length, kLongRow);
  }
  const double bits = std::max(1.0, static_cast<double>(model.bits));
  return kPlainUpdate + terms / bits + chains * kChainSteps * squares / std::max(1.0, terms);
}

}  // namespace

Beside::Beside(const FormModel& model, const JumpOptions& options, double chains)
    : jumps_(model, options), per_update_(terms_of_update(model, chains)) {}

const JumpPoint& Beside::first(const JumpGoing& going) {
  jumps_.run(going);
  return best();
}

bool Beside::after(std::uint64_t updates, double f, const std::function<std::vector<Bit>()>& state,
                   const JumpGoing& going) {
  if (jumps_.done()) return false;
  owed_ += share_ * per_update_ * static_cast<double>(updates);
  if (owed_ < kLeastTurn) return false;
  const bool behind =
      f < best().f || (!best().feasible() && f < std::numeric_limits<double>::infinity());
  if (behind) {
    share_ = std::max(kLeastShare, 0.5 * share_);
    jumps_.take(state());
  }
  const double before = best().feasible() ? best().f : std::numeric_limits<double>::infinity();
  jumps_.run(static_cast<std::uint64_t>(owed_), going);
  owed_ = 0.0;
  const bool better = best().feasible() && best().f < before && best().f < f;
  if (better) {
    share_ = std::min(kMostShare, 2.0 * share_);
  } else if (!behind) {
    share_ += kReturn * (kUsualShare - share_);
  }
  return better;
}

}  // namespace chainmail
