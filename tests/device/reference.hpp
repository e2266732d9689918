// References for the device tests: small random models, exact enumeration, and a plain scalar heat
// bath in double that shares no code with the device.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../states.hpp"
#include "device/device.hpp"

namespace chainmail::test {

// Random couplings on the given share of pairs, with fields; g is a set of +1 links (1 - S S').
// With `levels` > 0 all coefficients are integers in [-levels, levels], else Gaussian.
PhysicalModel random_model(std::size_t pbits, double density, int levels, bool with_fields,
                           bool with_g, std::uint64_t seed);

// Equal |J| on a periodic cubic lattice, signs at random.
PhysicalModel lattice_model(std::size_t side, double strength, std::uint64_t seed);

// exp(-beta f - beta_penalty g) / Z over all states.
std::vector<double> boltzmann(const PhysicalModel& model, const Parameters& parameters);

// Draws states of one replica per lane: `rounds` bursts of `sweeps` sweeps after a burn-in, all
// replicas at the same parameters; returns how often each state was seen at a burst end.
std::vector<double> histogram(Device& device, const PhysicalModel& model,
                              const Parameters& parameters, std::size_t replicas,
                              std::uint64_t rounds, std::uint64_t sweeps);

// Total variation between counts and exact probabilities, and the mean and standard deviation it
// would have for `draws` independent draws.
struct Distance {
  double value, mean, sigma;
};
Distance total_variation(const std::vector<double>& counts, const std::vector<double>& exact);

struct Means {
  double f, g, f_error, g_error;  // over replicas, with standard errors
};
// The plain implementation: sequential heat bath, mean f and g over chains and kept sweeps.
Means plain_means(const PhysicalModel& model, const Parameters& parameters, std::size_t chains,
                  std::uint64_t burn_in, std::uint64_t kept, std::uint64_t seed);
Means device_means(Device& device, const Parameters& parameters, std::size_t replicas,
                   std::uint64_t burn_in, std::uint64_t kept);

}  // namespace chainmail::test
