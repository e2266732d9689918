// From logical spins to physical p-bits: every logical spin becomes a chain of K copies, every
// logical coupling sits on one pair of copies, and the chain links become part of g.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "embedding/physical_model.hpp"
#include "problem/problem.hpp"
#include "problem/residual.hpp"

namespace chainmail {

// alt:      two colours by construction and even fan-in; what the hardware arrays use.
// balanced: even fan-in by random choice; more colours.
// packed:   couplings of four consecutive spins stay together, which suits the CPU's tables.
enum class Placement { alt, balanced, packed };
Placement placement_from_name(const std::string& name);
std::string name_of(Placement placement);

struct Embedding {
  std::size_t logical = 0;                     // N
  std::size_t copies = 1;                      // K
  PhysicalModel model;                         // f and g on N*K p-bits
  std::vector<Residual> residuals = {};        // on p-bits; zero wherever g is
  std::vector<double> multipliers = {};        // of residuals, as they stand in f; empty: none
  std::vector<std::uint32_t> field_copy = {};  // by spin: the copy that carries its field
  double dimension = 0.0;  // of the lattice that f's couplings are; 0: none, or not looked for

  // Copy k of logical spin i. Copies of one index lie together, so that four consecutive spins do.
  std::size_t pbit(std::size_t spin, std::size_t copy) const { return copy * logical + spin; }
  std::size_t pbits() const { return logical * copies; }
};

// Where one logical pair meets: copy `a` of the first spin, copy `b` of the second.
struct Meeting {
  std::uint32_t i, j;
  std::uint8_t a, b;
};
std::vector<Meeting> place(std::span<const Coupling> logical_graph, std::size_t spins,
                           std::size_t copies, Placement placement, std::uint64_t seed);

// Colours are for kernels and reports; the CPU updates p-bit after p-bit and reads none.
enum class Colours { found, none };
Embedding embed(const Problem& problem, std::size_t copies, Placement placement = Placement::alt,
                std::uint64_t seed = 1, Colours colours = Colours::found);

// Given wiring, such as a kernel's.
struct Wiring {
  std::string name;
  std::size_t spins, copies;              // what it holds
  std::span<const Meeting> meetings;      // of all pairs of spins, sorted by (i, j)
  std::vector<std::uint32_t> colour;      // by p-bit: copy * spins + spin
  std::vector<std::uint32_t> field_copy;  // by spin
};
Embedding embed(const Problem& problem, const Wiring& wiring);

// Residuals of the logical spins, each on the copies that carry the fields.
Embedding with_residuals(Embedding embedding, std::vector<Residual> residuals);

// f plus multiples of the residuals: the same f on every feasible state.
Embedding with_multipliers(Embedding embedding, const std::vector<double>& multipliers);

// Colours such that no coupling joins two of one colour (DSATUR: two for a bipartite graph).
std::vector<std::uint32_t> colour_graph(const PhysicalModel& model);

struct EmbeddingStatistics {
  std::size_t pbits, couplings, links, colours;
  std::map<std::size_t, std::size_t> fan_in;  // couplings of f at a p-bit -> how many p-bits
};
EmbeddingStatistics statistics(const Embedding& embedding);

// Logical states spread over all copies, and back. Strict decoding gives the first copies and says
// whether all chains agree; majority decoding repairs (a tie goes to the first copy).
std::vector<Spin> spread(const Embedding& embedding, std::span<const Spin> logical);
struct Decoded {
  std::vector<Spin> spins;
  std::size_t broken_chains;
};
Decoded decode_strict(const Embedding& embedding, std::span<const Spin> physical);
Decoded decode_majority(const Embedding& embedding, std::span<const Spin> physical);

}  // namespace chainmail
