// One Verilated module on a bench: set inputs, let them settle, look, give a clock edge.
#pragma once

#include <verilated.h>

#include <cstdint>

#include "support/random.hpp"

namespace chainmail::test {

template <class Model>
class Bench {
 public:
  Bench() : module(&context_) {}
  ~Bench() {
    module.final();
    // Verilator 5.006 removes a model's scopes from the latest context, which may be gone.
    Verilated::threadContextp(&context_);
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  Model* operator->() { return &module; }
  void settle() {
    module.clk_i = 0;
    module.eval();
  }
  void edge() {
    settle();
    module.clk_i = 1;
    module.eval();
    settle();
  }
  // For modules with a reset: two clocks of it.
  void reset() {
    module.rst_ni = 0;
    edge();
    edge();
    module.rst_ni = 1;
    settle();
  }

 private:
  VerilatedContext context_;  // before the model, which points to it

 public:
  Model module;
};

// The lowest `bits` of a word as a signed number.
constexpr std::int64_t as_signed(std::uint64_t word, unsigned bits) {
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
  const std::uint64_t kept = word & (2 * sign - 1);
  return static_cast<std::int64_t>(kept ^ sign) - static_cast<std::int64_t>(sign);
}

}  // namespace chainmail::test
