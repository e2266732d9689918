#include "problem/coupling_rows.hpp"

#include <numeric>
#include <utility>

namespace chainmail {

namespace {

template <bool kValues>
CouplingRows rows_of(const Quadratic& q) {
  CouplingRows rows;
  rows.start.assign(q.size() + 1, 0);
  for (const Coupling& c : q.couplings) {
    ++rows.start[c.i + 1];
    ++rows.start[c.j + 1];
  }
  std::partial_sum(rows.start.begin(), rows.start.end(), rows.start.begin());
  rows.spin.resize(2 * q.couplings.size());
  if (kValues) rows.value.resize(rows.spin.size());
  std::vector<std::uint32_t> at(rows.start.begin(), rows.start.end() - 1);
  for (const Coupling& c : q.couplings) {
    for (const auto& [from, to] : {std::pair(c.i, c.j), std::pair(c.j, c.i)}) {
      rows.spin[at[from]] = to;
      if (kValues) rows.value[at[from]] = c.value;
      ++at[from];
    }
  }
  return rows;
}

}  // namespace

CouplingRows coupling_rows(const Quadratic& q) {
  return rows_of<true>(q);
}

CouplingRows neighbour_rows(const Quadratic& q) {
  return rows_of<false>(q);
}

}  // namespace chainmail
