// Repair chains: a random change and, while the chain leaves something more violated than before,
// another one that repairs it, drawn by its Boltzmann weight; the whole is accepted by Metropolis.
// The reverse may be more or less likely, so chains are only for searching, never for sampling.
#include <algorithm>

#include "device/cpu/form_kernels.hpp"
#include "device/cpu/form_replica.hpp"

namespace chainmail {

namespace {

constexpr std::size_t kLongest = 10;
constexpr std::size_t kCandidates = 12;  // in a long form only this many are tried

}  // namespace

// Flips a free bit, or sets a group to the state of this bit. Returns the rise of the energy.
double FormReplica::apply(std::uint32_t bit) {
  const std::uint32_t group = model_->group_of[bit];
  double rise = 0.0;
  if (group != kNone) {
    rise += apply_one(state_[group]);
    state_[group] = bit;
  }
  return rise + apply_one(bit);
}

double FormReplica::apply_one(std::uint32_t bit) {
  const int direction = x_[bit] != 0 ? -1 : 1;
  note_forms(bit);
  const FormChange change = shift_forms(bit, direction);
  const double df = direction * field_[bit] + change.f;
  double dg = change.g;
  if (tables_->has_clashes()) dg += direction * clashes_[bit];
  x_[bit] ^= 1;
  f_ += df;
  g_ += dg;
  spread_clashes(bit, direction);
  turned_.push_back(bit);
  return df + penalty_ * dg;
}

void FormReplica::note_forms(std::uint32_t bit) {
  for (const FormTerm& t : model_->at_bit[bit]) {
    if (touched_by_[t.index] == chains_) continue;
    touched_by_[t.index] = chains_;
    touched_.push_back({t.index, sums_[t.index]});
  }
}

// Rows of couplings are long, and most chains are undone: they are added to the fields only when
// another step, or the accepted state, needs them. (A group's two bits have no product in common.)
void FormReplica::spread_chain() {
  for (; spread_ < turned_.size(); ++spread_) {
    spread_fields(turned_[spread_], x_[turned_[spread_]] != 0 ? 1 : -1);
  }
}

void FormReplica::take_back() {
  for (std::size_t k = turned_.size(); k-- > 0;) {
    const std::uint32_t bit = turned_[k];
    const int direction = x_[bit] != 0 ? -1 : 1;
    x_[bit] ^= 1;
    spread_clashes(bit, direction);
    if (k < spread_) spread_fields(bit, direction);
  }
  for (const Touched& was : touched_) sums_[was.form] = was.sum;
  for (const ChainStep& step : chain_) {
    if (step.from != kNone) state_[model_->group_of[step.from]] = step.from;
  }
}

double FormReplica::rise_of(std::uint32_t bit) const {
  const auto one = [&](std::uint32_t i, int direction) {
    const FormChange change = form_change(i, direction);
    double dg = change.g;
    if (tables_->has_clashes()) dg += direction * clashes_[i];
    return direction * field_[i] + change.f + penalty_ * dg;
  };
  const std::uint32_t group = model_->group_of[bit];
  if (group != kNone) return one(state_[group], -1) + one(bit, 1);
  return one(bit, x_[bit] != 0 ? -1 : 1);
}

// A change of the group's state to any other, by weight.
void FormReplica::offer_leaving(std::uint32_t group) {
  const auto members = model_->groups[group];
  const std::size_t step = members.size() / kCandidates + 1;
  for (std::size_t k = step > 1 ? noise_.below(step) : 0; k < members.size(); k += step) {
    if (members[k] != state_[group]) candidates_.push_back(members[k]);
  }
}

bool FormReplica::in_chain(std::uint32_t bit) const {
  const std::uint32_t group = model_->group_of[bit];
  return std::any_of(chain_.begin(), chain_.end(), [&](const ChainStep& step) {
    return group != kNone ? model_->group_of[step.to] == group : step.to == bit;
  });
}

// Changes that lower what is violated in a form.
void FormReplica::offer_repairs(std::uint32_t form) {
  const auto terms = model_->forms[form];
  const bool above = sums_[form] > limits_[form].upper;
  const std::size_t start = noise_.below(terms.size());
  for (std::size_t k = 0; k < terms.size() && candidates_.size() < kCandidates; ++k) {
    const FormTerm& t = terms[start + k < terms.size() ? start + k : start + k - terms.size()];
    const bool on = x_[t.index] != 0;
    const bool helps = ((t.coefficient > 0) == on) == above;
    if (!helps || in_chain(t.index)) continue;
    const std::uint32_t group = model_->group_of[t.index];
    if (group != kNone && on) {
      offer_leaving(group);
    } else {
      candidates_.push_back(t.index);
    }
  }
}

void FormReplica::offer_partings(std::uint32_t bit) {
  for (std::uint32_t other : model_->clashes[bit]) {
    if (x_[other] == 0 || in_chain(other)) continue;
    const std::uint32_t group = model_->group_of[other];
    if (group != kNone) {
      offer_leaving(group);
    } else {
      candidates_.push_back(other);
    }
    return;
  }
}

// Something the chain broke: a clash of its latest bits, or a form newly or further violated.
void FormReplica::offer_next() {
  candidates_.clear();
  if (tables_->has_clashes()) {
    for (std::size_t k = chain_.size(); k-- > 0 && candidates_.empty();) {
      const std::uint32_t bit = chain_[k].to;
      if (x_[bit] != 0 && clashes_[bit] > 0) offer_partings(bit);
    }
    if (!candidates_.empty()) return;
  }
  std::uint32_t broken = kNone;
  std::size_t count = 0;
  for (const Touched& was : touched_) {
    const FormLimits& limits = limits_[was.form];
    if (limits.violation(sums_[was.form]) <= limits.violation(was.sum)) continue;
    if (noise_.below(++count) == 0) broken = was.form;
  }
  if (broken != kNone) offer_repairs(broken);
}

std::uint32_t FormReplica::draw_candidate() {
  scratch_.resize(candidates_.size());
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    scratch_[k] = rise_of(candidates_[k]);
    least = std::min(least, scratch_[k]);
  }
  return draw_by_weight(least);
}

// One of the candidates, by the weights of the energies in scratch_.
std::uint32_t FormReplica::draw_by_weight(double least) {
  boltzmann_weights(scratch_.data(), scratch_.size(), beta_, least);
  double total = 0.0;
  for (double weight : scratch_) total += weight;
  double left = noise_.unit() * total;
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    left -= scratch_[k];
    if (left < 0.0) return candidates_[k];
  }
  return candidates_.front();
}

void FormReplica::chain() {
  const std::size_t free = model_->free_bits.size();
  const std::uint32_t pick = noise_.below(free + model_->groups.size());
  std::uint32_t bit = 0;
  if (pick < free) {
    bit = model_->free_bits[pick];
  } else {
    const auto members = model_->groups[pick - free];
    bit = members[noise_.below(members.size())];
    if (bit == state_[pick - free]) return;
  }
  if (pending_) keep_best();
  const double f = f_, g = g_;
  const std::int64_t violated = violated_;
  if (++chains_ == 0) {  // once in 2^32 chains
    touched_by_.assign(touched_by_.size(), 0);
    chains_ = 1;
  }
  touched_.clear();
  chain_.clear();
  turned_.clear();
  spread_ = 0;
  double rise = 0.0;
  for (;;) {
    const std::uint32_t group = model_->group_of[bit];
    chain_.push_back({bit, group != kNone ? state_[group] : kNone});
    rise += apply(bit);
    if (chain_.size() == kLongest) break;
    offer_next();
    if (candidates_.empty()) break;
    spread_chain();
    bit = draw_candidate();
  }
  if (accept(rise)) {
    spread_chain();
    changed();
    return;
  }
  take_back();
  violated_ = violated;
  f_ = f;
  g_ = g;
}

}  // namespace chainmail
