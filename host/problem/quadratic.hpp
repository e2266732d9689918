// A quadratic function of spins S = ±1 in the one sign convention used inside Chainmail:
//   q(S) = offset - sum_{i<j} J_ij S_i S_j - sum_i h_i S_i
// The objective f and the constraint g are both of this kind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace chainmail {

using Spin = std::int8_t;  // -1 or +1

struct Coupling {
  std::uint32_t i;  // i < j
  std::uint32_t j;
  double value;
  bool operator==(const Coupling&) const = default;
};

struct Quadratic {
  std::vector<double> fields;       // one per spin; its size is the number of spins
  std::vector<Coupling> couplings;  // sorted by (i, j), no pair twice, none zero
  double offset = 0.0;

  Quadratic() = default;
  explicit Quadratic(std::size_t spin_count) : fields(spin_count, 0.0) {}

  std::size_t size() const { return fields.size(); }
  double operator()(std::span<const Spin> spins) const;
  bool is_zero() const;  // but for the offset

  // Brings couplings given in any order into the stored form: i < j, sorted, repeated pairs
  // added up, zeros dropped. A coupling of a spin with itself is a constant (S² = 1).
  void normalise();
  bool operator==(const Quadratic&) const = default;
};

// In the order of stored couplings, i <= j; those of one pair stay in the order they are given in.
std::vector<Coupling> sorted_by_pair(std::span<const Coupling> couplings);

// Neighbours of every spin, for code that walks rows of J.
struct Neighbour {
  std::uint32_t spin;
  double value;
};
std::vector<std::vector<Neighbour>> adjacency(const Quadratic& q);

}  // namespace chainmail
