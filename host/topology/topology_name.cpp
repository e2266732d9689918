// Names of topologies: "100x3" for the defaults, suffixes for what differs, e.g.
// "5x2-t9-b17-w2-r16"; "256-rows-l8" for row kernels, "256-flips-w64" for flip kernels. One string
// says all, so that build rules, devices and messages share it.
#include <algorithm>
#include <charconv>

#include "support/error.hpp"
#include "topology/topology.hpp"

namespace chainmail {

namespace {

const std::string kRows = "-rows", kFlips = "-flips";

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
      "-rREPLICAS -bBETABITS -p (products), as in 1024-flips-w64");
}

std::size_t number(const std::string& text, const std::string& name) {
  std::size_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || stop != end || value > 1'000'000) refuse(name);
  return value;
}

void apply(TopologyOptions& options, const std::string& suffix, const std::string& name) {
  // A row kernel has lanes and what it knows of constraints; a ring has placements and tables.
  const std::string others = options.flips ? "tlfmg" : options.rows() ? "t" : "lfmg";
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

Topology topology_from_name(const std::string& name) {
  TopologyOptions options;
  std::size_t end = std::min(name.find('-'), name.size());
  if (const std::size_t cross = name.find('x'); cross < end) {
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
  std::string name = std::to_string(options.logical);
  name += options.flips ? kFlips : options.rows() ? kRows : "x" + std::to_string(options.copies);
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
