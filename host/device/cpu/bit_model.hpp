// A ±J model and the state of its replicas as bits, for the bit-sliced path.
#pragma once

#include <hwy/aligned_allocator.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/cpu/noise.hpp"

namespace chainmail {

inline constexpr std::size_t kBitLanes = 512;  // replicas of a block
inline constexpr std::size_t kMostNeighbours = 63;
inline constexpr std::size_t kFewNeighbours = 7;  // counted by adders without a loop
inline constexpr std::size_t kPlanes = 48;        // binary digits of a probability
inline constexpr std::size_t kCountPlanes = 32;   // of a count of couplings

// Four bytes, because every sweep reads all of them.
class BitEdge {
 public:
  BitEdge(std::uint32_t spin, bool negative) : word_(spin << 1U | (negative ? 1U : 0U)) {}
  std::size_t spin() const { return word_ >> 1U; }
  std::uint64_t flip() const { return std::uint64_t{0} - (word_ & 1U); }  // all ones if negative

 private:
  std::uint32_t word_;
};

struct BitModel {
  std::size_t pbits = 0;
  double strength = 0.0;  // |J|
  double offset = 0.0, g_offset = 0.0;
  std::size_t couplings = 0;
  std::size_t most_neighbours = 0;           // of a p-bit
  std::vector<std::uint32_t> first_edge{0};  // of a p-bit; pbits + 1 entries
  std::vector<BitEdge> edges;
};

struct BitState {
  std::size_t first_replica = 0, lanes = 0;
  std::size_t words = 0;                             // 64-bit words a row takes: 2, 4 or 8
  hwy::AlignedFreeUniquePtr<std::uint64_t[]> spins;  // [p-bit][word]
  // [|field| / |J|][digit][word]: the probability to point against such a field, highest digit
  // first.
  hwy::AlignedFreeUniquePtr<std::uint64_t[]> digits;
  std::array<std::size_t, kPlanes> last_field{};  // beyond it digit k is 0 in every lane
  NoiseKey key{};
};

}  // namespace chainmail
