// The wiring of one kernel build: which p-bits exist, which neighbours each reads, in which colour
// stage each is updated, and every width. The HLS header, the RTL package, the loader and the
// embedding all read this one struct, so they cannot disagree; its hash is what a device is checked
// against.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "embedding/embedding.hpp"
#include "topology/flips_contract.hpp"
#include "topology/rows_contract.hpp"
#include "topology/wired_graph.hpp"

namespace chainmail {

struct TopologyOptions {
  std::size_t logical = 0;  // N
  std::size_t copies = 1;   // K; 1 gives the dense ring, one colour stage per spin
  std::size_t lanes = 0;    // of the row or flip kernel (docs/rows.md, flips.md); 0: the ring
  bool flips = false;       // the flip kernel: `lanes` spins are drawn side by side
  Placement placement = Placement::alt;
  unsigned table_bits = 14;         // signed width of a table entry
  unsigned beta_bits = 24;          // unsigned, one integer bit: beta is a number below 2
  unsigned rng_words = 4;           // 32-bit words of state per p-bit: 4 (xorshift128) or 2
  std::size_t max_replicas = 1024;  // of all lanes together
  // Constraints. Linear forms a variable may be in (0, 2, 4: one in each bank
  // of residuals) and residuals per bank; pairs that must not both be up; one-hot groups.
  std::size_t forms = 0;
  std::size_t form_residuals = 0;
  bool products = false;
  bool one_hots = false;
  // A ring of one copy that is wired for a lattice, or for a graph.
  LatticeSides sides{};
  bool graph = false;
  std::vector<Edge> edges;  // of the graph; a kernel's description of itself lacks them
  bool wired() const { return sides[0] > 0 || graph; }
  bool rows() const { return lanes > 0 && !flips; }
  bool dense() const { return lanes > 0; }  // one copy, every spin coupled to every other
  bool penalised() const { return forms > 0 || products; }  // g may be other than zero
  bool operator==(const TopologyOptions&) const = default;
};

// One p-bit. Neighbours fill tables of `Topology::address_bits` slots each: first the tables of
// neighbours of earlier colours, from whose sum the energy is read, then those of later colours.
struct PbitWiring {
  std::uint32_t colour = 0;
  std::vector<std::uint32_t> slots;      // used_tables * address_bits; kNoPbit where empty
  std::uint32_t early_tables = 0;        // the first ones; h sits in table 0, an early one
  std::uint32_t used_tables = 0;         // early and late
  std::array<std::uint32_t, 2> links{};  // chain neighbours (copy - 1, copy + 1), or kNoPbit
  bool carries_field = false;            // may have h
  std::uint64_t seed_code = 0;           // bit n: absorbs the seeder's byte in step n
  bool operator==(const PbitWiring&) const = default;
};

struct Topology {
  static constexpr std::uint32_t kNoPbit = UINT32_MAX;

  TopologyOptions options;
  std::string name;                // "100x3", "5x2-t9-b17-w2-r16"
  std::vector<Meeting> meetings;   // of all pairs, or those that are wired, sorted by (i, j)
  std::vector<PbitWiring> wiring;  // p-bit (spin i, copy k) is k * N + i
  std::vector<std::vector<std::uint32_t>> stages;  // p-bits of each colour, ascending
  std::vector<std::uint64_t> lane_codes;           // rows, flips: seed code of each lane's stream
  std::size_t links = 0;                           // of all chains
  unsigned address_bits = 0;                       // slots of a table, at most 5
  std::size_t tables = 0;                          // of a p-bit, in the load image
  unsigned field_bits = 0;                         // signed F; the loader checks that it suffices
  unsigned energy_bits = 0;                        // signed f; always suffices
  unsigned violation_bits = 0;                     // unsigned g
  std::uint64_t hash = 0;

  std::size_t pbits() const { return wiring.size(); }
  std::size_t pbit(std::size_t spin, std::size_t copy) const {
    return copy * options.logical + spin;
  }
  // 64-bit words in the kernel's buffers (docs/kernel.md).
  std::size_t state_words() const { return (pbits() + 63) / 64; }
  std::size_t table_words() const {
    return address_bits <= 2 ? 1 : (std::size_t{1} << address_bits) / 4;
  }
  std::size_t pbit_words() const { return tables * table_words() + 1; }
  std::size_t image_words() const {
    if (options.flips) return flips_contract::kHeadWords + pbits() * (1 + tables);
    return options.rows() ? rows_contract::kBeatWords + pbits() * row_words()
                          : pbits() * pbit_words();
  }
  // Rows: beats of couplings a row has, beats in front of them, words of the whole record.
  std::size_t row_beats() const {
    return (tables + rows_contract::kBeatGroups - 1) / rows_contract::kBeatGroups;
  }
  std::size_t product_beats() const { return options.products ? (pbits() + 255) / 256 : 0; }
  std::size_t head_beats() const { return 1 + (options.forms > 0 ? 1 : 0) + product_beats(); }
  std::size_t row_words() const { return rows_contract::kBeatWords * (head_beats() + row_beats()); }
  unsigned penalty_bits() const;  // of beta P in a replica's parameters
  std::size_t lane_replicas() const { return options.max_replicas / options.lanes; }
};

Topology make_topology(const TopologyOptions& options);

// "NxK", then for what differs from the defaults -pPLACEMENT -tTABLEBITS -bBETABITS -wRNGWORDS
// -rREPLICAS; or "N-rows" with -lLANES -rREPLICAS (per lane) -bBETABITS -wRNGWORDS -fFORMS
// -mRESIDUALS (per bank) -p (products) -g (groups); or "N-flips" with -wLANES -rREPLICAS
// -bBETABITS -fFORMS -mRESIDUALS -p -g; or "lattice-AxBxC" (or AxB) or "graph-N-MARK" with the
// suffixes of NxK but -p. The name of a graph does not hold its edges: they come with it, as the
// text of their file. Throws UsageError saying what was expected.
Topology topology_from_name(const std::string& name, const std::string& edges = {});
bool is_graph(const std::string& name);  // whose edges come from elsewhere
TopologyOptions graph_options(const WiredGraph& graph);
std::string name_of(const TopologyOptions& options);
std::string kernel_function(const TopologyOptions& options);  // of its top function

WiredGraph graph_of(const Topology& topology);  // the pairs that meet

// A problem of at most N spins on the topology's own meetings: what a kernel's loader accepts.
Embedding embed(const Problem& problem, const Topology& topology);

}  // namespace chainmail
