#include "model/whole_objective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace chainmail {

namespace {

constexpr double kMost = 0x1.0p62;     // of sums in 64 bits
constexpr double kWidest = 0x1.0p110;  // of sums that are kept at all
// Of sums in double, so that halves can be distinguished too.
constexpr int kBits = 51;
constexpr Wide kExactly = Wide{1} << kBits;

// The most by which the sum of a form can exceed its limits.
Wide furthest_beyond(const FormModel& m, std::size_t form) {
  Wide least = 0, most = 0;
  for (const FormTerm& t : m.forms[form]) (t.coefficient < 0 ? least : most) += t.coefficient;
  const FormLimits& limits = m.limits[form];
  Wide furthest = 0;
  if (limits.lower > kNoLower) furthest = std::max(furthest, limits.lower - least);
  if (limits.upper < kNoUpper) furthest = std::max(furthest, most - limits.upper);
  return furthest;
}

class Settling {
 public:
  Settling(const ExactObjective& exact, FormModel& model) : exact_(exact), m_(model) {}

  WholeObjective run() {
    out_.constant = exact_.constant;
    m_.constant = 0.0;
    for (std::size_t form = 0; form < m_.forms.size(); ++form) {
      furthest_.push_back(exact_.prices[form].zero() ? 0 : furthest_beyond(m_, form));
    }
    find_unit();
    to_doubles();
    if (!out_.ordered && out_.fits && lower_prices()) {
      to_doubles();
      if (!out_.ordered) {  // it did not help, and a threshold of rounded sums needs them as given
        out_.price = out_.lowered = 0;
        to_doubles();
      }
    }
    if (!out_.ordered) {
      out_.note = fmt::format(
          "the search sees the objective to within {:.2g}; answers are compared exactly",
          out_.rounding);
    }
    return std::move(out_);
  }

 private:
  template <typename Visit>
  void for_all(Visit visit) const {
    for (const Decimal& value : exact_.linear) visit(value);
    for (const Decimal& value : exact_.pairs) visit(value);
    for (const Decimal& value : exact_.monomials) visit(value);
    for (const Decimal& value : exact_.prices) visit(value);
  }

  // The largest number of which everything is a multiple.
  void find_unit() {
    int exponent = 0;
    bool any = false;
    for_all([&](const Decimal& value) {
      if (value.zero()) return;
      exponent = any ? std::min(exponent, value.exponent()) : value.exponent();
      any = true;
    });
    Wide factor = 0;
    const auto whole = [&](const Decimal& value) -> Wide {
      if (value.zero()) return 0;
      const auto scaled =
          times_power_of_ten(value.mantissa(), std::min(99, value.exponent() - exponent));
      if (!scaled || std::abs(static_cast<double>(*scaled)) > kWidest) out_.too_wide = true;
      return out_.too_wide ? 0 : *scaled;
    };
    for_all([&](const Decimal& value) { factor = common_factor(factor, whole(value)); });
    if (factor == 0) factor = 1;
    const auto list = [&](const std::vector<Decimal>& values, std::vector<Wide>& to) {
      for (const Decimal& value : values) to.push_back(whole(value) / factor);
    };
    if (!out_.too_wide) {
      out_.unit = Decimal(factor, exponent);
      list(exact_.linear, out_.linear);
      list(exact_.pairs, out_.pairs);
      list(exact_.monomials, out_.monomials);
      list(exact_.prices, out_.prices);
    }
    // In double first, which cannot run over.
    double all = 0.0;
    for (Wide value : out_.linear) all += std::abs(static_cast<double>(value));
    for (Wide value : out_.pairs) all += std::abs(static_cast<double>(value));
    // A product of spins may be either sign of its value, and a field twice that.
    for (Wide value : out_.monomials) all += 2.0 * std::abs(static_cast<double>(value));
    for (std::size_t form = 0; form < out_.prices.size(); ++form) {
      all += static_cast<double>(out_.prices[form]) * static_cast<double>(furthest_[form]);
    }
    out_.too_wide = out_.too_wide || all > kWidest;
    out_.fits = !out_.too_wide && all <= kMost;
    if (out_.too_wide) {
      out_.linear = out_.pairs = out_.monomials = out_.prices = {};
      return;
    }
    for (Wide value : out_.linear) (value < 0 ? least_ : most_) += value;
    Wide least_twice = 0, most_twice = 0;  // each pair stands at both ends
    for (Wide value : out_.pairs) (value < 0 ? least_twice : most_twice) += value;
    least_ += least_twice / 2;
    most_ += most_twice / 2;
    for (std::size_t k = 0; k < out_.monomials.size(); ++k) {
      const Wide value = out_.monomials[k];
      (value < 0 ? least_ : most_) += value;
      if (m_.monomial_values[k].spins != 0) (value < 0 ? most_ : least_) -= value;
    }
    out_.least = least_;
  }

  double price_of(std::size_t form) const {
    if (exact_.prices[form].zero()) return 0.0;
    if (out_.lowered == 0) return static_cast<double>(exact_.prices[form]);
    const Wide units = out_.prices[form] < out_.price
                           ? out_.prices[form]
                           : out_.prices[form] / out_.price * out_.lowered;
    return static_cast<double>(units) * static_cast<double>(out_.unit);
  }

  // All that f can be made of, in double, up to rounding.
  double size() const {
    double sum = 0.0;
    for (const Decimal& value : exact_.linear) sum += std::abs(static_cast<double>(value));
    for (const Decimal& value : exact_.pairs) sum += 0.5 * std::abs(static_cast<double>(value));
    for (const Decimal& value : exact_.monomials) {
      sum += 2.0 * std::abs(static_cast<double>(value));
    }
    for (std::size_t form = 0; form < furthest_.size(); ++form) {
      sum += price_of(form) * static_cast<double>(furthest_[form]);
    }
    return sum;
  }

  // Multiples of a power of two, unchanged where they fit; else multiples of one that makes all
  // sums exact: in whatever order they are added, f depends only on the bits.
  void to_doubles() {
    const double all = size();
    out_.rounding = 0.0;
    double grid = 0.0;
    const Wide units = is_dyadic() ? kExactly / odd_part() : 0;  // that doubles add up exactly
    if (!(out_.fits && all < static_cast<double>(out_.unit) * static_cast<double>(units))) {
      grid = all > 0.0 ? std::exp2(std::ceil(std::log2(all)) - kBits) : 0.0;
    }
    const auto rounded = [&](double value, double times) {
      if (grid == 0.0 || value == 0.0) return value;
      out_.rounding += 0.5 * grid * times;
      return std::round(value / grid) * grid;
    };
    m_.linear.assign(exact_.linear.size(), 0.0);
    for (std::size_t i = 0; i < m_.linear.size(); ++i) {
      m_.linear[i] = rounded(static_cast<double>(exact_.linear[i]), 1.0);
    }
    for (std::size_t k = 0; k < exact_.pairs.size(); ++k) {
      m_.pairs.items[k].value = rounded(static_cast<double>(exact_.pairs[k]), 0.5);
    }
    for (std::size_t k = 0; k < exact_.monomials.size(); ++k) {
      m_.monomial_values[k].value = rounded(static_cast<double>(exact_.monomials[k]), 1.0);
    }
    for (std::size_t form = 0; form < furthest_.size(); ++form) {
      if (exact_.prices[form].zero()) continue;
      const double price = rounded(price_of(form), static_cast<double>(furthest_[form]));
      m_.limits[form].price = price > 0.0 ? price : grid;
    }
    out_.ordered = out_.fits && out_.rounding < 0.25 * static_cast<double>(out_.unit);
  }

  // unit = odd / 2^k?
  bool is_dyadic() const { return odd_part() > 0; }
  Wide odd_part() const {
    Wide mantissa = out_.unit.mantissa();
    for (int k = out_.unit.exponent(); k < 0; ++k) {
      if (mantissa % 5 != 0) return 0;
      mantissa /= 5;
    }
    return mantissa;
  }

  // If the highest prices are multiples of something that everything else together cannot reach,
  // they decide every comparison first, and a smaller multiple does the same.
  bool lower_prices() {
    std::vector<Wide> dear;
    for (Wide price : out_.prices) {
      if (price > 0) dear.push_back(price);
    }
    std::sort(dear.begin(), dear.end());
    dear.erase(std::unique(dear.begin(), dear.end()), dear.end());
    for (std::size_t first = 0; first < dear.size(); ++first) {
      const Wide factor = std::accumulate(dear.begin() + static_cast<std::ptrdiff_t>(first),
                                          dear.end(), Wide{0}, common_factor);
      Wide rest = most_ - least_;
      for (std::size_t form = 0; form < furthest_.size(); ++form) {
        if (out_.prices[form] < dear[first]) rest += out_.prices[form] * furthest_[form];
      }
      if (factor <= rest + 1) continue;
      out_.price = factor;
      out_.lowered = rest + 1;
      return true;
    }
    return false;
  }

  const ExactObjective& exact_;
  FormModel& m_;
  WholeObjective out_;
  std::vector<Wide> furthest_;  // by form
  Wide least_ = 0, most_ = 0;   // of the sum without prices
};

}  // namespace

double WholeObjective::threshold(const Decimal& value) const {
  const Decimal rest = value - constant;
  const auto size = static_cast<double>(unit);
  if (!ordered) return static_cast<double>(rest) - 2.0 * rounding;
  Wide units = floor_units(rest, static_cast<std::int64_t>(unit.mantissa()), unit.exponent());
  if (lowered > 0 && units >= least) {
    const Wide times = (units - least) / price, beyond = (units - least) % price;
    units = least + times * lowered + std::min(beyond, lowered - 1);
  }
  return (static_cast<double>(units) + 0.5) * size;
}

WholeObjective settle_objective(const ExactObjective& exact, FormModel& model) {
  return Settling(exact, model).run();
}

}  // namespace chainmail
