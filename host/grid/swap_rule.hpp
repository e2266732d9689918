// The swap rule. Two replicas exchange their parameters with the Metropolis probability
//   min(1, exp(Δβ Δf + Δ(βP) Δg)),   Δ = second - first,
// which keeps the joint Boltzmann distribution (the paper's Appendix A, general case). In one row
// (Δβ = 0) it is the P-swap exp(β ΔP Δg); in one column the β-swap exp(Δβ ΔE).
// Parameters must be the ones the device really uses, f and g the functions it samples.
#pragma once

#include <cmath>

#include "device/device.hpp"

namespace chainmail {

struct Measured {
  double f, g;
};

inline double log_swap_ratio(const Parameters& p1, const Measured& s1, const Parameters& p2,
                             const Measured& s2) {
  return (p2.beta - p1.beta) * (s2.f - s1.f) + (p2.beta_penalty - p1.beta_penalty) * (s2.g - s1.g);
}

// `uniform` in [0, 1).
inline bool accept_swap(double log_ratio, double uniform) {
  return log_ratio >= 0.0 || uniform < std::exp(log_ratio);
}

}  // namespace chainmail
