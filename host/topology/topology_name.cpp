// Names of topologies: "100x3" for the defaults, suffixes for what differs, e.g.
// "5x2-t9-b17-w2-r16"; "256-rows-l8" for row kernels, "256-flips-w64" for flip kernels,
// "lattice-8x8x8" and "graph-200-0f3a5b7c" for rings that are wired for a graph. One string says
// all (but a graph's edges), so that build rules, devices and messages share it.
#include <algorithm>
#include <charconv>

#include "support/error.hpp"
#include "support/text.hpp"
#include "topology/topology.hpp"

namespace chainmail {

namespace {

const std::string kRows = "-rows", kFlips = "-flips", kLattice = "lattice-", kGraph = "graph-";

// One lane with its replicas.
TopologyOptions rows_options(std::size_t rows) {
  TopologyOptions options;
  options.logical = rows;
  options.lanes = 1;
  options.table_bits = rows_contract::kCouplingBits;
  options.max_replicas = rows_contract::kLaneReplicas;
  return options;
}

TopologyOptions flips_options(std::size_t rows) {
  TopologyOptions options;
  options.logical = rows;
  options.flips = true;
  options.lanes = flips_contract::kLanes;
  options.table_bits = flips_contract::kCouplingBits;
  options.max_replicas = flips_contract::kReplicas;
  return options;
}

[[noreturn]] void refuse(const std::string& name) {
  throw UsageError(
      "topology name '" + name +
      "' is not NxK with suffixes -pPLACEMENT -tTABLEBITS -bBETABITS -wRNGWORDS "
      "-rREPLICAS, as in 100x3 or 5x2-t9-b17-w2-r16, nor N-rows with suffixes -lLANES "
      "-rREPLICAS (per lane) -bBETABITS -wRNGWORDS -fFORMS -mRESIDUALS (per bank) -p "
      "(products) -g (groups), as in 1024-rows-l16-f4, nor N-flips with suffixes -wLANES "
      "-rREPLICAS -bBETABITS -fFORMS -mRESIDUALS -p -g, as in 1024-flips-w64, nor "
      "lattice-AxB or lattice-AxBxC (sides from 2 on) or graph-N-MARK with suffixes -tTABLEBITS "
      "-bBETABITS -wRNGWORDS -rREPLICAS, as "
      "in "
      "lattice-8x8x8");
}

std::size_t number(const std::string& text, const std::string& name) {
  std::size_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || stop != end || value > 1'000'000) refuse(name);
  return value;
}

// "AxB" or "AxBxC".
TopologyOptions lattice_options(const std::string& text, const std::string& name) {
  TopologyOptions options;
  options.logical = 1;
  std::size_t sides = 0;
  for (std::size_t at = 0; at <= text.size(); ++sides) {
    const std::size_t cross = std::min(text.find('x', at), text.size());
    if (sides == options.sides.size()) refuse(name);
    const std::size_t side = options.sides[sides] = number(text.substr(at, cross - at), name);
    if (side < 2 || side > 4096) refuse(name);
    options.logical *= side;
    at = cross + 1;
  }
  if (sides < 2) refuse(name);
  return options;
}

std::string graph_name(const TopologyOptions& options) {
  const auto& [a, b, c] = options.sides;
  if (options.graph) {
    return joined(kGraph, options.logical, "-", graph_mark({options.logical, options.edges}));
  }
  return joined(kLattice, a, "x", b) + (c > 0 ? joined("x", c) : "");
}

void apply(TopologyOptions& options, const std::string& suffix, const std::string& name) {
  // A row kernel has lanes and what it knows of constraints; a ring has placements and tables.
  const std::string others = options.flips     ? "tl"
                             : options.rows()  ? "t"
                             : options.wired() ? "plfmg"
                                               : "lfmg";
  if (suffix.empty() || others.find(suffix[0]) != std::string::npos) refuse(name);
  const std::string value = suffix.substr(1);
  switch (suffix[0]) {
    case 'l':
      options.lanes = number(value, name);
      if (options.lanes == 0) refuse(name);
      return;
    case 'p':
      if (!options.dense()) {
        options.placement = placement_from_name(value);
        return;
      }
      if (!value.empty()) refuse(name);
      options.products = true;
      return;
    case 'g':
      if (!value.empty()) refuse(name);
      options.one_hots = true;
      return;
    case 'f':
      options.forms = number(value, name);
      if (options.forms > 0 && options.form_residuals == 0) {
        options.form_residuals = rows_contract::kFormResiduals;
      }
      return;
    case 'm':
      options.form_residuals = number(value, name);
      return;
    case 't':
      options.table_bits = static_cast<unsigned>(number(value, name));
      return;
    case 'b':
      options.beta_bits = static_cast<unsigned>(number(value, name));
      return;
    case 'w':
      if (options.flips) {
        options.lanes = number(value, name);
        if (options.lanes == 0) refuse(name);
        return;
      }
      options.rng_words = static_cast<unsigned>(number(value, name));
      return;
    case 'r':
      options.max_replicas = number(value, name);
      return;
    default:
      refuse(name);
  }
}

}  // namespace

bool is_graph(const std::string& name) {
  return name.starts_with(kGraph);
}

TopologyOptions graph_options(const WiredGraph& graph) {
  TopologyOptions options;
  options.logical = graph.spins;
  options.graph = true;
  options.edges = graph.edges;
  return options;
}

Topology topology_from_name(const std::string& name, const std::string& edges) {
  TopologyOptions options;
  std::size_t end = std::min(name.find('-'), name.size());
  if (name.starts_with(kLattice)) {
    end = std::min(name.find('-', kLattice.size()), name.size());
    options = lattice_options(name.substr(kLattice.size(), end - kLattice.size()), name);
  } else if (is_graph(name)) {
    if (edges.empty()) {
      throw UsageError("topology " + name +
                       ": the edges of a graph are not in its name, and no list of them is here");
    }
    options = graph_options(parse_graph(edges, name + ".edges"));
    const std::string found = name_of(options);
    end = found.size();
    if (name.substr(0, end) != found || (end < name.size() && name[end] != '-')) {
      throw UsageError("topology " + name + ": its list of edges is that of " + found);
    }
  } else if (const std::size_t cross = name.find('x'); cross < end) {
    options.logical = number(name.substr(0, cross), name);
    options.copies = number(name.substr(cross + 1, end - cross - 1), name);
  } else {
    const std::size_t rows = number(name.substr(0, end), name);
    const bool flips = name.substr(end, kFlips.size()) == kFlips;
    options = flips ? flips_options(rows) : rows_options(rows);
    if (!flips && name.substr(end, kRows.size()) != kRows) refuse(name);
    end += flips ? kFlips.size() : kRows.size();
    if (end < name.size() && name[end] != '-') refuse(name);
  }
  while (end < name.size()) {
    const std::size_t begin = end + 1;
    end = std::min(name.find('-', begin), name.size());
    apply(options, name.substr(begin, end - begin), name);
  }
  if (options.rows()) options.max_replicas *= options.lanes;  // so far those of a lane
  return make_topology(options);
}

std::string name_of(const TopologyOptions& options) {
  const TopologyOptions usual = options.flips    ? flips_options(options.logical)
                                : options.rows() ? rows_options(options.logical)
                                                 : TopologyOptions{};
  const std::size_t replicas = options.max_replicas / (options.rows() ? options.lanes : 1);
  std::string name = options.wired() ? graph_name(options) : std::to_string(options.logical);
  name += options.wired()  ? ""
          : options.flips  ? kFlips
          : options.rows() ? kRows
                           : "x" + std::to_string(options.copies);
  if (options.lanes != usual.lanes) {
    name += (options.flips ? "-w" : "-l") + std::to_string(options.lanes);
  }
  if (options.placement != usual.placement) name += "-p" + name_of(options.placement);
  if (options.table_bits != usual.table_bits) name += "-t" + std::to_string(options.table_bits);
  if (options.beta_bits != usual.beta_bits) name += "-b" + std::to_string(options.beta_bits);
  if (options.rng_words != usual.rng_words) name += "-w" + std::to_string(options.rng_words);
  if (replicas != usual.max_replicas) name += "-r" + std::to_string(replicas);
  if (options.forms > 0) {
    name += "-f" + std::to_string(options.forms);
    if (options.form_residuals != rows_contract::kFormResiduals) {
      name += "-m" + std::to_string(options.form_residuals);
    }
  }
  if (options.products) name += "-p";
  if (options.one_hots) name += "-g";
  return name;
}

std::string kernel_function(const TopologyOptions& options) {
  return options.flips ? "pbit_flips" : options.rows() ? "pbit_rows" : "pbit_burst";
}

}  // namespace chainmail
