// A model in small integers for the byte-shuffle path: couplings as multiples of one step, the
// fields of four neighbours at a time in 16-entry tables, and what beta and P become.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/cpu/quads.hpp"
#include "device/device.hpp"

namespace chainmail {

// Sums over quads for every p-bit. A group is one quad and its table; groups are added in bytes
// and flushed to 16 bits at chunk ends. Every p-bit has at least one, if only of zeros.
struct TableRows {
  bool wide = true;                        // tables of low and high part, else one byte
  std::vector<std::uint32_t> first_chunk;  // first chunk of a p-bit; pbits + 1 entries
  std::vector<std::uint32_t> first_group;  // chunk c holds first_group[c] ... first_group[c+1] - 1
  std::vector<std::uint32_t> quad;         // of a group
  std::vector<std::uint8_t> table;         // 16 or (wide) 16 + 16 bytes a group
  std::vector<std::int16_t> constant;      // h of a p-bit
  bool has_constants = false;              // some h is not zero
};

// A lane's beta and P in integers: threshold = floor(noise * scale * 2^shift / 2^16).
struct LaneScale {
  std::uint16_t scale = 1;   // 1 ... 65535
  std::int16_t shift = 0;    // 0 ... 15; only hot lanes need it
  bool free = false;         // beta = 0: a coin, whatever the field
  std::int16_t penalty = 0;  // P in coupling steps
};

struct TableModel {
  std::size_t pbits = 0;
  Quads quads;
  TableRows f, g;              // all neighbours, for the fields
  TableRows f_below, g_below;  // neighbours before the p-bit, for the energies
  bool has_g = false;
  double step = 1.0;    // of the couplings of f
  double g_step = 1.0;  // of g's
  double f_offset = 0.0, g_offset = 0.0;
  std::int32_t penalty_most = 0;  // largest LaneScale::penalty that cannot overflow

  bool exact = false;           // no coupling was rounded
  double coupling_error = 0.0;  // largest |J - rounded J|
  double field_error = 0.0;     // largest over p-bits of the rms error of its field

  LaneScale scale_of(const Parameters& wanted) const;
  Parameters parameters_of(const LaneScale& lane) const;
};

// q with every coefficient rounded to a multiple of step: the f a TableModel samples.
Quadratic rounded(const Quadratic& q, double step);

// Rounding is harmless for optimisation when it shifts no p-bit's log-odds at the coldest beta by
// more than this (rms): 2 * beta_max * field_error. Besides, P must have steps fine enough for a
// ladder: this many up to the largest.
inline constexpr double kHarmlessShift = 0.2;
inline constexpr double kPenaltySteps = 64.0;
// Empty when harmless, else what is wrong, with numbers.
std::string rounding_harm(const TableModel& model, const LoadOptions& options);

// Fails with the reason, in words and numbers, when the model does not fit.
struct TableFit {
  std::optional<TableModel> model;
  std::string reason;
};
TableFit fit_tables(const PhysicalModel& model, const LoadOptions& options);

}  // namespace chainmail
