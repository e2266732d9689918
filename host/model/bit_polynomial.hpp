// Collects a quadratic function of bits (0 or 1) and turns it into one of spins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "problem/quadratic.hpp"

namespace chainmail {

// constant + sum of value * bit.
struct BitSum {
  std::vector<Neighbour> terms;  // bit, value
  double constant = 0.0;
};

// Half a gigabyte of them; to_spins() and an embedding need as much again, each.
inline constexpr std::size_t kMaxProducts = std::size_t{1} << 25;

class BitPolynomial {
 public:
  void add(double constant) { constant_ += constant; }
  void add(double factor, const BitSum& sum);
  void add(double factor, const BitSum& a, const BitSum& b);  // factor * a * b
  std::size_t products() const { return products_.size(); }   // before equal ones are added up

  // Dyadic fractions only are added, so whole coefficients stay exact.
  Quadratic to_spins(std::size_t bits) const;

 private:
  double constant_ = 0.0;
  std::vector<Neighbour> linear_;
  std::vector<Coupling> products_;
};

}  // namespace chainmail
