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

class FormEngine {
 public:
  // Replica k's noise depends on (seed, k) only.
  FormEngine(const FormPlan& plan, std::size_t replicas, std::uint64_t seed, Crew& crew);

  std::size_t size() const { return replicas_.size(); }
  FormReplica& operator[](std::size_t k) { return replicas_[k]; }
  const FormReplica& operator[](std::size_t k) const { return replicas_[k]; }

  void set(std::size_t k, std::span<const Bit> bits);

  // One pair of parameters a replica.
  void burst(std::span<const Parameters> parameters, std::uint64_t sweeps, const FormMoves& moves);
  const FormBurst& measured(std::size_t k) const { return bursts_[k]; }

  // The best of what was found here and of what was offered.
  const FormState& best() const { return best_; }
  bool offer(const FormState& state);  // whether it is the best now

 private:
  void run(std::size_t k, const Parameters& parameters, std::uint64_t sweeps,
           const FormMoves& moves);
  void take_best();

  const FormPlan* plan_;
  Crew* crew_;
  std::vector<FormReplica> replicas_;
  std::vector<FormBurst> bursts_;
  FormState best_;
};

}  // namespace chainmail
