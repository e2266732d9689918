#include "exact/bounds.hpp"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <limits>
#include <numeric>

#include "exact/clp.hpp"
#include "exact/minorant.hpp"

namespace chainmail {

namespace {

constexpr std::size_t kMostTerms = 20'000;  // of a linear program
constexpr std::size_t kMostCliqueWork = 30'000'000;
constexpr int kMultiplierBits = 24;  // behind the point

Wide size_of(Wide value) {
  return value < 0 ? -value : value;
}

using Cliques = Lists<std::uint32_t>;

// Free bits of which at most one is one, as many together as a greedy search finds.
Cliques cliques_of(const TreeModel& model) {
  std::vector<std::vector<std::uint32_t>> others(model.bits);
  for (const auto& [i, j] : model.clashes) {
    others[i].push_back(j);
    others[j].push_back(i);
  }
  for (auto& list : others) std::sort(list.begin(), list.end());
  std::vector<char> taken(model.bits, 0);
  for (std::uint32_t bit : model.groups.items) taken[bit] = 1;
  std::vector<std::uint32_t> order(model.bits);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return others[a].size() < others[b].size();
  });
  Cliques cliques;
  std::size_t work = 0;
  for (std::uint32_t i : order) {
    if (taken[i] != 0 || others[i].empty() || work > kMostCliqueWork) continue;
    std::vector<std::uint32_t> clique = {i}, candidates, best, rest;
    taken[i] = 1;
    std::copy_if(others[i].begin(), others[i].end(), std::back_inserter(candidates),
                 [&](std::uint32_t j) { return taken[j] == 0; });
    while (!candidates.empty()) {  // next the one that leaves the most to choose from
      std::uint32_t next = kNone;
      for (std::uint32_t j : candidates) {
        rest.clear();
        std::set_intersection(candidates.begin(), candidates.end(), others[j].begin(),
                              others[j].end(), std::back_inserter(rest));
        work += candidates.size() + others[j].size();
        if (next == kNone || rest.size() > best.size()) {
          next = j;
          best.swap(rest);
        }
        if (best.size() + 1 == candidates.size() || work > kMostCliqueWork) break;
      }
      taken[next] = 1;
      clique.push_back(next);
      candidates.swap(best);
    }
    cliques.items.insert(cliques.items.end(), clique.begin(), clique.end());
    cliques.close();
  }
  return cliques;
}

// Adds the minimum of every digit: a free bit, a clique, or one bit of each group.
Wide least_of(const TreeModel& model, const Cliques& cliques, const std::vector<Wide>& field) {
  Wide least = 0;
  std::vector<char> grouped(model.bits, 0);
  for (std::size_t k = 0; k < cliques.size(); ++k) {
    Wide best = 0;
    for (std::uint32_t bit : cliques[k]) {
      grouped[bit] = 1;
      best = std::min(best, field[bit]);
    }
    least += best;
  }
  for (std::size_t k = 0; k < model.groups.size(); ++k) {
    std::optional<Wide> best;
    for (std::uint32_t bit : model.groups[k]) {
      grouped[bit] = 1;
      best = best ? std::min(*best, field[bit]) : field[bit];
    }
    least += best.value_or(0);
  }
  for (std::size_t i = 0; i < model.bits; ++i) {
    if (grouped[i] == 0) least += std::min<Wide>(0, field[i]);
  }
  return least;
}

// Rounds up to the next value f can have: all its terms are multiples of one number.
Wide next_value(const TreeModel& model, Wide least) {
  Wide step = 0;
  const auto take = [&](Wide value) {
    value = size_of(value);
    while (value != 0) std::swap(step %= value, value);
  };
  for (Wide value : model.f.linear) take(value);
  for (const WholePair& p : model.f.pairs) take(p.value);
  for (const WholeLimits& limits : model.limits) take(limits.price);
  if (step <= 1) return least;
  const Wide over = least - model.f.constant;
  const Wide rest = over % step;
  return rest == 0 ? least : least + (rest > 0 ? step - rest : -rest);
}

LinearProgram relaxation(const TreeModel& model) {
  LinearProgram lp;
  std::vector<std::vector<std::pair<int, double>>> columns(model.bits);
  const double far = std::numeric_limits<double>::infinity();
  const auto row = [&](double lower, double upper) {
    lp.row_lower.push_back(lower);
    lp.row_upper.push_back(upper);
    return static_cast<int>(lp.row_lower.size() - 1);
  };
  for (std::size_t k = 0; k < model.forms.size(); ++k) {
    const WholeLimits& limits = model.limits[k];
    const int at = row(limits.lower == kNoLower ? -far : static_cast<double>(limits.lower),
                       limits.upper == kNoUpper ? far : static_cast<double>(limits.upper));
    for (const FormTerm& t : model.forms[k]) {
      columns[t.index].emplace_back(at, static_cast<double>(t.coefficient));
    }
    if (limits.price == 0) continue;
    for (const double sign : {1.0, -1.0}) {  // short of its lower limit, beyond its upper
      columns.push_back({{at, sign}});
      lp.cost.push_back(static_cast<double>(limits.price));
    }
  }
  for (const auto& [i, j] : model.clashes) {
    const int at = row(-far, 1.0);
    columns[i].emplace_back(at, 1.0);
    columns[j].emplace_back(at, 1.0);
  }
  for (std::size_t k = 0; k < model.groups.size(); ++k) {
    const int at = row(1.0, 1.0);
    for (std::uint32_t bit : model.groups[k]) columns[bit].emplace_back(at, 1.0);
  }
  std::vector<double> cost;
  for (Wide value : model.f.linear) cost.push_back(static_cast<double>(value));
  lp.cost.insert(lp.cost.begin(), cost.begin(), cost.end());
  lp.lower.assign(columns.size(), 0.0);
  lp.upper.assign(columns.size(), far);
  std::fill_n(lp.upper.begin(), model.bits, 1.0);
  for (const auto& column : columns) {
    for (const auto& [at, value] : column) {
      lp.row.push_back(at);
      lp.value.push_back(value);
    }
    lp.start.push_back(static_cast<int>(lp.row.size()));
  }
  return lp;
}

// Forms and clashes moved into f by whole multipliers: f - sum y (a x - side) is nowhere above f
// where they hold, and its least is a sum over digits. Of groups no multiplier is needed.
std::optional<WholeBound> lagrangian(const TreeModel& model, const Cliques& cliques,
                                     const std::vector<double>& duals) {
  const Wide scale = Wide{1} << kMultiplierBits;
  double size = 0.0;
  for (Wide value : model.f.linear) size += std::abs(static_cast<double>(value));
  size *= std::exp2(kMultiplierBits);
  std::vector<Wide> field;
  for (Wide value : model.f.linear) field.push_back(scale * value);
  Wide sum = scale * model.f.constant;
  WholeBound bound;
  const auto multiplier = [&](std::size_t row, bool has_lower, bool has_upper, Wide price) {
    const double wanted = std::round(std::ldexp(duals[row], kMultiplierBits));
    if (!(std::abs(wanted) < 0x1.0p80)) return Wide{0};
    auto y = static_cast<Wide>(wanted);
    if ((y > 0 && !has_lower) || (y < 0 && !has_upper)) return Wide{0};
    if (price > 0) y = std::clamp<Wide>(y, -scale * price, scale * price);  // it may be missed
    return y;
  };
  std::size_t row = 0;
  for (; row < model.forms.size(); ++row) {
    const WholeLimits& limits = model.limits[row];
    const Wide y =
        multiplier(row, limits.lower != kNoLower, limits.upper != kNoUpper, limits.price);
    bound.multipliers.push_back(std::ldexp(static_cast<double>(y), -kMultiplierBits));
    if (y == 0) continue;
    const std::int64_t side = y > 0 ? limits.lower : limits.upper;
    const double by = std::abs(static_cast<double>(y));
    size += by * std::abs(static_cast<double>(side));
    for (const FormTerm& t : model.forms[row]) {
      size += by * std::abs(static_cast<double>(t.coefficient));
    }
    if (size > 0x1.0p120) return std::nullopt;
    sum += y * side;
    for (const FormTerm& t : model.forms[row]) field[t.index] -= y * t.coefficient;
  }
  for (const auto& [i, j] : model.clashes) {
    const Wide y = multiplier(row++, false, true, 0);
    bound.multipliers.push_back(std::ldexp(static_cast<double>(y), -kMultiplierBits));
    size += 3.0 * std::abs(static_cast<double>(y));
    if (size > 0x1.0p120) return std::nullopt;
    sum += y;
    field[i] -= y;
    field[j] -= y;
  }
  sum += least_of(model, cliques, field);
  bound.least = divided_up(sum, scale);  // f is whole: up to the next one
  return bound;
}

WholeBound sum_bound(const TreeModel& model, const Cliques& cliques) {
  // Computes 2f, since products are shared between their two bits.
  std::vector<char> grouped(model.bits, 0);
  for (std::uint32_t bit : model.groups.items) grouped[bit] = 1;
  std::vector<Wide> shared, apart;
  for (Wide value : model.f.linear) apart.push_back(2 * value);
  shared = apart;
  Wide with_shared = 2 * model.f.constant, with_apart = with_shared;
  for (const WholePair& p : model.f.pairs) {
    with_apart += std::min<Wide>(0, 2 * p.value);
    if (grouped[p.i] != 0 || grouped[p.j] != 0) {
      if (p.value < 0) shared[p.i] += 2 * p.value;
      continue;
    }
    shared[p.i] += p.value;
    shared[p.j] += p.value;
    if (p.value > 0) with_shared -= p.value;
  }
  const Wide twice = std::max(with_shared + least_of(model, cliques, shared),
                              with_apart + least_of(model, cliques, apart));
  return {next_value(model, divided_up(twice, 2)),
          model.clashes.empty() ? "sums of coefficients" : "cliques",
          cliques,
          {},
          {}};
}

std::optional<WholeBound> dual_bound(const TreeModel& model, const Cliques& cliques,
                                     const ProposeDuals& propose) {
  const std::size_t terms = model.forms.items.size() + 2 * model.clashes.size() + model.bits;
  if (model.g || !model.constrained() || terms == model.bits || model.bits == 0)
    return std::nullopt;
  const bool products = !model.f.pairs.empty();
  Minorant minorant = products ? linear_minorant(model) : Minorant{model, {}};
  const TreeModel& linear = minorant.linear;
  const auto by = [&](const std::optional<std::vector<double>>& duals) {
    return duals ? lagrangian(linear, cliques, *duals) : std::nullopt;
  };
  std::optional<WholeBound> bound;
  if (terms <= kMostTerms) bound = by(row_duals(relaxation(linear)));
  const char* name = bound ? "LP" : kByMultipliers;
  if (!bound && propose) bound = by(propose(linear));
  if (!bound) return std::nullopt;
  if (products) {
    bound->least = divided_up(bound->least, 2);
    for (double& y : bound->multipliers) y /= 2.0;
    bound->products = std::move(minorant.rows);
  }
  bound->least = next_value(model, bound->least);
  bound->by = name;
  bound->cliques = cliques;
  return bound;
}

}  // namespace

WholeBound sum_bound(const TreeModel& model) {
  return sum_bound(model, cliques_of(model));
}

SpinBound sum_bound(const Quadratic& f) {
  std::feclearexcept(FE_INEXACT);
  double size = 0.0;
  for (double h : f.fields) size += std::abs(h);
  for (const Coupling& c : f.couplings) size += std::abs(c.value);
  const double least = f.offset - size;
  if (std::fetestexcept(FE_INEXACT) == 0) return {least, true};
  // Each addition was off by at most half a unit in the last place.
  const auto terms = static_cast<double>(f.size() + f.couplings.size() + 2);
  return {least - (size + std::abs(f.offset)) * terms * 0x1.0p-52, false};
}

std::optional<WholeBound> dual_bound(const TreeModel& model, const ProposeDuals& propose) {
  return dual_bound(model, cliques_of(model), propose);
}

std::optional<WholeBound> bound_by(const std::vector<double>& duals, const TreeModel& linear) {
  return lagrangian(linear, cliques_of(linear), duals);
}

WholeBound lower_bound(const TreeModel& model, const ProposeDuals& propose) {
  if (!model.f.monomials.empty()) return lower_bound(quadratic_minorant(model), propose);
  const Cliques cliques = cliques_of(model);
  WholeBound best = sum_bound(model, cliques);
  const std::optional<WholeBound> duals = dual_bound(model, cliques, propose);
  return duals && duals->least > best.least ? *duals : best;
}

}  // namespace chainmail
