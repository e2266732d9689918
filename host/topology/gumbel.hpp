// Gumbel noise for one-hot groups (docs/rows.md): the member with the largest y + G is a draw with
// probabilities in proportion to 2^y. A table by sign, octave and segment of a random word.
#pragma once

#include <cstdint>
#include <vector>

namespace chainmail {

// kGumbelEntries entries: base, signed, in units of 1/256, and above it a step a point of the
// segment, in quarters of that.
std::vector<std::uint32_t> gumbel_table();

}  // namespace chainmail
