// From a model in doubles to what a kernel holds: integer couplings with one scale, expanded
// tables, fixed-point beta and penalty; and back. Says what rounding did to the problem.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "topology/topology.hpp"

namespace chainmail {

struct LoaderOptions {
  double beta_max = 0.0;       // largest beta to come; 0: unknown
  unsigned coupling_bits = 0;  // signed bits of a coupling; 0: as many as the tables hold
};

struct LoadReport {
  bool exact = false;           // every coupling and field is held without rounding
  double scale = 1.0;           // device units per unit of f
  double coupling_change = 0;   // largest |rounded - wanted| of a coupling or field, in units of f
  double energy_change = 0;     // bound on |rounded f - f| over all states, in units of f
  double largest_coupling = 0;  // largest |wanted|, to judge the change by
};

class KernelImage {
 public:
  // Throws InputError, with numbers, when the model is not of the topology's wiring or too large.
  KernelImage(const Model& model, const Topology& topology, const LoaderOptions& options);

  const std::vector<std::uint64_t>& tables() const { return tables_; }
  const LoadReport& report() const { return report_; }
  std::size_t spins() const { return place_.size(); }

  // Parameters as the kernel reads them, and as the sampler then means them.
  std::uint64_t encode(const Parameters& wanted) const;
  Parameters decode(std::uint64_t word) const;
  bool saturates(const Parameters& wanted) const;
  double largest_beta() const;
  double largest_beta_penalty() const;

  double energy(std::int32_t f) const { return static_cast<double>(f) / report_.scale + offset_; }

  // Spins of the model to and from a state of the topology; p-bits out of use stay up.
  void pack(std::span<const Spin> spins, std::span<std::uint64_t> state) const;
  std::vector<Spin> unpack(std::span<const std::uint64_t> state) const;

 private:
  void place_model(const Model& model);
  void check_constraint(const Model& model) const;
  void choose_scale(const LoaderOptions& options);
  void quantise();
  void expand();

  struct Term {
    std::size_t slot;
    double wanted;
    std::int64_t value;
  };
  const Topology& topology_;
  std::vector<std::uint32_t> place_;       // model p-bit -> topology p-bit
  std::vector<bool> used_;                 // topology p-bits
  std::vector<std::vector<Term>> terms_;   // couplings at each topology p-bit
  std::vector<Term> fields_;               // one per topology p-bit; slot unused
  std::vector<std::uint64_t> tables_;
  LoadReport report_;
  double offset_ = 0.0;
};

}  // namespace chainmail
