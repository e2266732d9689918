// Exact averages of a small model by enumeration, the reference of every sampling test.
#pragma once

#include <string>
#include <vector>

#include "device/device.hpp"

namespace exact {

struct Averages {
  std::vector<double> probability;  // of state number s: bit p set means spin p is up
  double f = 0.0, g = 0.0, f_sigma = 0.0, g_sigma = 0.0;
};
Averages boltzmann(const chainmail::PhysicalModel& model, const chainmail::Parameters& parameters);

// P(spin up) where the field is so many factors of two in favour of it: the kernel's threshold in
// place of the logistic function.
double activation(double octaves);

// What sweeps through the model's colours converge to if p-bits are drawn with that activation; for
// models with f alone.
std::vector<double> sampled_by_kernel(const chainmail::PhysicalModel& model, double beta);
double total_variation(const std::vector<double>& a, const std::vector<double>& b);

std::size_t state_number(const std::vector<chainmail::Spin>& spins);

// Half the sum of |counted share - probability|, and the value it exceeds with probability 6e-7 if
// the `count` samples are independent draws: its mean, at most half the sum of sqrt(p(1-p)/n), plus
// what McDiarmid's inequality allows (one draw changes it by at most 1/n).
struct Distance {
  double total_variation, limit;
};
Distance compare(const std::vector<double>& probability, const std::vector<std::size_t>& counts);

// That a native kernel of this name, with so many replicas at three betas side by side, samples the
// Boltzmann distribution of seven spins.
void check_kernel(const std::string& name, std::size_t replicas);

}  // namespace exact
