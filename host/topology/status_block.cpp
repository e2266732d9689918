#include "topology/status_block.hpp"

namespace chainmail {

namespace {

void put(StatusBlock& block, const StatusField& field, std::uint64_t value) {
  block[field.word] |= static_cast<std::uint32_t>(value << field.shift);
}

std::uint32_t get(std::span<const std::uint64_t> status, const StatusField& field) {
  const std::uint64_t word = status[field.word / 2] >> 32 * (field.word % 2) & 0xffff'ffff;
  return static_cast<std::uint32_t>(word >> field.shift & ((std::uint64_t{1} << field.bits) - 1));
}

}  // namespace

StatusBlock status_block(const Topology& topology) {
  using namespace status_field;
  const TopologyOptions& o = topology.options;
  StatusBlock block{};
  block[contract::kWordMagic] = contract::kMagic;
  block[contract::kWordVersion] = contract::kVersion;
  block[contract::kWordHashLow] = static_cast<std::uint32_t>(topology.hash);
  block[contract::kWordHashHigh] = static_cast<std::uint32_t>(topology.hash >> 32);
  block[contract::kWordPbits] = static_cast<std::uint32_t>(topology.pbits());
  put(block, kLogical, o.logical);
  put(block, kCopies, o.copies);
  put(block, kReplicas, o.max_replicas);
  put(block, kTableBits, o.table_bits);
  put(block, kAddressBits, topology.address_bits);
  put(block, kTables, topology.tables);
  put(block, kBetaBits, o.beta_bits);
  put(block, kRngWords, o.rng_words);
  put(block, kColours, topology.stages.size());
  put(block, kLanes, o.lanes);
  put(block, kForms, o.forms);
  put(block, kProducts, o.products ? 1 : 0);
  put(block, kOneHots, o.one_hots ? 1 : 0);
  put(block, kFlips, o.flips ? 1 : 0);
  put(block, kResiduals, o.form_residuals);
  for (std::size_t side = 0; side < o.sides.size(); ++side) put(block, kSides[side], o.sides[side]);
  put(block, kGraph, o.graph ? 1 : 0);
  return block;
}

TopologyOptions options_in(std::span<const std::uint64_t> status) {
  using namespace status_field;
  TopologyOptions options;
  options.logical = get(status, kLogical);
  options.copies = get(status, kCopies);
  options.max_replicas = get(status, kReplicas);
  options.table_bits = get(status, kTableBits);
  options.beta_bits = get(status, kBetaBits);
  options.rng_words = get(status, kRngWords);
  options.lanes = get(status, kLanes);
  options.forms = get(status, kForms);
  options.products = get(status, kProducts) != 0;
  options.one_hots = get(status, kOneHots) != 0;
  options.flips = get(status, kFlips) != 0;
  options.form_residuals = get(status, kResiduals);
  for (std::size_t side = 0; side < options.sides.size(); ++side) {
    options.sides[side] = get(status, kSides[side]);
  }
  options.graph = get(status, kGraph) != 0;
  return options;
}

}  // namespace chainmail
