// The couplings a reader has seen, each with its place in the file, so that a duplicate pair is
// reported with both places.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
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

// i and j in either order, each below kMaxSpins once `couplings` is called.
class EntryList {
 public:
  void reserve(std::size_t count) {
    couplings_.reserve(count);
    places_.reserve(count);
  }
  void add(std::uint32_t i, std::uint32_t j, double value, std::size_t place) {
    if (i > j) std::swap(i, j);
    const std::uint64_t pair = std::uint64_t{i} << 32U | j;
    sorted_ = sorted_ && (couplings_.empty() || last_ < pair);
    last_ = pair;
    couplings_.push_back({i, j, value});
    places_.push_back(static_cast<std::uint32_t>(place));
  }
  std::size_t size() const { return couplings_.size(); }
  std::span<const Coupling> given() const { return couplings_; }  // i <= j, in the file's order

  // Sorted by pair and with zeros left out, ready for Quadratic::couplings. Calls
  // `fail(second, first)` on a duplicate pair.
  using DuplicateFailure = std::function<void(const Entry& second, const Entry& first)>;
  std::vector<Coupling> couplings(const DuplicateFailure& fail) &&;

 private:
  void tell_duplicate(const Coupling& pair, const DuplicateFailure& fail) const;

  std::vector<Coupling> couplings_;
  std::vector<std::uint32_t> places_;
  std::uint64_t last_ = 0;
  bool sorted_ = true;  // without duplicates; files mostly are
};

}  // namespace chainmail
