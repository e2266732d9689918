#include "device/kernel/identify.hpp"

#include <fmt/format.h>

#include "support/error.hpp"
#include "topology/contract.hpp"

namespace chainmail {

Topology topology_of(std::span<const std::uint64_t> status, const std::string& label) {
  const auto word = [&](std::uint32_t i) {
    return static_cast<std::uint32_t>(status[i / 2] >> 32 * (i % 2));
  };
  TopologyOptions options;
  options.logical = word(contract::kWordShape) & 0xffff;
  options.copies = word(contract::kWordShape) >> 16;
  options.max_replicas = word(contract::kWordReplicas);
  options.table_bits = word(contract::kWordTables) & 0xff;
  options.beta_bits = word(contract::kWordWidths) & 0xff;
  options.rng_words = word(contract::kWordWidths) >> 8 & 0xff;
  const std::uint64_t hash = status[contract::kWordHashLow / 2];
  for (const Placement placement : {Placement::alt, Placement::balanced, Placement::packed}) {
    options.placement = placement;
    try {
      Topology topology = make_topology(options);
      if (topology.hash == hash) return topology;
    } catch (const std::exception&) {  // sizes this placement does not do
      continue;
    }
  }
  throw DeviceError(fmt::format(
      "{}: kernel says version {:#x}, topology {:016x} of {} spins x {} copies, which this program "
      "(version {:#x}) does not make: build both from the same sources",
      label, word(contract::kWordVersion), hash, options.logical, options.copies,
      contract::kVersion));
}

}  // namespace chainmail
