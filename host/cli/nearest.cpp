#include "cli/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace chainmail {
namespace {

// Letters to insert, drop, replace or exchange with their neighbour (Damerau and Levenshtein).
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      const bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (exchanged) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::exchange(last, row);
  }
  return last.back();
}

}  // namespace

std::string did_you_mean(const std::string& typed, const std::vector<std::string>& names) {
  constexpr std::size_t kNear = 2, kLeastBeginning = 3;
  const std::string* nearest = nullptr;
  std::size_t least = std::min(kNear, typed.size() / 2) + 1;
  for (const std::string& name : names) {
    const bool begins = typed.size() >= kLeastBeginning && name.starts_with(typed);
    const std::size_t far = begins ? 1 : distance(typed, name);
    if (far < least) {
      least = far;
      nearest = &name;
    }
  }
  return nearest == nullptr ? "" : " (did you mean " + *nearest + "?)";
}

}  // namespace chainmail
