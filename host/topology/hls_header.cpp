#include "topology/hls_header.hpp"

#include <functional>

#include "support/text.hpp"
#include "topology/contract.hpp"
#include "topology/flips_topology.hpp"
#include "topology/gumbel.hpp"
#include "topology/status_block.hpp"
#include "topology/threshold.hpp"

namespace chainmail {

namespace {

// Iterations that may pass until a replica's state is written back: tables, tree, multiplier.
constexpr std::size_t rows_hls_depth = 40;
constexpr std::size_t flips_hls_depth = 40;

// One line per row keeps the generated file readable and its diffs local.
std::string table(const std::string& declaration, std::size_t rows, std::size_t columns,
                  const std::function<std::uint64_t(std::size_t, std::size_t)>& value) {
  std::string text = declaration + " = {\n";
  for (std::size_t r = 0; r < rows; ++r) {
    text += columns > 1 ? "    {" : "    ";
    for (std::size_t c = 0; c < columns; ++c) {
      text += (c ? ", 0x" : "0x") + hex(value(r, c));
    }
    text += columns > 1 ? "},\n" : ",\n";
  }
  return text + "};\n";
}

std::string constant(const std::string& name, std::uint64_t value) {
  return joined("constexpr unsigned ", name, " = ", value, ";\n");
}

std::string scalars(const Topology& t) {
  const TopologyOptions& o = t.options;
  return constant("kLogical", o.logical) + constant("kCopies", o.copies) +
         constant("kPbits", t.pbits()) + constant("kColours", t.stages.size()) +
         constant("kLinks", t.links) + constant("kTableBits", o.table_bits) +
         constant("kAddressBits", t.address_bits) + constant("kTables", t.tables) +
         constant("kBetaBits", o.beta_bits) + constant("kRngWords", o.rng_words) +
         constant("kMaxReplicas", o.max_replicas) + constant("kFieldBits", t.field_bits) +
         constant("kEnergyBits", t.energy_bits) + constant("kViolationBits", t.violation_bits) +
         constant("kStateWords", t.state_words()) + constant("kTableWords", t.table_words()) +
         constant("kDepth", hls_depth(t)) + constant("kStreams", t.pbits());
}

std::string wiring(const Topology& t) {
  const std::size_t slots = t.tables * t.address_bits;
  const auto pbit = [&](std::uint32_t p) { return p == Topology::kNoPbit ? t.pbits() : p; };
  std::string text = "// Neighbour in each slot; kPbits where the slot is empty.\n";
  text += table("constexpr unsigned short kNeighbour[kPbits][kTables * kAddressBits]", t.pbits(),
                slots, [&](std::size_t p, std::size_t s) {
                  const auto& list = t.wiring[p].slots;
                  return s < list.size() ? pbit(list[s]) : t.pbits();
                });
  text += table("constexpr unsigned char kEarlyTables[kPbits]", t.pbits(), 1,
                [&](std::size_t p, std::size_t) { return t.wiring[p].early_tables; });
  text += table("constexpr unsigned char kUsedTables[kPbits]", t.pbits(), 1,
                [&](std::size_t p, std::size_t) { return t.wiring[p].used_tables; });
  text += table("constexpr unsigned short kLink[kPbits][2]", t.pbits(), 2,
                [&](std::size_t p, std::size_t k) { return pbit(t.wiring[p].links[k]); });
  text += table("constexpr unsigned long long kSeedCode[kPbits]", t.pbits(), 1,
                [&](std::size_t p, std::size_t) { return t.wiring[p].seed_code; });
  std::vector<std::uint32_t> members, begins{0};
  for (const auto& stage : t.stages) {
    members.insert(members.end(), stage.begin(), stage.end());
    begins.push_back(static_cast<std::uint32_t>(members.size()));
  }
  text +=
      "// p-bits in the order of their colours; stage c is [kStageBegin[c], kStageBegin[c + 1]).\n";
  text += table("constexpr unsigned short kMember[kPbits]", members.size(), 1,
                [&](std::size_t m, std::size_t) { return members[m]; });
  text += table("constexpr unsigned short kStageBegin[kColours + 1]", begins.size(), 1,
                [&](std::size_t c, std::size_t) { return begins[c]; });
  return text;
}

std::string thresholds() {
  return constant("kThresholdFraction", threshold::kFraction) +
         constant("kThresholdBits", threshold::kBits) +
         constant("kOctaveBits", threshold::kOctaveBits) +
         table("constexpr unsigned short kBase[8][16]", 8, 16,
               [](std::size_t r, std::size_t m) { return threshold::kBase[r][m]; }) +
         table("constexpr unsigned char kDither[8][8]", 8, 8,
               [](std::size_t s, std::size_t d) { return threshold::kDither[s][d]; });
}

// The status block in 64-bit words, with code 0.
std::string status(const Topology& t) {
  const StatusBlock block = status_block(t);
  return constant("kStatusWords", block.size() / 2) +
         constant("kCodeWord", contract::kWordCode / 2) +
         table("constexpr unsigned long long kStatusBlock[kStatusWords]", block.size() / 2, 1,
               [&](std::size_t i, std::size_t) {
                 return block[2 * i] | std::uint64_t{block[2 * i + 1]} << 32;
               });
}

// Linear forms; one name for each bit field of docs/rows.md.
std::string forms(const Topology& t) {
  using namespace rows_contract;
  return constant("kForms", t.options.forms) +
         constant("kFormResiduals", t.options.form_residuals) +
         constant("kCoefficientBits", kCoefficientBits) + constant("kNumberBit", kNumberBit) +
         constant("kNumberBits", kNumberBits) + constant("kEqualityBit", kEqualityBit) +
         constant("kFirstBit", kFirstBit) + constant("kResidualBit", kResidualBit) +
         constant("kResidualBits", kResidualBits) + constant("kPullBits", kPullBits);
}

// One-hot groups, and the table of their noise.
std::string groups(const Topology& t) {
  using namespace rows_contract;
  const bool any = t.options.one_hots;
  const auto gumbel = any ? gumbel_table() : std::vector<std::uint32_t>{0};
  return constant("kOneHots", any ? 1 : 0) + constant("kMemberBit", kMemberBit) +
         constant("kBeginBit", kBeginBit) + constant("kSettleBit", kSettleBit) +
         constant("kGumbelEntries", gumbel.size()) + constant("kGumbelBaseBits", kGumbelBaseBits) +
         table("constexpr unsigned kGumbel[kGumbelEntries]", gumbel.size(), 1,
               [&](std::size_t i, std::size_t) { return gumbel[i]; });
}

// The row kernel's constraints.
std::string row_constraints(const Topology& t) {
  using namespace rows_contract;
  return forms(t) + constant("kProductBeats", t.product_beats()) +
         constant("kHeadBeats", t.head_beats()) + constant("kShiftBit", kShiftBit) +
         constant("kShiftBits", kShiftBits) + groups(t);
}

// Common to rows and flips: widths, and a stream for every lane.
std::string widths_and_codes(const Topology& t, std::size_t depth) {
  const TopologyOptions& o = t.options;
  return constant("kImageMark", t.hash & 0xffff'ffff) + constant("kBetaBits", o.beta_bits) +
         constant("kRngWords", o.rng_words) + constant("kFieldBits", t.field_bits) +
         constant("kEnergyBits", t.energy_bits) + constant("kViolationBits", t.violation_bits) +
         constant("kStateWords", t.state_words()) + constant("kDepth", depth) +
         constant("kStreams", o.lanes) + constant("kBadImage", contract::kBadImage) +
         table("constexpr unsigned long long kSeedCode[kStreams]", o.lanes, 1,
               [&](std::size_t lane, std::size_t) { return t.lane_codes[lane]; });
}

// Of the row kernel.
std::string rows_scalars(const Topology& t) {
  const TopologyOptions& o = t.options;
  return constant("kPbits", t.pbits()) + constant("kLanes", o.lanes) +
         constant("kLaneReplicas", t.lane_replicas()) + constant("kMaxReplicas", o.max_replicas) +
         constant("kCouplingBits", o.table_bits) + constant("kGroups", t.tables) +
         constant("kGroupSpins", t.address_bits) +
         constant("kBeatWords", rows_contract::kBeatWords) +
         constant("kBeatGroups", rows_contract::kBeatGroups) +
         constant("kRowWords", t.row_words()) + constant("kClampBit", rows_contract::kClampBit) +
         row_constraints(t) + widths_and_codes(t, rows_hls_depth);
}

// Of the flip kernel.
std::string flips_scalars(const Topology& t) {
  using namespace flips_contract;
  const TopologyOptions& o = t.options;
  return constant("kPbits", t.pbits()) + constant("kLanes", o.lanes) +
         constant("kMaxReplicas", o.max_replicas) + constant("kCouplingBits", o.table_bits) +
         constant("kWordCouplings", kWordCouplings) + constant("kRowWords", 1 + t.tables) +
         constant("kHeadWords", kHeadWords) + constant("kClampBit", kClampBit) +
         constant("kLeftOutBit", left_out_bit(o)) + constant("kLeftOutBits", 64 - left_out_bit(o)) +
         constant("kProducts", o.products ? 1 : 0) +
         constant("kShiftBit", rows_contract::kShiftBit) +
         constant("kShiftBits", rows_contract::kShiftBits) + constant("kAllDownBit", kAllDownBit) +
         forms(t) + groups(t) + widths_and_codes(t, flips_hls_depth);
}

std::string contract_numbers(const Topology& t) {
  using namespace contract;
  return constant("kPenaltyBits", t.penalty_bits()) + constant("kSeedSteps", kSeedSteps) +
         constant("kNoBest", static_cast<std::uint64_t>(kNoBest)) +
         constant("kLoadTables", kLoadTables) + constant("kLoadSpins", kLoadSpins) +
         constant("kStoreSpins", kStoreSpins) + constant("kStoreBest", kStoreBest) +
         constant("kDescribe", kDescribe) + constant("kNoBurst", kNoBurst) +
         constant("kAllFlags", kAllFlags) + constant("kOk", kOk) +
         constant("kBadReplicas", kBadReplicas) + constant("kBadFlags", kBadFlags) +
         constant("kBadPointer", kBadPointer);
}

}  // namespace

std::size_t hls_depth(const Topology& topology) {
  return 12 * topology.stages.size() + 24;
}

std::string hls_header(const Topology& topology) {
  const TopologyOptions& o = topology.options;
  return "// Topology " + topology.name +
         ", written by host/topology/hls_header.cpp; the contract is docs/kernel.md" +
         (o.flips    ? " and docs/flips.md"
          : o.rows() ? " and docs/rows.md"
                     : "") +
         ".\n#pragma once\n\nnamespace topology {\n\n" +
         (o.flips    ? flips_scalars(topology)
          : o.rows() ? rows_scalars(topology)
                     : scalars(topology)) +
         "\n" + contract_numbers(topology) + "\n" + status(topology) + "\n" +
         (o.dense() ? "" : wiring(topology) + "\n") + thresholds() + "\n}  // namespace topology\n";
}

}  // namespace chainmail
