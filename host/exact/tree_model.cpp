#include "exact/tree_model.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "problem/precision.hpp"

namespace chainmail {

namespace {

// x = (1 + s) / 2; `whole` is a number in units.
template <class Whole>
WholeFunction in_bits(const Quadratic& q, Whole whole) {
  WholeFunction f;
  f.constant = whole(q.offset);
  f.linear.resize(q.size());
  for (std::size_t i = 0; i < q.size(); ++i) {
    const Wide h = whole(q.fields[i]);
    f.constant += h;
    f.linear[i] -= 2 * h;
  }
  f.pairs.reserve(q.couplings.size());
  for (const Coupling& c : q.couplings) {
    const Wide value = whole(c.value);
    f.constant -= value;
    f.linear[c.i] += 2 * value;
    f.linear[c.j] += 2 * value;
    f.pairs.push_back({c.i, c.j, -4 * value});
  }
  return f;
}

WholeUnit unit_of(const Quadratic& q) {
  WholeUnit unit;
  unit.add(q.offset, 4.0);
  for (double h : q.fields) unit.add(h, 8.0);
  for (const Coupling& c : q.couplings) unit.add(c.value, 16.0);
  return unit;
}

// Numbers as decimals, multiples of 10 to the exponent; `unit` counts what they add up to.
struct DecimalUnit {
  explicit DecimalUnit(const Quadratic& q) {
    const auto all = [&](const auto& visit) {
      visit(q.offset, 4.0);
      for (double h : q.fields) visit(h, 8.0);
      for (const Coupling& c : q.couplings) visit(c.value, 16.0);
    };
    all([&](double value, double) {
      const Decimal d = value;
      if (!d.zero()) exponent = std::min(exponent, d.exponent());
    });
    double size = 1.0;
    all([&](double value, double times) { size += times * std::abs(value); });
    size *= std::pow(10.0, -exponent);
    unit.add(1.0);
    if (std::isfinite(size)) unit.add(std::exp2(std::ceil(std::log2(size))));
    fits = std::isfinite(size) && unit.fits();
  }
  Wide operator()(double value) const {
    const Decimal d = value;
    return d.zero() ? Wide{0} : times_power_of_ten(d.mantissa(), d.exponent() - exponent).value();
  }

  int exponent = 0;
  WholeUnit unit;
  bool fits = false;
};

// Disjoint sets of bits.
class Sets {
 public:
  explicit Sets(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), std::uint32_t{0});
  }
  std::uint32_t of(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = of(a), b = of(b);
    parent_[std::max(a, b)] = std::min(a, b);  // the least stands for all
  }

 private:
  std::vector<std::uint32_t> parent_;
};

template <class Items, class Index>
void join_all(Sets& sets, const Items& items, Index index) {
  for (std::size_t k = 1; k < items.size(); ++k) sets.join(index(items[0]), index(items[k]));
}

Sets joined(const TreeModel& model) {
  Sets sets(model.bits);
  for (const WholePair& p : model.f.pairs) sets.join(p.i, p.j);
  for (const WholeMonomial& m : model.f.monomials) {
    join_all(sets, m.bits, [](std::uint32_t bit) { return bit; });
  }
  if (model.g) {  // one constraint: all its bits are one part
    std::optional<std::uint32_t> first;
    const auto take = [&](std::uint32_t i) {
      if (!first) first = i;
      sets.join(*first, i);
    };
    for (std::uint32_t i = 0; i < model.bits; ++i) {
      if (model.g->linear[i] != 0) take(i);
    }
    for (const WholePair& p : model.g->pairs) take(p.i), take(p.j);
  }
  for (const auto& [i, j] : model.clashes) sets.join(i, j);
  for (std::size_t k = 0; k < model.forms.size(); ++k) {
    join_all(sets, model.forms[k], [](const FormTerm& t) { return t.index; });
  }
  for (std::size_t k = 0; k < model.groups.size(); ++k) {
    join_all(sets, model.groups[k], [](std::uint32_t bit) { return bit; });
  }
  return sets;
}

}  // namespace

std::optional<TreeModel> tree_model(const Problem& problem, Numbers numbers) {
  TreeModel model;
  model.bits = problem.size();
  if (numbers == Numbers::decimal) {
    const DecimalUnit unit(problem.objective);
    if (!unit.fits) return std::nullopt;
    model.unit = unit.unit;
    model.f = in_bits(problem.objective, unit);
  } else {
    model.unit = unit_of(problem.objective);
    if (!model.unit.fits()) return std::nullopt;
    model.f = in_bits(problem.objective, [&](double value) { return model.unit.whole(value); });
  }
  if (problem.constraint) {
    const WholeUnit unit = unit_of(*problem.constraint);
    if (!unit.fits()) return std::nullopt;
    model.g = in_bits(*problem.constraint, [&](double value) { return unit.whole(value); });
    // The largest whole g that counts as none.
    const double one = unit.value(1);
    const double zero = feasible_up_to(problem);
    model.g_limit = one > zero ? 0 : static_cast<Wide>(zero / one);
  }
  return model;
}

std::optional<TreeModel> tree_model(const FormModel& from) {
  TreeModel model;
  model.bits = from.bits;
  model.unit.add(from.constant, 4.0);
  for (double value : from.linear) model.unit.add(value, 4.0);
  for (const Neighbour& n : from.pairs.items) model.unit.add(n.value, 4.0);
  for (std::size_t row = 0; row < from.forms.size(); ++row) {
    const FormLimits& limits = from.limits[row];
    if (!limits.soft()) continue;
    double furthest = std::abs(static_cast<double>(std::max(-limits.lower, limits.upper)));
    for (const FormTerm& t : from.forms[row]) {
      furthest += std::abs(static_cast<double>(t.coefficient));
    }
    model.unit.add(limits.price, 4.0 * std::max(1.0, furthest));
  }
  if (!model.unit.fits()) return std::nullopt;
  model.f.constant = model.unit.whole(from.constant);
  for (double value : from.linear) model.f.linear.push_back(model.unit.whole(value));
  for (std::uint32_t i = 0; i < from.bits; ++i) {
    for (const Neighbour& n : from.pairs[i]) {
      if (n.spin > i) model.f.pairs.push_back({i, n.spin, model.unit.whole(n.value)});
    }
    for (std::uint32_t j : from.clashes[i]) {
      if (j > i) model.clashes.emplace_back(i, j);
    }
  }
  model.forms = from.forms;
  for (const FormLimits& limits : from.limits) {
    model.limits.push_back(
        {limits.lower, limits.upper, limits.soft() ? model.unit.whole(limits.price) : Wide{0}});
  }
  model.groups = from.groups;
  return model;
}

std::vector<TreePart> parts_of(const TreeModel& model) {
  Sets sets = joined(model);
  std::vector<TreePart> parts;
  std::vector<std::uint32_t> part_of(model.bits), number(model.bits);
  for (std::uint32_t i = 0; i < model.bits; ++i) {
    const std::uint32_t head = sets.of(i);
    if (head == i) {
      part_of[i] = static_cast<std::uint32_t>(parts.size());
      parts.emplace_back().model.unit = model.unit;
    }
    TreePart& part = parts[part_of[i] = part_of[head]];
    number[i] = static_cast<std::uint32_t>(part.bits.size());
    part.bits.push_back(i);
    part.model.f.linear.push_back(model.f.linear[i]);
  }
  for (TreePart& part : parts) part.model.bits = part.bits.size();
  if (parts.empty()) return parts;
  parts.front().model.f.constant = model.f.constant;
  for (const WholePair& p : model.f.pairs) {
    parts[part_of[p.i]].model.f.pairs.push_back({number[p.i], number[p.j], p.value});
  }
  for (WholeMonomial m : model.f.monomials) {
    TreeModel& home = parts[part_of[m.bits.front()]].model;
    for (std::uint32_t& bit : m.bits) bit = number[bit];
    home.f.monomials.push_back(std::move(m));
  }
  if (model.g) {
    // All of it is in one part; a constant that nothing can fix goes to the first.
    std::uint32_t home = 0;
    for (std::uint32_t i = 0; i < model.bits; ++i) {
      if (model.g->linear[i] != 0) home = part_of[i];
    }
    if (!model.g->pairs.empty()) home = part_of[model.g->pairs.front().i];
    TreePart& part = parts[home];
    part.model.g = WholeFunction{model.g->constant, {}, {}};
    part.model.g_limit = model.g_limit;
    for (std::uint32_t i : part.bits) part.model.g->linear.push_back(model.g->linear[i]);
    for (const WholePair& p : model.g->pairs) {
      part.model.g->pairs.push_back({number[p.i], number[p.j], p.value});
    }
  }
  for (const auto& [i, j] : model.clashes) {
    parts[part_of[i]].model.clashes.emplace_back(number[i], number[j]);
  }
  for (std::size_t k = 0; k < model.forms.size(); ++k) {
    // A form without bits always holds or never: any part can report it.
    TreeModel& home =
        parts[model.forms[k].empty() ? 0 : part_of[model.forms[k].front().index]].model;
    for (const FormTerm& t : model.forms[k]) {
      home.forms.items.push_back({t.coefficient, number[t.index]});
    }
    home.forms.close();
    home.limits.push_back(model.limits[k]);
  }
  for (std::size_t k = 0; k < model.groups.size(); ++k) {
    TreeModel& home = parts[model.groups[k].empty() ? 0 : part_of[model.groups[k].front()]].model;
    for (std::uint32_t bit : model.groups[k]) home.groups.items.push_back(number[bit]);
    home.groups.close();
  }
  return parts;
}

}  // namespace chainmail
