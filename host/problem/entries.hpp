// The couplings a reader has seen, each with its place in the file, so that a duplicate pair is
// reported with both places.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "problem/quadratic.hpp"

namespace chainmail {

// More spins than this are refused: a stray digit in a header must not allocate gigabytes.
inline constexpr std::uint64_t kMaxSpins = std::uint64_t{1} << 20;

struct Entry {
  std::uint32_t i, j;
  double value;
  std::size_t place;  // a line, or an index into an array
};

// Sorts by pair (i and j in either order) and calls `fail(second, first)` on a duplicate pair; then
// the couplings with zeros left out, ready for Quadratic::couplings.
using DuplicateFailure = std::function<void(const Entry& second, const Entry& first)>;
std::vector<Coupling> distinct_couplings(std::vector<Entry> entries, const DuplicateFailure& fail);

// The same for entries that come one by one. Files are mostly sorted; while they are, an entry
// costs no more memory than the coupling it becomes.
class EntryList {
 public:
  void reserve(std::size_t count);
  void add(std::uint32_t i, std::uint32_t j, double value, std::size_t line);
  std::size_t size() const { return couplings_.size(); }
  std::vector<Coupling> couplings(const DuplicateFailure& fail) &&;

 private:
  std::vector<Coupling> couplings_;
  std::vector<std::uint32_t> lines_;
  bool sorted_ = true;
};

}  // namespace chainmail
