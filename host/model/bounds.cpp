// Activity-based bound tightening, the oldest presolve of integer programming: in sum a_i x_i <= b
// every other term at its least leaves x_k at most (b - rest) / a_k. We repeat it over all
// constraints a few times. If bounds cross, the model has no solution; the bounds as given are then
// kept, so that the search can still show what violates least.
#include "model/bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "support/error.hpp"

namespace chainmail {

namespace {

constexpr int kRounds = 8;
constexpr double kRounding = 1e-9;  // relative; keeps a bound that is whole but for rounding
constexpr double kWidest = 0x1.0p40;

struct RealBounds {
  double lower, upper;
};

// Sum of the least (or greatest) values of terms; infinite ones are counted apart so that a single
// one can be taken out again.
struct Activity {
  double finite = 0.0;
  int infinite = 0;
  void add(double term) {
    if (std::isinf(term)) {
      ++infinite;
    } else {
      finite += term;
    }
  }
  double without(double term) const {
    if (std::isinf(term)) return infinite == 1 ? finite : kUnbounded;
    return infinite == 0 ? finite - term : kUnbounded;
  }
};

double times(double coefficient, double bound) {
  return coefficient == 0.0 ? 0.0 : coefficient * bound;
}

double down(double value) {
  return std::floor(value + kRounding * std::max(1.0, std::abs(value)));
}
double up(double value) {
  return std::ceil(value - kRounding * std::max(1.0, std::abs(value)));
}

// What bounds were before a constraint moved them.
struct Moved {
  std::uint32_t variable;
  RealBounds before;
};

// left <= right, with `sign` -1 for left >= right; true when a bound changed.
bool propagate(const ModelConstraint& c, double sign, double right, std::vector<RealBounds>& bounds,
               std::vector<Moved>& moved) {
  if (std::isinf(right)) return false;
  const auto least = [&](const LinearTerm& t) {
    const RealBounds& b = bounds[t.variable];
    const double a = sign * static_cast<double>(t.coefficient);
    return times(a, a > 0 ? b.lower : b.upper);
  };
  Activity activity;
  for (const LinearTerm& t : c.left.linear) activity.add(least(t));
  bool changed = false;
  for (const LinearTerm& t : c.left.linear) {
    const double rest = activity.without(least(t));
    if (std::isinf(rest)) continue;
    const double a = sign * static_cast<double>(t.coefficient);
    const double limit = (sign * (right - static_cast<double>(c.left.constant)) - rest) / a;
    if (std::abs(limit) > kWidest) continue;
    RealBounds& b = bounds[t.variable];
    const double old = least(t);
    const RealBounds before = b;
    if (a > 0 && down(limit) < b.upper) {
      b.upper = down(limit);
    } else if (a < 0 && up(limit) > b.lower) {
      b.lower = up(limit);
    } else {
      continue;
    }
    changed = true;
    moved.push_back({t.variable, before});
    // The other end moved, so the least of this term is as it was.
    if (least(t) != old) return true;
  }
  return changed;
}

bool crossed(const std::vector<RealBounds>& bounds) {
  for (const RealBounds& b : bounds) {
    if (b.lower > b.upper) return true;
  }
  return false;
}

WholeBounds whole(const ModelVariable& variable, const RealBounds& b) {
  if (std::isinf(b.lower) || std::isinf(b.upper)) {
    throw InputError(fmt::format(
        "variable '{}' has no {} bound, neither given nor following from a constraint; give one",
        variable.name, std::isinf(b.upper) ? "upper" : "lower"));
  }
  if (std::abs(b.lower) > kWidest || std::abs(b.upper) > kWidest) {
    throw InputError(fmt::format("variable '{}' may go from {} to {}; 2^40 is the most",
                                 variable.name, b.lower, b.upper));
  }
  return {static_cast<std::int64_t>(b.lower), static_cast<std::int64_t>(b.upper)};
}

}  // namespace

TightBounds tighten_bounds(const ConstrainedModel& model) {
  std::vector<RealBounds> given;
  for (const ModelVariable& v : model.variables) {
    given.push_back({static_cast<double>(v.lower.ceil()), static_cast<double>(v.upper.floor())});
  }
  TightBounds result;
  if (crossed(given)) throw InputError("a variable has no whole value between its bounds");

  std::vector<RealBounds> bounds = given;
  bool changed = true;
  bool contradiction = false;
  std::vector<Moved> moved;
  for (int round = 0; round < kRounds && changed && !contradiction; ++round) {
    changed = false;
    for (const ModelConstraint& c : model.constraints) {
      moved.clear();
      if (c.left.products.empty()) {
        changed |= propagate(c, 1.0, static_cast<double>(c.upper), bounds, moved);
        changed |= propagate(c, -1.0, static_cast<double>(c.lower), bounds, moved);
      }
      contradiction = std::any_of(moved.begin(), moved.end(), [&](const Moved& m) {
        return bounds[m.variable].lower > bounds[m.variable].upper;
      });
      if (contradiction) {
        result.notes.push_back(
            fmt::format("no values satisfy '{}' and the constraints before it", c.name));
        for (auto m = moved.rbegin(); m != moved.rend(); ++m) bounds[m->variable] = m->before;
        for (std::size_t v = 0; v < bounds.size(); ++v) {
          // Bounds that were given stay as they were; only missing ones are filled in.
          if (!std::isinf(given[v].lower)) bounds[v].lower = given[v].lower;
          if (!std::isinf(given[v].upper)) bounds[v].upper = given[v].upper;
        }
        break;
      }
    }
  }
  for (std::size_t v = 0; v < bounds.size(); ++v) {
    result.bounds.push_back(whole(model.variables[v], bounds[v]));
  }
  return result;
}

}  // namespace chainmail
