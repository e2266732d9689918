// From (N, K), or a graph, to the full wiring of a kernel. Every pair of it meets where place()
// says; a p-bit's neighbours are then split by colour: those of earlier stages have their final
// value of this sweep when the p-bit is updated, so -s·(sum over them) counts each coupling exactly
// once, at its later end, and f falls out of the sweep for any number of colours.
#include "topology/topology.hpp"

#include <algorithm>
#include <bit>

#include "embedding/placements.hpp"
#include "support/error.hpp"
#include "support/random.hpp"
#include "topology/contract.hpp"
#include "topology/flips_topology.hpp"
#include "topology/rows_topology.hpp"
#include "topology/seed_codes.hpp"
#include "topology/wiring_hash.hpp"

namespace chainmail {

namespace {

constexpr unsigned kMultiplierField = 18;  // the narrow port of a DSP slice's multiplier

void check(const TopologyOptions& o) {
  const auto require = [](bool fine, const std::string& what) {
    if (!fine) throw UsageError("topology: " + what);
  };
  require(o.logical >= 2 && o.logical <= 4096,
          "logical spins must be 2 to 4096, not " + std::to_string(o.logical));
  require(!o.wired() || (o.copies == 1 && o.placement == Placement::alt),
          "an array that is wired for a graph has one copy of each spin");
  require(!o.graph || !o.edges.empty(), "a graph without edges");
  require(o.copies >= 1 && o.copies <= 16,
          "copies must be 1 to 16, not " + std::to_string(o.copies));
  require(o.table_bits >= 4 && o.table_bits <= 16,
          "table bits must be 4 to 16, not " + std::to_string(o.table_bits));
  require(o.beta_bits >= 12 && o.beta_bits <= 24,
          "beta bits must be 12 to 24, not " + std::to_string(o.beta_bits));
  require(o.rng_words == 2 || o.rng_words == 4,
          "random state must be 2 or 4 words, not " + std::to_string(o.rng_words));
  require(o.max_replicas >= 1 && o.max_replicas <= 65536,
          "replicas must be 1 to 65536, not " + std::to_string(o.max_replicas));
}

std::vector<Coupling> graph_of(const TopologyOptions& o) {
  std::vector<Coupling> graph;
  if (o.wired()) {
    for (const Edge& e : o.graph ? o.edges : lattice_edges(o.sides)) {
      graph.push_back({e.i, e.j, 1.0});
    }
    return graph;
  }
  const std::size_t spins = o.logical;
  graph.reserve(spins * (spins - 1) / 2);
  for (std::uint32_t i = 0; i < spins; ++i) {
    for (std::uint32_t j = i + 1; j < spins; ++j) graph.push_back({i, j, 1.0});
  }
  return graph;
}

// Dense: one stage per spin, in order, so that every stage only sees the passing vector.
std::vector<std::uint32_t> colours_of(const Topology& topology) {
  const TopologyOptions& o = topology.options;
  std::vector<std::uint32_t> colour(o.logical * o.copies);
  if (o.copies == 1 && !o.wired()) {
    for (std::uint32_t i = 0; i < o.logical; ++i) colour[i] = i;
    return colour;
  }
  if (o.placement == Placement::alt && !o.wired()) {
    for (std::size_t p = 0; p < colour.size(); ++p) {
      colour[p] = alt_colour(p % o.logical, p / o.logical);
    }
    return colour;
  }
  PhysicalModel model{Quadratic(colour.size()), Quadratic(colour.size()), {}};
  for (const Meeting& m : topology.meetings) {
    model.f.couplings.push_back({static_cast<std::uint32_t>(topology.pbit(m.i, m.a)),
                                 static_cast<std::uint32_t>(topology.pbit(m.j, m.b)), 1.0});
  }
  for (std::uint32_t p = 0; p + o.logical < colour.size(); ++p) {
    model.g.couplings.push_back({p, static_cast<std::uint32_t>(p + o.logical), 1.0});
  }
  return colour_graph(model);
}

struct Sides {
  std::vector<std::uint32_t> early, late;
};

std::vector<Sides> neighbours_by_side(const Topology& topology) {
  std::vector<Sides> sides(topology.wiring.size());
  const auto add = [&](std::size_t at, std::size_t other) {
    const std::uint32_t here = topology.wiring[at].colour, there = topology.wiring[other].colour;
    if (here == there) throw UsageError("topology: a coupling joins two p-bits of one colour");
    (there < here ? sides[at].early : sides[at].late).push_back(static_cast<std::uint32_t>(other));
  };
  for (const Meeting& m : topology.meetings) {
    const std::size_t a = topology.pbit(m.i, m.a), b = topology.pbit(m.j, m.b);
    add(a, b);
    add(b, a);
  }
  for (Sides& s : sides) {
    std::sort(s.early.begin(), s.early.end());
    std::sort(s.late.begin(), s.late.end());
  }
  return sides;
}

// h goes to the copy of the last colour (the first of them), as field_copy() of the embedding.
void choose_field_copies(Topology& topology) {
  const TopologyOptions& o = topology.options;
  for (std::size_t spin = 0; spin < o.logical; ++spin) {
    std::size_t best = topology.pbit(spin, 0);
    for (std::size_t copy = 1; copy < o.copies; ++copy) {
      const std::size_t p = topology.pbit(spin, copy);
      if (topology.wiring[p].colour > topology.wiring[best].colour) best = p;
    }
    topology.wiring[best].carries_field = true;
  }
}

void fill_tables(Topology& topology) {
  const std::vector<Sides> sides = neighbours_by_side(topology);
  std::size_t widest = 1;
  for (const Sides& s : sides) widest = std::max({widest, s.early.size(), s.late.size()});
  const std::size_t slots = std::min<std::size_t>(widest, 5);
  topology.address_bits = static_cast<unsigned>(slots);
  for (std::size_t p = 0; p < sides.size(); ++p) {
    PbitWiring& w = topology.wiring[p];
    const auto append = [&](const std::vector<std::uint32_t>& side) {
      w.slots.insert(w.slots.end(), side.begin(), side.end());
      while (w.slots.size() % slots != 0) w.slots.push_back(Topology::kNoPbit);
    };
    append(sides[p].early);
    // A field needs an early table to be counted in f, even where no neighbour comes earlier.
    if (w.carries_field && w.slots.empty()) w.slots.assign(slots, Topology::kNoPbit);
    w.early_tables = static_cast<std::uint32_t>(w.slots.size() / slots);
    append(sides[p].late);
    w.used_tables = static_cast<std::uint32_t>(w.slots.size() / slots);
    topology.tables = std::max<std::size_t>(topology.tables, w.used_tables);
  }
}

void add_links(Topology& topology) {
  const TopologyOptions& o = topology.options;
  for (std::size_t p = 0; p < topology.wiring.size(); ++p) {
    PbitWiring& w = topology.wiring[p];
    w.links = {Topology::kNoPbit, Topology::kNoPbit};
    if (p >= o.logical) w.links[0] = static_cast<std::uint32_t>(p - o.logical);
    if (p + o.logical < topology.wiring.size()) {
      w.links[1] = static_cast<std::uint32_t>(p + o.logical);
      ++topology.links;
    }
  }
}

void choose_widths(Topology& topology) {
  std::uint64_t early = 0;
  for (const PbitWiring& w : topology.wiring) early += w.early_tables;
  const unsigned table = topology.options.table_bits;
  topology.field_bits = std::min(table + static_cast<unsigned>(std::bit_width(topology.tables - 1)),
                                 kMultiplierField);
  topology.energy_bits = static_cast<unsigned>(std::bit_width(early << (table - 1))) + 1;
  topology.violation_bits = std::max(1U, static_cast<unsigned>(std::bit_width(2 * topology.links)));
}

}  // namespace

std::uint64_t wiring_hash(const Topology& topology) {
  const TopologyOptions& o = topology.options;
  std::uint64_t hash =
      hash_of(contract::kVersion, {o.logical, o.copies, o.table_bits, o.beta_bits, o.rng_words,
                                   o.max_replicas, topology.address_bits, topology.tables});
  for (const PbitWiring& w : topology.wiring) {
    hash = hash_of(hash, {w.colour, w.early_tables, w.used_tables, w.links[0], w.links[1],
                          w.carries_field ? 1U : 0U, w.seed_code});
    for (std::uint32_t slot : w.slots) hash = hash_of(hash, {slot});
  }
  return hash_threshold(hash);
}

Topology make_topology(const TopologyOptions& options) {
  if (options.flips) return make_flips_topology(options);
  if (options.rows()) return make_rows_topology(options);
  check(options);
  Topology topology;
  topology.options = options;
  topology.name = name_of(options);
  const std::vector<Coupling> graph = graph_of(options);
  topology.meetings = place(graph, options.logical, options.copies, options.placement, 1);
  const std::vector<std::uint32_t> colour = colours_of(topology);
  topology.wiring.resize(colour.size());
  topology.stages.resize(*std::max_element(colour.begin(), colour.end()) + 1);
  for (std::uint32_t p = 0; p < colour.size(); ++p) {
    topology.wiring[p].colour = colour[p];
    topology.stages[colour[p]].push_back(p);
  }
  choose_field_copies(topology);
  fill_tables(topology);
  add_links(topology);
  choose_widths(topology);
  const std::vector<std::uint64_t> codes = seed_codes(topology.pbits());
  for (std::size_t p = 0; p < codes.size(); ++p) topology.wiring[p].seed_code = codes[p];
  topology.hash = wiring_hash(topology);
  return topology;
}

WiredGraph graph_of(const Topology& topology) {
  WiredGraph graph{topology.options.logical, {}};
  for (const Meeting& m : topology.meetings) graph.edges.push_back({m.i, m.j});
  return graph;
}

Embedding embed(const Problem& problem, const Topology& topology) {
  const TopologyOptions& o = topology.options;
  if (o.dense()) {
    if (problem.size() > o.logical) {
      throw InputError("problem has " + std::to_string(problem.size()) + " spins; topology " +
                       topology.name + " holds " + std::to_string(o.logical) +
                       "; the CPU takes it (--device cpu)");
    }
    if (problem.constraint) {
      throw InputError(
          "the problem has a constraint; topology " + topology.name +
          " runs problems without constraints (the CPU and rings, as 100x3, take them)");
    }
    return embed(problem, 1, Placement::alt, 1, Colours::none);
  }
  Wiring wiring{topology.name, o.logical, o.copies, topology.meetings, {}, {}};
  wiring.field_copy.resize(o.logical);
  for (std::size_t p = 0; p < topology.pbits(); ++p) {
    wiring.colour.push_back(topology.wiring[p].colour);
    if (topology.wiring[p].carries_field) {
      wiring.field_copy[p % o.logical] = static_cast<std::uint32_t>(p / o.logical);
    }
  }
  return embed(problem, wiring);
}

}  // namespace chainmail
