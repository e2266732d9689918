#include "problem/coupling_rows.hpp"

#include <numeric>

namespace chainmail {

CouplingRows coupling_rows(const Quadratic& q) {
  CouplingRows rows;
  rows.start.assign(q.size() + 1, 0);
  for (const Coupling& c : q.couplings) {
    ++rows.start[c.i + 1];
    ++rows.start[c.j + 1];
  }
  std::partial_sum(rows.start.begin(), rows.start.end(), rows.start.begin());
  rows.spin.resize(2 * q.couplings.size());
  rows.value.resize(rows.spin.size());
  std::vector<std::uint32_t> at(rows.start.begin(), rows.start.end() - 1);
  for (const Coupling& c : q.couplings) {
    rows.spin[at[c.i]] = c.j;
    rows.value[at[c.i]++] = c.value;
    rows.spin[at[c.j]] = c.i;
    rows.value[at[c.j]++] = c.value;
  }
  return rows;
}

}  // namespace chainmail
