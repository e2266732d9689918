// The couplings a reader has met, each with the place it came from, so that a pair given twice is
// reported with both places.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "problem/quadratic.hpp"

namespace chainmail {

// More spins than this are refused: a stray digit in a header must not become gigabytes.
inline constexpr std::uint64_t kMaxSpins = std::uint64_t{1} << 20;

struct Entry {
  std::uint32_t i, j;
  double value;
  std::size_t place;  // a line, or an index into an array
};

// Sorts by pair (i and j in either order) and calls `fail(second, first)` on a pair that comes
// again; then the couplings with zeros left out, ready for Quadratic::couplings.
using DuplicateFailure = std::function<void(const Entry& second, const Entry& first)>;
std::vector<Coupling> distinct_couplings(std::vector<Entry> entries, const DuplicateFailure& fail);

}  // namespace chainmail
