#include "topology/seed_codes.hpp"

#include <algorithm>
#include <bit>

#include "support/random.hpp"
#include "topology/threshold.hpp"

namespace chainmail {

std::vector<std::uint64_t> seed_codes(std::size_t streams) {
  const int distance = streams <= 1024 ? 18 : 12;
  std::uint64_t candidate = 0;
  std::vector<std::uint64_t> codes{0};
  while (codes.size() <= streams) {
    const std::uint64_t code = mix64(0xc0de0000u + candidate++) & ~std::uint64_t{0xff};
    const auto near = [&](std::uint64_t other) { return std::popcount(code ^ other) < distance; };
    if (std::none_of(codes.begin(), codes.end(), near)) codes.push_back(code);
  }
  codes.erase(codes.begin());
  return codes;
}

std::uint64_t hash_threshold(std::uint64_t hash) {
  for (const auto& row : threshold::kBase) {
    for (std::uint64_t value : row) hash = hash_of(hash, {value});
  }
  for (const auto& row : threshold::kDither) {
    for (std::uint64_t value : row) hash = hash_of(hash, {value});
  }
  return hash;
}

}  // namespace chainmail
