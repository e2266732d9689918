#include "model/forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/one_hots.hpp"
#include "model/plain_model.hpp"
#include "support/counted.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

constexpr std::size_t kMostBits = std::size_t{1} << 26;
// An integer of no more values than this is a group with a state for each, which moves between any
// two of them at once; one in products is not, as there would be too many products. Samplers accept
// that cost as long as they can: in bits some values have two patterns, and one of each two is
// lost.
constexpr std::int64_t kMostStates = 64, kMostSampledStates = 4096;
constexpr double kMostSampledPairs = 0x1p22;

// What one bit of a value is worth, in whole numbers: the rms coefficient over the bits.
double balanced_weight(const std::vector<FormTerm>& terms) {
  double squares = 0.0;
  for (const FormTerm& t : terms) {
    squares += static_cast<double>(t.coefficient) * static_cast<double>(t.coefficient);
  }
  return terms.empty() ? 1.0 : 1.0 / std::sqrt(squares / static_cast<double>(terms.size()));
}

class FormCompiler {
 public:
  FormCompiler(const ConstrainedModel& model, FormsFor purpose)
      : source_(model), purpose_(purpose) {}

  CompiledForms compile() {
    // Squares are written for other solvers too, who know the user's variables only.
    Presolved found =
        presolve(source_, purpose_ == FormsFor::squares ? Slacks::keep : Slacks::substitute);
    out_.infeasible = found.infeasible;
    out_.uses = std::move(found.uses);
    out_.steps = std::move(found.steps);
    if (!found.infeasible.empty()) found = as_given();
    if (found.fixed + found.dropped > 0) {
      out_.notes.push_back(fmt::format(
          "presolve fixed {} of {} and dropped {}", count_text(found.fixed),
          counted(source_.variables.size(), "variable"), counted(found.dropped, "row")));
    }
    whole_ = std::move(found.model);
    out_.slacks = std::move(found.slacks);
    expand_variables(found.objective);
    add_objective(found.objective);
    add_forms();
    add_pairs();
    out_.model.bits = bits_;
    exact_.linear.resize(bits_);
    while (out_.model.pairs.size() < bits_) out_.model.pairs.close();
    while (out_.model.clashes.size() < bits_) out_.model.clashes.close();
    exact_.prices.resize(out_.model.limits.size());
    out_.objective = settle_objective(exact_, out_.model);
    if (!out_.objective.note.empty()) out_.notes.push_back(out_.objective.note);
    out_.model.finish();
    find_bound();
    return std::move(out_);
  }

 private:
  // A model proved infeasible is searched as given, for the nearest state.
  Presolved as_given() const {
    Presolved given;
    given.model = whole_model_of(source_);
    given.objective = source_.objective;
    for (std::size_t v = 0; v < given.model.bounds.size(); ++v) {
      const WholeInterval& b = given.model.bounds[v];
      if (b.lower == kNoLower || b.upper == kNoUpper) {
        throw InputError(fmt::format("no solution exists: {}", out_.infeasible));
      }
    }
    for (const auto& [constraint, v] : given.model.zeros) {
      WholeInterval& b = given.model.bounds[v];
      b.upper = std::max<std::int64_t>(b.lower, std::min<std::int64_t>(b.upper, 0));
    }
    // Rows too wide for the search are left out of it; answers are judged on all rows.
    for (std::vector<WholeForm>* rows : {&given.model.forms, &given.model.soft}) {
      std::vector<WholeForm> kept;
      for (WholeForm& form : *rows) {
        if (narrow(form, given.model.bounds)) kept.push_back(std::move(form));
      }
      *rows = std::move(kept);
    }
    return given;
  }

  // Products there are when every variable has a state for each of its values.
  double pairs_of_states(const Expression& objective) const {
    double pairs = 0.0;
    for (const ProductTerm& t : objective.products) {
      const WholeInterval &a = whole_.bounds[t.i], &b = whole_.bounds[t.j];
      pairs += static_cast<double>(a.upper - a.lower) * static_cast<double>(b.upper - b.lower);
    }
    for (const Monomial& t : objective.monomials) {
      double products = 1.0;
      for (std::uint32_t v : t.variables) {
        products *= static_cast<double>(whole_.bounds[v].upper - whole_.bounds[v].lower);
      }
      pairs += products;
    }
    return pairs;
  }

  void expand_variables(const Expression& objective) {
    std::vector<char> is_slack(source_.variables.size(), 0), in_product(is_slack);
    for (const SlackOf& s : out_.slacks) is_slack[s.variable] = 1;
    const bool sampling = purpose_ == FormsFor::sampling;
    const std::int64_t most_states = purpose_ == FormsFor::squares ? 0
                                     : sampling                    ? kMostSampledStates
                                                                   : kMostStates;
    if (!sampling || pairs_of_states(objective) > kMostSampledPairs) {
      for (const ProductTerm& t : objective.products) in_product[t.i] = in_product[t.j] = 1;
      for (const Monomial& t : objective.monomials) {
        for (std::uint32_t v : t.variables) in_product[v] = 1;
      }
    }
    for (std::size_t v = 0; v < whole_.bounds.size(); ++v) {
      const WholeInterval& b = whole_.bounds[v];
      CompiledForms::Expansion e{b.lower, {}};
      const std::int64_t range = b.upper - b.lower;
      if (source_.variables[v].spin) {
        if (range > 0) e.bits.push_back({new_bit(), 2});
      } else if (is_slack[v] == 0 && in_product[v] == 0 && range > 1 && range < most_states) {
        for (std::int64_t value = 0; value <= range; ++value) e.bits.push_back({new_bit(), value});
        e.group = true;
      } else if (is_slack[v] == 0) {
        for (std::int64_t weight : expansion_weights(range)) {
          e.bits.push_back({new_bit(), weight});
        }
      }
      out_.variables.push_back(std::move(e));
    }
  }

  std::uint32_t new_bit() {
    if (bits_ >= kMostBits) {
      throw InputError(fmt::format("the model needs more than {} bits", kMostBits));
    }
    return static_cast<std::uint32_t>(bits_++);
  }

  void add_objective(const Expression& objective) {
    try {
      add_terms(objective);
    } catch (const TooManyDigits& fault) {
      throw InputError(fmt::format("the objective: {}", fault.what()));
    }
  }

  void add_terms(const Expression& objective) {
    const auto sign = [&](const Decimal& value) {
      return source_.sense == Sense::minimise ? value : -value;
    };
    exact_.linear.assign(bits_, 0);
    exact_.constant = sign(objective.constant);
    for (const LinearTerm& t : objective.linear) {
      const CompiledForms::Expansion& e = out_.variables[t.variable];
      const Decimal c = sign(t.coefficient);
      exact_.constant += c * e.lower;
      for (const FormBit& b : e.bits) exact_.linear[b.bit] += c * b.weight;
    }
    for (const ProductTerm& t : objective.products) {
      const CompiledForms::Expansion& a = out_.variables[t.i];
      const CompiledForms::Expansion& b = out_.variables[t.j];
      const Decimal c = sign(t.coefficient);
      exact_.constant += c * a.lower * b.lower;
      for (const FormBit& x : a.bits) exact_.linear[x.bit] += c * b.lower * x.weight;
      for (const FormBit& y : b.bits) exact_.linear[y.bit] += c * a.lower * y.weight;
      for (const FormBit& x : a.bits) {
        for (const FormBit& y : b.bits) {
          const Decimal value = c * x.weight * y.weight;
          if (x.bit == y.bit) {
            exact_.linear[x.bit] += value;  // a bit is its own square
          } else {
            products_.push_back({std::min(x.bit, y.bit), std::max(x.bit, y.bit), value});
          }
        }
      }
    }
    for (const Monomial& t : objective.monomials) add_monomial(t.variables, sign(t.coefficient));
  }

  // Spins stay spins; any other product is multiplied out.
  void add_monomial(std::vector<std::uint32_t> variables, Decimal c) {
    std::erase_if(variables, [&](std::uint32_t v) {
      const CompiledForms::Expansion& e = out_.variables[v];
      if (e.bits.empty()) c = c * e.lower;
      return e.bits.empty();
    });
    const auto is_spin = [&](std::uint32_t v) { return source_.variables[v].spin; };
    if (!std::all_of(variables.begin(), variables.end(), is_spin)) {
      multiply_out(variables, 0, {}, c);
      return;
    }
    std::vector<std::uint32_t> odd;  // a spin is its own inverse
    for (std::uint32_t v : variables) {
      if (!odd.empty() && odd.back() == v) {
        odd.pop_back();
      } else {
        odd.push_back(v);
      }
    }
    if (odd.size() < 3) {
      multiply_out(odd, 0, {}, c);
      return;
    }
    for (std::uint32_t& v : odd) v = out_.variables[v].bits.front().bit;
    of_spins_.add(std::move(odd), c);
  }

  void multiply_out(const std::vector<std::uint32_t>& variables, std::size_t at,
                    const std::vector<std::uint32_t>& bits, const Decimal& c) {
    if (c.zero()) return;
    if (at < variables.size()) {
      const CompiledForms::Expansion& e = out_.variables[variables[at]];
      multiply_out(variables, at + 1, bits, c * e.lower);
      for (const FormBit& b : e.bits) {
        std::vector<std::uint32_t> more = bits;  // a bit is its own square
        if (std::find(bits.begin(), bits.end(), b.bit) == bits.end()) more.push_back(b.bit);
        multiply_out(variables, at + 1, more, c * b.weight);
      }
      return;
    }
    if (bits.size() > 2) {
      of_bits_.add(bits, c);
    } else if (bits.size() == 2) {
      products_.push_back({std::min(bits[0], bits[1]), std::max(bits[0], bits[1]), c});
    } else {
      (bits.empty() ? exact_.constant : exact_.linear[bits[0]]) += c;
    }
  }

  void add_forms() {
    const OneHots chosen = purpose_ == FormsFor::squares ? OneHots{} : choose_one_hots(whole_);
    std::vector<char> is_group(whole_.forms.size(), 0);
    for (const bool at_most : {false, true}) {
      for (std::uint32_t k : at_most ? chosen.at_most_one : chosen.exactly_one) {
        is_group[k] = 1;
        out_.group_uses.push_back(whole_.forms[k].use);
        for (const WholeTerm64& t : whole_.forms[k].terms) {
          out_.model.groups.items.push_back(out_.variables[t.variable].bits.front().bit);
        }
        out_.none_bits.push_back(at_most ? new_bit() : kNone);
        if (at_most) out_.model.groups.items.push_back(out_.none_bits.back());
        out_.model.groups.close();
      }
    }
    for (const CompiledForms::Expansion& e : out_.variables) {
      if (!e.group) continue;
      for (const FormBit& b : e.bits) out_.model.groups.items.push_back(b.bit);
      out_.model.groups.close();
      out_.none_bits.push_back(kNone);
    }
    for (std::size_t k = 0; k < whole_.forms.size(); ++k) {
      if (is_group[k] == 0) add_form(whole_.forms[k]);
    }
    for (const WholeForm& form : whole_.soft) add_form(form);
  }

  void add_form(const WholeForm& form) {
    terms_.clear();
    std::int64_t shift = 0;
    for (const WholeTerm64& t : form.terms) {
      const CompiledForms::Expansion& e = out_.variables[t.variable];
      shift += t.coefficient * e.lower;
      for (const FormBit& b : e.bits) {
        if (b.weight != 0) terms_.push_back({t.coefficient * b.weight, b.bit});
      }
    }
    std::sort(terms_.begin(), terms_.end(),
              [](const FormTerm& a, const FormTerm& b) { return a.index < b.index; });
    out_.model.forms.items.insert(out_.model.forms.items.end(), terms_.begin(), terms_.end());
    out_.model.forms.close();
    const auto moved = [&](Wide side) { return static_cast<std::int64_t>(side - shift); };
    out_.model.limits.push_back({form.has_lower() ? moved(form.lower) : kNoLower,
                                 form.has_upper() ? moved(form.upper) : kNoUpper,
                                 form.price.zero() ? balanced_weight(terms_) : 0.0});
    exact_.prices.push_back(form.price);
    out_.form_rows.push_back(form.constraint);
    out_.form_uses.push_back(form.use);
  }

  // Products of f and exclusions as lists by bit. Two bits of a group are never both one, so such
  // products are redundant.
  void add_pairs() {
    std::vector<std::uint32_t> group_of(bits_, kNone);
    for (std::size_t group = 0; group < out_.model.groups.size(); ++group) {
      for (std::uint32_t bit : out_.model.groups[group]) {
        group_of[bit] = static_cast<std::uint32_t>(group);
      }
    }
    const auto together = [&](std::uint32_t i, std::uint32_t j) {
      return group_of[i] != kNone && group_of[i] == group_of[j];
    };
    of_spins_.normalise();
    of_bits_.normalise();
    const auto add_monomials = [&](const Expression& products, Bit spins) {
      for (const Monomial& t : products.monomials) {
        std::vector<std::uint32_t> in;
        for (std::uint32_t bit : t.variables) {
          if (group_of[bit] != kNone) in.push_back(group_of[bit]);
        }
        std::sort(in.begin(), in.end());
        if (std::adjacent_find(in.begin(), in.end()) != in.end()) continue;
        for (std::uint32_t bit : t.variables) out_.model.monomials.items.push_back(bit);
        out_.model.monomials.close();
        out_.model.monomial_values.push_back({0.0, spins});
        exact_.monomials.push_back(t.coefficient);
      }
    };
    add_monomials(of_spins_, 1);
    add_monomials(of_bits_, 0);
    std::vector<ProductTerm> both;
    both.reserve(2 * products_.size());
    for (const ProductTerm& c : products_) {
      if (together(c.i, c.j)) continue;
      both.push_back(c);
      both.push_back({c.j, c.i, c.coefficient});
    }
    const auto by_bits = [](const ProductTerm& a, const ProductTerm& b) {
      return a.i != b.i ? a.i < b.i : a.j < b.j;
    };
    std::sort(both.begin(), both.end(), by_bits);
    FormModel& m = out_.model;
    std::size_t at = 0;
    for (std::uint32_t i = 0; i < bits_; ++i) {
      while (at < both.size() && both[at].i == i) {
        Decimal value;
        const std::uint32_t j = both[at].j;
        for (; at < both.size() && both[at].i == i && both[at].j == j; ++at)
          value += both[at].coefficient;
        if (value.zero()) continue;
        m.pairs.items.push_back({j, 0.0});
        exact_.pairs.push_back(value);
      }
      m.pairs.close();
    }

    std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
    for (const auto& [v, w] : whole_.exclusions) {
      const std::vector<FormBit>&a = out_.variables[v].bits, &b = out_.variables[w].bits;
      if (a.empty() && b.empty()) {
        // both fixed at 1: nothing can help
        if (out_.variables[v].lower > 0 && out_.variables[w].lower > 0) never_holds();
      } else if (a.empty() || b.empty()) {
        const bool on = out_.variables[a.empty() ? v : w].lower > 0;
        if (on) must_be_zero(a.empty() ? b.front().bit : a.front().bit);
      } else if (!together(a.front().bit, b.front().bit)) {
        ends.emplace_back(a.front().bit, b.front().bit);
        ends.emplace_back(b.front().bit, a.front().bit);
      }
    }
    std::sort(ends.begin(), ends.end());
    at = 0;
    for (std::uint32_t i = 0; i < bits_; ++i) {
      for (; at < ends.size() && ends[at].first == i; ++at) {
        m.clashes.items.push_back(ends[at].second);
      }
      m.clashes.close();
    }
  }

  void must_be_zero(std::uint32_t bit) {
    out_.model.forms.items.push_back({1, bit});
    out_.model.forms.close();
    out_.model.limits.push_back({kNoLower, 0, 1.0});
    out_.form_rows.push_back(kNone);
    out_.form_uses.push_back(kNone);
  }
  void never_holds() {
    out_.model.forms.close();
    out_.model.limits.push_back({1, 1, 1.0});
    out_.form_rows.push_back(kNone);
    out_.form_uses.push_back(kNone);
  }

  // The sum of the least each term can be: of the user's terms, and of the bits, groups by their
  // least member. f is a whole number of units, so a bound between two of them is the next.
  void find_bound() {
    const WholeObjective& f = out_.objective;
    const std::optional<Decimal> least = least_of_terms();
    if (!f.fits) {
      out_.bound = least;
      return;
    }
    Wide units = least_of_bits();
    if (least) {
      const auto mantissa = static_cast<std::int64_t>(f.unit.mantissa());
      units = std::max(units, ceil_units(*least - f.constant, mantissa, f.unit.exponent()));
    }
    try {
      out_.bound = f.constant + f.unit * Decimal(units, 0);
    } catch (const TooManyDigits&) {
    }
  }

  std::optional<Decimal> least_of_terms() const {
    const int sign = source_.sense == Sense::minimise ? 1 : -1;
    DecimalSum least;
    least.add(source_.objective.constant, sign);
    const auto add_least = [&](const Decimal& c, Wide low, Wide high) {
      least.add(c, sign * ((c.negative() == (sign > 0)) ? high : low));
    };
    for (const LinearTerm& t : source_.objective.linear) {
      add_least(t.coefficient, whole_.bounds[t.variable].lower, whole_.bounds[t.variable].upper);
    }
    for (const ProductTerm& t : source_.objective.products) {
      const WholeInterval &a = whole_.bounds[t.i], &b = whole_.bounds[t.j];
      const Wide corners[] = {Wide{a.lower} * b.lower, Wide{a.lower} * b.upper,
                              Wide{a.upper} * b.lower, Wide{a.upper} * b.upper};
      Wide low = *std::min_element(std::begin(corners), std::end(corners));
      const Wide high = *std::max_element(std::begin(corners), std::end(corners));
      if (t.i == t.j) low = a.lower <= 0 && a.upper >= 0 ? 0 : std::min(corners[0], corners[3]);
      add_least(t.coefficient, low, high);
    }
    for (const Monomial& t : source_.objective.monomials) {
      // Powers as if of several variables: what that allows is more.
      Wide low = 1, high = 1;
      for (std::uint32_t v : t.variables) {
        const WholeInterval& b = whole_.bounds[v];
        constexpr Wide kMost = Wide{1} << 80;
        if (high > kMost || low < -kMost) return std::nullopt;
        const Wide corners[] = {low * b.lower, low * b.upper, high * b.lower, high * b.upper};
        low = *std::min_element(std::begin(corners), std::end(corners));
        high = *std::max_element(std::begin(corners), std::end(corners));
      }
      add_least(t.coefficient, low, high);
    }
    return least.value();
  }

  Wide least_of_bits() const {
    const WholeObjective& f = out_.objective;
    Wide least = 0;
    for (std::uint32_t bit : out_.model.free_bits) least += std::min<Wide>(0, f.linear[bit]);
    for (std::size_t k = 0; k < out_.model.groups.size(); ++k) {
      const auto group = out_.model.groups[k];
      if (group.empty()) continue;
      Wide lowest = f.linear[group.front()];
      for (std::uint32_t bit : group) lowest = std::min(lowest, f.linear[bit]);
      least += lowest;
    }
    for (std::uint32_t i = 0; i < bits_; ++i) {
      for (std::size_t k = out_.model.pairs.start[i]; k < out_.model.pairs.start[i + 1]; ++k) {
        if (out_.model.pairs.items[k].spin > i) least += std::min<Wide>(0, f.pairs[k]);
      }
    }
    for (std::size_t k = 0; k < f.monomials.size(); ++k) {
      const Wide value = f.monomials[k];
      least += out_.model.monomial_values[k].spins != 0 ? std::min(value, -value)
                                                        : std::min<Wide>(0, value);
    }
    return least;
  }

  const ConstrainedModel& source_;
  FormsFor purpose_;
  WholeModel whole_;
  CompiledForms out_;
  std::size_t bits_ = 0;
  ExactObjective exact_;
  std::vector<ProductTerm> products_;
  Expression of_spins_, of_bits_;  // longer products
  std::vector<FormTerm> terms_;    // of the form that is being added
};

}  // namespace

std::vector<std::int64_t> expansion_weights(std::int64_t range) {
  std::vector<std::int64_t> weights;
  for (std::int64_t power = 1; range > 0; power *= 2) {
    weights.push_back(std::min(power, range));
    range -= weights.back();
  }
  return weights;
}

std::vector<std::int64_t> CompiledForms::decode(std::span<const Bit> x) const {
  std::vector<std::int64_t> values;
  for (const Expansion& e : variables) {
    std::int64_t value = e.lower;
    for (const FormBit& b : e.bits) value += b.weight * x[b.bit];
    values.push_back(value);
  }
  for (const SlackOf& s : slacks) {
    std::int64_t rest = s.total;
    for (const WholeTerm64& t : s.terms) rest -= t.coefficient * values[t.variable];
    values[s.variable] = rest * s.sign;
  }
  values.resize(given);
  return values;
}

std::vector<Bit> CompiledForms::encode(std::span<const std::int64_t> values) const {
  std::vector<Bit> x(model.bits, 0);
  for (std::size_t v = 0; v < variables.size(); ++v) {
    std::int64_t value = 1;
    if (v < given) {
      value = values[v];
    } else {
      for (std::uint32_t factor : nonzero_of[v - given]) value *= values[factor] != 0 ? 1 : 0;
    }
    std::int64_t rest = value - variables[v].lower;
    if (variables[v].group) {
      const auto& states = variables[v].bits;
      rest = std::clamp(rest, std::int64_t{0}, states.back().weight);
      x[states[static_cast<std::size_t>(rest)].bit] = 1;
      continue;
    }
    for (std::size_t k = variables[v].bits.size(); k-- > 0;) {
      const FormBit& b = variables[v].bits[k];
      // The last weight is a remainder: take it only where the others cannot reach.
      std::int64_t others = 0;
      for (std::size_t l = 0; l < k; ++l) others += variables[v].bits[l].weight;
      if (rest > others || (rest >= b.weight && k + 1 < variables[v].bits.size())) {
        x[b.bit] = 1;
        rest -= b.weight;
      }
    }
  }
  for (std::size_t k = 0; k < model.groups.size(); ++k) {
    std::uint32_t on = kNone;
    for (std::uint32_t bit : model.groups[k]) {
      if (x[bit] != 0 && on == kNone) on = bit;
      x[bit] = 0;
    }
    if (on == kNone) on = none_bits[k] != kNone ? none_bits[k] : model.groups[k].front();
    x[on] = 1;
  }
  return x;
}

bool CompiledForms::is_canonical(std::span<const Bit> x) const {
  const std::vector<Bit> usual = encode(decode(x));
  return std::equal(x.begin(), x.end(), usual.begin(), usual.end());
}

CompiledForms compile_forms(const ConstrainedModel& model, FormsFor purpose) {
  CompiledForms forms;
  if (is_plain(model)) {
    forms = FormCompiler(model, purpose).compile();
  } else {
    PlainModel plain = plain_model(model);
    forms = FormCompiler(plain.model, purpose).compile();
    forms.nonzero_of = std::move(plain.nonzero_of);
    for (const ModelConstraint& c : plain.model.constraints) forms.row_names.push_back(c.name);
    for (const ModelVariable& v : plain.model.variables) forms.variable_names.push_back(v.name);
  }
  forms.given = model.variables.size();
  return forms;
}

}  // namespace chainmail
