#include "problem/entries.hpp"

#include <algorithm>

namespace chainmail {

std::vector<Coupling> EntryList::couplings(const DuplicateFailure& fail) && {
  std::vector<Coupling> out = sorted_ ? std::move(couplings_) : sorted_by_pair(couplings_);
  if (!sorted_) {
    const auto same = [](const Coupling& a, const Coupling& b) { return a.i == b.i && a.j == b.j; };
    const auto twice = std::adjacent_find(out.begin(), out.end(), same);
    if (twice != out.end()) tell_duplicate(*twice, fail);
  }
  *this = {};
  std::erase_if(out, [](const Coupling& c) { return c.value == 0.0; });
  return out;
}

void EntryList::tell_duplicate(const Coupling& pair, const DuplicateFailure& fail) const {
  std::vector<Entry> found;
  for (std::size_t k = 0; k < couplings_.size() && found.size() < 2; ++k) {
    const Coupling& c = couplings_[k];
    if (c.i == pair.i && c.j == pair.j) found.push_back({c.i, c.j, c.value, places_[k]});
  }
  fail(found[1], found[0]);
}

}  // namespace chainmail
