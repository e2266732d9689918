// QUBOs with one-hots written as penalties, for tests.
#pragma once

#include <functional>

#include "problem/problem.hpp"

namespace chainmail {

// Bits become spins, so that f is the sum of what is added.
class PenaltyQubo {
 public:
  explicit PenaltyQubo(std::size_t bits) : f_(bits) {}

  void add(std::uint32_t i, std::uint32_t j, double value) {  // value x_i x_j
    f_.couplings.push_back({i, j, -0.25 * value});
    f_.fields[i] -= 0.25 * value;
    f_.fields[j] -= 0.25 * value;
    f_.offset += 0.25 * value;
  }
  void add(std::uint32_t i, double value) {  // value x_i
    f_.fields[i] -= 0.5 * value;
    f_.offset += 0.5 * value;
  }
  void add_one_hot(const std::vector<std::uint32_t>& bits, double strength) {
    f_.offset += strength;
    for (std::size_t a = 0; a < bits.size(); ++a) {
      add(bits[a], -strength);
      for (std::size_t b = 0; b < a; ++b) add(bits[b], bits[a], 2.0 * strength);
    }
  }
  // Rows and columns of an n x n square.
  void add_permutation(std::uint32_t n, double of_rows, double of_columns) {
    for (std::uint32_t i = 0; i < n; ++i) {
      std::vector<std::uint32_t> row, column;
      for (std::uint32_t k = 0; k < n; ++k) row.push_back(i * n + k), column.push_back(k * n + i);
      add_one_hot(row, of_rows);
      add_one_hot(column, of_columns);
    }
  }
  Quadratic f() const {
    Quadratic all = f_;
    all.normalise();
    return all;
  }
  Problem problem() const {
    Problem problem;
    problem.objective = f();
    return problem;
  }

 private:
  Quadratic f_;
};

// Cost of having facility i at place k and facility j at place l: flow times distance, small whole
// numbers by a rule, of which none is like another.
inline double flow_cost(std::uint32_t i, std::uint32_t j, std::uint32_t k, std::uint32_t l) {
  const auto number = [](std::uint32_t a, std::uint32_t b, std::uint32_t salt) {
    const std::uint32_t low = std::min(a, b), high = std::max(a, b);
    return static_cast<double>((low * 7 + high * 13 + low * high * 5 + salt) % 10);
  };
  return number(i, j, 3) * number(k, l, 8);
}

inline void add_assignment_costs(PenaltyQubo& qubo, std::uint32_t n) {
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = i + 1; j < n; ++j) {
      for (std::uint32_t k = 0; k < n; ++k) {
        for (std::uint32_t l = 0; l < n; ++l) {
          if (k != l && flow_cost(i, j, k, l) > 0) {
            qubo.add(i * n + k, j * n + l, flow_cost(i, j, k, l));
          }
        }
      }
    }
  }
}

}  // namespace chainmail
