// Penalties, exact ones. A form L <= y <= U becomes
//   y = L            (y - L)^2
//   y in {L, L + 1}  (y - L)(y - L - 1) / 2: whole numbers cannot lie between, so no slack bit;
//                    at-most-one and the covering of a pair are of this kind
//   else             (y + s - U)^2 with slack s = 0 ... U - L in as few bits as that takes,
// after limits that no values can reach were moved to where they can, so that slack is never wider
// than needed. Clashes, products that must be zero, are themselves the penalty.
//
// Each form enters g with a power of two near 1 / (rms coefficient of its bits): the least
// violation then costs 1/rms and turning a typical bit about rms, so neither do a knapsack's large
// weights drown a one-hot's ones, nor vice versa; a power of two keeps all sums exact.
#include "squares/squares.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "model/plain_model.hpp"
#include "problem/bits.hpp"
#include "problem/entries.hpp"
#include "problem/qubo_matrix.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

constexpr double kLeastWeight = 0x1.0p-14;  // stays far above what counts as zero in g
// Sums span less than this. Halved for spins, their squares then hold quarters below 2^51, which
// double precision adds up exactly.
constexpr std::int64_t kExactRange = (std::int64_t{1} << 25) + (std::int64_t{1} << 20);
constexpr std::int64_t kRoundedRange = std::int64_t{1} << 20;  // of sums that are rounded
constexpr std::int64_t kLeastRounded = 8;  // units; a smaller coefficient changes too much
// Half a gigabyte of them; spins and an embedding need as much again, each.
constexpr std::size_t kMaxProducts = std::size_t{1} << 25;

std::int64_t down(std::int64_t value, std::int64_t unit) {
  return value / unit - (value % unit < 0 ? 1 : 0);
}
std::int64_t up(std::int64_t value, std::int64_t unit) {
  return -down(-value, unit);
}

// Sums of a form that its bits can reach, and the limits where it holds.
struct Row {
  std::vector<FormTerm> terms;
  std::int64_t lower, upper;
  std::int64_t least = 0, most = 0;

  void measure() {
    least = most = 0;
    for (const FormTerm& t : terms) (t.coefficient < 0 ? least : most) += t.coefficient;
  }
  bool wide(std::int64_t range) const { return most - least >= range; }
};

std::string kind_of(const Row& row) {
  const auto all = [&](auto holds) {
    return std::all_of(row.terms.begin(), row.terms.end(),
                       [&](const FormTerm& t) { return holds(t.coefficient); });
  };
  const bool ones = all([](std::int64_t a) { return a == 1; });
  if (ones && row.lower == row.upper) return row.lower == 1 ? "one-hot" : "cardinality";
  if (ones && row.lower <= 0 && row.upper == 1) return "at-most-one";
  if (ones && row.lower == 1 && row.upper >= row.most) return "covering";
  if (row.lower == row.upper) return "equation";
  const bool positive = all([](std::int64_t a) { return a > 0; });
  return positive && row.lower <= 0 ? "knapsack" : "inequality";
}

double balanced_weight(const std::vector<FormTerm>& terms) {
  double squares = 0.0;
  for (const FormTerm& t : terms) {
    squares += static_cast<double>(t.coefficient) * static_cast<double>(t.coefficient);
  }
  if (terms.empty()) return 1.0;
  const double rms = std::sqrt(squares / static_cast<double>(terms.size()));
  return std::clamp(std::exp2(-std::round(2.0 * std::log2(rms))), kLeastWeight, 1.0);
}

class Squares {
 public:
  // `hard` is the model in linear constraints without prices; the first `given` variables count.
  Squares(const ConstrainedModel& hard, std::size_t given) : hard_(hard) {
    out_.forms = compile_forms(hard, FormsFor::squares);
    out_.forms.given = given;
    out_.notes = out_.forms.notes;
    if (!out_.forms.infeasible.empty()) {
      out_.notes.push_back("presolve found no solution possible: " + out_.forms.infeasible);
    }
  }

  SquaredModel run() {
    name_bits();
    const FormModel& m = out_.forms.model;
    std::vector<Coupling> linear, products;
    for (std::uint32_t i = 0; i < m.bits; ++i) {
      linear.push_back({i, i, m.linear[i]});
      for (const Neighbour& n : m.pairs[i]) {
        if (i < n.spin) products.push_back({i, n.spin, n.value});
      }
      for (std::uint32_t j : m.clashes[i]) {
        if (i < j) g_products_.push_back({i, j, 1.0});
      }
    }
    for (std::size_t form = 0; form < m.forms.size(); ++form) add_form(form);
    if (names_.empty()) new_bit("unused");

    Problem& problem = out_.problem;
    problem.name = hard_.name;
    problem.objective = qubo_in_spins(names_.size(), linear, std::move(products),
                                      static_cast<double>(out_.forms.objective.constant));
    if (!hard_.constraints.empty()) {
      problem.constraint =
          qubo_in_spins(names_.size(), g_linear_, std::move(g_products_), g_constant_);
    }
    problem.names = std::move(names_);
    problem.user = {hard_.objective_name, hard_.sense == Sense::minimise ? 1.0 : -1.0, 0.0};
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

  void name_bits() {
    for (std::size_t v = 0; v < out_.forms.variables.size(); ++v) {
      const std::vector<FormBit>& bits = out_.forms.variables[v].bits;
      const std::string& name = hard_.variables[v].name;
      for (std::size_t k = 0; k < bits.size(); ++k) {
        new_bit(bits.size() == 1 ? name : fmt::format("{}({})", name, k));
      }
    }
  }

  std::string name_of(std::size_t form) const {
    const std::uint32_t row = out_.forms.form_rows[form];
    return row == kNone ? "" : hard_.constraints[row].name;
  }

  // Rounded to the safe side: no sum that violates the form is accepted. An equation has no safe
  // side.
  void round(Row& row, const std::string& name) {
    if (row.lower > row.least && row.upper < row.most) {
      throw InputError(fmt::format(
          "'{}': its left side takes {} values; squares distinguish at most {}: bound its "
          "variables more tightly",
          name, row.most - row.least, kExactRange));
    }
    const bool at_most = row.upper < row.most;
    const std::int64_t unit = (row.most - row.least) / kRoundedRange;
    for (FormTerm& t : row.terms) {
      if (std::abs(t.coefficient) < kLeastRounded * unit) {
        throw InputError(fmt::format(
            "'{}': the coefficient {} of one of its bits is too small for squares of a left side "
            "that takes {} values; bound its variables more tightly",
            name, t.coefficient, row.most - row.least));
      }
      t.coefficient = at_most ? up(t.coefficient, unit) : down(t.coefficient, unit);
    }
    row.lower = up(row.lower, unit);
    row.upper = down(row.upper, unit);
    row.measure();
    (at_most ? row.lower : row.upper) = at_most ? row.least : row.most;
    out_.notes.push_back(fmt::format(
        "'{}': in squares its coefficients are rounded, to {} steps in all: no solution that "
        "violates it is accepted, but some that are close to its limit may be missed",
        name, kRoundedRange));
  }

  void add_form(std::size_t form) {
    const FormModel& m = out_.forms.model;
    const std::string name = name_of(form);
    Row row{
        {m.forms[form].begin(), m.forms[form].end()}, m.limits[form].lower, m.limits[form].upper};
    row.measure();
    if (row.lower <= row.least && row.upper >= row.most) return;  // it always holds
    if (row.wide(kExactRange)) round(row, name);
    SquaredForm squared{name, kind_of(row), 0, balanced_weight(row.terms)};
    const std::int64_t lower = std::max(row.lower, row.least);
    const std::int64_t upper = std::min(row.upper, row.most);
    if (lower > upper) {
      // No state reaches zero: the squared distance to the nearest limit, or to the gap between
      // whole numbers that an equation requires.
      const bool gap = row.lower > row.upper && row.lower <= row.most && row.upper >= row.least;
      const double target = gap ? 0.5 * static_cast<double>(row.lower + row.upper)
                            : row.lower > row.most ? static_cast<double>(row.lower)
                                                   : static_cast<double>(row.upper);
      add_product(name, squared.weight, row.terms, -target, -target);
    } else if (upper - lower == 1) {
      add_product(name, 0.5 * squared.weight, row.terms, static_cast<double>(-lower),
                  static_cast<double>(-upper));
    } else {
      for (std::int64_t weight : expansion_weights(upper - lower)) {
        const std::string bit = fmt::format("slack({})({})", name, squared.slack_bits);
        row.terms.push_back({weight, new_bit(bit)});
        ++squared.slack_bits;
      }
      const auto target = static_cast<double>(-upper);
      add_product(name, squared.weight, row.terms, target, target);
      out_.residuals.push_back({{}, target, squared.weight, squared.slack_bits});
      Residual& residual = out_.residuals.back();
      for (const FormTerm& t : row.terms) {
        const SpinTerm term = in_spins(static_cast<double>(t.coefficient));
        residual.offset += term.constant;
        residual.terms.push_back({t.index, term.value});
      }
    }
    out_.constraints.push_back(std::move(squared));
  }

  // factor (y + a)(y + b), where a bit is its own square.
  void add_product(const std::string& name, double factor, const std::vector<FormTerm>& y, double a,
                   double b) {
    const std::size_t room = kMaxProducts - std::min(kMaxProducts, g_products_.size());
    if (y.size() * (y.size() - (y.empty() ? 0 : 1)) / 2 > room) {
      throw InputError(fmt::format(
          "'{}': its {} bits have more products than there is room for; a model may have {}", name,
          y.size(), kMaxProducts));
    }
    g_constant_ += factor * a * b;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double value = factor * static_cast<double>(y[i].coefficient);
      g_linear_.push_back(
          {y[i].index, y[i].index, value * (a + b + static_cast<double>(y[i].coefficient))});
      for (std::size_t j = 0; j < i; ++j) {
        g_products_.push_back({std::min(y[i].index, y[j].index), std::max(y[i].index, y[j].index),
                               2.0 * value * static_cast<double>(y[j].coefficient)});
      }
    }
  }

  const ConstrainedModel& hard_;
  std::vector<std::string> names_;
  std::unordered_set<std::string> taken_;
  long double g_constant_ = 0.0L;
  std::vector<Coupling> g_linear_, g_products_;
  SquaredModel out_;
};

}  // namespace

std::vector<std::int64_t> SquaredModel::decode(std::span<const Spin> spins) const {
  return forms.decode(bits_of(spins.first(forms.model.bits)));
}

bool SquaredModel::is_canonical(std::span<const Spin> spins) const {
  return forms.is_canonical(bits_of(spins.first(forms.model.bits)));
}

SquaredModel squared(const ConstrainedModel& model) {
  const bool soft = std::any_of(model.constraints.begin(), model.constraints.end(),
                                [](const ModelConstraint& c) { return !c.price.zero(); });
  const std::size_t given = model.variables.size();
  if (is_plain(model) && !soft && model.objective.monomials.empty()) {
    return Squares(model, given).run();
  }
  return Squares(without_prices(plain_model(model, true).model), given).run();
}

}  // namespace chainmail
