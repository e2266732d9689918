// A random row image that uses everything the contract allows (docs/rows.md): couplings over their
// whole range as far as a row's sum lets them, fields, clamps, and garbage where it is ignored.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <vector>

#include "support/random.hpp"
#include "topology/topology.hpp"

namespace chainmail::test {

inline std::vector<std::uint64_t> random_rows(const Topology& topology, std::size_t rows,
                                              Engine& engine) {
  using namespace rows_contract;
  const std::size_t n = topology.pbits();
  const std::int64_t limit = (std::int64_t{1} << (kFieldBits - 1)) - 1;
  std::vector<std::vector<std::int64_t>> coupling(n, std::vector<std::int64_t>(n, 0));
  std::vector<std::int64_t> sum(n, 0);
  const std::uint64_t range = std::uint64_t{1} << engine() % 8;  // up to 127
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      auto value = static_cast<std::int64_t>(engine() % (2 * range - 1)) -
                   static_cast<std::int64_t>(range - 1);
      const std::int64_t size = std::llabs(value);
      if (sum[i] + size > limit || sum[j] + size > limit) value = 0;
      coupling[i][j] = coupling[j][i] = value;
      sum[i] += std::llabs(value);
      sum[j] += std::llabs(value);
    }
  }
  std::vector<std::uint64_t> image(kBeatWords + rows * topology.row_words());
  for (std::uint64_t& word : image) word = engine();
  image[0] = rows | (topology.hash & 0xffff'ffff) << 32;
  for (std::size_t i = 0; i < rows; ++i) {
    std::uint64_t* record = image.data() + kBeatWords + i * topology.row_words();
    const auto room = static_cast<std::uint64_t>(limit - sum[i]);
    const auto field = static_cast<std::int64_t>(engine() % (2 * room + 1) >> engine() % 17) -
                       static_cast<std::int64_t>(engine() % 2 == 0 ? room / 2 : 0);
    const std::uint64_t h =
        std::uint64_t(std::llabs(field) > static_cast<std::int64_t>(room) ? 0 : field) &
        ((1U << kFieldBits) - 1);
    const std::uint64_t clamp = engine() % 16 == 0 ? 1 : 0;
    record[0] = (record[0] & ~((std::uint64_t{1} << kFieldBits) - 1)) | h;
    record[0] = (record[0] & ~(std::uint64_t{1} << kClampBit)) | clamp << kClampBit;
    for (std::size_t group = 0; group < topology.tables; ++group) {
      std::uint64_t* beat = record + kBeatWords * (1 + group / kBeatGroups);
      for (std::size_t b = 0; b < kGroupSpins; ++b) {
        const std::size_t j = group * kGroupSpins + b;
        const std::size_t byte = group % kBeatGroups * kGroupSpins + b;
        const std::uint64_t value = j < n ? static_cast<std::uint64_t>(coupling[i][j]) & 0xff : 0;
        beat[byte / 8] &= ~(std::uint64_t{0xff} << 8 * (byte % 8));
        beat[byte / 8] |= value << 8 * (byte % 8);
      }
    }
  }
  return image;
}

}  // namespace chainmail::test
