// The chains a pilot samples with: a few replicas on a device that all hold the same parameters,
// carried from point to point, and the moments measured on them.
#pragma once

#include <functional>

#include "device/device.hpp"
#include "grid/watch.hpp"
#include "problem/residual.hpp"

namespace chainmail {

// Samples by chain: the mean over all, the spread around each chain's own mean.
class ChainMoments {
 public:
  explicit ChainMoments(std::size_t chains) : count_(chains), mean_(chains), squares_(chains) {}
  void add(std::size_t chain, double value);

  double mean() const;
  double variance() const;    // unbiased, the mean over chains
  double mean_sigma() const;  // the mean over chains of each one's sigma

 private:
  std::vector<std::size_t> count_;
  std::vector<double> mean_, squares_;  // by chain; sum of squares around the mean (Welford)
};

struct Measurement {
  ChainMoments f, g, energy;            // energy = f + P g
  std::vector<ChainMoments> residuals;  // on request
  double feasible_rate = 0.0;
};

class Population {
 public:
  // `watch` may end a measurement with TuningStopped.
  Population(Device& device, std::size_t chains, std::uint64_t seed, TuningWatch watch = {})
      : device_(device), chains_(chains), seed_(seed), watch_(std::move(watch)) {}

  // Gives the device a model and the range of beta and P to come. States are kept.
  void load(const PhysicalModel& model, double beta_min, double beta_max, double penalty_max);

  // Random states; seed_of(chain) seeds each.
  void randomise(std::size_t pbits, const std::function<std::uint64_t(std::size_t)>& seed_of);

  // A sample after each sweep. `residuals` are measured too when given; that reads spins.
  Measurement measure(double beta, double penalty, std::uint64_t warmup, std::uint64_t samples,
                      std::span<const Residual> residuals = {});

  // How much more a chain resembles itself `lag` sweeps ago than the other chains: 1 when nothing
  // moves, 0 when it has forgotten its state. Mean over `looks`.
  double memory(double beta, double penalty, std::uint64_t lag, std::size_t looks);

  std::uint64_t replica_sweeps() const { return replica_sweeps_; }  // spent so far

 private:
  std::vector<std::vector<Spin>> read_states() const;
  const BurstResult& run(const std::vector<Parameters>& parameters, std::uint64_t sweeps);

  Device& device_;
  std::size_t chains_;
  std::uint64_t seed_;
  TuningWatch watch_;
  std::size_t pbits_ = 0;
  std::vector<std::vector<Spin>> states_;  // while no model is loaded
  std::uint64_t burst_number_ = 0, replica_sweeps_ = 0;
  bool loaded_ = false;
};

}  // namespace chainmail
