#include "problem/quadratic.hpp"

#include <algorithm>
#include <utility>

namespace chainmail {

double Quadratic::operator()(std::span<const Spin> spins) const {
  double value = offset;
  for (const Coupling& c : couplings) value -= c.value * spins[c.i] * spins[c.j];
  for (std::size_t i = 0; i < fields.size(); ++i) value -= fields[i] * spins[i];
  return value;
}

bool Quadratic::is_zero() const {
  return couplings.empty() &&
         std::all_of(fields.begin(), fields.end(), [](double h) { return h == 0.0; });
}

void Quadratic::normalise() {
  for (Coupling& c : couplings) {
    if (c.i > c.j) std::swap(c.i, c.j);
  }
  const auto before = [](const Coupling& a, const Coupling& b) {
    return std::pair(a.i, a.j) < std::pair(b.i, b.j);
  };
  // Most are in that form already; avoid copying a large problem.
  const bool stored =
      std::none_of(couplings.begin(), couplings.end(),
                   [](const Coupling& c) { return c.i == c.j || c.value == 0.0; }) &&
      std::adjacent_find(couplings.begin(), couplings.end(),
                         [&](const Coupling& a, const Coupling& b) { return !before(a, b); }) ==
          couplings.end();
  if (stored) return;
  if (!std::is_sorted(couplings.begin(), couplings.end(), before)) {
    std::stable_sort(couplings.begin(), couplings.end(), before);
  }
  std::vector<Coupling> merged;
  merged.reserve(couplings.size());
  for (const Coupling& c : couplings) {
    if (c.i == c.j) {
      offset -= c.value;
    } else if (!merged.empty() && merged.back().i == c.i && merged.back().j == c.j) {
      merged.back().value += c.value;
    } else {
      merged.push_back(c);
    }
  }
  std::erase_if(merged, [](const Coupling& c) { return c.value == 0.0; });
  couplings = std::move(merged);
}

std::vector<std::vector<Neighbour>> adjacency(const Quadratic& q) {
  std::vector<std::vector<Neighbour>> rows(q.size());
  for (const Coupling& c : q.couplings) {
    rows[c.i].push_back({c.j, c.value});
    rows[c.j].push_back({c.i, c.value});
  }
  return rows;
}

}  // namespace chainmail
