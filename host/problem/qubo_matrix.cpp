#include "problem/qubo_matrix.hpp"

namespace chainmail {

Quadratic qubo_in_spins(std::size_t nodes, const std::vector<Coupling>& diagonal,
                        std::vector<Coupling> couplers) {
  Quadratic f(nodes);
  for (const Coupling& q : diagonal) {
    f.fields[q.i] -= q.value / 2.0;
    f.offset += q.value / 2.0;
  }
  for (Coupling& q : couplers) {
    const double quarter = q.value / 4.0;
    f.fields[q.i] -= quarter;
    f.fields[q.j] -= quarter;
    f.offset += quarter;
    q.value = -quarter;
  }
  f.couplings = std::move(couplers);
  f.normalise();  // a coupler too small to be quartered is now zero
  return f;
}

}  // namespace chainmail
