// The status block's fields, packed and unpacked by one table: the HLS header and the RTL package
// get the packed block of their topology, drivers read a kernel's block back.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "topology/contract.hpp"
#include "topology/topology.hpp"

namespace chainmail {

struct StatusField {
  std::uint32_t word;
  unsigned shift, bits;
};
namespace status_field {
inline constexpr StatusField kLogical{contract::kWordShape, 0, 16};
inline constexpr StatusField kCopies{contract::kWordShape, 16, 16};
inline constexpr StatusField kReplicas{contract::kWordReplicas, 0, 32};
inline constexpr StatusField kTableBits{contract::kWordTables, 0, 8};
inline constexpr StatusField kAddressBits{contract::kWordTables, 8, 8};
inline constexpr StatusField kTables{contract::kWordTables, 16, 16};
inline constexpr StatusField kBetaBits{contract::kWordWidths, 0, 8};
inline constexpr StatusField kRngWords{contract::kWordWidths, 8, 8};
inline constexpr StatusField kColours{contract::kWordWidths, 16, 16};
inline constexpr StatusField kLanes{contract::kWordRows, 0, 16};
inline constexpr StatusField kForms{contract::kWordRows, 16, 8};
inline constexpr StatusField kProducts{contract::kWordRows, 24, 1};
inline constexpr StatusField kOneHots{contract::kWordRows, 25, 1};
inline constexpr StatusField kFlips{contract::kWordRows, 26, 1};
inline constexpr StatusField kResiduals{contract::kWordResiduals, 0, 16};
inline constexpr std::array<StatusField, 3> kSides{
    {{contract::kWordSides, 0, 16}, {contract::kWordSides, 16, 16}, {contract::kWordGraph, 0, 16}}};
inline constexpr StatusField kGraph{contract::kWordGraph, 16, 1};
}  // namespace status_field

using StatusBlock = std::array<std::uint32_t, contract::kStatusWords>;

// The block of a kernel of this topology, with code 0 and no clocks.
StatusBlock status_block(const Topology& topology);

// A kernel's description of itself, in 64-bit words as in its buffer; it lacks the placement and a
// graph's edges, which the hash identifies.
TopologyOptions options_in(std::span<const std::uint64_t> status);

}  // namespace chainmail
