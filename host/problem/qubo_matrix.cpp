#include "problem/qubo_matrix.hpp"

#include <algorithm>

namespace chainmail {

// In long double: partial sums may need more bits than the result.
Quadratic qubo_in_spins(std::size_t nodes, const std::vector<Coupling>& diagonal,
                        std::vector<Coupling> couplers, long double constant) {
  Quadratic f(nodes);
  std::vector<long double> fields(nodes, 0.0L);
  const auto add = [&](std::uint32_t bit, double value) {
    const SpinTerm term = in_spins(value);
    constant += term.constant;
    fields[bit] -= term.value;
  };
  for (const Coupling& q : diagonal) add(q.i, q.value);
  // c x y = c/2 y + c/2 S y, and of the last the half is c/4 S + c/4 S S'.
  for (Coupling& q : couplers) {
    const double half = in_spins(q.value).value;
    const SpinTerm rest = in_spins(half);
    add(q.j, half);
    fields[q.i] -= rest.constant;
    q.value = -rest.value;
  }
  f.offset = static_cast<double>(constant);
  std::transform(fields.begin(), fields.end(), f.fields.begin(),
                 [](long double field) { return static_cast<double>(field); });
  f.couplings = std::move(couplers);
  f.normalise();  // a coupler too small to be quartered is now zero
  return f;
}

}  // namespace chainmail
