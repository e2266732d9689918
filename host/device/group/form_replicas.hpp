// The replicas that a search on a form model drives: on CPUs (FormGroup), or on a device that takes
// constraints as they are written. Bursts, f and g of each, and the best state of all.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "device/cpu/form_engine.hpp"
#include "device/device.hpp"

namespace chainmail {

class FormGroup;

class FormReplicas {
 public:
  virtual ~FormReplicas() = default;

  virtual std::size_t size() const = 0;
  virtual void set(std::size_t k, std::span<const Bit> bits) = 0;
  // What the replicas make of a pair of parameters; bursts and swaps use that.
  virtual Parameters quantise(const Parameters& wanted) const { return wanted; }
  virtual void burst(std::span<const Parameters> parameters, std::uint64_t sweeps,
                     const FormMoves& moves, std::uint64_t number) = 0;

  virtual double f(std::size_t k) const = 0;
  virtual double g(std::size_t k) const = 0;
  virtual bool feasible(std::size_t k) const = 0;
  virtual std::vector<Bit> bits(std::size_t k) = 0;
  virtual const FormState& best() const = 0;
  virtual bool offer(const FormState& state) = 0;  // whether it is the best now

  // For checkpoints.
  virtual FormSnapshot snapshot(std::size_t k) = 0;
  virtual void restore(std::size_t k, const FormSnapshot& then) = 0;

  // Where they run on CPUs: weights of forms can change there.
  virtual FormGroup* group() { return nullptr; }
};

}  // namespace chainmail
