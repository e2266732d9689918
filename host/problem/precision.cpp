#include "problem/precision.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace chainmail {

namespace {

constexpr double kExactly = 0x1.0p51;    // of sums in double whose halves are distinguished too
constexpr double kRounding = 0x1.0p-44;  // of long sums of decimals, by the size of all terms
constexpr double kOfTerm = 0x1.0p-52;    // of a term of a short one
constexpr double kMostTolerance = 1e-6;  // that a comparison may be off by
constexpr int kPlaces = 15;              // decimals of more places fill a double alone

template <typename Visit>
bool all_numbers(const Quadratic& q, Visit visit) {
  return std::all_of(q.fields.begin(), q.fields.end(), visit) &&
         std::all_of(q.couplings.begin(), q.couplings.end(),
                     [&](const Coupling& c) { return visit(c.value); });
}

}  // namespace

Precision precision_of(const Quadratic& q, bool rounded) {
  double size = std::abs(q.offset);
  bool whole = true;
  all_numbers(q, [&](double value) {
    size += std::abs(value);
    whole = whole && std::abs(value) < kExactly &&
            static_cast<double>(static_cast<std::int64_t>(value)) == value;
    return true;
  });
  // Multiples of a power of two are added up without any rounding.
  double scale = 1.0;
  const auto refine = [&](double value) {
    while (value * scale != std::floor(value * scale) && size * scale < kExactly) scale *= 2.0;
    return size * scale < kExactly;
  };
  if (!rounded && refine(q.offset) && (whole || all_numbers(q, refine)))
    return {Decimal(1.0 / scale), 0.0};
  int exponent = 0;
  const auto decimal = [&](double value) {
    const Decimal d = value;
    if (!d.zero()) exponent = std::min(exponent, d.exponent());
    return exponent >= -kPlaces;
  };
  const auto terms = static_cast<double>(q.size() + q.couplings.size() + 8);
  Precision precision{0, size * std::min(kRounding, kOfTerm * terms)};
  if (!rounded && decimal(q.offset) && all_numbers(q, decimal) &&
      4.0 * precision.slack < std::pow(10.0, exponent)) {
    precision.unit = Decimal(Wide{1}, exponent);
  }
  return precision;
}

double threshold(const Quadratic& q, const Precision& precision, const Decimal& value) {
  if (!precision.exact()) {
    // Rounding that is no longer small must not make a value look reached: then it has to be
    // surely.
    const double slack = precision.slack <= kMostTolerance ? precision.slack : -precision.slack;
    return static_cast<double>(value) + slack;
  }
  const Decimal& unit = precision.unit;
  const Wide units =
      floor_units(value - q.offset, static_cast<std::int64_t>(unit.mantissa()), unit.exponent());
  return q.offset + (static_cast<double>(units) + 0.5) * static_cast<double>(unit);
}

double feasible_up_to(const Problem& problem) {
  if (!problem.constraint) return kFeasible;
  const Precision precision = precision_of(*problem.constraint);
  const double unit = static_cast<double>(precision.unit);
  return std::min(kFeasible, precision.exact() ? 0.5 * unit : precision.slack);
}

}  // namespace chainmail
