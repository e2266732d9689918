// Collects a quadratic function of bits (0 or 1) and turns it into one of spins.
#pragma once

#include <cstdint>
#include <vector>

#include "problem/quadratic.hpp"

namespace chainmail {

// constant + sum of value * bit.
struct BitSum {
  std::vector<Neighbour> terms;  // bit, value
  double constant = 0.0;
};

class BitPolynomial {
 public:
  void add(double constant) { constant_ += constant; }
  void add(double factor, const BitSum& sum);
  void add(double factor, const BitSum& a, const BitSum& b);  // factor * a * b

  // Dyadic fractions only are added, so whole coefficients stay exact.
  Quadratic to_spins(std::size_t bits) const;

 private:
  double constant_ = 0.0;
  std::vector<Neighbour> linear_;
  std::vector<Coupling> products_;
};

}  // namespace chainmail
