#include "jump/jump_moves.hpp"

#include <algorithm>
#include <cmath>

namespace chainmail {

namespace {

constexpr std::size_t kLooked = 1000;    // terms of a long row, or reducing moves
constexpr std::size_t kSampledRows = 2;  // of those violated
constexpr std::size_t kRepaired = 2;     // rows that the first move of a pair breaks
constexpr std::size_t kLookedGroups = 40, kLookedMembers = 40;
constexpr double kLess = -1e-9;  // scores are sums of rounded numbers

}  // namespace

JumpMoves::JumpMoves(const FormModel& model, std::uint64_t seed)
    : shared_(std::make_shared<const JumpModel>(model)),
      model_(*shared_),
      state_(model_),
      engine_(seed) {
  const std::size_t n = model_.variables.size();
  until_.assign(n, 0);
  last_.assign(n, 0);
  per_cost_.assign(n, 0.0);
  barred_.assign(n, 0);
  double costs = 0.0, count = 0.0;
  for (std::uint32_t v = 0; v < n; ++v) {
    const JumpVariable& variable = model_.variables[v];
    if (variable.group == kNone) free_.push_back(v);
    if (variable.cost == 0.0) continue;
    costs += std::abs(variable.cost);
    if (variable.bit()) per_cost_[v] = 1.0 / std::abs(variable.cost);
    count += 1.0;
  }
  mean_cost_ = count > 0.0 ? costs / count : 1.0;
  price_ = mean_cost_;
  linear_ =
      model_.pairs.items.empty() && std::none_of(model_.rows.begin(), model_.rows.end(),
                                                 [](const JumpRow& r) { return r.price > 0.0; });
}

void JumpMoves::apply(const JumpMove& m, std::uint64_t tenure) {
  const std::uint32_t group = model_.variables[m.variable].group;
  if (group != kNone) {
    const std::uint32_t from = state_.state(group);
    until_[from] = step_ + tenure;
    last_[from] = last_[m.variable] = step_;
    note_changed(from);
    note_changed(m.variable);
    state_.move_group(group, m.variable);
    return;
  }
  until_[m.variable] = step_ + tenure;
  last_[m.variable] = step_;
  note_changed(m.variable);
  state_.shift(m.variable, m.step);
}

// How many steps in this direction break nothing that holds.
std::int64_t JumpMoves::reach(std::uint32_t v, std::int64_t sign) const {
  std::int64_t most = kNoUpper;
  for (const FormTerm& t : model_.columns[v]) {
    const JumpRow& r = model_.rows[t.index];
    const std::int64_t rate = sign * t.coefficient, sum = state_.sum(t.index);
    if (r.violation(sum) > 0) continue;
    if (rate > 0 && r.upper < kNoUpper) most = std::min(most, (r.upper - sum) / rate);
    if (rate < 0 && r.lower > kNoLower) most = std::min(most, (sum - r.lower) / -rate);
  }
  return most;
}

template <typename Offer>
void JumpMoves::offer_lower(std::uint32_t v, const Offer& offer) {
  const JumpVariable& variable = model_.variables[v];
  const std::int64_t x = state_.value(v);
  if (variable.bit()) {
    const std::int64_t step = x != 0 ? -1 : 1;
    offer(v, step, state_.turned(v), state_.cost(v, step));
    return;
  }
  const std::int64_t sign = state_.cost(v, 1) > 0.0 ? -1 : 1;
  const std::int64_t room = sign > 0 ? variable.upper - x : x;
  if (room == 0) return;
  const std::int64_t free = std::clamp<std::int64_t>(reach(v, sign), 1, room);
  state_.count(3 * model_.columns[v].size());
  for (std::int64_t step : {free, std::int64_t{1}, room}) {
    offer(v, sign * step, state_.shifted(v, sign * step), state_.cost(v, sign * step));
  }
}

template <typename Each>
void JumpMoves::each_member(std::uint32_t g, const Each& each) {
  const auto members = model_.groups[g];
  const std::size_t stride = members.size() / kLookedMembers + 1;
  state_.count(2 * members.size() / stride);
  for (std::size_t k = stride > 1 ? below(stride, engine_) : 0; k < members.size(); k += stride) {
    if (members[k] != state_.state(g)) each(members[k]);
  }
}

JumpMove JumpMoves::reducing() {
  best_move_ = {};
  const auto offer = [&](std::uint32_t v, std::int64_t step, double change, double cost) {
    if (cost >= 0.0 || barred(v, step)) return;
    if (until_[v] > step_) return;
    better({v, step, change, cost,
            priced_        ? change * price_ + cost
            : change > 0.0 ? change / -cost
                           : cost});
  };
  if (linear_) {
    const auto all = state_.reducers();
    const std::size_t stride = all.size() / kLooked + 1;
    state_.count(all.size() / stride);
    for (std::size_t k = stride > 1 ? below(stride, engine_) : 0; k < all.size(); k += stride) {
      const std::uint32_t v = all[k];
      if (per_cost_[v] == 0.0) {
        offer_lower(v, offer);
        continue;
      }
      const double change = state_.turned(v);
      const double key = priced_        ? change * price_ - 1.0 / per_cost_[v]
                         : change > 0.0 ? change * per_cost_[v]
                                        : -1.0 / per_cost_[v];
      if (key > best_move_.key) continue;
      if (until_[v] > step_ || barred(v, state_.value(v) != 0 ? -1 : 1)) continue;
      better({v, state_.value(v) != 0 ? -1 : 1, change, -1.0 / per_cost_[v], key});
    }
  } else {
    for (std::size_t k = 0; k < std::min(free_.size(), kLooked); ++k) {
      offer_lower(free_[below(free_.size(), engine_)], offer);
    }
    state_.count(kLooked);
  }
  const std::size_t groups = std::min(model_.groups.size(), kLookedGroups);
  for (std::size_t k = 0; k < groups; ++k) {
    const auto g = static_cast<std::uint32_t>(
        groups == model_.groups.size() ? k : below(model_.groups.size(), engine_));
    each_member(g, [&](std::uint32_t v) {
      const double cost = state_.group_cost(g, v);
      if (cost < 0.0) offer(v, 1, state_.group_moved(g, v), cost);
    });
  }
  return best_move_;
}

JumpMove JumpMoves::mending() {
  best_move_ = {};
  oldest_ = {};
  offered_ = 0;
  const auto violated = state_.violated();
  std::size_t looked = 0;
  for (std::size_t k = 0; k < std::min(violated.size(), kSampledRows) && looked < kLooked; ++k) {
    const std::uint32_t what = violated[below(violated.size(), engine_)];
    if (what < model_.rows.size()) {
      offer_row(what);
      looked += model_.terms[what].size();
    } else {
      const auto [v, w] = model_.clashes[what - model_.rows.size()];
      offer_off(v);
      offer_off(w);
      if (aimed()) break;
    }
  }
  return best_move_.variable != kNone ? best_move_ : oldest_;
}

void JumpMoves::offer_mend(std::uint32_t v, std::int64_t step, double change, double cost) {
  if (barred(v, step)) return;
  // Expensive moves count less: what they repair divided by what they cost.
  const double dear = 1.0 + std::max(0.0, cost) / mean_cost_;
  const JumpMove m{v, step, change, cost,
                   priced_        ? change * price_ + cost
                   : change < 0.0 ? change / dear
                                  : change * dear};
  if (oldest_.variable == kNone || last_[v] < last_[oldest_.variable]) oldest_ = m;
  if (until_[v] > step_) return;
  better(m);
  const std::size_t at = offered_ < kTried ? offered_ : below(offered_ + 1, engine_);
  ++offered_;
  if (at < kTried) tried_[at] = m;
}

void JumpMoves::better(const JumpMove& m) {
  if (m.key > best_move_.key) return;
  if (m.key == best_move_.key && last_[m.variable] >= last_[best_move_.variable]) return;
  best_move_ = m;
}

void JumpMoves::offer_off(std::uint32_t v) {
  const std::uint32_t g = model_.variables[v].group;
  if (g == kNone) {
    offer_mend(v, -1, state_.turned(v), state_.cost(v, -1));
    return;
  }
  each_member(g, [&](std::uint32_t to) {
    offer_mend(to, 1, state_.group_moved(g, to), state_.group_cost(g, to));
  });
}

void JumpMoves::offer_row(std::uint32_t row) {
  const JumpRow& r = model_.rows[row];
  const auto terms = model_.terms[row];
  const std::int64_t sum = state_.sum(row);
  const bool above = sum > r.upper;
  // There are few ones, and all are tried; of zeros in a long row only some.
  const std::size_t stride = terms.size() / kLooked + 1;
  std::size_t turn = stride > 1 ? below(stride, engine_) : 0;
  state_.count(terms.size());
  for (const FormTerm& t : terms) {
    const std::uint32_t v = t.index;
    const JumpVariable& variable = model_.variables[v];
    const std::int64_t sign = (t.coefficient > 0) == above ? -1 : 1;
    const std::int64_t x = state_.value(v);
    const std::int64_t room = sign > 0 ? variable.upper - x : x;
    if (room == 0) continue;
    if (sign > 0 && ++turn % stride != 0) continue;
    if (variable.group != kNone) {
      if (sign > 0) {
        offer_mend(v, 1, state_.group_moved(variable.group, v),
                   state_.group_cost(variable.group, v));
      } else {
        offer_off(v);
      }
    } else if (variable.bit()) {
      offer_mend(v, sign, state_.turned(v), state_.cost(v, sign));
    } else {
      const std::int64_t rate = std::abs(t.coefficient);
      const std::int64_t need = r.violation(sum);
      state_.count(4 * model_.columns[v].size());
      for (std::int64_t step : {(need + rate - 1) / rate, need / rate, reach(v, sign), room}) {
        step = std::min(step, room);
        if (step > 0)
          offer_mend(v, sign * step, state_.shifted(v, sign * step), state_.cost(v, sign * step));
      }
    }
  }
}

// Repairs of the first few rows that this step broke or made worse.
void JumpMoves::offer_repairs(std::uint32_t v, std::int64_t step) {
  std::size_t repaired = 0;
  state_.count(model_.columns[v].size());
  for (const FormTerm& t : model_.columns[v]) {
    const JumpRow& r = model_.rows[t.index];
    const std::int64_t sum = state_.sum(t.index);
    if (r.price > 0.0 || r.violation(sum) <= r.violation(sum - step * t.coefficient)) continue;
    offer_row(t.index);
    if (++repaired == kRepaired) return;
  }
}

bool JumpMoves::mend_by_pair() {
  const std::array<JumpMove, kTried> tried = tried_;
  const std::size_t count = model_.rows.empty() ? 0 : std::min(offered_, kTried);
  for (std::size_t k = 0; k < count; ++k) {
    const JumpMove& first = tried[k];
    const std::uint32_t group = model_.variables[first.variable].group;
    const std::uint32_t from = group != kNone ? state_.state(group) : first.variable;
    if (group != kNone && from == first.variable) continue;
    const std::uint64_t until = until_[from], last[] = {last_[from], last_[first.variable]};
    apply(first, tenure());
    best_move_ = {};
    if (group != kNone) offer_repairs(from, -1);
    offer_repairs(first.variable, first.step);
    const JumpMove second = best_move_;
    const double change = first.change + second.change, cost = first.cost + second.cost;
    if (second.variable != kNone && (priced_ ? change * price_ + cost : change) < kLess) {
      apply(second, tenure());
      return true;
    }
    if (group != kNone) {
      state_.move_group(group, from);
    } else {
      state_.shift(first.variable, -first.step);
    }
    until_[from] = until;
    last_[first.variable] = last[1];
    last_[from] = last[0];
  }
  return false;
}

}  // namespace chainmail
