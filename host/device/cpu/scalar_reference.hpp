// The yardstick of the benchmark: a plain scalar heat bath in single precision, one replica after
// the other, as one would write it without a thought for vectors.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "device/device.hpp"

namespace chainmail {

class ScalarReference {
 public:
  ScalarReference(const PhysicalModel& model, std::size_t replicas, std::uint64_t seed);
  void run(std::span<const Parameters> parameters, std::uint64_t sweeps);
  // Sum of all spins, so that the compiler cannot drop the work.
  std::int64_t magnetisation() const;

 private:
  struct Entry {
    std::uint32_t spin;
    float value;
  };
  void sweep(std::vector<float>& spins, float beta2, float penalty2);
  float uniform();

  std::vector<std::uint32_t> f_start_, g_start_;
  std::vector<Entry> f_, g_;
  std::vector<float> f_field_, g_field_;
  std::vector<std::vector<float>> spins_;  // of each replica
  std::uint64_t random_;
};

}  // namespace chainmail
