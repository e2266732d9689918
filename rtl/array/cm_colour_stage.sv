// One colour of the ring: updates the p-bits of its colour from the passing state vector and adds
// their share to the energy. The other spins, and the parameters of the replica, only pass through.
//
// Alignment: a state enters and leaves StageLatency apart. Valid comes a clock before it, and the
// parameters TreeLevels clocks after it: a relay later draws and fields are due. The energy follows
// by EnergyLevels + 1.
`default_nettype none
module cm_colour_stage #(
  parameter int unsigned Stage   = 0,
  parameter bit          WideAdd = 1'b1,
  localparam int unsigned TurnBits    = 1,  // advance_i and phase_i are for stages with turns
  // Widths of the topology, named here for the ports.
  localparam int unsigned Pbits       = topology_pkg::Pbits,
  localparam int unsigned BetaBits    = topology_pkg::BetaBits,
  localparam int unsigned PenaltyBits = topology_pkg::PenaltyBits,
  localparam int unsigned EnergyBits  = topology_pkg::EnergyBits
) (
  input  wire logic                clk_i,
  input  wire logic                advance_i,
  input  wire logic [TurnBits-1:0] phase_i,

  input  wire topology_pkg::load_t load_i,
  input  wire logic [Pbits-1:0]    token_i,
  output logic      [Pbits-1:0]    token_o,  // of this colour's p-bits, else 0
  input  wire topology_pkg::seed_t seed_i,
  input  wire logic                measure_i,
  input  wire topology_pkg::slot_t slot_i,
  output topology_pkg::slot_t      slot_o
);
  localparam int unsigned Levels    = topology_pkg::TreeLevels;
  localparam int unsigned FieldBits = topology_pkg::FieldBits;
  localparam int unsigned Address   = topology_pkg::AddressBits;
  localparam int unsigned Slots     = topology_pkg::Tables * Address;
  localparam int unsigned Latency   = topology_pkg::StageLatency;
  localparam int unsigned Early     = topology_pkg::StageEarly[32*Stage+:32];  // p-bits with E

  // ---- what only travels --------------------------------------------------------------------------
  // A bit's loads are the tables of all its neighbours.
  (* max_fanout = 64 *) logic [Pbits-1:0] state_q;  // t = 0
  logic [Pbits-1:0] links;       // t = Levels
  logic [Pbits-1:0] old_q;       // t = Levels + 1
  logic [Pbits-1:0] passed_q;    // t = Levels + 2
  logic             draw;        // t = Levels - 4, a relay before the p-bits
  always_ff @(posedge clk_i) begin
    state_q  <= slot_i.state;
    old_q    <= links;
    passed_q <= old_q;
  end
  cm_delay_line #(
    .Width(Pbits),
    .Depth(Levels)
  ) u_state (
    .clk_i,
    .advance_i(1'b1),
    .data_i(state_q),
    .data_o(links)
  );
  cm_delay_line #(
    .Width(1),
    .Depth(Levels - 2)
  ) u_draw (
    .clk_i,
    .advance_i(1'b1),
    .data_i(slot_i.valid),
    .data_o(draw)
  );
  cm_delay_line #(
    .Width(1),
    .Depth(Latency - Levels + 2)
  ) u_valid (
    .clk_i,
    .advance_i(1'b1),
    .data_i(draw),
    .data_o(slot_o.valid)
  );
  cm_delay_line #(
    .Width(BetaBits + PenaltyBits),
    .Depth(Latency)
  ) u_parameters (
    .clk_i,
    .advance_i(1'b1),
    .data_i({slot_i.beta, slot_i.penalty}),
    .data_o({slot_o.beta, slot_o.penalty})
  );

  // ---- what reaches every p-bit, a relay for each group of them -------------------------------------
  // Tables and tokens of a group are at most 128 loads. A stream steps a clock after its p-bit has
  // the byte, so the bytes are delayed a clock more than the seeder's step.
  localparam int unsigned Members   = topology_pkg::StageSize[32*Stage+:32];
  localparam int unsigned GroupSize = (topology_pkg::Tables < 128) ? 128 / (topology_pkg::Tables + 1) : 1;
  localparam int unsigned Groups    = (Members + GroupSize - 1) / GroupSize;
  logic [Groups-1:0]                         token_clear, token_next, seed_clear, seed_step, measure, draws;
  logic [Groups*BetaBits-1:0]                betas;
  logic [Groups*PenaltyBits-1:0]             penalties;
  logic [Groups*Address-1:0]                 load_address;
  logic [Groups*topology_pkg::TableBits-1:0] load_data;
  logic [Groups*6-1:0]                       seed_index;
  logic [Groups*8-1:0]                       seed_byte;
  for (genvar g = 0; g < Groups; g++) begin : gen_group
    cm_relay #(
      .Width(6 + Address + topology_pkg::TableBits + BetaBits + PenaltyBits)
    ) u_relay (
      .clk_i,
      .data_i({load_i.token_clear, load_i.token_next, load_i.address, load_i.data, seed_i.clear,
               seed_i.step, measure_i, draw, slot_i.beta, slot_i.penalty}),
      .data_o({token_clear[g], token_next[g], load_address[g*Address+:Address],
               load_data[g*topology_pkg::TableBits+:topology_pkg::TableBits], seed_clear[g],
               seed_step[g], measure[g], draws[g], betas[g*BetaBits+:BetaBits],
               penalties[g*PenaltyBits+:PenaltyBits]})
    );
    cm_relay #(
      .Width(14),
      .Depth(2)
    ) u_bytes (
      .clk_i,
      .data_i({seed_i.index, seed_i.value}),
      .data_o({seed_index[6*g+:6], seed_byte[8*g+:8]})
    );
  end

  // ---- the p-bits of this colour --------------------------------------------------------------------
  logic [Pbits*Slots-1:0] neighbours;
  cm_stage_wiring #(
    .Stage(Stage)
  ) u_wiring (
    .state_i     (state_q),
    .neighbours_o(neighbours)
  );

  logic [Pbits-1:0] state;
  assign slot_o.state = state;

  // One entry for each p-bit that has neighbours of earlier colours (or a field).
  localparam int unsigned EarlySlots = (Early > 0) ? Early : 1;
  logic [EarlySlots-1:0]           early_spins;
  logic [EarlySlots*FieldBits-1:0] early;

  for (genvar p = 0; p < Pbits; p++) begin : gen_pbit
    localparam int unsigned UsedTables  = topology_pkg::UsedTables[32*p+:32];
    localparam int unsigned Tables      = (UsedTables > 0) ? UsedTables : 1;
    localparam int unsigned EarlyTables = topology_pkg::EarlyTables[32*p+:32];
    if (topology_pkg::Colour[32*p+:32] == Stage) begin : gen_here
      localparam bit HasBefore = p >= topology_pkg::Logical;
      localparam bit HasAfter  = p + topology_pkg::Logical < Pbits;
      localparam int unsigned Group = topology_pkg::Rank[32*p+:32] / GroupSize;
      // A constant of 64 bits addressed by the step: one LUT.
      localparam bit [63:0] SeedCode = topology_pkg::SeedCode[64*p+:64];
      logic                 absorb;
      logic [1:0]           chain;
      logic                 spin;
      logic [FieldBits-1:0] my_early;
      assign absorb = SeedCode[seed_index[6*Group+:6]];
      // A p-bit with one chain neighbour finds it in bit 0.
      if (HasBefore && HasAfter) begin : gen_middle
        assign chain = {links[p+topology_pkg::Logical], links[p-topology_pkg::Logical]};
      end else if (HasBefore) begin : gen_last
        assign chain = {1'b0, links[p-topology_pkg::Logical]};
      end else if (HasAfter) begin : gen_first
        assign chain = {1'b0, links[p+topology_pkg::Logical]};
      end else begin : gen_alone
        assign chain = 2'b00;
      end

      cm_pbit #(
        .TableBits  (topology_pkg::TableBits),
        .AddressBits(Address),
        .ImageTables(topology_pkg::Tables),
        .Tables     (Tables),
        .HasField   (UsedTables > 0),
        .EarlyTables(EarlyTables),
        .Links      ((HasBefore ? 1 : 0) + (HasAfter ? 1 : 0)),
        .FieldBits  (FieldBits),
        .BetaBits   (BetaBits),
        .PenaltyBits(PenaltyBits),
        .RngWords   (topology_pkg::RngWords),
        .Levels     (Levels),
        .WideAdd    (WideAdd)
      ) u_pbit (
        .clk_i,
        .token_clear_i (token_clear[Group]),
        .token_next_i  (token_next[Group]),
        .token_i       (token_i[p]),
        .token_o       (token_o[p]),
        .load_address_i(load_address[Group*Address+:Address]),
        .load_data_i   (load_data[Group*topology_pkg::TableBits+:topology_pkg::TableBits]),
        .seed_clear_i  (seed_clear[Group]),
        .seed_step_i   (seed_step[Group]),
        .seed_absorb_i (absorb),
        .seed_byte_i   (seed_byte[8*Group+:8]),
        .neighbours_i  (neighbours[p*Slots+:Tables*Address]),
        .draw_i        (draws[Group]),
        .links_i       (chain),
        .beta_i        (betas[Group*BetaBits+:BetaBits]),
        .penalty_i     (penalties[Group*PenaltyBits+:PenaltyBits]),
        .old_i         (old_q[p]),
        .measure_i     (measure[Group]),
        .spin_o        (spin),
        .early_o       (my_early)
      );
      assign state[p] = spin;
      logic unused_passed;
      assign unused_passed = passed_q[p];
      if (Tables < topology_pkg::Tables) begin : gen_fewer
        logic unused_slots;
        assign unused_slots = ^neighbours[p*Slots+Tables*Address+:Slots-Tables*Address];
      end
      if (EarlyTables > 0) begin : gen_early
        localparam int unsigned Rank = topology_pkg::EarlyRank[32*p+:32];
        assign early_spins[Rank]                     = spin;
        assign early[Rank*FieldBits+:FieldBits]      = my_early;
      end else begin : gen_late
        logic unused_early;
        assign unused_early = ^my_early;
      end
    end else begin : gen_elsewhere
      assign state[p]   = passed_q[p];
      assign token_o[p] = 1'b0;
      logic unused_wires;  // of other colours' p-bits
      assign unused_wires = ^{token_i[p], neighbours[p*Slots+:Slots]};
    end
  end

  // Only folded stages use turns.
  logic unused_turns;
  assign unused_turns = ^{advance_i, phase_i};

  // ---- energy ---------------------------------------------------------------------------------------
  // f loses spin * E of each p-bit. The sum is ready EnergyLevels clocks after the state has left;
  // one more clock adds it to the sum of the earlier stages.
  if (Early == 0) begin : gen_no_energy
    logic unused_early;
    assign early       = '0;
    assign early_spins = '0;
    assign unused_early = ^{early, early_spins};
    cm_delay_line #(
      .Width(EnergyBits),
      .Depth(Latency)
    ) u_energy (
      .clk_i,
      .advance_i(1'b1),
      .data_i(slot_i.energy),
      .data_o(slot_o.energy)
    );
  end else begin : gen_energy
    logic                  spin;
    logic [EnergyBits-1:0] value, gathered, energy, energy_q;
    cm_energy_sum #(
      .Members  (Early),
      .FieldBits(FieldBits),
      .SumBits  (EnergyBits),
      .Levels   (topology_pkg::EnergyLevels)
    ) u_sum (
      .clk_i,
      .spins_i(early_spins),
      .early_i(early),
      .spin_o (spin),
      .value_o(value)
    );
    cm_delay_line #(
      .Width(EnergyBits),
      .Depth(Latency - 1)
    ) u_energy (
      .clk_i,
      .advance_i(1'b1),
      .data_i(slot_i.energy),
      .data_o(gathered)
    );
    cm_add_subtract #(
      .Width(EnergyBits)
    ) u_add (
      .a_i       (gathered),
      .b_i       (value),
      .subtract_i(spin),
      .result_o  (energy)
    );
    always_ff @(posedge clk_i) energy_q <= energy;
    assign slot_o.energy = energy_q;
  end
endmodule
`default_nettype wire
