// A random image of the flip kernel that uses everything the contract allows (docs/flips.md):
// couplings over their whole range as far as a row's sum lets them, fields, products, clamps, rows
// out of use, and garbage where it is ignored.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "support/random.hpp"
#include "topology/topology.hpp"

namespace chainmail::test {

inline std::vector<std::uint64_t> random_flips(const Topology& t, std::size_t rows,
                                               Engine& engine) {
  using namespace flips_contract;
  constexpr std::int64_t kLimit = (std::int64_t{1} << (kFieldBits - 1)) - 1;
  const std::size_t n = t.pbits();
  const auto draw = [&](std::int64_t range) {  // -range to range
    return static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(2 * range + 1)) - range;
  };
  std::vector<std::vector<std::int64_t>> coupling(n, std::vector<std::int64_t>(n, 0));
  std::vector<std::int64_t> room(n, kLimit);
  const std::int64_t range = (std::int64_t{1} << engine() % 8) - 1;  // up to 127
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const std::int64_t value = draw(range), size = std::llabs(value);
      if (size > room[i] || size > room[j]) continue;
      coupling[i][j] = coupling[j][i] = value;
      room[i] -= size;
      room[j] -= size;
    }
  }
  // D and g hold what is in them.
  std::vector<std::vector<std::uint64_t>> partners(n, std::vector<std::uint64_t>(t.state_words()));
  std::uint64_t shift = engine() % 16;
  if (t.options.products) {
    const std::uint64_t density = 1 + engine() % 16;
    std::vector<std::uint64_t> count(n, 1);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (engine() % density != 0) continue;
        partners[i][j / 64] |= std::uint64_t{1} << j % 64;
        partners[j][i / 64] |= std::uint64_t{1} << i % 64;
        ++count[i], ++count[j];
      }
    }
    const std::uint64_t most = *std::max_element(count.begin(), count.end());
    while (most << shift >= std::uint64_t{1} << (rows_contract::kPullBits - 1) ||
           n * most << shift >= std::uint64_t{1} << rows_contract::kViolationBits) {
      --shift;
    }
  }
  std::vector<std::uint64_t> image;
  image.push_back(rows | (t.hash & 0xffff'ffff) << 32);
  image.push_back(engine());
  std::int64_t twice = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const bool used = i < rows;
    const std::int64_t field = used ? draw(room[i] >> engine() % 17) : 0;
    std::int64_t sum = 0;
    for (const std::int64_t j : coupling[i]) sum += j;
    twice += 2 * field - sum;
    const std::uint64_t mask = (std::uint64_t{1} << kFieldBits) - 1;
    const std::uint64_t clamp = !used || engine() % 16 == 0 ? 1 : 0;
    const std::uint64_t garbage = engine() & ~mask & ~(std::uint64_t{1} << kClampBit);
    image.push_back(garbage | (static_cast<std::uint64_t>(field - sum) & mask) |
                    clamp << kClampBit);
    for (std::size_t j = 0; j < n; j += kWordCouplings) {
      if (t.options.products && j % 64 == 0) image.push_back(partners[i][j / 64]);
      std::uint64_t word = 0;
      for (std::size_t b = 0; b < kWordCouplings; ++b) {
        word |= (static_cast<std::uint64_t>(coupling[i][j + b]) & 0xff) << 8 * b;
      }
      image.push_back(word);
    }
  }
  image[1] = (image[1] & ~std::uint64_t{0xf'ffff'ffff}) | shift << rows_contract::kShiftBit |
             (static_cast<std::uint64_t>(twice / 2) & 0xffff'ffff);
  return image;
}

}  // namespace chainmail::test
