#include "check/box.hpp"

#include <algorithm>
#include <map>

namespace chainmail::checker {

Integer floor_of(const Rational& value) {
  const Integer over = numerator(value), under = denominator(value);
  Integer quotient = over / under;
  if (over % under != 0 && over < 0) --quotient;
  return quotient;
}
Integer ceil_of(const Rational& value) {
  return -floor_of(-value);
}

std::optional<Rational> extreme(const Rational& c, const Bounds& b, bool least) {
  const std::optional<Integer>& at = (c > 0) == least ? b.lower : b.upper;
  if (!at) return std::nullopt;
  return c * Rational(*at);
}

// Power by power: an even one of what spans 0 begins there.
std::optional<std::pair<Integer, Integer>> product_range(const std::vector<std::size_t>& factors,
                                                         const Box& box) {
  std::map<std::size_t, unsigned> powers;
  for (std::size_t v : factors) ++powers[v];
  Integer low = 1, high = 1;
  for (const auto& [v, power] : powers) {
    const Bounds& b = box[v];
    if (!b.lower || !b.upper) return {};
    Integer least = boost::multiprecision::pow(*b.lower, power);
    Integer most = boost::multiprecision::pow(*b.upper, power);
    if (least > most) std::swap(least, most);
    if (power % 2 == 0 && *b.lower < 0 && *b.upper > 0) least = 0;
    const Integer corners[] = {low * least, low * most, high * least, high * most};
    low = *std::min_element(std::begin(corners), std::end(corners));
    high = *std::max_element(std::begin(corners), std::end(corners));
  }
  return std::pair(low, high);
}

std::optional<Rational> least_product(const Rational& c, const std::vector<std::size_t>& factors,
                                      const Box& box) {
  const auto range = product_range(factors, box);
  if (!range) return {};
  return std::min(Rational(c * Rational(range->first)), Rational(c * Rational(range->second)));
}

Rational common_unit(const std::vector<Rational>& values) {
  Integer divisor = 1, factor = 0;
  for (const Rational& value : values) divisor = lcm(divisor, denominator(value));
  for (const Rational& value : values) {
    factor = gcd(factor, Integer(numerator(Rational(value * divisor))));
  }
  return Rational(factor, divisor);
}

Linear reduced(Linear row, const Box& box) {
  std::vector<Rational> left;
  for (auto t = row.terms.begin(); t != row.terms.end();) {
    const Bounds& b = box[t->first];
    if (b.fixed() || t->second == 0) {
      const Rational shift = b.fixed() ? Rational(t->second * Rational(*b.lower)) : Rational(0);
      if (row.lower) *row.lower -= shift;
      if (row.upper) *row.upper -= shift;
      t = row.terms.erase(t);
    } else {
      left.push_back(t->second);
      ++t;
    }
  }
  const Rational unit = common_unit(left);
  if (unit == 0) return row;
  if (row.lower) row.lower = Rational(ceil_of(*row.lower / unit)) * unit;
  if (row.upper) row.upper = Rational(floor_of(*row.upper / unit)) * unit;
  return row;
}

bool cannot_hold(const Linear& given, const Box& box) {
  const Linear row = reduced(given, box);
  if (row.lower && row.upper && *row.lower > *row.upper) return true;
  std::optional<Rational> least(0), most(0);
  for (const auto& [v, c] : row.terms) {
    const auto low = extreme(c, box[v], true), high = extreme(c, box[v], false);
    if (least && low)
      *least += *low;
    else
      least.reset();
    if (most && high)
      *most += *high;
    else
      most.reset();
  }
  return (row.upper && least && *least > *row.upper) || (row.lower && most && *most < *row.lower);
}

}  // namespace chainmail::checker
