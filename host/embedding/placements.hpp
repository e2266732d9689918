// The placements behind place(), and the colour rule that "alt" and the hardware share.
#pragma once

#include "embedding/embedding.hpp"

namespace chainmail {

// Colour of a copy in placement "alt".
constexpr std::uint32_t alt_colour(std::size_t spin, std::size_t copy) {
  return static_cast<std::uint32_t>((spin + copy) % 2);
}
constexpr std::int64_t copies_of_colour(std::size_t spin, std::int64_t copies,
                                        std::uint32_t colour) {
  return alt_colour(spin, 0) == colour ? (copies + 1) / 2 : copies / 2;
}

std::vector<Meeting> place_alt(std::span<const Coupling> graph, std::size_t spins,
                               std::size_t copies);
std::vector<Meeting> place_balanced(std::span<const Coupling> graph, std::size_t spins,
                                    std::size_t copies, std::uint64_t seed);
std::vector<Meeting> place_packed(std::span<const Coupling> graph, std::size_t spins,
                                  std::size_t copies);

}  // namespace chainmail
