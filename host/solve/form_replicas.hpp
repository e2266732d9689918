// The replicas a search on a form model drives: on the CPU's threads, or on a device that takes
// constraints as they are written. Bursts, f and g of each, and the best state of all.
#pragma once

#include <memory>

#include "device/cpu/form_engine.hpp"

namespace chainmail {

class FormReplicas {
 public:
  virtual ~FormReplicas() = default;

  virtual std::size_t size() const = 0;
  virtual void set(std::size_t k, std::span<const Bit> bits) = 0;
  // What the replicas make of a pair of parameters; bursts and swaps use that.
  virtual Parameters quantise(const Parameters& wanted) const = 0;
  virtual void burst(std::span<const Parameters> parameters, std::uint64_t sweeps,
                     const FormMoves& moves, std::uint64_t number) = 0;

  virtual double f(std::size_t k) const = 0;
  virtual double g(std::size_t k) const = 0;
  virtual bool feasible(std::size_t k) const = 0;
  virtual std::vector<Bit> bits(std::size_t k) const = 0;
  virtual const FormState& best() const = 0;
  virtual void offer(const FormState& state) = 0;

  // The CPU's own, where that is what they are: sums of forms, noise drawn.
  virtual FormEngine* engine() { return nullptr; }
};

std::unique_ptr<FormReplicas> cpu_replicas(const FormPlan& plan, std::size_t replicas,
                                           std::uint64_t seed, Crew& crew);

// Loads the model; `load` says how many replicas and which parameters are to come. The model must
// outlive them.
std::unique_ptr<FormReplicas> device_replicas(const FormModel& model, Device& device,
                                              const LoadOptions& load);

}  // namespace chainmail
