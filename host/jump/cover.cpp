#include "jump/cover.hpp"

#include <algorithm>
#include <cmath>

namespace chainmail {

namespace {

constexpr std::size_t kLeastCore = 12;  // variables of a row, and enough to hold it twice
constexpr std::size_t kCompared = 4;    // variables, the cheapest of which joins
constexpr std::uint64_t kLeaving = 12;  // others at most that leave with what is superfluous
constexpr double kNoise = 0.2;          // of costs
constexpr double kTolerated = 0.5;      // mean costs that a state may be above the best

double chance(Engine& engine) {
  return static_cast<double>(below(1 << 20, engine)) / static_cast<double>(1 << 20);
}

bool low(const JumpRow& r) {
  return r.lower > kNoLower;
}

}  // namespace

bool CoverSearch::fits(const JumpModel& model) {
  if (model.rows.empty() || model.groups.size() > 0 || !model.clashes.empty()) return false;
  for (const JumpRow& r : model.rows) {
    if (r.price > 0.0 || low(r) == (r.upper < kNoUpper)) return false;
  }
  for (std::size_t v = 0; v < model.variables.size(); ++v) {
    if (!model.variables[v].bit()) return false;
    bool up = false, down = false;
    for (const FormTerm& t : model.columns[v]) {
      ((t.coefficient > 0) == low(model.rows[t.index]) ? up : down) = true;
    }
    if (up && down) return false;
  }
  return true;
}

CoverSearch::CoverSearch(const JumpModel& model, std::uint64_t seed)
    : model_(model),
      engine_(seed),
      row_seen_(model.rows.size(), 0),
      seen_(model.variables.size(), 0),
      looked_(seen_),
      left_(seen_),
      candidates_(model.variables.size()) {
  for (std::size_t v = 0; v < model.variables.size(); ++v) {
    const auto column = model.columns[v];
    const double cost = model.variables[v].cost;
    const bool one =
        column.empty() ? cost < 0.0
                       : (column.front().coefficient > 0) == low(model.rows[column.front().index]);
    side_.push_back(one ? 1 : 0);
    cost_.push_back(one ? cost : -cost);
  }
}

void CoverSearch::set(std::span<const std::int64_t> feasible, const JumpDuals& duals) {
  x_.assign(feasible.begin(), feasible.end());
  rows_.clear();
  for (std::size_t r = 0; r < model_.rows.size(); ++r) {
    const JumpRow& row = model_.rows[r];
    std::int64_t missing = low(row) ? row.lower : -row.upper;
    for (const FormTerm& t : model_.terms[r]) {
      missing -= (low(row) ? t.coefficient : -t.coefficient) * x_[t.index];
    }
    rows_.push_back({missing, duals.known() ? std::abs(duals.row[r]) : 0.0, row.unit});
  }
  f_ = model_.constant;
  in_.clear();
  reduced_.clear();
  double spent = 0.0, count = 1.0;
  for (std::uint32_t v = 0; v < x_.size(); ++v) {
    f_ += model_.variables[v].cost * static_cast<double>(x_[v]);
    in_.push_back(x_[v] == side_[v] ? 1 : 0);
    double rest = cost_[v];
    for (const FormTerm& t : model_.columns[v]) {
      rest -= rows_[t.index].worth * static_cast<double>(std::abs(t.coefficient));
    }
    reduced_.push_back(rest);
    if (in_.back() == 0 || cost_[v] <= 0.0) continue;
    spent += cost_[v];
    count += 1.0;
  }
  now_ = f_;
  moved_.clear();
  tolerated_ = kTolerated * spent / count;
  work_ += 2 * model_.terms.items.size();
  choose_core();
}

void CoverSearch::choose_core() {
  core_.clear();
  std::vector<char> chosen(x_.size(), 0);
  for (std::uint32_t v = 0; v < x_.size(); ++v) chosen[v] = in_[v] != 0 || reduced_[v] < 0.0;
  std::vector<FormTerm> terms;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const auto all = model_.terms[r];
    std::int64_t needed = rows_[r].missing;
    for (const FormTerm& t : all) needed += in_[t.index] != 0 ? std::abs(t.coefficient) : 0;
    terms.assign(all.begin(), all.end());
    const auto cheaper = [&](const FormTerm& a, const FormTerm& b) {
      return reduced_[a.index] != reduced_[b.index] ? reduced_[a.index] < reduced_[b.index]
                                                    : a.index < b.index;
    };
    std::size_t sorted = std::min(terms.size(), 4 * kLeastCore), taken = 0;
    std::partial_sort(terms.begin(), terms.begin() + static_cast<std::ptrdiff_t>(sorted),
                      terms.end(), cheaper);
    for (std::int64_t reached = 0;
         taken < terms.size() && (taken < kLeastCore || reached < 2 * needed); ++taken) {
      if (taken == sorted) {
        sorted = terms.size();
        std::sort(terms.begin() + static_cast<std::ptrdiff_t>(taken), terms.end(), cheaper);
      }
      reached += std::abs(terms[taken].coefficient);
      chosen[terms[taken].index] = 1;
    }
  }
  for (std::uint32_t v = 0; v < x_.size(); ++v) {
    if (chosen[v] != 0) core_.push_back(v);
  }
  core_rows_ = {};
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    for (const FormTerm& t : model_.terms[r]) {
      if (chosen[t.index] != 0) core_rows_.items.push_back({std::abs(t.coefficient), t.index});
    }
    core_rows_.close();
  }
  work_ += 4 * model_.terms.items.size();
}

void CoverSearch::put(std::uint32_t v, bool in) {
  in_[v] = in ? 1 : 0;
  now_ += in ? cost_[v] : -cost_[v];
  for (const FormTerm& t : model_.columns[v]) {
    rows_[t.index].missing += in ? -std::abs(t.coefficient) : std::abs(t.coefficient);
  }
  work_ += model_.columns[v].size() + 1;
}

void CoverSearch::flip(std::uint32_t v) {
  trail_.push_back(v);
  put(v, in_[v] == 0);
  for (const FormTerm& t : model_.columns[v]) {
    if (row_seen_[t.index] == step_) continue;
    row_seen_[t.index] = step_;
    touched_.push_back(t.index);
  }
}

bool CoverSearch::superfluous(std::uint32_t v) const {
  const auto column = model_.columns[v];
  return std::all_of(column.begin(), column.end(), [&](const FormTerm& t) {
    return rows_[t.index].missing + std::abs(t.coefficient) <= 0;
  });
}

// What is out and would help this row.
void CoverSearch::offer(std::uint32_t row) {
  for (const FormTerm& of : core_rows_[row]) {
    const std::uint32_t v = of.index;
    if (in_[v] != 0 || seen_[v] == step_) continue;
    seen_[v] = step_;
    offered_.push_back(v);
    Candidate c{cost_[v] * (1.0 + kNoise * chance(engine_)), 0.0, left_[v] == step_};
    for (const FormTerm& t : model_.columns[v]) {
      const Row& r = rows_[t.index];
      if (r.missing <= 0) continue;
      const auto mended = static_cast<double>(std::min(r.missing, std::abs(t.coefficient)));
      c.rest -= r.worth * mended;
      c.mends += r.unit * mended;
    }
    work_ += model_.columns[v].size();
    candidates_[v] = c;
  }
  work_ += core_rows_[row].size();
}

void CoverSearch::fill() {
  offered_.clear();
  for (std::size_t k = 0; k < touched_.size(); ++k) {
    if (rows_[touched_[k]].missing > 0) offer(touched_[k]);
  }
  for (;;) {
    std::uint32_t best = kNone;
    double least = 0.0;
    std::size_t kept = 0;
    for (std::uint32_t v : offered_) {
      const Candidate& c = candidates_[v];
      if (in_[v] != 0 || c.mends <= 1e-9) continue;
      offered_[kept++] = v;
      const double key = c.rest > 0.0 ? c.rest / c.mends : c.rest * c.mends;
      const bool later = best != kNone && c.out && !candidates_[best].out;
      const bool sooner = best != kNone && !c.out && candidates_[best].out;
      if (later || (!sooner && best != kNone && key >= least)) continue;
      best = v;
      least = key;
    }
    work_ += offered_.size();
    offered_.resize(kept);
    if (best == kNone) return;
    for (const FormTerm& t : model_.columns[best]) {
      const Row& r = rows_[t.index];
      const std::int64_t after = std::max<std::int64_t>(0, r.missing - std::abs(t.coefficient));
      if (r.missing <= 0 || (model_.rows[t.index].plain && after > 0)) continue;
      for (const FormTerm& of : core_rows_[t.index]) {
        Candidate& c = candidates_[of.index];
        const auto less = static_cast<double>(std::min(r.missing, of.coefficient) -
                                              std::min(after, of.coefficient));
        c.rest += r.worth * less;
        c.mends -= r.unit * less;
      }
      work_ += core_rows_[t.index].size();
    }
    flip(best);
  }
}

void CoverSearch::drop_superfluous() {
  offered_.clear();
  for (std::uint32_t row : touched_) {
    for (const FormTerm& t : core_rows_[row]) {
      const std::uint32_t v = t.index;
      if (in_[v] == 0 || looked_[v] == step_) continue;
      looked_[v] = step_;
      work_ += model_.columns[v].size();
      if (cost_[v] > 0.0 && superfluous(v)) offered_.push_back(v);
    }
    work_ += core_rows_[row].size();
  }
  std::sort(offered_.begin(), offered_.end(), [&](std::uint32_t v, std::uint32_t w) {
    return reduced_[v] != reduced_[w] ? reduced_[v] > reduced_[w] : v < w;
  });
  for (std::uint32_t v : offered_) {
    if (superfluous(v)) flip(v);
  }
}

bool CoverSearch::construct() {
  begin();
  for (std::uint32_t v : core_) {
    if (in_[v] != 0 && cost_[v] > 0.0) flip(v);
  }
  return finish();
}

bool CoverSearch::step() {
  begin();
  std::uint32_t joins = kNone;
  for (std::size_t k = 0; k < kCompared; ++k) {
    const std::uint32_t v = core_[below(core_.size(), engine_)];
    if (in_[v] == 0 && (joins == kNone || reduced_[v] < reduced_[joins])) joins = v;
  }
  std::uint32_t at = joins != kNone ? joins : core_[below(core_.size(), engine_)];
  if (joins != kNone) flip(joins);
  for (std::uint64_t k = 1 + below(kLeaving, engine_); k > 0; --k) {
    const auto column = model_.columns[at];
    work_ += column.size() + 1;
    if (column.empty()) break;
    const auto row = core_rows_[column[below(column.size(), engine_)].index];
    const std::size_t first = below(row.size(), engine_);
    std::uint32_t leaves = kNone;
    std::size_t seen = 0;
    for (; seen < row.size() && leaves == kNone; ++seen) {
      const std::uint32_t v = row[(first + seen) % row.size()].index;
      if (in_[v] != 0 && v != joins && cost_[v] > 0.0) leaves = v;
    }
    work_ += seen;
    if (leaves == kNone) continue;
    left_[leaves] = step_;
    flip(leaves);
    at = leaves;
  }
  return finish();
}

void CoverSearch::begin() {
  ++step_;
  trail_.clear();
  touched_.clear();
}

bool CoverSearch::finish() {
  fill();
  drop_superfluous();
  const bool holds = std::all_of(touched_.begin(), touched_.end(),
                                 [&](std::uint32_t row) { return rows_[row].missing <= 0; });
  if (!holds || now_ > f_ + tolerated_ * chance(engine_)) {
    for (std::size_t k = trail_.size(); k-- > 0;) put(trail_[k], in_[trail_[k]] == 0);
    return false;
  }
  moved_.insert(moved_.end(), trail_.begin(), trail_.end());
  if (now_ >= f_ - 1e-9 * (1.0 + std::abs(f_))) return false;
  f_ = now_;
  for (std::uint32_t v : moved_) x_[v] = in_[v] != 0 ? side_[v] : 1 - side_[v];
  work_ += moved_.size();
  moved_.clear();
  return true;
}

}  // namespace chainmail
