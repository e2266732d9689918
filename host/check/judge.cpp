#include <algorithm>

#include "check/model.hpp"

namespace chainmail::checker {

Rational decimal(std::string_view text, std::size_t& length) {
  const auto is_digit = [&](std::size_t at) {
    return at < text.size() && text[at] >= '0' && text[at] <= '9';
  };
  length = 0;
  std::size_t at = 0;
  bool negative = false;
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) negative = text[at++] == '-';
  std::string digits;
  long exponent = 0;
  for (; is_digit(at); ++at) digits += text[at];
  if (at < text.size() && text[at] == '.' && (!digits.empty() || is_digit(at + 1))) {
    for (++at; is_digit(at); ++at, --exponent) digits += text[at];
  }
  if (digits.empty()) return 0;
  length = at;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    std::size_t from = at + 1;
    bool below = false;
    if (from < text.size() && (text[from] == '-' || text[from] == '+')) below = text[from++] == '-';
    if (is_digit(from)) {
      long given = 0;
      for (; is_digit(from); ++from) given = std::min(100000L, 10 * given + (text[from] - '0'));
      exponent += below ? -given : given;
      length = from;
    }
  }
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  Integer mantissa(digits);
  const Integer power = boost::multiprecision::pow(
      Integer(10), static_cast<unsigned>(exponent < 0 ? -exponent : exponent));
  if (negative) mantissa = -mantissa;
  return exponent < 0 ? Rational(mantissa, power) : Rational(mantissa * power);
}

std::string text_of(const Rational& value) {
  Integer over = numerator(value), under = denominator(value);
  int places = 0;
  for (const int factor : {2, 5}) {
    int count = 0;
    Integer rest = under;
    for (; rest % factor == 0; rest /= factor) ++count;
    places = std::max(places, count);
  }
  const Integer power = boost::multiprecision::pow(Integer(10), static_cast<unsigned>(places));
  if (power % under != 0) return over.str() + "/" + under.str();
  over *= power / under;
  const bool negative = over < 0;
  std::string digits = Integer(negative ? Integer(-over) : over).str();
  const auto wanted = static_cast<std::size_t>(places);
  if (places > 0) {
    if (digits.size() <= wanted) digits.insert(0, wanted + 1 - digits.size(), '0');
    digits.insert(digits.size() - wanted, ".");
  }
  return (negative ? "-" : "") + digits;
}

namespace {

Rational sum_of(const Terms& terms, const Products& products, const std::vector<Integer>& values) {
  Rational sum = 0;
  for (const auto& [v, c] : terms) sum += c * values[v];
  for (const auto& [factors, c] : products) {
    Integer value = 1;
    for (std::size_t v : factors) value *= values[v];
    sum += c * value;
  }
  return sum;
}

void compare(const std::string& name, const Rational& left, const std::optional<Rational>& lower,
             const std::optional<Rational>& upper, std::vector<Broken>& broken) {
  const bool equation = lower && upper && *lower == *upper;
  if (lower && left < *lower) broken.push_back({name, left, equation ? "=" : ">=", *lower});
  if (upper && left > *upper) broken.push_back({name, left, equation ? "=" : "<=", *upper});
}

}  // namespace

Judgement judge(const Model& model, const std::vector<Integer>& values) {
  Judgement result;
  result.objective = model.constant + sum_of(model.objective, model.products, values);
  for (std::size_t v = 0; v < values.size(); ++v) {
    const Variable& variable = model.variables[v];
    compare(variable.name, values[v], variable.lower, variable.upper, result.broken);
    if (variable.spin && values[v] == 0) result.broken.push_back({variable.name, 0, ">=", 1});
  }
  for (const Row& row : model.rows) {
    if (row.when && (values[row.when->first] != 0) != row.when->second) continue;
    const Rational left = sum_of(row.terms, row.products, values);
    if (row.price == 0) {
      compare(row.name, left, row.lower, row.upper, result.broken);
      continue;
    }
    Rational missed = 0;
    if (row.lower && left < *row.lower) missed = *row.lower - left;
    if (row.upper && left > *row.upper) missed = left - *row.upper;
    const Rational cost = row.price * missed;
    result.objective += model.maximise ? Rational(-cost) : cost;
  }
  for (const Set& set : model.sets) {
    const auto count = std::count_if(set.members.begin(), set.members.end(),
                                     [&](std::size_t v) { return values[v] != 0; });
    if (count > 1) result.broken.push_back({set.name, Rational(count), "<=", Rational(1)});
  }
  return result;
}

}  // namespace chainmail::checker
