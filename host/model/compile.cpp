// Penalties, exact ones. A linear constraint in whole numbers, L <= y <= U, becomes
//   y = L            (y - L)^2
//   y in {L, L + 1}  (y - L)(y - L - 1) / 2: whole numbers cannot lie between, so no slack bit;
//                    at-most-one, exclusion and the covering of a pair are of this kind
//   else             (y + s - U)^2 with slack s = 0 ... U - L in as few bits as that takes,
// after limits that no values can reach were moved to where they can (so slack is never wider than
// needed) and common factors were divided out. Products that must be zero are themselves the
// penalty.
//
// Each constraint enters g with a power of two near 1 / (rms coefficient of its bits): the least
// violation then costs 1/rms and flipping a typical bit about rms, so neither a knapsack's large
// weights drown a one-hot's ones, nor the other way about; a power of two keeps all sums exact.
#include "model/compile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "model/bit_polynomial.hpp"
#include "model/bounds.hpp"
#include "model/plain_model.hpp"
#include "model/whole_row.hpp"
#include "problem/entries.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

constexpr double kLeastWeight = 0x1.0p-14;  // stays far above what counts as zero in g

// Weights for 0 ... range, e.g. 10: 1, 2, 4, 3.
std::vector<std::int64_t> expansion_weights(std::int64_t range) {
  std::vector<std::int64_t> weights;
  for (std::int64_t power = 1; range > 0; power *= 2) {
    weights.push_back(std::min(power, range));
    range -= weights.back();
  }
  return weights;
}

BitSum sum_of(const BinaryExpansion& e, double factor) {
  BitSum sum;
  sum.constant = factor * static_cast<double>(e.lower);
  for (const WeightedBit& b : e.bits) {
    sum.terms.push_back({b.spin, factor * static_cast<double>(b.weight)});
  }
  return sum;
}

void append(BitSum& to, const BitSum& from) {
  to.constant += from.constant;
  to.terms.insert(to.terms.end(), from.terms.begin(), from.terms.end());
}

double balanced_weight(const BitSum& sum) {
  double squares = 0.0;
  for (const Neighbour& t : sum.terms) squares += t.value * t.value;
  if (sum.terms.empty()) return 1.0;
  const double rms = std::sqrt(squares / static_cast<double>(sum.terms.size()));
  return std::clamp(std::exp2(-std::round(2.0 * std::log2(rms))), kLeastWeight, 1.0);
}

bool is_binary(const ModelVariable& v) {
  return v.lower >= 0 && v.upper <= 1;
}

ConstraintKind kind_of(const ConstrainedModel& model, const ModelConstraint& c,
                       const WholeRow& row) {
  const bool ones = std::all_of(row.terms.begin(), row.terms.end(), [&](const WholeTerm& t) {
    return t.coefficient == 1 && is_binary(model.variables[t.variable]);
  });
  const bool equal = c.lower == c.upper;
  const bool at_most = !c.lower.finite();
  if (ones && equal) return row.lower == 1 ? ConstraintKind::one_hot : ConstraintKind::cardinality;
  if (ones && at_most && row.upper == 1) {
    return row.terms.size() == 2 ? ConstraintKind::exclusion : ConstraintKind::at_most_one;
  }
  if (ones && !c.upper.finite() && row.lower == 1) return ConstraintKind::covering;
  if (equal) return ConstraintKind::equation;
  const bool positive = std::all_of(row.terms.begin(), row.terms.end(),
                                    [](const WholeTerm& t) { return t.coefficient > 0; });
  return positive && at_most ? ConstraintKind::knapsack : ConstraintKind::inequality;
}

std::string why_impossible(const ModelConstraint& c, const WholeRow& row) {
  const auto constant = static_cast<double>(c.left.constant);
  const bool gap = row.lower > row.upper && row.lower <= row.most && row.upper >= row.least;
  if (!gap) {
    return fmt::format("'{}' cannot hold: its left side lies between {:.10g} and {:.10g}", c.name,
                       static_cast<double>(row.least) * row.unit + constant,
                       static_cast<double>(row.most) * row.unit + constant);
  }
  const std::string plus = constant == 0.0 ? "" : fmt::format("{:.10g} plus ", constant);
  const std::string missed = c.lower == c.upper
                                 ? c.upper.text() + " is none"
                                 : "none lies between " + c.lower.text() + " and " + c.upper.text();
  return fmt::format("'{}' cannot hold: its left side is always {}a multiple of {:.10g}, and {}",
                     c.name, plus, row.unit, missed);
}

class Compiler {
 public:
  explicit Compiler(const ConstrainedModel& model) : model_(model) {}

  CompiledModel compile() {
    TightBounds tight = tighten_bounds(model_);
    bounds_ = std::move(tight.bounds);
    out_.notes = std::move(tight.notes);
    for (std::size_t v = 0; v < bounds_.size(); ++v) {
      out_.variables.push_back(expand(bounds_[v], model_.variables[v].name));
    }
    add_objective();
    for (const ModelConstraint& c : model_.constraints) {
      out_.constraints.push_back(c.left.products.empty() ? add_linear(c) : add_products(c));
    }
    if (names_.empty()) new_bit("unused");
    finish();
    return std::move(out_);
  }

 private:
  std::uint32_t new_bit(std::string name) {
    if (names_.size() >= kMaxSpins) {
      throw InputError(fmt::format("the model needs more than {} bits", kMaxSpins));
    }
    while (!taken_.insert(name).second) name += "'";  // a user may have named one so
    names_.push_back(std::move(name));
    return static_cast<std::uint32_t>(names_.size() - 1);
  }

  BinaryExpansion expand(const WholeBounds& b, const std::string& name) {
    BinaryExpansion e{b.lower, {}};
    const std::vector<std::int64_t> weights = expansion_weights(b.upper - b.lower);
    for (std::int64_t weight : weights) {
      const bool single = weights.size() == 1;
      e.bits.push_back(
          {new_bit(single ? name : fmt::format("{}({})", name, e.bits.size())), weight});
    }
    return e;
  }

  void add_objective() {
    const double sign = model_.sense == Sense::minimise ? 1.0 : -1.0;
    f_.add(sign * static_cast<double>(model_.objective.constant));
    for (const LinearTerm& t : model_.objective.linear) {
      f_.add(sign, sum_of(out_.variables[t.variable], static_cast<double>(t.coefficient)));
    }
    for (const ProductTerm& t : model_.objective.products) {
      f_.add(sign, sum_of(out_.variables[t.i], static_cast<double>(t.coefficient)),
             sum_of(out_.variables[t.j], 1.0));
    }
  }

  CompiledConstraint add_products(const ModelConstraint& c) {
    CompiledConstraint compiled{c.name, ConstraintKind::exclusion};
    for (const ProductTerm& t : c.left.products) {
      g_.add(1.0, sum_of(out_.variables[t.i], 1.0), sum_of(out_.variables[t.j], 1.0));
    }
    return compiled;
  }

  CompiledConstraint add_linear(const ModelConstraint& c) {
    const WholeRow row = make_whole(c, bounds_);
    CompiledConstraint compiled{c.name, kind_of(model_, c, row)};
    compiled.unit = row.unit;
    if (!row.exact) out_.notes.push_back(row.note);
    compiled.redundant = row.redundant();
    if (compiled.redundant) return compiled;

    BitSum y;
    for (const WholeTerm& t : row.terms) {
      append(y, sum_of(out_.variables[t.variable], static_cast<double>(t.coefficient)));
    }
    compiled.weight = balanced_weight(y);
    if (row.impossible()) {
      compiled.impossible = true;
      out_.notes.push_back(why_impossible(c, row));
      add_impossible(c.name, row, y, compiled.weight);
      return compiled;
    }
    const std::int64_t lower = std::max(row.lower, row.least);
    const std::int64_t upper = std::min(row.upper, row.most);
    if (upper - lower == 1) {
      check_room(c.name, y);
      BitSum above_lower = y, above_upper = y;
      above_lower.constant -= static_cast<double>(lower);
      above_upper.constant -= static_cast<double>(upper);
      g_.add(0.5 * compiled.weight, above_lower, above_upper);
      return compiled;
    }
    if (upper > lower) {
      const BinaryExpansion slack = expand({0, upper - lower}, fmt::format("slack({})", c.name));
      compiled.slack_bits = slack.bits.size();
      append(y, sum_of(slack, 1.0));
    }
    y.constant -= static_cast<double>(upper);
    check_room(c.name, y);
    g_.add(compiled.weight, y, y);
    add_residual(y, compiled.weight, compiled.slack_bits);
    return compiled;
  }

  // The square of a sum has a product for each pair of its bits.
  void check_room(const std::string& name, const BitSum& y) const {
    const std::size_t room = kMaxProducts - std::min(kMaxProducts, g_.products());
    if (y.terms.size() * (y.terms.size() - 1) / 2 <= room) return;
    throw InputError(fmt::format(
        "'{}': its {} bits have more products than there is room for; a model may have {}", name,
        y.terms.size(), kMaxProducts));
  }

  // No state reaches zero: the squared distance to the nearest limit, or to the gap between whole
  // numbers that an equation asks for (doubled, so that it is never zero).
  void add_impossible(const std::string& name, const WholeRow& row, BitSum y, double weight) {
    check_room(name, y);
    const bool gap = row.lower > row.upper && row.lower <= row.most && row.upper >= row.least;
    const double target = gap                    ? 0.5 * static_cast<double>(row.lower + row.upper)
                          : row.lower > row.most ? static_cast<double>(row.lower)
                                                 : static_cast<double>(row.upper);
    y.constant -= target;
    g_.add(weight, y, y);
  }

  void add_residual(const BitSum& y, double weight, std::size_t slack) {
    Residual residual;
    residual.weight = weight;
    residual.slack = slack;
    residual.offset = y.constant;
    for (const Neighbour& t : y.terms) {
      residual.offset += t.value / 2;
      residual.terms.push_back({t.spin, t.value / 2});
    }
    out_.residuals.push_back(std::move(residual));
  }

  void finish() {
    Problem& problem = out_.problem;
    problem.name = model_.name;
    problem.objective = f_.to_spins(names_.size());
    if (!model_.constraints.empty()) problem.constraint = g_.to_spins(names_.size());
    problem.names = std::move(names_);
    problem.user = {model_.objective_name, model_.sense == Sense::minimise ? 1.0 : -1.0, 0.0};
  }

  const ConstrainedModel& model_;
  std::vector<WholeBounds> bounds_;
  std::vector<std::string> names_;
  std::unordered_set<std::string> taken_;
  BitPolynomial f_, g_;
  CompiledModel out_;
};

CompiledModel compile_plain(const ConstrainedModel& model) {
  return Compiler(model).compile();
}

}  // namespace

std::string name_of(ConstraintKind kind) {
  switch (kind) {
    case ConstraintKind::one_hot:
      return "one-hot";
    case ConstraintKind::cardinality:
      return "cardinality";
    case ConstraintKind::at_most_one:
      return "at-most-one";
    case ConstraintKind::exclusion:
      return "exclusion";
    case ConstraintKind::covering:
      return "covering";
    case ConstraintKind::knapsack:
      return "knapsack";
    case ConstraintKind::equation:
      return "equation";
    case ConstraintKind::inequality:
      return "inequality";
  }
  return {};
}

std::vector<std::int64_t> CompiledModel::decode(std::span<const Spin> spins) const {
  std::vector<std::int64_t> values;
  values.reserve(variables.size());
  for (const BinaryExpansion& e : std::span(variables).first(given)) {
    std::int64_t value = e.lower;
    for (const WeightedBit& b : e.bits) value += spins[b.spin] > 0 ? b.weight : 0;
    values.push_back(value);
  }
  return values;
}

// The last weight fills up to the upper bound; it is needed only beyond what the others reach.
bool CompiledModel::is_canonical(std::span<const Spin> spins) const {
  return std::all_of(variables.begin(), variables.end(), [&](const BinaryExpansion& e) {
    if (e.bits.empty() || spins[e.bits.back().spin] < 0) return true;
    std::int64_t value = 0, others = -e.bits.back().weight;
    for (const WeightedBit& b : e.bits) {
      others += b.weight;
      value += spins[b.spin] > 0 ? b.weight : 0;
    }
    return value > others;
  });
}

CompiledModel compile(const ConstrainedModel& model) {
  const bool soft = std::any_of(model.constraints.begin(), model.constraints.end(),
                                [](const ModelConstraint& c) { return !c.price.zero(); });
  const bool plain = is_plain(model) && !soft;
  CompiledModel compiled =
      plain ? compile_plain(model) : compile_plain(without_prices(plain_model(model).model));
  compiled.given = model.variables.size();
  return compiled;
}

}  // namespace chainmail
