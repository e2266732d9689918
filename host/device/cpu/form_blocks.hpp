// Bits of a form model in blocks of eight, laid out for vectors: what flipping them would cost, a
// block at a time. A sweep visits bits in order; a block in which none is accepted, the usual case
// at low temperature, is skipped at once. The outcome is that of one bit after the other.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "problem/form_model.hpp"

namespace chainmail {

inline constexpr std::size_t kBlock = 8;

// The k-th form of every bit of a block; a bit in fewer forms has a coefficient of zero there.
struct FormLayer {
  enum class Forms : std::uint32_t { one, ascending, any };
  Forms forms;          // the same for all, consecutive, or by index
  std::uint32_t first;  // of them
  std::array<std::int64_t, kBlock> coefficient;
  std::array<std::uint32_t, kBlock> index;
};

struct FormBlock {
  std::array<std::uint32_t, kBlock> bits;  // past the last one it is repeated
  std::uint32_t count;
  std::uint32_t first_layer, layers;
  bool in_row;  // eight consecutive bits
};

struct FormBlocks {
  explicit FormBlocks(const FormModel& model);

  std::span<const FormBlock> free() const { return {blocks.data(), free_blocks}; }
  std::span<const FormBlock> group(std::size_t k) const {
    return {blocks.data() + group_start[k], group_start[k + 1] - group_start[k]};
  }

  std::vector<FormBlock> blocks;
  std::vector<FormLayer> layers;
  std::vector<std::int64_t> lower, upper;  // by form, padded so that eight can be read

 private:
  void add(const FormModel& model, std::span<const std::uint32_t> bits);

  std::size_t free_blocks = 0;
  std::vector<std::size_t> group_start;
};

// What a replica's energies depend on; arrays by form are as long as those of the blocks.
struct BlockState {
  const FormBlocks* tables;
  const Bit* x;
  const double* field;
  const std::int32_t* clashes;  // or null
  const std::int64_t* sums;
  const double* weights;
  double beta, penalty;
  bool heat_bath = false;  // else Metropolis
};

// A sweep over the free bits from this lane of this block on: the first that flips. Lane l of block
// b uses random number 8 b + l + 1 after `drawn`.
struct BlockPlace {
  std::size_t block, lane;
};
BlockPlace first_accepted(const BlockState& state, std::span<const FormBlock> blocks,
                          BlockPlace from, std::uint64_t key, std::uint64_t drawn);

// Boltzmann weights of a group's states, given that none is set: eight per block, zero past the
// last, and their sums by block. Returns the sum of all.
double group_weights(const BlockState& state, std::span<const FormBlock> blocks, double* weights,
                     double* sums);

}  // namespace chainmail
