#include "run/bound.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "jump/duals.hpp"
#include "run/certify.hpp"

namespace chainmail {

namespace {

// Of an objective that is looked at term by term.
constexpr std::size_t kMostSpinFactors = 8, kMostMonomials = 1 << 13;
constexpr std::uint64_t kBoundWork = 30'000'000;  // terms: some .1 s

// Multipliers of the model's forms by subgradient steps; any are valid, good ones bound well.
// `energy` is f of a solution in the linear model's unit.
std::vector<double> multipliers(const FormModel& model, const TreeModel& linear, double energy) {
  FormModel priced = model;
  priced.constant = static_cast<double>(linear.f.constant);
  for (std::size_t i = 0; i < priced.bits; ++i) {
    priced.linear[i] = static_cast<double>(linear.f.linear[i]);
  }
  priced.pairs = {};
  for (std::size_t i = 0; i < priced.bits; ++i) priced.pairs.close();
  std::vector<double> duals = find_duals(JumpModel(priced), energy, {.work = kBoundWork}).row;
  duals.resize(linear.forms.size() + linear.clashes.size(), 0.0);
  return duals;
}

std::optional<ModelBound> told(const CompiledForms& forms, WholeBound bound) {
  try {
    const Decimal least = forms.objective.constant + forms.objective.unit * Decimal(bound.least, 0);
    return ModelBound{least, std::move(bound)};
  } catch (const TooManyDigits&) {
    return std::nullopt;
  }
}

// `f` is that of a solution, if one is known.
std::optional<ModelBound> bound_by_search(const CompiledForms& forms, std::optional<double> f) {
  const std::optional<TreeModel> tree = exact_tree(forms);
  if (!tree) return std::nullopt;
  const ProposeDuals propose = [&](const TreeModel& linear) -> std::optional<std::vector<double>> {
    if (!f) return std::nullopt;
    const double units = (*f - static_cast<double>(forms.objective.constant)) /
                         static_cast<double>(forms.objective.unit);
    return multipliers(forms.model, linear, tree->f.pairs.empty() ? units : 2.0 * units);
  };
  return told(forms, lower_bound(*tree, propose));
}

// Products of spins are multiplied out, with their constant; false if there are too many.
bool add_monomials(const CompiledForms& forms, WholeFunction& f) {
  const FormModel& m = forms.model;
  if (m.monomial_values.empty()) return true;
  std::map<std::vector<std::uint32_t>, Wide> sums;
  for (const WholePair& p : f.pairs) sums[{p.i, p.j}] = p.value;
  f.pairs.clear();
  for (std::size_t k = 0; k < m.monomials.size(); ++k) {
    const auto all = m.monomials[k];
    const Wide value = forms.objective.monomials[k];
    if (m.monomial_values[k].spins == 0) {
      sums[{all.begin(), all.end()}] += value;
      continue;
    }
    if (all.size() > kMostSpinFactors) return false;
    for (std::uint32_t chosen = 0; chosen < 1U << all.size(); ++chosen) {
      std::vector<std::uint32_t> bits;
      for (std::size_t i = 0; i < all.size(); ++i) {
        if ((chosen >> i & 1) != 0) bits.push_back(all[i]);
      }
      const Wide part = value * (Wide{1} << bits.size());
      sums[std::move(bits)] +=
          std::popcount(chosen) % 2 == static_cast<int>(all.size() % 2) ? part : -part;
    }
    if (sums.size() > kMostMonomials) return false;
  }
  for (const auto& [bits, value] : sums) {
    if (value == 0) continue;
    if (bits.empty()) f.constant += value;
    if (bits.size() == 1) f.linear[bits[0]] += value;
    if (bits.size() == 2) f.pairs.push_back({bits[0], bits[1], value});
    if (bits.size() > 2) f.monomials.push_back({bits, value});
  }
  return true;
}

}  // namespace

// The model with the objective in its own whole numbers, or nothing where it has too many digits.
std::optional<TreeModel> exact_tree(const CompiledForms& forms) {
  const WholeObjective& objective = forms.objective;
  if (objective.too_wide) return std::nullopt;
  FormModel shape = forms.model;  // everything but the numbers of f
  std::fill(shape.linear.begin(), shape.linear.end(), 0.0);
  for (Neighbour& n : shape.pairs.items) n.value = 0.0;
  for (FormLimits& limits : shape.limits) limits.price = limits.soft() ? 1.0 : 0.0;
  std::optional<TreeModel> tree = tree_model(shape);
  if (!tree) return std::nullopt;
  double size = 1.0;
  const auto take = [&](Wide value, double times) {
    size += 4.0 * std::abs(static_cast<double>(value)) * times;
    return value;
  };
  tree->f.linear = objective.linear;
  std::size_t pair = 0;
  for (std::uint32_t i = 0; i < shape.bits; ++i) {
    for (std::size_t k = shape.pairs.start[i]; k < shape.pairs.start[i + 1]; ++k) {
      if (shape.pairs.items[k].spin > i) tree->f.pairs[pair++].value = objective.pairs[k];
    }
  }
  if (!add_monomials(forms, tree->f)) return std::nullopt;
  for (Wide value : tree->f.linear) take(value, 1.0);
  for (const WholePair& p : tree->f.pairs) take(p.value, 1.0);
  for (const WholeMonomial& m : tree->f.monomials) take(m.value, 1.0);
  for (std::size_t row = 0; row < tree->limits.size(); ++row) {
    if (!shape.limits[row].soft()) continue;
    double furthest = 1.0;
    for (const FormTerm& t : shape.forms[row])
      furthest += std::abs(static_cast<double>(t.coefficient));
    for (std::int64_t limit : {shape.limits[row].lower, shape.limits[row].upper}) {
      if (limit > kNoLower && limit < kNoUpper) furthest += std::abs(static_cast<double>(limit));
    }
    tree->limits[row].price = take(objective.prices[row], furthest);
  }
  tree->unit = {};
  tree->unit.add(1.0);
  tree->unit.add(std::exp2(std::ceil(std::log2(size))));
  if (!tree->unit.fits()) return std::nullopt;
  return tree;
}

std::optional<ModelBound> bound_of(const CompiledForms& forms,
                                   const std::vector<double>& multipliers) {
  const std::optional<TreeModel> tree = exact_tree(forms);
  if (!tree) return std::nullopt;
  const double unit = static_cast<double>(forms.objective.unit);
  const ProposeDuals propose = [&](const TreeModel& linear) -> std::optional<std::vector<double>> {
    if (multipliers.size() != linear.forms.size() || !tree->f.pairs.empty()) return std::nullopt;
    std::vector<double> duals;
    duals.reserve(multipliers.size());
    for (double y : multipliers) duals.push_back(y / unit);
    duals.resize(linear.forms.size() + linear.clashes.size(), 0.0);
    return duals;
  };
  return told(forms, lower_bound(*tree, propose));
}

std::optional<ModelBound> closed_bound(const ModelSource& source, std::span<const Bit> best,
                                       const std::vector<double>& multipliers) {
  const CompiledForms& forms = source.forms();
  const std::optional<Decimal> f = evaluate(source.model, forms.decode(best)).exact;
  if (!f || !forms.objective.ordered) return std::nullopt;
  ModelBound bound{source.model.sense == Sense::maximise ? -*f : *f, {}};
  bound.whole.by = kByCore;
  bound.whole.enumerated = true;
  const double unit = static_cast<double>(forms.objective.unit);
  for (double y : multipliers) bound.whole.multipliers.push_back(y / unit);
  return bound;
}

void tell_bound(const Source& source, const std::optional<ModelBound>& known, Result& result) {
  if (!result.infeasible.empty()) return;
  if (!source.model) {
    const SpinBound bound = sum_bound(source.problem().objective);
    result.bound = bound.least;
    result.bound_by = "sums of coefficients";
    result.proved = bound.exact && source.precision().exact() && result.best.feasible &&
                    result.best.energy == bound.least;
  } else {
    if (result.proved || result.answers.empty()) return;
    const std::optional<Decimal>& exact = result.answers.front().exact;
    std::optional<Decimal> f;  // of a solution
    if (result.best.feasible && exact && !result.no_objective) {
      f = result.scale < 0.0 ? -*exact : *exact;
    }
    const bool closed = known && known->whole.enumerated;
    if (closed && f && *f <= known->least) {
      const Confirmed confirmed = confirm_core(result, *source.model, known->whole);
      if (confirmed != Confirmed::no) {
        result.proved = confirmed == Confirmed::yes;
        result.bound = result.best.energy;
        result.bound_by = known->whole.by;
        if (result.proved) result.known_optimum = result.bound;
        return;
      }
    }
    std::optional<ModelBound> bound = closed ? std::nullopt : known;
    if (!bound || bound->whole.by != kByMultipliers) {
      const auto better = bound_by_search(
          source.model->forms(), f ? std::optional(static_cast<double>(*f)) : std::nullopt);
      if (better && (!bound || better->least > bound->least)) bound = better;
    }
    if (!bound) return;
    const bool reached = f && *f <= bound->least;
    result.proved = reached && confirm_bound(result, *source.model, bound->whole);
    result.bound = reached ? result.best.energy : static_cast<double>(bound->least);
    result.bound_by = bound->whole.by;
  }
  if (result.proved) result.known_optimum = result.bound;
}

}  // namespace chainmail
