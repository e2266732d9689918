// A set of replicas of one form model on the CPU's threads: bursts of sweeps, and the best feasible
// state of all of them, whatever update it came up at. Results do not depend on the threads.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "device/cpu/crew.hpp"
#include "device/cpu/form_replica.hpp"
#include "device/device.hpp"

namespace chainmail {

struct FormState {
  std::vector<Bit> bits;
  double f = std::numeric_limits<double>::infinity();
  double g = std::numeric_limits<double>::infinity();
  bool feasible = false;

  bool better_than(const FormState& other) const {
    if (feasible != other.feasible) return feasible;
    return feasible ? f < other.f : g < other.g;
  }
};

// Energies of one replica over a burst, and its moves.
struct FormBurst {
  double mean = 0.0, variance = 0.0;  // of f + P g, a value a sweep
  std::uint64_t proposals = 0, accepted = 0, raised = 0;
};

// Every stride-th of all replicas, from the first on: what one process runs of a larger set.
struct FormShare {
  std::size_t first = 0, stride = 1;
};

class FormEngine {
 public:
  // Replica k's noise depends on (seed, k) only, k its number among all.
  FormEngine(const FormPlan& plan, std::size_t replicas, std::uint64_t seed, Crew& crew,
             FormShare share = {});

  std::size_t size() const { return replicas_.size(); }
  FormReplica& operator[](std::size_t k) { return replicas_[k]; }
  const FormReplica& operator[](std::size_t k) const { return replicas_[k]; }

  void set(std::size_t k, std::span<const Bit> bits);
  void restore(std::size_t k, const FormSnapshot& then);

  // One pair of parameters a replica.
  void burst(std::span<const Parameters> parameters, std::uint64_t sweeps, const FormMoves& moves);
  const FormBurst& measured(std::size_t k) const { return bursts_[k]; }

  // The best of what was found here and of what was known before.
  const FormState& best() const { return best_; }
  std::size_t best_from() const { return best_from_; }  // the number of who found it here
  // What was found elsewhere; only better states count from now on.
  void aim_below(const FormState& known);

  // By form: how many of these replicas violate it.
  std::vector<std::size_t> violated(std::span<const std::size_t> replicas) const;

 private:
  void run(std::size_t k, const Parameters& parameters, std::uint64_t sweeps,
           const FormMoves& moves);
  void take_best();
  void watch_best();

  const FormPlan* plan_;
  Crew* crew_;
  FormShare share_;
  std::vector<FormReplica> replicas_;
  std::vector<FormBurst> bursts_;
  FormState best_;
  std::size_t best_from_ = 0;
};

}  // namespace chainmail
