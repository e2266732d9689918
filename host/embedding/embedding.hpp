// From logical spins to physical p-bits: every logical spin becomes a chain of K copies, every
// logical coupling sits on one pair of copies, and the chain links become part of g.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "problem/problem.hpp"
#include "problem/residual.hpp"

namespace chainmail {

// alt:      two colours by construction and even fan-in; what the hardware arrays use.
// balanced: even fan-in by random choice; more colours.
// packed:   couplings of four consecutive spins stay together, which the CPU's tables like.
enum class Placement { alt, balanced, packed };
Placement placement_from_name(const std::string& name);
std::string name_of(Placement placement);

struct Embedding {
  std::size_t logical = 0;               // N
  std::size_t copies = 1;                // K
  Model model;                           // f and g on N*K p-bits
  std::vector<Residual> residuals = {};  // on p-bits; zero wherever g is
  std::vector<double> multipliers = {};  // of residuals, as they stand in f; empty: none

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

// The weight of each spin's links in g. Without a constraint of the user's it is 1. With one it
// exceeds all that breaking the chain could gain there, so that g is positive wherever one is
// broken.
std::vector<double> link_weights(const Problem& problem);

// The copy that carries a spin's field. Placement "alt" puts it on colour 1, where the hardware
// reads the energy off.
std::size_t field_copy(std::size_t spin, std::size_t copies, Placement placement);

Embedding embed(const Problem& problem, std::size_t copies, Placement placement = Placement::alt,
                std::uint64_t seed = 1);

// The p-bits of each spin in the order of their links; none where no spin has copies.
std::vector<std::vector<std::uint32_t>> chains_of(const Embedding& embedding);

// Colours such that no coupling joins two of one colour (DSATUR: two for a bipartite graph).
std::vector<std::uint32_t> colour_graph(const Model& model);

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
