// What distinguishes a kernel's random streams: codes that select which bytes of the seeder a
// stream absorbs, and the threshold's part of a topology's hash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace chainmail {

// Random 64-bit codes, far enough apart (and from zero) that the bytes which only one of two
// streams absorbs span its whole state. Steps 0 to 7 only churn the seeder: those bits are zero.
std::vector<std::uint64_t> seed_codes(std::size_t streams);

std::uint64_t hash_threshold(std::uint64_t hash);

}  // namespace chainmail
