#include "problem/quadratic.hpp"

#include <algorithm>
#include <numeric>
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
  const auto sorted = std::is_sorted_until(couplings.begin(), couplings.end(), before);
  if (sorted != couplings.end()) {
    // Often few were added behind many.
    const std::vector<Coupling> rest =
        sorted_by_pair({&*sorted, static_cast<std::size_t>(couplings.end() - sorted)});
    std::copy(rest.begin(), rest.end(), sorted);
    std::inplace_merge(couplings.begin(), sorted, couplings.end(), before);
  }
  std::size_t merged = 0;
  for (const Coupling c : couplings) {
    if (c.i == c.j) {
      offset -= c.value;
    } else if (merged > 0 && couplings[merged - 1].i == c.i && couplings[merged - 1].j == c.j) {
      couplings[merged - 1].value += c.value;
    } else {
      couplings[merged++] = c;
    }
  }
  couplings.resize(merged);
  std::erase_if(couplings, [](const Coupling& c) { return c.value == 0.0; });
}

std::vector<Coupling> sorted_by_pair(std::span<const Coupling> couplings) {
  // By the first spin in one pass, then each spin's few among themselves.
  constexpr std::ptrdiff_t kFew = 16;
  std::uint32_t highest = 0;
  for (const Coupling& c : couplings) highest = std::max(highest, c.i);
  std::vector<std::size_t> end(std::size_t{highest} + 2, 0);  // while filling: the next place
  for (const Coupling& c : couplings) ++end[c.i + std::size_t{1}];
  std::partial_sum(end.begin(), end.end(), end.begin());
  std::vector<Coupling> out(couplings.size());
  for (const Coupling& c : couplings) out[end[c.i]++] = c;
  const auto before = [](const Coupling& a, const Coupling& b) { return a.j < b.j; };
  auto first = out.begin();
  for (std::size_t i = 0; i <= highest; ++i) {
    const auto last = out.begin() + static_cast<std::ptrdiff_t>(end[i]);
    if (last - first > kFew) {
      if (!std::is_sorted(first, last, before)) std::stable_sort(first, last, before);
    } else {
      for (auto at = first; at != last; ++at) {
        std::rotate(std::upper_bound(first, at, *at, before), at, at + 1);
      }
    }
    first = last;
  }
  return out;
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
