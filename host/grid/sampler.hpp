// Sampling rather than solving: the same bursts and swaps, with every round passed to the caller.
#pragma once

#include <atomic>
#include <functional>

#include "embedding/embedding.hpp"
#include "grid/ladder.hpp"
#include "grid/replica_grid.hpp"

namespace chainmail {

struct SampleOptions {
  std::uint64_t rounds = 1000;
  // More rounds follow while this is true, since not every state may count.
  std::function<bool()> unfinished = {};
  std::uint64_t warmup_rounds = 100;  // not handed out
  std::uint64_t sweeps_per_swap = 50;
  SwapSets swap_sets = SwapSets::toggle;
  bool swaps = true;
  std::uint64_t seed = 1;
  std::vector<std::vector<Spin>> initial = {};  // p-bits of each replica; empty: random

  bool wants(std::uint64_t round) const {
    return round <= warmup_rounds + rounds || (unfinished && unfinished());
  }
};

// Called after each burst, before the swaps: state of replica r is read from `device`, grid 0.
struct SampleRound {
  std::uint64_t number;  // from 1
  const ReplicaGrid& grid;
  const BurstResult& burst;
  Device& device;
};
using RoundHandler = std::function<void(const SampleRound&)>;

void sample(const Embedding& embedding, const Ladder& ladder, Device& device,
            const SampleOptions& options, const std::atomic<bool>& stop,
            const RoundHandler& handler, const AcceptanceRule& rule = log_swap_ratio);

}  // namespace chainmail
