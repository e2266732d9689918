#include "model/plain_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "support/error.hpp"

namespace chainmail {

namespace {

struct Range {
  Decimal least, most;
};

Range range_of(const ConstrainedModel& model, const Expression& e) {
  Range range{e.constant, e.constant};
  for (const LinearTerm& t : e.linear) {
    const ModelVariable& v = model.variables[t.variable];
    range.least += t.coefficient * (t.coefficient > 0 ? v.lower : v.upper);
    range.most += t.coefficient * (t.coefficient > 0 ? v.upper : v.lower);
  }
  return range;
}

// Bounds rounded to whole numbers, so that activities can be reached.
void round_bounds(ConstrainedModel& model) {
  for (ModelVariable& v : model.variables) {
    v.lower = v.lower.ceil();
    v.upper = v.upper.floor();
  }
}

class Lowering {
 public:
  Lowering(const ConstrainedModel& source, bool no_monomials)
      : source_(source), no_monomials_(no_monomials) {
    out_.model = source;
    out_.model.constraints.clear();
    out_.model.sets.clear();
    round_bounds(out_.model);
  }

  PlainModel run() {
    if (no_monomials_) out_.model.objective = without_monomials(source_.objective, "objective");
    for (const ModelConstraint& given : source_.constraints) {
      const ModelConstraint c = excludes(given) ? given : linear(given);
      if (c.when) {
        add_switched(c);
      } else {
        out_.model.constraints.push_back(c);
      }
    }
    for (const ModelSet& set : source_.sets) add_set(set);
    // As read: each compiler rounds in its own way.
    for (std::size_t v = 0; v < source_.variables.size(); ++v) {
      out_.model.variables[v] = source_.variables[v];
    }
    return std::move(out_);
  }

 private:
  ModelConstraint linear(ModelConstraint c) {
    c.left = without_monomials(c.left, c.name);
    for (const ProductTerm& t : c.left.products) {
      c.left.linear.push_back({product({t.i, t.j}), t.coefficient});
    }
    c.left.products.clear();
    c.left.normalise();
    return c;
  }

  Expression without_monomials(Expression e, const std::string& where) {
    for (const Monomial& t : e.monomials) {
      for (std::uint32_t v : t.variables) {
        const ModelVariable& variable = source_.variables[v];
        if (is_binary(variable)) continue;
        throw InputError(fmt::format(
            "{}: a product of three or more has '{}', which is not binary; only the CPU takes it",
            where, variable.name));
      }
      e.linear.push_back({product(t.variables), t.coefficient});
    }
    e.monomials.clear();
    e.normalise();
    return e;
  }

  // A binary that is the product of these: the one there is, or a new one with its rows.
  std::uint32_t product(std::vector<std::uint32_t> factors) {
    std::sort(factors.begin(), factors.end());
    factors.erase(std::unique(factors.begin(), factors.end()), factors.end());
    if (factors.size() == 1) return factors.front();
    const auto z = static_cast<std::uint32_t>(out_.model.variables.size());
    const auto [known, fresh] = products_.try_emplace(factors, z);
    if (!fresh) return known->second;
    std::string name = "product(";
    for (std::uint32_t v : factors) name += source_.variables[v].name + ",";
    name.back() = ')';
    out_.model.variables.push_back({name, 0, 1});
    out_.nonzero_of.push_back(factors);
    ModelConstraint all;
    all.name = name + "(least)";
    all.upper = static_cast<double>(factors.size() - 1);
    for (std::uint32_t v : factors) {
      all.left.linear.push_back({v, 1});
      ModelConstraint one;
      one.name = fmt::format("{}({})", name, source_.variables[v].name);
      one.left.linear = {{v, -1}, {z, 1}};
      one.upper = 0;
      out_.model.constraints.push_back(std::move(one));
    }
    all.left.linear.push_back({z, -1});
    out_.model.constraints.push_back(std::move(all));
    return z;
  }

  // a x <= u while z = 1: a x + m z <= u + m with m = most - u; while z = 0 the same with 1 - z. m
  // is rounded up to a whole number, so that decimals stay as short as they were written.
  void add_switched(const ModelConstraint& c) {
    const Range range = range_of(out_.model, c.left);
    const auto add = [&](bool upper) {
      const Decimal limit = upper ? c.upper : c.lower;
      const Decimal far = upper ? range.most : range.least;
      if (!limit.finite() || (upper ? far <= limit : far >= limit)) return;
      if (!far.finite()) refuse(c, upper);
      ModelConstraint row = c;
      row.when.reset();
      row.lower = -kUnbounded;
      row.upper = kUnbounded;
      Decimal& side = upper ? row.upper : row.lower;
      const Decimal step = upper ? (far - limit).ceil() : -(limit - far).ceil();
      row.left.linear.push_back({c.when->variable, c.when->value ? step : -step});
      side = c.when->value ? limit + step : limit;
      row.left.normalise();
      out_.model.constraints.push_back(std::move(row));
    };
    const std::size_t before = out_.model.constraints.size();
    add(false);
    add(true);
    // Names are for messages; both sides of an equation are one row to the user.
    if (out_.model.constraints.size() == before + 2) out_.model.constraints.back().name += "'";
  }

  [[noreturn]] void refuse(const ModelConstraint& c, bool upper) const {
    for (const LinearTerm& t : c.left.linear) {
      const ModelVariable& v = source_.variables[t.variable];
      const bool above = (t.coefficient > 0) == upper;
      if ((above ? v.upper : v.lower).finite()) continue;
      throw InputError(
          fmt::format("constraint '{}' is conditional, so variable '{}' needs {} bound of its own",
                      c.name, v.name, above ? "an upper" : "a lower"));
    }
    throw InputError(fmt::format("constraint '{}': its sums are too large", c.name));
  }

  // A binary that is one where the variable is not zero: the variable itself, or a new one.
  std::uint32_t nonzero(std::uint32_t v, const std::string& set) {
    const ModelVariable variable = out_.model.variables[v];
    if (variable.lower >= 0 && variable.upper <= 1) return v;
    if (!variable.lower.finite() || !variable.upper.finite()) {
      throw InputError(
          fmt::format("variable '{}' of the set '{}' needs bounds of its own", variable.name, set));
    }
    const auto z = static_cast<std::uint32_t>(out_.model.variables.size());
    const bool always = variable.lower > 0 || variable.upper < 0;
    out_.model.variables.push_back(
        {fmt::format("nonzero({},{})", variable.name, set), always ? 1 : 0, 1});
    out_.nonzero_of.push_back({v});
    const auto row = [&](const Decimal& bound, bool upper) {
      if (bound == 0 && !upper && variable.lower == 0) return;
      ModelConstraint c;
      c.name = fmt::format("{}({},{})", set, variable.name, upper ? "most" : "least");
      c.left.linear = {{v, 1.0}, {z, -bound}};
      (upper ? c.upper : c.lower) = 0.0;
      c.left.normalise();
      out_.model.constraints.push_back(std::move(c));
    };
    if (!always) {
      row(variable.upper, true);
      row(variable.lower, false);
    }
    return z;
  }

  void add_set(const ModelSet& set) {
    ModelConstraint c;
    c.name = set.name;
    c.upper = 1.0;
    for (std::uint32_t v : set.variables) c.left.linear.push_back({nonzero(v, set.name), 1.0});
    c.left.normalise();
    out_.model.constraints.push_back(std::move(c));
  }

  const ConstrainedModel& source_;
  bool no_monomials_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> products_;  // by factors
  PlainModel out_;
};

bool is_whole(const Decimal& value) {
  return value.whole() || !value.finite();
}

}  // namespace

bool is_plain(const ConstrainedModel& model) {
  return model.sets.empty() && std::none_of(model.constraints.begin(), model.constraints.end(),
                                            [](const ModelConstraint& c) {
                                              return c.when || !(is_linear(c) || excludes(c));
                                            });
}

PlainModel plain_model(const ConstrainedModel& model, bool no_monomials) {
  return Lowering(model, no_monomials).run();
}

ConstrainedModel without_prices(ConstrainedModel model) {
  ConstrainedModel rounded;
  rounded.variables = model.variables;
  round_bounds(rounded);
  std::vector<ModelConstraint> rows;
  for (ModelConstraint& c : model.constraints) {
    if (c.price.zero()) {
      rows.push_back(std::move(c));
      continue;
    }
    const bool whole = is_whole(c.lower) && is_whole(c.upper) && is_whole(c.left.constant) &&
                       std::all_of(c.left.linear.begin(), c.left.linear.end(),
                                   [](const LinearTerm& t) { return is_whole(t.coefficient); });
    if (!whole) {
      throw InputError(fmt::format(
          "soft constraint '{}': in the squared form its numbers must be whole", c.name));
    }
    const Range range = range_of(rounded, c.left);
    const Decimal most = std::max({Decimal(0), c.lower - range.least, range.most - c.upper});
    const auto slack = static_cast<std::uint32_t>(model.variables.size());
    model.variables.push_back({fmt::format("price({})", c.name), 0.0, most});
    model.objective.linear.push_back({slack, model.sense == Sense::minimise ? c.price : -c.price});
    for (const bool upper : {true, false}) {
      if (!(upper ? c.upper : c.lower).finite()) continue;
      ModelConstraint row{c.name + (upper ? "" : "'"), c.left, -kUnbounded, kUnbounded};
      (upper ? row.upper : row.lower) = upper ? c.upper : c.lower;
      row.left.linear.push_back({slack, upper ? -1.0 : 1.0});
      rows.push_back(std::move(row));
    }
  }
  model.constraints = std::move(rows);
  return model;
}

}  // namespace chainmail
