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

void EntryList::reserve(std::size_t count) {
  couplings_.reserve(count);
  lines_.reserve(count);
}

void EntryList::add(std::uint32_t i, std::uint32_t j, double value, std::size_t line) {
  if (i > j) std::swap(i, j);
  if (!couplings_.empty()) {
    const Coupling& last = couplings_.back();
    sorted_ = sorted_ && std::pair(last.i, last.j) < std::pair(i, j);
  }
  couplings_.push_back({i, j, value});
  lines_.push_back(static_cast<std::uint32_t>(line));
}

std::vector<Coupling> EntryList::couplings(const DuplicateFailure& fail) && {
  if (sorted_) {
    std::vector<std::uint32_t>().swap(lines_);
    std::erase_if(couplings_, [](const Coupling& c) { return c.value == 0.0; });
    return std::move(couplings_);
  }
  std::vector<Entry> entries;
  entries.reserve(couplings_.size());
  for (std::size_t k = 0; k < couplings_.size(); ++k) {
    entries.push_back({couplings_[k].i, couplings_[k].j, couplings_[k].value, lines_[k]});
  }
  std::vector<Coupling>().swap(couplings_);
  return distinct_couplings(std::move(entries), fail);
}

}  // namespace chainmail
