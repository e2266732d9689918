// Yosys 0.23 accepts no width from another package in a struct, so the structs are written here
// too. Tables become flat vectors, 32 bits per entry, because that is what every SystemVerilog tool
// reads in a package; wires become one assignment per p-bit, so that no tool has to evaluate an
// index table of a hundred thousand bits.
#include "topology/rtl_package.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <functional>

#include "support/text.hpp"
#include "topology/contract.hpp"
#include "topology/flips_topology.hpp"
#include "topology/gumbel.hpp"
#include "topology/status_block.hpp"
#include "topology/threshold.hpp"
#include "topology/uart_link.hpp"

namespace chainmail {

namespace {

constexpr unsigned kBaseBits = 11, kDitherSumBits = 5;  // as logistic_threshold.sv reads them

std::size_t levels_for(std::size_t inputs) {
  return inputs <= 1 ? 0 : static_cast<std::size_t>(std::bit_width(inputs - 1));
}

// The field's tree of one p-bit: early and late tables are summed separately and then together.
std::size_t tree_levels_of(const PbitWiring& w) {
  const std::size_t early = w.early_tables, late = w.used_tables - w.early_tables;
  if (early == 0 || late == 0) return levels_for(early + late);
  return std::max<std::size_t>({levels_for(early), levels_for(late), 1}) + 1;
}

std::string number(const std::string& name, std::uint64_t value) {
  return joined("  parameter int unsigned ", name, " = ", value, ";\n");
}

std::string word(const std::string& name, unsigned bits, std::uint64_t value) {
  return joined("  parameter logic [", bits - 1, ":0] ", name, " = ", bits, "'h", hex(value),
                ";\n");
}

// Entry i in bits [i * bits +: bits]; written from the last entry to the first, as a concatenation.
std::string vector(const std::string& name, unsigned bits, std::size_t entries,
                   const std::function<std::uint64_t(std::size_t)>& value) {
  std::string text = joined("  parameter bit [", bits * entries - 1, ":0] ", name, " = {");
  for (std::size_t i = entries; i-- > 0;) {
    text += joined((entries - 1 - i) % 8 == 0 ? "\n    " : " ", bits, "'h", hex(value(i)));
    if (i != 0) text += ",";
  }
  return text + "\n  };\n";
}

std::string shape(const Topology& t) {
  const TopologyOptions& o = t.options;
  return number("Logical", o.logical) + number("Copies", o.copies) + number("Pbits", t.pbits()) +
         number("Colours", t.stages.size()) + number("MaxReplicas", o.max_replicas) +
         word("Hash", 64, t.hash);
}

std::string widths(const Topology& t) {
  const TopologyOptions& o = t.options;
  return number("TableBits", o.table_bits) + number("AddressBits", t.address_bits) +
         number("Tables", t.tables) + number("BetaBits", o.beta_bits) +
         number("PenaltyBits", contract::kPenaltyBits) + number("RngWords", o.rng_words) +
         number("FieldBits", t.field_bits) + number("EnergyBits", t.energy_bits) +
         number("ViolationBits", std::max(2U, t.violation_bits)) +
         number("StateWords", t.state_words()) + number("ImageWords", t.image_words());
}

std::string timing(const Topology& t) {
  const RtlTiming timing = rtl_timing(t);
  // The violations' tree takes the clocks of the energy's, so those must suffice for it.
  return number("TreeLevels", timing.tree_levels) + number("StageLatency", timing.stage_latency) +
         number("EnergyLevels", timing.energy_levels) +
         number("EnergyLag", timing.energy_levels + 1);
}

std::string contract_numbers() {
  using namespace contract;
  std::string text =
      word("Version", 32, kVersion) + word("Magic", 32, kMagic) + word("AllFlags", 32, kAllFlags);
  const std::pair<const char*, std::uint32_t> flags[] = {
      {"FlagLoadTables", kLoadTables}, {"FlagLoadSpins", kLoadSpins},
      {"FlagStoreSpins", kStoreSpins}, {"FlagStoreBest", kStoreBest},
      {"FlagDescribe", kDescribe},     {"FlagNoBurst", kNoBurst}};
  for (const auto& [name, value] : flags) text += word(name, 32, value);
  const std::pair<const char*, std::uint32_t> codes[] = {{"CodeOk", kOk},
                                                         {"CodeBadReplicas", kBadReplicas},
                                                         {"CodeBadFlags", kBadFlags},
                                                         {"CodeReadError", kReadError},
                                                         {"CodeWriteError", kWriteError},
                                                         {"CodeBadPointer", kBadPointer},
                                                         {"CodeBadImage", kBadImage}};
  for (const auto& [name, value] : codes) text += word(name, 3, value);
  return text + word("NoBest", 32, static_cast<std::uint32_t>(kNoBest));
}

// Registers: words from the first argument on, which of them exist, and where each argument begins.
std::string register_map() {
  using namespace contract;
  const auto word_of = [](std::uint32_t offset) { return (offset - kArgumentBase) / 4; };
  const Argument& last = kArguments.back();
  const std::uint32_t words = word_of(last.offset) + last.bits / 32;
  std::uint64_t mask = 0;
  std::string places;
  for (const Argument& argument : kArguments) {
    mask |= (argument.bits == 64 ? std::uint64_t{3} : 1) << word_of(argument.offset);
    std::string name = argument.name;
    name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
    places += number("Arg" + name, word_of(argument.offset));
  }
  return number("ArgBase", kArgumentBase) + number("ArgWords", words) +
         word("ArgMask", words, mask) + places + number("StatusMirror", kStatusMirror);
}

std::string steps() {
  std::string text = "  typedef enum logic [2:0] {\n";
  for (const char* step : contract::kSteps) {
    text += joined("    Step", step, step != contract::kSteps.back() ? ",\n" : "\n");
  }
  return text + "  } step_e;  // of a call, in order\n";
}

// The status block with code 0 and no clocks, and where those two go.
std::string status(const Topology& t) {
  const StatusBlock block = status_block(t);
  return number("StatusWords", block.size()) + number("WordCode", contract::kWordCode) +
         number("WordClocks", contract::kWordClocksLow) +
         vector("StatusBlock", 32, block.size(), [&](std::size_t i) { return block[i]; });
}

std::string seed_bundle() {
  return R"(  typedef struct packed {  // seeds the streams
    logic       clear;
    logic       step;
    logic [5:0] index;
    logic [7:0] value;
  } seed_t;
)";
}

// Structs that travel through the array.
std::string bundles() {
  return R"(  typedef struct packed {  // loads tables: whoever has the token writes
    logic                   token_clear;
    logic                   token_next;
    logic [AddressBits-1:0] address;
    logic [TableBits-1:0]   data;
  } load_t;
)" + seed_bundle() +
         R"(  typedef struct packed {  // a replica on its way; parameters and energy may follow their state
    logic                   valid;
    logic [Pbits-1:0]       state;
    logic [BetaBits-1:0]    beta;
    logic [PenaltyBits-1:0] penalty;
    logic [EnergyBits-1:0]  energy;
  } slot_t;
)";
}

std::string link_numbers(const Topology& t) {
  using namespace uart_link;
  std::string text =
      word("UartCrcPolynomial", 32, kCrcPolynomial) + word("UartCrcResidue", 32, kCrcResidue) +
      number("UartHeadBytes", kHeadBytes) + number("UartCrcBytes", kCrcBytes) +
      number("UartBufferBytes", buffer_bytes(t)) + number("UartStateBytes", state_bytes(t)) +
      number("UartBetaBytes", beta_bytes(t)) + number("UartParameterBytes", parameter_bytes(t)) +
      number("UartEnergyBytes", energy_bytes(t)) + number("UartOutcomeBytes", outcome_bytes(t)) +
      number("UartTableValues", table_values(t));
  const std::pair<const char*, std::uint8_t> bytes[] = {
      {"UartVersion", kVersion},     {"UartFlag", kFlag},         {"UartEscape", kEscape},
      {"UartFlip", kFlip},           {"UartReply", kReply},       {"UartOpen", kOpen},
      {"UartTables", kTables},       {"UartSpins", kSpins},       {"UartRun", kRun},
      {"UartReadSpins", kReadSpins}, {"UartReadBest", kReadBest}, {"UartOutOfStep", kOutOfStep},
      {"UartBadFrame", kBadFrame}};
  for (const auto& [name, value] : bytes) text += word(name, 8, value);
  return text;
}

std::string thresholds() {
  return vector("ThresholdBase", kBaseBits, 128,
                [](std::size_t i) { return threshold::kBase[i / 16][i % 16]; }) +
         vector("ThresholdDither", kDitherSumBits, 64,
                [](std::size_t i) { return threshold::kDither[i / 8][i % 8]; });
}

// Place of a p-bit among those of its colour that add to the energy.
std::vector<std::uint32_t> early_ranks(const Topology& t) {
  std::vector<std::uint32_t> rank(t.pbits()), next(t.stages.size());
  for (std::size_t p = 0; p < t.pbits(); ++p)
    if (t.wiring[p].early_tables > 0) rank[p] = next[t.wiring[p].colour]++;
  return rank;
}

std::vector<std::size_t> early_members(const Topology& t) {
  std::vector<std::size_t> members(t.stages.size());
  for (const PbitWiring& w : t.wiring) members[w.colour] += w.early_tables > 0 ? 1 : 0;
  return members;
}

std::string pbits(const Topology& t) {
  const auto of = [&](auto field) {
    return [&t, field](std::size_t p) { return static_cast<std::uint64_t>(t.wiring[p].*field); };
  };
  const std::vector<std::uint32_t> rank = early_ranks(t);
  const std::vector<std::size_t> members = early_members(t);
  std::vector<std::size_t> place(t.pbits());  // among the p-bits of its colour
  for (const auto& stage : t.stages)
    for (std::size_t i = 0; i < stage.size(); ++i) place[stage[i]] = i;
  return vector("Colour", 32, t.pbits(), of(&PbitWiring::colour)) +
         vector("UsedTables", 32, t.pbits(), of(&PbitWiring::used_tables)) +
         vector("EarlyTables", 32, t.pbits(), of(&PbitWiring::early_tables)) +
         vector("Rank", 32, t.pbits(), [&](std::size_t p) { return place[p]; }) +
         vector("EarlyRank", 32, t.pbits(), [&](std::size_t p) { return rank[p]; }) +
         vector("SeedCode", 64, t.pbits(), of(&PbitWiring::seed_code)) +
         vector("StageSize", 32, t.stages.size(),
                [&](std::size_t c) { return t.stages[c].size(); }) +
         vector("StageEarly", 32, members.size(), [&](std::size_t c) { return members[c]; });
}

// Groups and the table of their noise.
std::string one_hots(const Topology& t) {
  const bool any = t.options.one_hots;
  const auto gumbel = any ? gumbel_table() : std::vector<std::uint32_t>{0};
  return number("OneHots", any ? 1 : 0) + vector("Gumbel", rows_contract::kGumbelBits,
                                                 gumbel.size(),
                                                 [&](std::size_t i) { return gumbel[i]; });
}

// The row kernel's constraints; the bit fields are those of docs/rows.md.
std::string row_constraints(const Topology& t) {
  using namespace rows_contract;
  const TopologyOptions& o = t.options;
  std::string text =
      number("Forms", o.forms) + number("FormResiduals", o.form_residuals) +
      number("Products", o.products ? 1 : 0) + number("ProductBeats", t.product_beats()) +
      number("HeadBeats", t.head_beats()) + number("CoefficientBits", kCoefficientBits) +
      number("ResidualBits", kResidualBits) + number("PullBits", kPullBits);
  return text + one_hots(t);
}

// The clocks of a pass (cm_row_lane.sv, cm_row_constraint.sv). The field's tree is as deep as its
// inputs need, or deeper: the constraints' result has to be ready a clock before the field.
struct RowTiming {
  std::size_t levels, form_read;  // of the tree; the clock at which residuals are read, at least 3
};
RowTiming row_timing(const Topology& t) {
  const TopologyOptions& o = t.options;
  const std::size_t products = o.products ? 1 : 0, forms = levels_for(o.forms);
  RowTiming timing{std::max<std::size_t>(levels_for(t.tables), 1), 3};
  if (o.forms > 0) timing.levels = std::max(timing.levels, 4 + forms + products);
  if (o.products) timing.levels = std::max(timing.levels, 2 + levels_for((t.pbits() + 2) / 3));
  if (o.forms > 0) timing.form_read = timing.levels - 1 - forms - products;
  return timing;
}

// Structs that travel through the row kernel, the same for all lanes.
std::string row_bundles(const Topology& t) {
  const TopologyOptions& o = t.options;
  const RowTiming timing = row_timing(t);
  const auto bits_for = [](std::size_t values) {
    return std::max<std::size_t>(levels_for(values), 1);
  };
  return number("SlotBits", bits_for(t.lane_replicas())) +
         number("NumberBits", bits_for(o.form_residuals)) +
         number("FormPorts", std::max<std::size_t>(o.forms, 1)) +
         number("PairSpins", o.products ? t.pbits() : 1) +
         number("Constrained", o.penalised() || o.one_hots ? 1 : 0) +
         "  parameter int unsigned FormBits = NumberBits + CoefficientBits;\n" +
         number("FormReadAt", timing.form_read) + number("TreeLevels", timing.levels) +
         // A replica may pass again after this many clocks, when everything it writes is in memory;
         // the clocks at which lanes use a pass begin one before it.
         number("PassDepth", timing.levels + 9) + number("PassClocks", timing.levels + 10) +
         "  parameter int unsigned PassBits = SlotBits + SliceBits + 15;\n\n" +
         R"(  typedef struct packed {  // broadcast to all lanes with a pass, every clock
    logic [SlotBits-1:0]  slot;
    logic [SliceBits-1:0] slice;  // of the row's spin,
    logic [2:0]           place;  // and its place in it
    logic                 bank;
    logic                 hold;   // spins stay: measuring, flush
    logic                 flush;
    logic                 fresh;
    logic                 whole;
    logic                 measuring;
    logic                 takes_best;
    logic                 first;
    logic                 clamp;
    logic                 member;  // of a group, when spins turn: its first,
    logic                 begins;
    logic                 settle;  // and the row that settles it
  } row_pass_t;
  typedef struct packed {  // broadcast to all lanes about a row, each field at its clock
    logic [SlotBits-1:0]               read_slot;
    logic [FormPorts*NumberBits-1:0]   read_number;
    logic [FormPorts-1:0]              first;
    logic [FormPorts*ResidualBits-1:0] step_up;
    logic [FormPorts*ResidualBits-1:0] step_down;
    logic [FormPorts-1:0]              equality;
    logic [SlotBits-1:0]               write_slot;
    logic [FormPorts*NumberBits-1:0]   write_number;
    logic [FormPorts-1:0]              used;
    logic [PairSpins-1:0]              partners;
    logic [3:0]                        shift;
    logic [FormPorts*FormBits-1:0]     entries;  // number and coefficient, for groups
  } row_broadcast_t;
)";
}

// The row kernel's sizes and its lanes' codes.
std::string rows_shape(const Topology& t) {
  const TopologyOptions& o = t.options;
  return number("Pbits", t.pbits()) + number("Lanes", o.lanes) +
         number("LaneReplicas", t.lane_replicas()) + number("MaxReplicas", o.max_replicas) +
         number("Groups", t.tables) + number("RowBeats", t.row_beats()) +
         word("ImageMark", 32, t.hash & 0xffff'ffff) + number("EntryBits", o.table_bits + 3) +
         row_constraints(t) + number("BetaBits", o.beta_bits) +
         number("PenaltyBits", t.penalty_bits()) + number("RngWords", o.rng_words) +
         number("FieldBits", t.field_bits) + number("EnergyBits", t.energy_bits) +
         number("ViolationBits", t.violation_bits) + number("StateWords", t.state_words()) +
         // Of a slice of eight spins: its place in a word and the word's number.
         number("SliceBits",
                std::max<std::size_t>(4, static_cast<std::size_t>(std::bit_width(t.pbits() / 8)))) +
         vector("LaneCode", 64, o.lanes, [&](std::size_t lane) { return t.lane_codes[lane]; });
}

std::string ring_package(const Topology& t) {
  return shape(t) + "\n" + widths(t) + "\n" + timing(t) + "\n" + bundles() + "\n" +
         contract_numbers() + "\n" + register_map() + "\n" + steps() + "\n" + status(t) + "\n" +
         link_numbers(t) + "\n" + thresholds() + "\n" + pbits(t);
}

std::string rows_package(const Topology& t) {
  return rows_shape(t) + "\n" + row_bundles(t) + "\n" + seed_bundle() + "\n" + contract_numbers() +
         "\n" + register_map() + "\n" + steps() + "\n" + status(t) + "\n" + thresholds();
}

// What travels with a replica of the flip kernel, from the queue and back.
std::string flip_bundles() {
  return R"(  parameter int unsigned TokenBits = SlotBits + ChunkBits + LaneBits + RowBits + 38;
  typedef struct packed {
    logic [SlotBits-1:0]  slot;
    logic [31:0]          left;    // sweeps, with the one under way
    logic [ChunkBits-1:0] chunk;
    logic [LaneBits-1:0]  start;   // lanes before it are done
    logic [RowBits-1:0]   row;     // that turned last,
    logic                 turned;  // if one did,
    logic                 down;    // and that way
    logic                 loads;   // spins go to the cells, nothing is drawn
    logic                 draws;   // else only what is pending is applied
    logic                 opening;
    logic                 settles;  // sets up the best member of a group
  } flip_token_t;
)";
}

std::string flips_package(const Topology& t) {
  using namespace flips_contract;
  const TopologyOptions& o = t.options;
  const auto bits_for = [](std::size_t values) {
    return std::max<std::size_t>(levels_for(values), 1);
  };
  return number("Pbits", t.pbits()) + number("Lanes", o.lanes) +
         number("MaxReplicas", o.max_replicas) + word("ImageMark", 32, t.hash & 0xffff'ffff) +
         number("ImageWords", t.image_words()) + number("BetaBits", o.beta_bits) +
         number("RngWords", o.rng_words) + number("FieldBits", t.field_bits) +
         number("EnergyBits", t.energy_bits) + number("StateWords", t.state_words()) +
         number("LeftOutBit", left_out_bit(o)) + number("LeftOutBits", 64 - left_out_bit(o)) +
         number("Products", o.products ? 1 : 0) + number("PullBits", rows_contract::kPullBits) +
         number("Forms", o.forms) +
         number("FormResiduals", std::max<std::size_t>(o.form_residuals, 1)) +
         number("NumberBits", bits_for(o.form_residuals)) + one_hots(t) +
         number("CoefficientBits", rows_contract::kCoefficientBits) +
         number("ResidualBits", rows_contract::kResidualBits) +
         number("ViolationBits", t.violation_bits) + number("SlotBits", bits_for(o.max_replicas)) +
         number("ChunkBits", bits_for(t.pbits() / o.lanes)) +
         number("LaneBits", bits_for(o.lanes)) + number("RowBits", bits_for(t.pbits())) +
         vector("LaneCode", 64, o.lanes, [&](std::size_t lane) { return t.lane_codes[lane]; }) +
         "\n" + flip_bundles() + "\n" + contract_numbers() + "\n" + register_map() + "\n" +
         steps() + "\n" + status(t) + "\n" + thresholds();
}

}  // namespace

RtlTiming rtl_timing(const Topology& topology) {
  RtlTiming timing{};
  timing.tree_levels = 2;  // the threshold takes as long
  for (const PbitWiring& w : topology.wiring)
    timing.tree_levels = std::max(timing.tree_levels, tree_levels_of(w));
  timing.stage_latency = timing.tree_levels + 3;
  for (std::size_t members : early_members(topology))
    timing.energy_levels = std::max(timing.energy_levels, levels_for(members));
  const std::size_t groups = (topology.links + 5) / 6;  // popcount.sv counts six links at a time
  timing.energy_levels = std::max(timing.energy_levels + 1, levels_for(groups)) - 1;
  timing.depth = topology.stages.size() * timing.stage_latency + 2;
  return timing;
}

std::string rtl_package(const Topology& topology) {
  return "// Topology " + topology.name +
         ", written by host/topology/rtl_package.cpp; the contract is docs/kernel.md.\n"
         "package topology_pkg;\n"
         "  // Not every kernel uses every constant, nor every bit of a vector.\n"
         "  // verilator lint_off UNUSEDPARAM\n" +
         (topology.options.flips    ? flips_package(topology)
          : topology.options.rows() ? rows_package(topology)
                                    : ring_package(topology)) +
         "  // verilator lint_on UNUSEDPARAM\n"
         "endpackage\n";
}

std::string rtl_wiring(const Topology& t) {
  if (t.options.dense()) return "// Topology " + t.name + " has no wires between its spins.\n";
  const std::size_t slots = t.tables * t.address_bits;
  std::string text =
      joined("// Topology ", t.name,
             ", written by host/topology/rtl_package.cpp: the neighbours that address the\n"
             "// tables of a stage's p-bits, slot 0 lowest. Wires only.\n"
             "`default_nettype none\nmodule cm_stage_wiring #(\n"
             "  parameter int unsigned Stage = 0\n) (\n  input  wire logic [",
             t.pbits() - 1, ":0] state_i,\n  output logic      [", t.pbits() * slots - 1,
             ":0] neighbours_o\n);\n");
  for (std::size_t p = 0; p < t.pbits(); ++p) {
    const PbitWiring& w = t.wiring[p];
    const std::string range = joined("neighbours_o[", (p + 1) * slots - 1, ":", p * slots, "]");
    text += joined("  if (Stage == ", w.colour, ") begin : gen_pbit_", p, "\n    assign ", range,
                   " = {");
    for (std::size_t s = slots; s-- > 0;) {
      const std::uint32_t other = s < w.slots.size() ? w.slots[s] : Topology::kNoPbit;
      text += other == Topology::kNoPbit ? "1'b0" : joined("state_i[", other, "]");
      text += s != 0 ? ", " : "};\n";
    }
    text += joined("  end else begin : gen_other_", p, "\n    assign ", range, " = '0;\n  end\n");
  }
  return text +
         "\n  // A colour does not listen to itself, so some spins are not looked at here.\n"
         "  logic unused_state;\n  assign unused_state = ^state_i;\nendmodule\n`default_nettype "
         "wire\n";
}

}  // namespace chainmail
