// A model in integers for the paths that keep every p-bit's field up to date: rows of couplings as
// a flip adds them, and beta in integers.
#pragma once

#include <hwy/aligned_allocator.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "device/device.hpp"

namespace chainmail {

inline constexpr std::size_t kChunk = 64;  // p-bits whose thresholds are made together

// Fields are integers: 16 bits where their largest sum fits, else 32. A field holds
// h_i + sum_j J_ij S_j in steps, so a flip changes the others by 2 J.
struct CachedModel {
  std::size_t pbits = 0, padded = 0;  // slots, a multiple of kChunk
  double step = 1.0;                  // f = offset - step * sum_i S_i (field_i + h_i) / 2
  double offset = 0.0, g_offset = 0.0;
  bool wide = false;   // 32-bit fields
  bool exact = false;  // no coupling was rounded
  double coupling_error = 0.0;

  // The order in which p-bits are updated: p-bit of a slot, slot of a p-bit.
  std::vector<std::uint32_t> pbit_of, slot_of;
  hwy::AlignedFreeUniquePtr<std::int8_t[]> own;  // h by slot, as wide as the fields

  // Dense: [slot][slot] of J, `row_bytes` wide each. Empty where the model is sparse.
  std::size_t row_bytes = 0;
  hwy::AlignedFreeUniquePtr<std::int8_t[]> rows;

  // Sparse: entries start[slot] ... start[slot + 1] - 1.
  struct Narrow {
    std::uint16_t slot;
    std::int16_t value;  // 2 J
  };
  struct Wide {
    std::uint32_t slot;
    std::int32_t value;
  };
  std::vector<std::uint32_t> start;
  std::vector<Narrow> narrow;
  std::vector<Wide> wide_entries;
  // Whether a slot has a neighbour later in its vector: a flip then changes pending decisions.
  std::vector<std::uint8_t> near;

  bool dense() const { return row_bytes > 0; }
};

// beta as the thresholds take it. 16-bit fields: t = floor(size * scale * 2^shift / 2^16), as in
// LaneScale; 32-bit fields: t = floor(size * scale * 2^shift / 2^16) with shift of either sign.
struct CachedScale {
  std::uint16_t scale = 1;
  int shift = 0;
  bool free = false;  // beta = 0: a coin
};
CachedScale cached_scale(const CachedModel& model, double beta);
double beta_of(const CachedModel& model, const CachedScale& scale);

// What a cached model would look like, for the cost model, before anything is built.
struct CachedFit {
  bool possible = false;
  bool exact = false, wide = false;
  double step = 1.0;     // of the integers, before they are widened
  double largest = 0.0;  // |J|, in steps
  double bound = 0.0;    // largest sum of |J| and |h| at a p-bit, in steps
  double unit = 0.0;     // rms field, in steps
  std::size_t dense_row_bytes = 0;
};
CachedFit fit_cached(const PhysicalModel& model);
CachedModel make_cached_model(const PhysicalModel& model, const CachedFit& fit, bool dense);

}  // namespace chainmail
