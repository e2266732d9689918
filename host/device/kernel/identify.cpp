#include "device/kernel/identify.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "support/atomic_file.hpp"
#include "support/error.hpp"
#include "topology/contract.hpp"
#include "topology/status_block.hpp"

namespace chainmail {

Topology topology_of(std::span<const std::uint64_t> status, const std::string& label,
                     const std::string& edges_file) {
  const auto word = [&](std::uint32_t i) {
    return static_cast<std::uint32_t>(status[i / 2] >> 32 * (i % 2));
  };
  TopologyOptions options = options_in(status);
  if (options.graph) {
    if (!std::filesystem::exists(edges_file)) {
      throw DeviceError(fmt::format(
          "{}: the kernel is wired for a graph of {} spins; its list of edges must be in {}", label,
          options.logical, edges_file.empty() ? "a file beside the xclbin" : edges_file));
    }
    options.edges = parse_graph(read_file(edges_file), edges_file).edges;
  }
  const std::uint64_t hash = status[contract::kWordHashLow / 2];
  for (const Placement placement : {Placement::alt, Placement::balanced, Placement::packed}) {
    options.placement = placement;
    try {
      Topology topology = make_topology(options);
      if (topology.hash == hash) return topology;
    } catch (const std::exception&) {  // sizes this placement does not support
      continue;
    }
  }
  throw DeviceError(fmt::format(
      "{}: kernel reports version {:#x}, topology {:016x} of {} spins x {} copies, which "
      "this program (version {:#x}) does not know: build both from the same sources",
      label, word(contract::kWordVersion), hash, options.logical, options.copies,
      contract::kVersion));
}

}  // namespace chainmail
