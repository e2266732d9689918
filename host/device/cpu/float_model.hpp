// The model and the lanes of the floating-point paths: rows of couplings as the loops walk them.
#pragma once

#include <hwy/aligned_allocator.h>

#include <vector>

#include "device/cpu/noise.hpp"
#include "device/device.hpp"

namespace chainmail {

constexpr std::size_t kFloatLanes = 32;  // replicas of a block
constexpr std::size_t kLaneStep = 16;    // a block's lanes are rounded up to whole vectors

// Rows of a symmetric sparse matrix: entries start[i] ... start[i + 1] - 1 belong to p-bit i.
template <class T>
struct SparseRows {
  std::vector<std::size_t> start{0};
  std::vector<std::uint32_t> column;
  std::vector<T> value;
};

// The chains that are resampled as one (chain_sweep.cpp). Chain c holds p-bits start[c] ... start[c
// + 1] - 1 of `pbit`, each linked to the one before it with the given strength.
template <class T>
struct ChainTable {
  std::vector<std::size_t> start{0};
  std::vector<std::uint32_t> pbit;
  std::vector<T> link_f, link_g;
  std::size_t longest = 0;
};

template <class T>
struct FloatModel {
  std::size_t pbits = 0;
  SparseRows<T> f, g;                   // all neighbours, for the fields
  SparseRows<double> f_below, g_below;  // neighbours j < i, for the energies
  std::vector<T> f_field, g_field;      // h
  std::vector<double> f_field_exact, g_field_exact;
  double f_offset = 0.0, g_offset = 0.0;
  bool has_g = false;
  ChainTable<T> chains;  // empty: single p-bits are resampled; else f and g lack the links
};

template <class T>
struct FloatState {
  std::size_t first_replica = 0, lanes = 0, stride = 0;
  hwy::AlignedFreeUniquePtr<T[]> spins;            // [p-bit][lane]
  hwy::AlignedFreeUniquePtr<T[]> kept_f, kept_g;   // [p-bit][lane], valid while `keeping`
  hwy::AlignedFreeUniquePtr<T[]> beta2, penalty2;  // 2 * beta, 2 * beta * P
  NoiseKey key{};
  bool keeping = false;
};

template <class T>
FloatModel<T> make_float_model(const PhysicalModel& model);
// The same for moves of whole chains. Throws InputError where copies of one spin are coupled other
// than along their chain.
template <class T>
FloatModel<T> make_chain_model(const PhysicalModel& model);

// The largest |field| a p-bit can see.
double largest_field(const Quadratic& q);
double rms_coefficient(const Quadratic& q);

}  // namespace chainmail
