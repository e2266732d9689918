// From a model in doubles to what a kernel holds: integer couplings with one scale, expanded
// tables, fixed-point beta and penalty; and back. Reports what rounding did to the problem.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "topology/topology.hpp"

namespace chainmail {

struct LoaderOptions {
  double beta_max = 0.0;       // largest beta to come; 0: unknown
  unsigned coupling_bits = 0;  // signed bits of a coupling; 0: as many as the tables hold
  double beta_penalty = 0.0;   // largest beta P to come; 0: unknown
};

struct LoadReport {
  bool exact = false;             // every coupling and field is held without rounding
  double scale = 1.0;             // device units per unit of f
  double largest_coupling = 0.0;  // |wanted|, of couplings and fields
  double coupling_change = 0.0;   // largest |held - wanted| of a coupling or field
  double energy_change = 0.0;     // bound on |held f - f| over all states
  double weight_change = 0.0;     // largest, of a linear form's weight, as a share of it
};
std::string describe(const LoadReport& report);

// Where a model's p-bits and couplings sit in the topology, before any rounding.
struct PlacedModel {
  struct Term {
    std::size_t slot;  // in PbitWiring::slots; rows: the other p-bit
    double value;
  };
  std::vector<std::uint32_t> place;      // model p-bit -> topology p-bit
  std::vector<bool> used;                // of the topology's p-bits
  std::vector<std::vector<Term>> terms;  // couplings at each p-bit of the topology
  std::vector<double> fields;
  double offset = 0.0;
};
// An energy of n*K p-bits, n <= N, whose couplings are the topology's. Throws InputError, naming
// the p-bits, for any other.
PlacedModel place_model(const Quadratic& energy, const Topology& topology);

// What is left of g without the topology's own chains, which must be complete, and the common
// weight of their links.
struct OwnConstraint {
  Quadratic own;
  double link_weight = 1.0;
};
OwnConstraint own_constraint(const Quadratic& g, const Topology& topology);

struct Scale {
  double value = 1.0;  // device units per unit of energy
  bool exact = false;
};

struct RowForms;

class KernelImage {
 public:
  // As fine as the tables allow; and on a scale that was chosen.
  KernelImage(const Quadratic& energy, const Topology& topology, const LoaderOptions& options);
  KernelImage(const Quadratic& energy, const Topology& topology, const Scale& scale);
  // Constraints and all, on a row or flip kernel.
  KernelImage(const FormModel& model, const Topology& topology, const LoaderOptions& options);

  const std::vector<std::uint64_t>& tables() const { return tables_; }
  const LoadReport& report() const { return report_; }

  // Parameters as the kernel reads them, and the values they then stand for.
  std::uint64_t encode(const Parameters& wanted) const;
  Parameters decode(std::uint64_t word) const;
  Parameters largest() const;  // beyond these, encode saturates

  double energy(std::int32_t f) const {
    return static_cast<double>(f) / report_.scale + placed_.offset;
  }

  double violation(std::uint32_t g) const { return static_cast<double>(g) / violation_scale_; }

  // Spins of the model to and from a state of the topology. P-bits out of use are clamped up, so
  // that their chains are whole; they have no couplings.
  void pack(std::span<const Spin> spins, std::span<std::uint64_t> state) const;
  std::vector<Spin> unpack(std::span<const std::uint64_t> state) const;

 private:
  void build(const Scale& scale);
  void measure_change();
  void expand_tables();
  void write_rows();
  void write_flips();
  void write_flip_constraints(const RowForms& forms);
  void write_constraints(const RowForms& forms);
  double penalty_unit() const;

  const Topology* topology_;
  PlacedModel placed_;
  std::vector<std::uint64_t> tables_;
  LoadReport report_;
  double violation_scale_ = 1.0;  // device units per unit of g
};

}  // namespace chainmail
