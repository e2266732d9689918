#include "jump/jump_state.hpp"

#include <algorithm>
#include <cmath>

namespace chainmail {

namespace {

// Mean weight, in units of the variables, above which all weights are scaled down (Cai et al.,
// NuMVC): what was hard long ago is forgotten.
constexpr double kHeavy = 0.5, kLeastHeavy = 50.0, kForgotten = 0.3;

}  // namespace

JumpState::JumpState(const JumpModel& model)
    : model_(model),
      row_weight_(model.rows.size(), 1.0),
      clash_weight_(model.clashes.size(), 1.0) {}

void JumpState::set(std::span<const std::int64_t> values) {
  const JumpModel& m = model_;
  x_.assign(values.begin(), values.end());
  sums_.assign(m.rows.size(), 0);
  state_.assign(m.groups.size(), 0);
  violated_.clear();
  place_.assign(m.rows.size() + m.clashes.size(), kNone);
  reducers_.clear();
  reducer_place_.assign(x_.size(), kNone);
  f_ = m.constant;
  if (!m.pairs.items.empty()) {
    fields_.resize(x_.size());
    for (std::size_t v = 0; v < x_.size(); ++v) fields_[v] = m.variables[v].cost;
  }
  for (std::uint32_t v = 0; v < x_.size(); ++v) {
    if (m.variables[v].group != kNone && x_[v] != 0) state_[m.variables[v].group] = v;
    if (x_[v] != 0) {
      f_ += field(v) * static_cast<double>(x_[v]);
      for (const FormTerm& t : m.columns[v]) sums_[t.index] += t.coefficient * x_[v];
      for (const Neighbour& n : m.pairs[v]) fields_[n.spin] += n.value * static_cast<double>(x_[v]);
    }
    note_reducer(v);
  }
  for (std::uint32_t r = 0; r < m.rows.size(); ++r) {
    const std::int64_t beyond = m.rows[r].violation(sums_[r]);
    if (m.rows[r].price > 0.0) {
      f_ += m.rows[r].price * static_cast<double>(beyond);
      row_weight_[r] = 0.0;
      soft_ = true;
    } else if (beyond > 0) {
      mark(r, true);
    }
  }
  for (std::uint32_t k = 0; k < m.clashes.size(); ++k) {
    if (x_[m.clashes[k].first] != 0 && x_[m.clashes[k].second] != 0) {
      mark(static_cast<std::uint32_t>(m.rows.size()) + k, true);
    }
  }
  score_all();
}

void JumpState::score_all() {
  const JumpModel& m = model_;
  score_.assign(x_.size(), 0.0);
  total_weight_ = 0.0;
  for (std::uint32_t r = 0; r < m.rows.size(); ++r) {
    total_weight_ += row_weight_[r];
    if (row_weight_[r] == 0.0) continue;
    const double now = m.rows[r].penalty(sums_[r]);
    for (const FormTerm& t : m.terms[r]) {
      const std::int64_t step = x_[t.index] != 0 ? -t.coefficient : t.coefficient;
      score_[t.index] += row_weight_[r] * (m.rows[r].penalty(sums_[r] + step) - now);
    }
  }
  for (std::uint32_t k = 0; k < m.clashes.size(); ++k) {
    const auto [v, w] = m.clashes[k];
    total_weight_ += clash_weight_[k];
    if (x_[w] != 0) score_[v] += x_[v] != 0 ? -clash_weight_[k] : clash_weight_[k];
    if (x_[v] != 0) score_[w] += x_[w] != 0 ? -clash_weight_[k] : clash_weight_[k];
  }
  work_ += m.terms.items.size() + m.clashes.size();
}

void JumpState::mark(std::uint32_t what, bool violated) {
  if (violated) {
    place_[what] = static_cast<std::uint32_t>(violated_.size());
    violated_.push_back(what);
    return;
  }
  const std::uint32_t last = violated_.back();
  violated_[place_[what]] = last;
  place_[last] = place_[what];
  violated_.pop_back();
  place_[what] = kNone;
}

void JumpState::note_reducer(std::uint32_t v) {
  if (!fields_.empty()) return;
  const JumpVariable& variable = model_.variables[v];
  const bool lowers =
      variable.group == kNone &&
      (variable.cost > 0.0 ? x_[v] > 0 : variable.cost < 0.0 && x_[v] < variable.upper);
  if (lowers == (reducer_place_[v] != kNone)) return;
  if (lowers) {
    reducer_place_[v] = static_cast<std::uint32_t>(reducers_.size());
    reducers_.push_back(v);
    return;
  }
  const std::uint32_t last = reducers_.back();
  reducers_[reducer_place_[v]] = last;
  reducer_place_[last] = reducer_place_[v];
  reducers_.pop_back();
  reducer_place_[v] = kNone;
}

// The cost of flipping the row's other bits changes now, unless the sum is further from both limits
// than a flip reaches, before and after.
void JumpState::set_sum(std::uint32_t row, std::int64_t sum, std::uint32_t mover) {
  const JumpRow& r = model_.rows[row];
  const std::int64_t before = sums_[row];
  sums_[row] = sum;
  const std::int64_t was = r.violation(before), is = r.violation(sum);
  if (r.price > 0.0) {
    f_ += r.price * static_cast<double>(is - was);
    return;
  }
  if ((was > 0) != (is > 0)) mark(row, is > 0);
  const double weight = row_weight_[row];
  const auto terms = model_.terms[row];
  if (r.plain) {
    const double old = r.penalty(before), now = r.penalty(sum);
    const double on = weight * (r.penalty(sum - 1) - now - r.penalty(before - 1) + old);
    const double off = weight * (r.penalty(sum + 1) - now - r.penalty(before + 1) + old);
    if (on == 0.0 && off == 0.0) return;
    work_ += terms.size();
    const double own = score_[mover];
    if (on == 0.0) {
      for (const FormTerm& t : terms) {
        if (x_[t.index] == 0) score_[t.index] += off;
      }
    } else if (off == 0.0) {
      for (const FormTerm& t : terms) {
        if (x_[t.index] != 0) score_[t.index] += on;
      }
    } else {
      for (const FormTerm& t : terms) {
        score_[t.index] += x_[t.index] != 0 ? on : off;
      }
    }
    score_[mover] = own;
    return;
  }
  const std::int64_t least = std::min(before, sum), most = std::max(before, sum);
  const bool inside = least - r.largest >= r.lower && most + r.largest <= r.upper;
  const bool beyond = least - r.largest > r.upper || most + r.largest < r.lower;
  if (inside || beyond) return;
  work_ += 2 * terms.size();
  const double old = r.penalty(before), now = r.penalty(sum), own = score_[mover];
  for (const FormTerm& t : terms) {
    const std::int64_t step = x_[t.index] != 0 ? -t.coefficient : t.coefficient;
    const double change = r.penalty(sum + step) - now - r.penalty(before + step) + old;
    if (change == 0.0) continue;
    score_[t.index] += weight * change;
  }
  score_[mover] = own;
}

void JumpState::shift(std::uint32_t v, std::int64_t step) {
  const JumpModel& m = model_;
  const double own = -score_[v];
  f_ += field(v) * static_cast<double>(step);
  work_ += m.columns[v].size() + m.clashes_of[v].size() + m.pairs[v].size() + 4;
  for (const FormTerm& t : m.columns[v]) set_sum(t.index, sums_[t.index] + step * t.coefficient, v);
  const auto first = static_cast<std::uint32_t>(m.rows.size());
  for (const ClashEnd& end : m.clashes_of[v]) {
    const bool on = x_[end.variable] != 0;
    const double weight = on == (step > 0) ? -clash_weight_[end.clash] : clash_weight_[end.clash];
    score_[end.variable] += weight;
    if (on) mark(first + end.clash, step > 0);
  }
  for (const Neighbour& n : m.pairs[v]) fields_[n.spin] += n.value * static_cast<double>(step);
  x_[v] += step;
  score_[v] = own;
  note_reducer(v);
}

void JumpState::move_group(std::uint32_t group, std::uint32_t to) {
  shift(state_[group], -1);
  shift(to, 1);
  state_[group] = to;
}

double JumpState::group_moved(std::uint32_t group, std::uint32_t to) const {
  const JumpModel& m = model_;
  const std::uint32_t from = state_[group];
  double change = score_[from] + score_[to];
  if (m.entangled[group] == 0) return change;
  const auto a = m.columns[from], b = m.columns[to];
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].index == b[j].index) {
      const JumpRow& r = m.rows[a[i].index];
      const std::int64_t sum = sums_[a[i].index];
      const std::int64_t down = sum - a[i].coefficient, up = sum + b[j].coefficient;
      change += row_weight_[a[i].index] * (r.penalty(down + b[j].coefficient) - r.penalty(down) -
                                           r.penalty(up) + r.penalty(sum));
    }
    const bool left = a[i].index <= b[j].index, right = b[j].index <= a[i].index;
    i += left ? 1 : 0;
    j += right ? 1 : 0;
  }
  return change;
}

double JumpState::shifted(std::uint32_t v, std::int64_t step) const {
  if (model_.variables[v].bit()) return score_[v];
  double change = 0.0;
  for (const FormTerm& t : model_.columns[v]) {
    const JumpRow& r = model_.rows[t.index];
    const std::int64_t sum = sums_[t.index];
    change += row_weight_[t.index] * (r.penalty(sum + step * t.coefficient) - r.penalty(sum));
  }
  return change;
}

double JumpState::soft_cost(std::uint32_t v, std::int64_t step) const {
  double cost = 0.0;
  for (const FormTerm& t : model_.columns[v]) {
    const JumpRow& r = model_.rows[t.index];
    const std::int64_t sum = sums_[t.index];
    cost +=
        r.price * static_cast<double>(r.violation(sum + step * t.coefficient) - r.violation(sum));
  }
  return cost;
}

void JumpState::raise_weights() {
  const JumpModel& m = model_;
  const auto first = static_cast<std::uint32_t>(m.rows.size());
  for (std::uint32_t what : violated_) {
    total_weight_ += 1.0;
    if (what >= first) {
      const auto [v, w] = m.clashes[what - first];
      clash_weight_[what - first] += 1.0;
      score_[v] -= 1.0;
      score_[w] -= 1.0;
      continue;
    }
    row_weight_[what] += 1.0;
    const JumpRow& r = m.rows[what];
    const double now = r.penalty(sums_[what]);
    work_ += m.terms[what].size();
    for (const FormTerm& t : m.terms[what]) {
      const std::int64_t step = x_[t.index] != 0 ? -t.coefficient : t.coefficient;
      score_[t.index] += r.penalty(sums_[what] + step) - now;
    }
  }
  work_ += violated_.size();
  const auto all = static_cast<double>(m.rows.size() + m.clashes.size());
  const double heavy = std::max(kLeastHeavy, kHeavy * static_cast<double>(x_.size()));
  if (total_weight_ > heavy * all) smooth();
}

void JumpState::reset_weights(std::span<const double> rows) {
  row_weight_.assign(row_weight_.size(), 1.0);
  if (!rows.empty()) row_weight_.assign(rows.begin(), rows.end());
  clash_weight_.assign(clash_weight_.size(), 1.0);
}

void JumpState::smooth() {
  const auto lower = [](double& weight) {
    if (weight > 0.0) weight = std::max(1.0, std::floor(kForgotten * weight));
  };
  for (double& weight : row_weight_) lower(weight);
  for (double& weight : clash_weight_) lower(weight);
  score_all();
}

}  // namespace chainmail
