#include "problem/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "problem/entries.hpp"
#include "problem/precision.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

// A solution's energy may differ from the stated one by the rounding of a sum in another order.
constexpr double kRounding = 1e-9;

class Check {
 public:
  explicit Check(const std::string& where) : where_(where) {}

  template <typename... Values>
  void that(bool holds, fmt::format_string<Values...> what, Values&&... values) const {
    if (!holds)
      throw InputError(where_ + ": " + fmt::format(what, std::forward<Values>(values)...));
  }

 private:
  const std::string& where_;
};

bool is_utf8(const std::string& text) {
  try {
    static_cast<void>(nlohmann::json(text).dump());
    return true;
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

// The sum of all magnitudes, which bounds |q(S)|.
double range_of(const Quadratic& q) {
  double sum = std::abs(q.offset);
  for (const double h : q.fields) sum += std::abs(h);
  for (const Coupling& c : q.couplings) sum += std::abs(c.value);
  return sum;
}

void check_quadratic(const Quadratic& q, std::size_t spins, const char* name, const Check& check) {
  check.that(q.size() == spins, "{} has {} fields, expected {}, one per spin", name, q.size(),
             spins);
  const Coupling* previous = nullptr;
  for (const Coupling& c : q.couplings) {
    check.that(c.i < c.j && c.j < spins, "{} couples {} and {}, expected i < j < {}", name, c.i,
               c.j, spins);
    check.that(c.value != 0.0, "{} has a coupling of zero between {} and {}", name, c.i, c.j);
    check.that(!previous || std::pair(previous->i, previous->j) < std::pair(c.i, c.j),
               "couplings of {} are not sorted, or repeated, at {} and {}", name, c.i, c.j);
    previous = &c;
  }
  check.that(std::isfinite(range_of(q)),
             "the coefficients of {} add up to more than a double holds", name);
}

void check_names(const Problem& problem, const Check& check) {
  check.that(problem.name.empty() || is_label(problem.name),
             "the problem's name must be printable UTF-8 without leading or trailing space");
  check.that(is_label(problem.user.name),
             "the objective's name must be printable UTF-8 without leading or trailing space");
  check.that(problem.names.empty() || problem.names.size() == problem.size(),
             "{} variable names for {} spins", problem.names.size(), problem.size());
  std::set<std::string> seen;
  for (std::size_t i = 0; i < problem.names.size(); ++i) {
    check.that(is_label(problem.names[i]),
               "the name of spin {} must be printable UTF-8 without leading or trailing space", i);
    check.that(seen.insert(problem.names[i]).second, "spin {} has the same name as another, \"{}\"",
               i, problem.names[i]);
  }
}

void check_state(std::span<const Spin> state, std::size_t spins, const char* name,
                 const Check& check) {
  if (state.empty()) return;
  check.that(state.size() == spins, "{} has {} spins, expected {}", name, state.size(), spins);
  check.that(std::all_of(state.begin(), state.end(), [](Spin s) { return s == 1 || s == -1; }),
             "{} has a spin that is neither 1 nor -1", name);
}

void check_optimum(const Problem& problem, const Check& check) {
  check.that(!problem.known_optimum || std::isfinite(*problem.known_optimum),
             "the known optimum is not finite");
  if (problem.known_solution.empty()) return;
  check.that(problem.known_optimum.has_value(), "a known solution without the known optimum");
  const double f = problem.objective(problem.known_solution);
  const double slack = kRounding * std::max(1.0, range_of(problem.objective));
  check.that(std::abs(f - *problem.known_optimum) <= slack,
             "the known solution has f = {}, but the known optimum is {}", f,
             *problem.known_optimum);
  if (!problem.constraint) return;
  const double g = (*problem.constraint)(problem.known_solution);
  check.that(std::abs(g) <= feasible_up_to(problem), "the known solution is infeasible: g = {}", g);
}

}  // namespace

bool is_label(const std::string& text) {
  const auto control = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
  };
  return !text.empty() && text.front() != ' ' && text.back() != ' ' &&
         std::none_of(text.begin(), text.end(), control) && is_utf8(text);
}

void validate(const Problem& problem, const std::string& where) {
  const Check check(where);
  check.that(problem.size() > 0, "a problem without spins");
  check.that(problem.size() <= kMaxSpins, "{} spins; at most {} are supported", problem.size(),
             kMaxSpins);
  check_quadratic(problem.objective, problem.size(), "the objective", check);
  if (problem.constraint) {
    check_quadratic(*problem.constraint, problem.size(), "the constraint", check);
    // The rounding error of such sums exceeds the least violation.
    check.that(precision_of(*problem.constraint).exact() ||
                   0x1.0p-50 * range_of(*problem.constraint) < kFeasible,
               "the constraint's numbers have too many digits to tell whether g is zero");
  }
  check.that(
      problem.user.scale != 0.0 &&
          std::isfinite(std::abs(problem.user.scale) * range_of(problem.objective) +
                        std::abs(problem.user.shift)),
      "the objective's scale {} and shift {} must be finite, the scale not zero, and no state "
      "may overflow",
      problem.user.scale, problem.user.shift);
  check_names(problem, check);
  check_state(problem.known_solution, problem.size(), "the known solution", check);
  check_state(problem.reference_solution, problem.size(), "the reference solution", check);
  check_optimum(problem, check);
}

}  // namespace chainmail
