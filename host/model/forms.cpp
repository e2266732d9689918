#include "model/forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/one_hots.hpp"
#include "model/plain_model.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

constexpr std::size_t kMostBits = std::size_t{1} << 26;
// An integer of no more values than this is a group with a state for each, which moves between any
// two of them at once; one that stands in products is not, they would be many. Samplers pay for
// both as long as they can: in bits some values have two patterns, and every second one is lost.
constexpr std::int64_t kMostStates = 64, kMostSampledStates = 4096;
constexpr double kMostSampledPairs = 0x1p22;

// Weights for 0 ... range, e.g. 10: 1, 2, 4, 3.
std::vector<std::int64_t> expansion_weights(std::int64_t range) {
  std::vector<std::int64_t> weights;
  for (std::int64_t power = 1; range > 0; power *= 2) {
    weights.push_back(std::min(power, range));
    range -= weights.back();
  }
  return weights;
}

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
    Presolved found = presolve(source_);
    out_.infeasible = found.infeasible;
    if (!found.infeasible.empty()) found = as_given();
    if (found.fixed + found.dropped > 0) {
      out_.notes.push_back(fmt::format("presolve fixed {} of {} variables and dropped {} rows",
                                       found.fixed, source_.variables.size(), found.dropped));
    }
    whole_ = std::move(found.model);
    out_.slacks = std::move(found.slacks);
    expand_variables(found.objective);
    add_objective(found.objective);
    add_forms();
    add_pairs();
    out_.model.bits = bits_;
    out_.model.linear.resize(bits_, 0.0);
    while (out_.model.pairs.size() < bits_) out_.model.pairs.close();
    while (out_.model.clashes.size() < bits_) out_.model.clashes.close();
    make_sums_exact();
    out_.model.finish();
    out_.bound = least_objective();
    return std::move(out_);
  }

 private:
  // What is proved impossible is searched as it was given, for the state nearest to it.
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
    return given;
  }

  // Couplings there are when every variable has a state for each of its values.
  double pairs_of_states(const Expression& objective) const {
    double pairs = 0.0;
    for (const ProductTerm& t : objective.products) {
      const WholeInterval &a = whole_.bounds[t.i], &b = whole_.bounds[t.j];
      pairs += static_cast<double>(a.upper - a.lower) * static_cast<double>(b.upper - b.lower);
    }
    return pairs;
  }

  void expand_variables(const Expression& objective) {
    std::vector<char> is_slack(source_.variables.size(), 0), in_product(is_slack);
    for (const SlackOf& s : out_.slacks) is_slack[s.variable] = 1;
    const bool sampling = purpose_ == FormsFor::sampling;
    const std::int64_t most_states = sampling ? kMostSampledStates : kMostStates;
    if (!sampling || pairs_of_states(objective) > kMostSampledPairs) {
      for (const ProductTerm& t : objective.products) in_product[t.i] = in_product[t.j] = 1;
    }
    for (std::size_t v = 0; v < whole_.bounds.size(); ++v) {
      const WholeInterval& b = whole_.bounds[v];
      CompiledForms::Expansion e{b.lower, {}};
      const std::int64_t range = b.upper - b.lower;
      if (is_slack[v] == 0 && in_product[v] == 0 && range > 1 && range < most_states) {
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
    const double sign = source_.sense == Sense::minimise ? 1.0 : -1.0;
    FormModel& m = out_.model;
    m.linear.assign(bits_, 0.0);
    m.constant = sign * objective.constant;
    for (const LinearTerm& t : objective.linear) {
      const CompiledForms::Expansion& e = out_.variables[t.variable];
      const double c = sign * t.coefficient;
      m.constant += c * static_cast<double>(e.lower);
      for (const FormBit& b : e.bits) m.linear[b.bit] += c * static_cast<double>(b.weight);
    }
    for (const ProductTerm& t : objective.products) {
      const CompiledForms::Expansion& a = out_.variables[t.i];
      const CompiledForms::Expansion& b = out_.variables[t.j];
      const double c = sign * t.coefficient;
      const auto la = static_cast<double>(a.lower), lb = static_cast<double>(b.lower);
      m.constant += c * la * lb;
      for (const FormBit& x : a.bits) m.linear[x.bit] += c * lb * static_cast<double>(x.weight);
      for (const FormBit& y : b.bits) m.linear[y.bit] += c * la * static_cast<double>(y.weight);
      for (const FormBit& x : a.bits) {
        for (const FormBit& y : b.bits) {
          const double value = c * static_cast<double>(x.weight) * static_cast<double>(y.weight);
          if (x.bit == y.bit) {
            m.linear[x.bit] += value;  // a bit is its own square
          } else {
            products_.push_back({std::min(x.bit, y.bit), std::max(x.bit, y.bit), value});
          }
        }
      }
    }
  }

  void add_forms() {
    const OneHots chosen = choose_one_hots(whole_);
    std::vector<char> is_group(whole_.forms.size(), 0);
    for (const bool at_most : {false, true}) {
      for (std::uint32_t k : at_most ? chosen.at_most_one : chosen.exactly_one) {
        is_group[k] = 1;
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
    const auto moved = [&](std::int64_t side) {
      return side == kNoLower || side == kNoUpper ? side : side - shift;
    };
    const double weight = form.price > 0.0 ? 0.0 : balanced_weight(terms_);
    out_.model.limits.push_back({moved(form.lower), moved(form.upper), weight, form.price});
  }

  // Couplings of f and exclusions as lists by bit. Within a group no two bits are ever one
  // together: such pairs say nothing.
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
    std::vector<Coupling> both;
    both.reserve(2 * products_.size());
    for (const Coupling& c : products_) {
      if (together(c.i, c.j)) continue;
      both.push_back(c);
      both.push_back({c.j, c.i, c.value});
    }
    const auto by_bits = [](const Coupling& a, const Coupling& b) {
      return a.i != b.i ? a.i < b.i : a.j < b.j;
    };
    std::sort(both.begin(), both.end(), by_bits);
    FormModel& m = out_.model;
    std::size_t at = 0;
    for (std::uint32_t i = 0; i < bits_; ++i) {
      while (at < both.size() && both[at].i == i) {
        double value = 0.0;
        const std::uint32_t j = both[at].j;
        for (; at < both.size() && both[at].i == i && both[at].j == j; ++at)
          value += both[at].value;
        if (value != 0.0) m.pairs.items.push_back({j, value});
      }
      m.pairs.close();
    }

    std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
    for (const auto& [v, w] : whole_.exclusions) {
      const std::vector<FormBit>&a = out_.variables[v].bits, &b = out_.variables[w].bits;
      if (a.empty() && b.empty()) {
        // both fixed: at 1 together, nothing can help
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

  // Coefficients of f become multiples of a power of two so small that all its sums are exact in
  // double precision: whatever was added up in whatever order, f stays what its bits say.
  void make_sums_exact() {
    FormModel& m = out_.model;
    double size = std::abs(m.constant);
    for (double value : m.linear) size += std::abs(value);
    for (const Neighbour& n : m.pairs.items) size += std::abs(n.value);
    for (std::size_t row = 0; row < m.forms.size(); ++row) {
      if (m.limits[row].soft()) size += m.limits[row].price * furthest_beyond(row);
    }
    if (size == 0.0) return;
    const double unit = std::exp2(std::ceil(std::log2(size)) - 51.0);
    const auto rounded = [unit](double value) { return std::round(value / unit) * unit; };
    m.constant = rounded(m.constant);
    for (double& value : m.linear) value = rounded(value);
    for (Neighbour& n : m.pairs.items) n.value = rounded(n.value);
    for (FormLimits& limits : m.limits) {
      if (limits.soft()) limits.price = std::max(unit, rounded(limits.price));
    }
  }

  double furthest_beyond(std::size_t row) const {
    double least = 0.0, most = 0.0;
    for (const FormTerm& t : out_.model.forms[row]) {
      (t.coefficient < 0 ? least : most) += static_cast<double>(t.coefficient);
    }
    const FormLimits& limits = out_.model.limits[row];
    return std::max(
        {0.0, static_cast<double>(limits.lower) - least, most - static_cast<double>(limits.upper)});
  }

  void must_be_zero(std::uint32_t bit) {
    out_.model.forms.items.push_back({1, bit});
    out_.model.forms.close();
    out_.model.limits.push_back({kNoLower, 0, 1.0});
  }
  void never_holds() {
    out_.model.forms.close();
    out_.model.limits.push_back({1, 1, 1.0});
  }

  // The sum of the least each term can be; groups by their least member.
  std::optional<double> least_objective() const {
    const double sign = source_.sense == Sense::minimise ? 1.0 : -1.0;
    double least = sign * source_.objective.constant;
    const auto range = [&](std::uint32_t v) {
      std::int64_t lower = whole_.bounds[v].lower, upper = whole_.bounds[v].upper;
      return std::pair(static_cast<double>(lower), static_cast<double>(upper));
    };
    for (const LinearTerm& t : source_.objective.linear) {
      const auto [low, high] = range(t.variable);
      least += std::min(sign * t.coefficient * low, sign * t.coefficient * high);
    }
    for (const ProductTerm& t : source_.objective.products) {
      const auto [la, ha] = range(t.i);
      const auto [lb, hb] = range(t.j);
      const double c = sign * t.coefficient;
      const double low =
          t.i == t.j && la <= 0.0 && ha >= 0.0
              ? std::min(0.0, c * std::max(la * la, ha * ha))
              : std::min(std::min(c * la * lb, c * la * hb), std::min(c * ha * lb, c * ha * hb));
      least += low;
    }
    double grouped = out_.model.constant;
    for (std::uint32_t bit : out_.model.free_bits) grouped += std::min(0.0, out_.model.linear[bit]);
    for (std::size_t k = 0; k < out_.model.groups.size(); ++k) {
      double lowest = std::numeric_limits<double>::infinity();
      for (std::uint32_t bit : out_.model.groups[k])
        lowest = std::min(lowest, out_.model.linear[bit]);
      grouped += lowest;
    }
    for (std::uint32_t i = 0; i < bits_; ++i) {
      for (const Neighbour& n : out_.model.pairs[i]) {
        if (n.spin > i) grouped += std::min(0.0, n.value);
      }
    }
    return std::max(least, grouped);
  }

  const ConstrainedModel& source_;
  FormsFor purpose_;
  WholeModel whole_;
  CompiledForms out_;
  std::size_t bits_ = 0;
  std::vector<Coupling> products_;
  std::vector<FormTerm> terms_;  // of the form that is being added
};

}  // namespace

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
    const std::int64_t value = v < given ? values[v] : values[nonzero_of[v - given]] != 0 ? 1 : 0;
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
  }
  forms.given = model.variables.size();
  return forms;
}

}  // namespace chainmail
