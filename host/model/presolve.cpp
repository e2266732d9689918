#include "model/presolve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <numeric>
#include <set>
#include <unordered_map>

#include "problem/form_model.hpp"
#include "support/error.hpp"
#include "support/random.hpp"

namespace chainmail {

namespace {

constexpr std::int64_t kWidest = std::int64_t{1} << 40;
constexpr std::size_t kVisits = 40;  // per row: the bounds of integers may tighten for ever

Wide floor_div(Wide a, Wide b) {
  const Wide q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}
Wide ceil_div(Wide a, Wide b) {
  return -floor_div(-a, b);
}

// The range of a sum: what is finite in it, and how many terms are not.
struct Activity {
  Wide least = 0, most = 0;
  int no_least = 0, no_most = 0;
};

// A bound further out than is allowed in the end counts as none, so that sums cannot overflow.
bool is_open(std::int64_t bound) {
  return bound > kWidest || bound < -kWidest;
}

Activity activity_of(const WholeForm& form, const std::vector<WholeInterval>& bounds) {
  Activity a;
  for (const WholeTerm64& t : form.terms) {
    const WholeInterval& b = bounds[t.variable];
    const std::int64_t low = t.coefficient > 0 ? b.lower : b.upper;
    const std::int64_t high = t.coefficient > 0 ? b.upper : b.lower;
    if (is_open(low))
      ++a.no_least;
    else
      a.least += static_cast<Wide>(t.coefficient) * low;
    if (is_open(high))
      ++a.no_most;
    else
      a.most += static_cast<Wide>(t.coefficient) * high;
  }
  return a;
}

class Presolver {
 public:
  explicit Presolver(const ConstrainedModel& model) : source_(model) {
    out_.model = whole_model_of(model);
    out_.objective = model.objective;
    const std::size_t n = out_.model.bounds.size();
    for (std::vector<WholeForm>* rows : {&out_.model.forms, &out_.model.soft}) {
      for (WholeForm& form : *rows) form.use = use_of(form.constraint);
    }
    partners_.resize(n);
    for (std::size_t k = 0; k < out_.model.exclusions.size(); ++k) {
      const auto [i, j] = out_.model.exclusions[k];
      const std::uint32_t use = use_of(out_.model.exclusion_rows[k]);
      partners_[i].push_back({j, use});
      partners_[j].push_back({i, use});
    }
    for (const auto& [constraint, v] : out_.model.zeros) {
      WholeInterval& b = bounds()[v];
      note({use_of(constraint), v, true, 0});
      b.upper = std::min<std::int64_t>(b.upper, 0);
      if (b.lower > b.upper) {
        fail(fmt::format("'{}' leaves no value to '{}'", model.constraints[constraint].name,
                         model.variables[v].name));
      }
    }
  }

  Presolved run(Slacks slacks) {
    if (!out_.infeasible.empty()) return std::move(out_);
    merge_equal_forms();
    index_forms();
    propagate_all();
    if (!out_.infeasible.empty()) return std::move(out_);
    for (std::size_t v = 0; v < bounds().size(); ++v) check_finite(v);
    if (slacks == Slacks::substitute) substitute_slacks();
    remove_fixed();
    merge_equal_forms();
    find_exclusions();
    make_narrow(out_.model.forms);
    make_narrow(out_.model.soft);
    return std::move(out_);
  }

 private:
  std::vector<WholeInterval>& bounds() { return out_.model.bounds; }
  std::vector<WholeForm>& forms() { return out_.model.forms; }
  const std::string& name(const WholeForm& form) const {
    return source_.constraints[form.constraint].name;
  }
  void fail(std::string why) {
    if (out_.infeasible.empty()) out_.infeasible = std::move(why);
  }
  void fail(std::uint32_t use, std::string why) {
    note({use, kNone, false, 0});
    fail(std::move(why));
  }

  // The steps of the proof end with the first contradiction.
  void note(const BoundStep& step) {
    if (out_.infeasible.empty()) out_.steps.push_back(step);
  }
  std::uint32_t use_of(std::uint32_t constraint) {
    out_.uses.push_back({{constraint, kNone}});
    return static_cast<std::uint32_t>(out_.uses.size() - 1);
  }
  std::uint32_t use_of_both(std::uint32_t a, std::uint32_t b) {
    std::vector<RowUse> rows = out_.uses[a];
    rows.insert(rows.end(), out_.uses[b].begin(), out_.uses[b].end());
    out_.uses.push_back(std::move(rows));
    return static_cast<std::uint32_t>(out_.uses.size() - 1);
  }

  // Equal left sides (but for a factor) become one row with both limits.
  void merge_equal_forms() {
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> by_hash;
    std::vector<WholeForm> kept;
    for (WholeForm& form : forms()) {
      std::sort(form.terms.begin(), form.terms.end(),
                [](const WholeTerm64& a, const WholeTerm64& b) { return a.variable < b.variable; });
      divide(form);
      std::uint64_t hash = form.terms.size();
      for (const WholeTerm64& t : form.terms) {
        hash = hash_of(hash, {t.variable, static_cast<std::uint64_t>(t.coefficient)});
      }
      std::vector<std::size_t>& same = by_hash[hash];
      const auto twin = std::find_if(same.begin(), same.end(),
                                     [&](std::size_t k) { return kept[k].terms == form.terms; });
      if (twin == same.end()) {
        same.push_back(kept.size());
        kept.push_back(std::move(form));
        continue;
      }
      ++out_.dropped;
      WholeForm& other = kept[*twin];
      other.lower = std::max(other.lower, form.lower);
      other.upper = std::min(other.upper, form.upper);
      other.use = use_of_both(other.use, form.use);
      if (other.lower > other.upper) {
        fail(other.use,
             fmt::format("'{}' and '{}' contradict each other", name(other), name(form)));
      }
    }
    forms() = std::move(kept);
  }

  // By the common factor of the coefficients, the first made positive.
  void divide(WholeForm& form) {
    if (form.terms.empty()) return;
    std::int64_t factor = 0;
    for (const WholeTerm64& t : form.terms) factor = std::gcd(factor, t.coefficient);
    if (form.terms.front().coefficient < 0) factor = -factor;
    if (factor == 1) return;
    for (WholeTerm64& t : form.terms) t.coefficient /= factor;
    if (factor < 0) {
      std::swap(form.lower, form.upper);
      form.lower = -form.lower;
      form.upper = -form.upper;
      factor = -factor;
    }
    if (form.has_lower()) form.lower = ceil_div(form.lower, factor);
    if (form.has_upper()) form.upper = floor_div(form.upper, factor);
    if (form.lower > form.upper) {
      fail(form.use,
           fmt::format("'{}' cannot hold: its left side is a multiple of {}, its right side is not",
                       name(form), factor));
    }
  }

  void index_forms() {
    at_.assign(bounds().size(), {});
    for (std::size_t k = 0; k < forms().size(); ++k) {
      for (const WholeTerm64& t : forms()[k].terms) {
        at_[t.variable].push_back(static_cast<std::uint32_t>(k));
      }
    }
  }

  void propagate_all() {
    queued_.assign(forms().size(), 1);
    visits_.assign(forms().size(), 0);
    for (std::size_t k = 0; k < forms().size(); ++k)
      queue_.push_back(static_cast<std::uint32_t>(k));
    for (std::size_t v = 0; v < bounds().size(); ++v) {
      if (bounds()[v].lower > 0) changed(v);
    }
    while (!queue_.empty() && out_.infeasible.empty()) {
      const std::uint32_t k = queue_.front();
      queue_.pop_front();
      queued_[k] = 0;
      if (++visits_[k] <= kVisits) propagate(forms()[k]);
    }
  }

  Activity activity(const WholeForm& form) { return activity_of(form, bounds()); }

  void propagate(const WholeForm& form) {
    if (form.lower > form.upper) {
      fail(form.use,
           fmt::format("'{}' cannot hold: its left side takes no value in its limits", name(form)));
      return;
    }
    const Activity a = activity(form);
    if ((a.no_least == 0 && a.least > form.upper) || (a.no_most == 0 && a.most < form.lower)) {
      fail(form.use, fmt::format("'{}' cannot hold together with the other constraints and bounds",
                                 name(form)));
      return;
    }
    const bool upper_holds = !form.has_upper() || (a.no_most == 0 && a.most <= form.upper);
    const bool lower_holds = !form.has_lower() || (a.no_least == 0 && a.least >= form.lower);
    for (const WholeTerm64& t : form.terms) {
      if (upper_holds && lower_holds) break;
      WholeInterval& b = bounds()[t.variable];
      const WholeInterval before = b;
      const Wide c = t.coefficient;
      const std::int64_t low = c > 0 ? before.lower : before.upper;
      const std::int64_t high = c > 0 ? before.upper : before.lower;
      const bool low_open = is_open(low), high_open = is_open(high);
      if (!upper_holds && a.no_least - (low_open ? 1 : 0) == 0) {
        const Wide room = form.upper - (a.least - (low_open ? 0 : c * low));
        if (c > 0)
          lower_upper(b, floor_div(room, c));
        else
          raise_lower(b, ceil_div(room, c));
      }
      if (!lower_holds && a.no_most - (high_open ? 1 : 0) == 0) {
        const Wide room = form.lower - (a.most - (high_open ? 0 : c * high));
        if (c > 0)
          raise_lower(b, ceil_div(room, c));
        else
          lower_upper(b, floor_div(room, c));
      }
      if (source_.variables[t.variable].spin) {
        if (b.lower == 0) b.lower = 1;
        if (b.upper == 0) b.upper = -1;
      }
      if (b == before) continue;
      if (b.lower != before.lower) note({form.use, t.variable, false, b.lower});
      if (b.upper != before.upper) note({form.use, t.variable, true, b.upper});
      if (b.lower > b.upper) {
        fail(fmt::format("'{}' leaves no value to '{}'", name(form),
                         source_.variables[t.variable].name));
        return;
      }
      changed(t.variable);
      // The activity is the old one; its conclusions stay true, and the row is visited again.
    }
  }

  static void lower_upper(WholeInterval& b, Wide limit) {
    if (limit > kWidest || limit < -kWidest) return;
    b.upper = std::min(b.upper, static_cast<std::int64_t>(limit));
  }
  static void raise_lower(WholeInterval& b, Wide limit) {
    if (limit > kWidest || limit < -kWidest) return;
    b.lower = std::max(b.lower, static_cast<std::int64_t>(limit));
  }

  void changed(std::size_t v) {
    for (std::uint32_t k : at_[v]) {
      if (queued_[k] != 0) continue;
      queued_[k] = 1;
      queue_.push_back(k);
    }
    if (bounds()[v].lower < 1) return;
    for (const auto& [other, use] : partners_[v]) {
      WholeInterval& b = bounds()[other];
      if (b.lower >= 1) {
        fail(use, fmt::format("'{}' and '{}' must both be 1 and exclude each other",
                              source_.variables[v].name, source_.variables[other].name));
      } else if (b.upper > 0) {
        note({use, other, true, 0});
        b.upper = 0;
        changed(other);
      }
    }
  }

  void check_finite(std::size_t v) {
    const WholeInterval& b = bounds()[v];
    const std::string& who = source_.variables[v].name;
    if (b.lower == kNoLower || b.upper == kNoUpper) {
      throw InputError(fmt::format(
          "variable '{}' has no {} bound, neither given nor following from a constraint; give one",
          who, b.upper == kNoUpper ? "upper" : "lower"));
    }
    if (std::max(std::abs(b.lower), std::abs(b.upper)) > kWidest) {
      throw InputError(fmt::format("variable '{}' may go from {} to {}; 2^40 is the most", who,
                                   b.lower, b.upper));
    }
  }

  void substitute_slacks();
  bool move_cost(const SlackOf& slack, std::vector<Decimal>& linear);
  void remove_fixed();
  void find_exclusions();

  void make_narrow(std::vector<WholeForm>& rows) {
    for (WholeForm& form : rows) {
      if (narrow(form, bounds())) continue;
      throw InputError(
          fmt::format("constraint '{}': sums of its terms need more than 62 bits", name(form)));
    }
  }

  const ConstrainedModel& source_;
  Presolved out_;
  std::vector<std::vector<std::uint32_t>> at_;  // forms, by variable
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> partners_;  // with the use
  std::deque<std::uint32_t> queue_;
  std::vector<char> queued_;
  std::vector<std::size_t> visits_;
};

bool is_one_hot(const WholeForm& form, const std::vector<WholeInterval>& bounds) {
  return form.upper == 1 &&
         std::all_of(form.terms.begin(), form.terms.end(), [&](const WholeTerm64& t) {
           const WholeInterval& b = bounds[t.variable];
           return t.coefficient == 1 && b.lower >= 0 && b.upper <= 1;
         });
}

// s with a x + s = b, s in no other row and only linear in f, is b - a x: its bounds become the
// row's limits. A one-hot would only lose its form, so its members stay.
void Presolver::substitute_slacks() {
  std::vector<std::uint32_t> rows_of(bounds().size(), 0), row_of(bounds().size(), 0);
  for (std::size_t k = 0; k < forms().size(); ++k) {
    for (const WholeTerm64& t : forms()[k].terms) {
      ++rows_of[t.variable];
      row_of[t.variable] = static_cast<std::uint32_t>(k);
    }
  }
  std::vector<char> in_product(bounds().size(), 0);
  for (const ProductTerm& t : out_.objective.products) in_product[t.i] = in_product[t.j] = 1;
  for (const Monomial& t : out_.objective.monomials) {
    for (std::uint32_t v : t.variables) in_product[v] = 1;
  }
  for (const auto& [i, j] : out_.model.exclusions) in_product[i] = in_product[j] = 1;
  for (const WholeForm& form : out_.model.soft) {
    for (const WholeTerm64& t : form.terms) in_product[t.variable] = 1;
  }
  std::vector<Decimal> linear(bounds().size());
  for (const LinearTerm& t : out_.objective.linear) linear[t.variable] += t.coefficient;

  for (std::size_t v = 0; v < bounds().size(); ++v) {
    if (rows_of[v] != 1 || in_product[v] != 0 || bounds()[v].fixed()) continue;
    if (source_.variables[v].spin) continue;  // a range would allow 0
    WholeForm& form = forms()[row_of[v]];
    if (form.lower != form.upper || is_one_hot(form, bounds()) || form.terms.size() < 2) continue;
    const auto term = std::find_if(form.terms.begin(), form.terms.end(),
                                   [&](const WholeTerm64& t) { return t.variable == v; });
    if (std::abs(term->coefficient) != 1) continue;
    if (form.lower >= kNoUpper || form.lower <= kNoLower) continue;
    SlackOf slack{static_cast<std::uint32_t>(v),
                  form.constraint,
                  term->coefficient,
                  static_cast<std::int64_t>(form.lower),
                  {}};
    slack.terms = form.terms;
    slack.terms.erase(slack.terms.begin() + (term - form.terms.begin()));
    if (!linear[v].zero() && !move_cost(slack, linear)) continue;
    form.terms = slack.terms;
    std::vector<RowUse> rows = out_.uses[form.use];
    for (RowUse& row : rows) row.without = slack.variable;
    form.use = static_cast<std::uint32_t>(out_.uses.size());
    out_.uses.push_back(std::move(rows));
    const WholeInterval& b = bounds()[v];
    form.lower = slack.total - (slack.sign > 0 ? b.upper : -b.lower);
    form.upper = slack.total - (slack.sign > 0 ? b.lower : -b.upper);
    for (const WholeTerm64& t : slack.terms) rows_of[t.variable] += 1;  // one slack per row
    out_.slacks.push_back(std::move(slack));
  }
  if (out_.slacks.empty()) return;
  out_.objective.linear.clear();
  for (std::size_t v = 0; v < linear.size(); ++v) {
    if (!linear[v].zero()) {
      out_.objective.linear.push_back({static_cast<std::uint32_t>(v), linear[v]});
    }
  }
}

// What the slack variable costs, as a cost of the others; false where that needs too many digits.
bool Presolver::move_cost(const SlackOf& slack, std::vector<Decimal>& linear) {
  const Decimal rate = slack.sign > 0 ? linear[slack.variable] : -linear[slack.variable];
  Expression changed;
  try {
    changed.constant = out_.objective.constant + rate * slack.total;
    for (const WholeTerm64& t : slack.terms) {
      changed.linear.push_back({t.variable, linear[t.variable] - rate * t.coefficient});
    }
  } catch (const TooManyDigits&) {
    return false;
  }
  out_.objective.constant = changed.constant;
  for (const LinearTerm& t : changed.linear) linear[t.variable] = t.coefficient;
  linear[slack.variable] = 0;
  return true;
}

// Removes fixed variables from the rows, and drops rows that always hold.
void Presolver::remove_fixed() {
  for (const WholeInterval& b : bounds()) out_.fixed += b.fixed() ? 1 : 0;
  std::vector<WholeForm> kept;
  for (WholeForm& form : forms()) {
    Wide shift = 0;
    std::erase_if(form.terms, [&](const WholeTerm64& t) {
      const WholeInterval& b = bounds()[t.variable];
      if (b.fixed()) shift += static_cast<Wide>(t.coefficient) * b.lower;
      return b.fixed();
    });
    if (form.has_lower()) form.lower -= shift;
    if (form.has_upper()) form.upper -= shift;
    const Activity a = activity(form);
    // Limits nobody reaches are no limits; impossible rows stay, so that they can be reported.
    if (form.has_lower() && a.least >= form.lower) form.lower = -kWidestUnits;
    if (form.has_upper() && a.most <= form.upper) form.upper = kWidestUnits;
    if (!form.has_lower() && !form.has_upper()) {
      ++out_.dropped;
      continue;
    }
    if (form.terms.empty()) fail(form.use, fmt::format("'{}' cannot hold", name(form)));
    kept.push_back(std::move(form));
  }
  forms() = std::move(kept);
  auto& pairs = out_.model.exclusions;
  std::erase_if(pairs, [&](const auto& pair) {
    return bounds()[pair.first].upper <= 0 || bounds()[pair.second].upper <= 0;
  });
}

// Rows of two binaries that forbid just (1, 1) become exclusions.
void Presolver::find_exclusions() {
  const auto binary = [&](std::uint32_t v) {
    return bounds()[v].lower == 0 && bounds()[v].upper == 1;
  };
  std::erase_if(forms(), [&](const WholeForm& form) {
    if (form.terms.size() != 2) return false;
    const auto [v, a] = form.terms[0];
    const auto [w, b] = form.terms[1];
    if (!binary(v) || !binary(w)) return false;
    const auto holds = [&](Wide sum) { return form.lower <= sum && sum <= form.upper; };
    if (!holds(0) || !holds(a) || !holds(b) || holds(static_cast<Wide>(a) + b)) return false;
    out_.model.exclusions.emplace_back(std::min(v, w), std::max(v, w));
    return true;
  });
  auto& pairs = out_.model.exclusions;
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

}  // namespace

bool narrow(WholeForm& form, const std::vector<WholeInterval>& bounds) {
  Wide width = 0;
  for (const WholeTerm64& t : form.terms) {
    const WholeInterval& b = bounds[t.variable];
    // In bits, which count from the lower bound, it may go further.
    const Wide furthest = std::max({std::abs(b.lower), std::abs(b.upper), b.upper - b.lower});
    width += (t.coefficient > 0 ? t.coefficient : -t.coefficient) * furthest;
  }
  if (width >= kNoUpper) return false;
  // The amount by which a soft one is missed counts, so its limits do not move.
  if (!form.price.zero()) {
    return (!form.has_lower() || form.lower > kNoLower) &&
           (!form.has_upper() || form.upper < kNoUpper);
  }
  const Activity a = activity_of(form, bounds);
  if (form.has_lower()) form.lower = std::clamp(form.lower, a.least - 1, a.most + 1);
  if (form.has_upper()) form.upper = std::clamp(form.upper, a.least - 1, a.most + 1);
  return true;
}

Presolved presolve(const ConstrainedModel& model, Slacks slacks) {
  return Presolver(model).run(slacks);
}

}  // namespace chainmail
