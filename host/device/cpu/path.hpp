// The interface of all ways to sample on the CPU. A Path is a model prepared for one kind of
// arithmetic and never changes; a Block is the state of the replicas that share its vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/cpu/noise.hpp"
#include "device/device.hpp"

namespace chainmail {

// A few dozen to a few hundred replicas, one in each lane. Blocks never look at each other, so
// threads can run them in any order.
class Block {
 public:
  virtual ~Block() = default;

  virtual void write(std::size_t lane, std::span<const Spin> spins) = 0;
  virtual std::vector<Spin> read(std::size_t lane) const = 0;

  // A burst: begin() once, sweep() over consecutive ranges, energies() at the end.
  virtual void begin(std::span<const Parameters> parameters, const NoiseKey& key) = 0;
  virtual void sweep(std::uint64_t first, std::uint64_t count) = 0;
  virtual void energies(std::span<double> f, std::span<double> g) = 0;

  // The lowest feasible f of the burst and its state, on paths that check every update. The others
  // check only the last state.
  virtual bool keeps_best() const { return false; }
  virtual void best(std::span<double> /*f*/) const {}
  virtual std::vector<Spin> read_best(std::size_t lane) { return read(lane); }

  // Of models with forms.
  virtual void moments(std::span<BurstMoments> /*of*/) const {}
  virtual void reweigh(std::span<const double> /*weights*/) {}

  // A greedy descent from a copy of one lane; nothing if the path keeps no fields.
  virtual std::optional<Descent> descend(std::size_t /*lane*/) { return std::nullopt; }
};

class Path {
 public:
  virtual ~Path() = default;

  virtual std::string describe() const = 0;  // the arithmetic, in a few words for the user
  virtual std::string target() const = 0;    // the instruction set its loops use here
  virtual Parameters quantise(const Parameters& wanted) const = 0;

  // About how long an update takes, for cutting bursts into steps.
  virtual double ns_per_update() const { return 0.4; }

  virtual std::size_t block_lanes() const = 0;  // most replicas of one block
  // How far blocks may be halved to keep all threads busy; narrow vectors cost some speed.
  virtual std::size_t least_block_lanes() const { return block_lanes(); }
  // If replicas differ in time, more blocks than threads balance the load.
  virtual std::size_t blocks_per_thread() const { return 1; }
  // Replicas first_replica ... first_replica + lanes - 1 of a grid, all spins up.
  virtual std::unique_ptr<Block> make_block(std::size_t first_replica, std::size_t lanes) const = 0;
};

}  // namespace chainmail
