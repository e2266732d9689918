// The full adder of Fig. 2: independent chains of a row of replicas at beta = 1 and rising
// penalties, with or without P-swaps, and the divergence of what each replica has sampled so far
// from the exact Boltzmann distribution.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "device/device.hpp"
#include "embedding/embedding.hpp"

namespace chainmail::reproduce {

// exp(-beta f) / Z by enumeration; bit i of a state's index is set where spin i is +1.
std::vector<double> boltzmann(const Quadratic& f, double beta);

// sum p_i ln(p_i / q_i) of the histogram's shares p.
double kl_divergence(std::span<const std::uint64_t> histogram, std::span<const double> exact);

struct AdderOptions {
  std::vector<double> penalties = {2, 4, 6, 8};
  std::size_t chains = 8;
  std::uint64_t sweeps_per_swap = 500;
  std::vector<std::uint64_t> times;  // sweeps at which to look, multiples of sweeps_per_swap
  bool swaps = true;
  std::uint64_t seed = 1;
};

// KL by [chain][penalty][time]. One sample is taken per swap round, from the first copies.
// Incomplete when `stop` was set.
using AdderCurves = std::vector<std::vector<std::vector<double>>>;
AdderCurves run_adder_chains(const Problem& problem, const Embedding& embedding, Device& device,
                             const AdderOptions& options, const std::atomic<bool>& stop);

}  // namespace chainmail::reproduce
