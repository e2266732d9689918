#include "problem/entries.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace chainmail {

std::vector<Coupling> distinct_couplings(std::vector<Entry> entries, const DuplicateFailure& fail) {
  for (Entry& entry : entries) {
    if (entry.i > entry.j) std::swap(entry.i, entry.j);
  }
  const auto before = [](const Entry& a, const Entry& b) {
    return std::tuple(a.i, a.j, a.place) < std::tuple(b.i, b.j, b.place);
  };
  // Files are mostly sorted already.
  if (!std::is_sorted(entries.begin(), entries.end(), before)) {
    std::sort(entries.begin(), entries.end(), before);
  }
  std::vector<Coupling> couplings;
  couplings.reserve(entries.size());
  const Entry* previous = nullptr;
  for (const Entry& entry : entries) {
    if (previous && previous->i == entry.i && previous->j == entry.j) fail(entry, *previous);
    previous = &entry;
    if (entry.value != 0.0) couplings.push_back({entry.i, entry.j, entry.value});
  }
  return couplings;
}

}  // namespace chainmail
