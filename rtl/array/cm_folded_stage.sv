// One colour of the ring whose p-bits take turns: cm_colour_stage.sv for small parts. A replica
// waits at the stage for a beat of Turns clocks, in which each engine (cm_shared_pbit.sv) takes up
// to Turns p-bits one after the other; it leaves StageBeats beats later.
//
// Everything moves at advance_i, the last clock of a beat. State, valid and parameters enter and
// leave together; the energy follows one beat later.
`default_nettype none
module cm_folded_stage #(
  parameter int unsigned Stage      = 0,
  parameter int unsigned Turns      = 5,
  parameter int unsigned StageBeats = 2,
  parameter bit          WideAdd    = 1'b0,
  // Widths of the topology, named here for the ports.
  localparam int unsigned Pbits       = topology_pkg::Pbits,
  localparam int unsigned BetaBits    = topology_pkg::BetaBits,
  localparam int unsigned PenaltyBits = topology_pkg::PenaltyBits,
  localparam int unsigned EnergyBits  = topology_pkg::EnergyBits,
  localparam int unsigned TurnBits    = $clog2(Turns)
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
  localparam int unsigned FieldBits = topology_pkg::FieldBits;
  localparam int unsigned Address   = topology_pkg::AddressBits;
  localparam int unsigned Members   = topology_pkg::StageSize[32*Stage+:32];
  localparam int unsigned Engines   = (Members + Turns - 1) / Turns;
  localparam int unsigned Places    = Engines * Turns;
  localparam int unsigned Latency   = 5;  // of an engine
  if (Turns < 3 || StageBeats * Turns < Turns + Latency) begin : gen_bad_turns
    $fatal(1, "cm_folded_stage: at least 3 turns, and StageBeats that hold a turn and its pipeline");
  end
  if (topology_pkg::Tables != 1) begin : gen_bad_tables
    $fatal(1, "cm_folded_stage: p-bits with more than one table cannot take turns");
  end

  // ---- what only travels --------------------------------------------------------------------------
  logic [Pbits-1:0]       state_q, passed;  // of beat 0, and of the last one
  logic                   valid_q;
  logic [BetaBits-1:0]    beta_q, beta3_q;
  logic [PenaltyBits-1:0] penalty_q, penalty3_q;
  always_ff @(posedge clk_i) begin
    if (advance_i) begin
      state_q   <= slot_i.state;
      valid_q   <= slot_i.valid;
      beta_q    <= slot_i.beta;
      penalty_q <= slot_i.penalty;
    end
    // The decision comes three clocks after the table.
    if (phase_i == TurnBits'(2)) begin
      beta3_q    <= beta_q;
      penalty3_q <= penalty_q;
    end
  end
  cm_delay_line #(
    .Width(Pbits + 1 + BetaBits + PenaltyBits),
    .Depth(StageBeats - 1)
  ) u_travel (
    .clk_i,
    .advance_i,
    .data_i({state_q, valid_q, beta_q, penalty_q}),
    .data_o({passed, slot_o.valid, slot_o.beta, slot_o.penalty})
  );

  // The streams step one beat after the seeder's byte.
  logic [5:0] seed_index_q;
  logic [7:0] seed_byte_q;
  always_ff @(posedge clk_i) begin
    if (advance_i) begin
      seed_index_q <= seed_i.index;
      seed_byte_q  <= seed_i.value;
    end
  end

  // ---- the p-bits of this colour, by their place --------------------------------------------------
  logic [Pbits*Address-1:0]  neighbours;
  logic [Places*Address-1:0] place_neighbours;
  logic [2*Places-1:0]       place_links;
  logic [Places-1:0]         place_old, place_absorb, table_write, clamp_write, early_places;
  logic [Places-1:0]         spins;  // complete in the last clock of a beat
  cm_stage_wiring #(
    .Stage(Stage)
  ) u_wiring (
    .state_i     (state_q),
    .neighbours_o(neighbours)
  );

  logic [Pbits-1:0] state;
  assign slot_o.state = state;

  // Chain neighbours: all p-bits but those of the first and the last copy have two.
  function automatic bit [2*Places-1:0] link_counts();
    link_counts = '0;
    for (int unsigned p = 0; p < Pbits; p++) begin
      if (topology_pkg::Colour[32*p+:32] == Stage)
        link_counts[2*topology_pkg::Rank[32*p+:32]+:2] =
            2'(p >= topology_pkg::Logical) + 2'(p + topology_pkg::Logical < Pbits);
    end
  endfunction
  localparam bit [2*Places-1:0] Links = link_counts();

  for (genvar p = 0; p < Pbits; p++) begin : gen_pbit
    if (topology_pkg::Colour[32*p+:32] == Stage) begin : gen_here
      localparam int unsigned Place     = topology_pkg::Rank[32*p+:32];
      localparam bit          HasBefore = p >= topology_pkg::Logical;
      localparam bit          HasAfter  = p + topology_pkg::Logical < Pbits;
      localparam bit [63:0]   SeedCode  = topology_pkg::SeedCode[64*p+:64];
      logic unused_passed;
      assign unused_passed = passed[p];
      // The token: at the table, then at the control word.
      logic [1:0] token_q;
      always_ff @(posedge clk_i) begin
        if (load_i.token_clear) token_q <= '0;
        else if (load_i.token_next) token_q <= {token_q[0], token_i[p]};
      end
      assign token_o[p]                                = token_q[1];
      assign table_write[Place]                        = token_q[0];
      assign clamp_write[Place]                        = token_q[1];
      assign place_neighbours[Place*Address+:Address]  = neighbours[p*Address+:Address];
      assign place_old[Place]                          = state_q[p];
      assign place_absorb[Place]                       = SeedCode[seed_index_q];
      assign early_places[Place]                       = topology_pkg::EarlyTables[32*p+:32] != 0;
      // A p-bit with one chain neighbour finds it in bit 0.
      if (HasBefore) begin : gen_before
        assign place_links[2*Place] = state_q[p-topology_pkg::Logical];
      end else if (HasAfter) begin : gen_after
        assign place_links[2*Place] = state_q[p+topology_pkg::Logical];
      end else begin : gen_alone
        assign place_links[2*Place] = 1'b0;
      end
      if (HasBefore && HasAfter) begin : gen_second
        assign place_links[2*Place+1] = state_q[p+topology_pkg::Logical];
      end else begin : gen_no_second
        assign place_links[2*Place+1] = 1'b0;
      end
      assign state[p] = spins[Place];
    end else begin : gen_elsewhere
      assign state[p]   = passed[p];
      assign token_o[p] = 1'b0;
      logic unused_wires;  // of other colours' p-bits
      assign unused_wires = ^{token_i[p], neighbours[p*Address+:Address]};
    end
  end
  for (genvar r = Members; r < Places; r++) begin : gen_empty
    assign place_neighbours[r*Address+:Address] = '0;
    assign place_links[2*r+:2]                  = '0;
    assign place_old[r]                         = 1'b0;
    assign place_absorb[r]                      = 1'b0;
    assign table_write[r]                       = 1'b0;
    assign clamp_write[r]                       = 1'b0;
    assign early_places[r]                      = 1'b0;
  end

  // ---- the engines ----------------------------------------------------------------------------------
  // f loses spin * E of each p-bit; an engine's sum is complete in the first clock after its beat.
  logic [Engines*EnergyBits-1:0] sums;
  for (genvar e = 0; e < Engines; e++) begin : gen_engine
    logic                  spin;
    logic [FieldBits-1:0]  field, early;
    logic [Turns-2:0]      earlier_q;  // spins of this beat so far, the newest on top
    logic [EnergyBits-1:0] sum_d, sum_q;
    logic [Turns-1:0]      has_early;
    cm_shared_pbit #(
      .Turns      (Turns),
      .Pad        (StageBeats * Turns - Turns - Latency),
      .TableBits  (topology_pkg::TableBits),
      .AddressBits(Address),
      .FieldBits  (FieldBits),
      .BetaBits   (BetaBits),
      .PenaltyBits(PenaltyBits),
      .RngWords   (topology_pkg::RngWords),
      .Links      (Links[2*e*Turns+:2*Turns]),
      .WideAdd    (WideAdd)
    ) u_engine (
      .clk_i,
      .phase_i,
      .table_write_i (table_write[e*Turns+:Turns]),
      .clamp_write_i (clamp_write[e*Turns+:Turns]),
      .load_address_i(load_i.address),
      .load_data_i   (load_i.data),
      .seed_clear_i  (seed_i.clear),
      .seed_step_i   (seed_i.step),
      .seed_absorb_i (place_absorb[e*Turns+:Turns]),
      .seed_byte_i   (seed_byte_q),
      .valid_i       (valid_q),
      .measure_i,
      .neighbours_i  (place_neighbours[e*Turns*Address+:Turns*Address]),
      .links_i       (place_links[2*e*Turns+:2*Turns]),
      .old_i         (place_old[e*Turns+:Turns]),
      .beta_i        (beta3_q),
      .penalty_i     (penalty3_q),
      .spin_o        (spin),
      .field_o       (field)
    );
    always_ff @(posedge clk_i) earlier_q <= {spin, earlier_q[Turns-2:1]};
    assign spins[e*Turns+:Turns] = {spin, earlier_q};

    assign has_early = early_places[e*Turns+:Turns];
    assign early     = field & {FieldBits{has_early[phase_i]}};
    cm_add_subtract #(
      .Width(EnergyBits)
    ) u_sum (
      .a_i       (sum_q & {EnergyBits{phase_i != '0}}),
      .b_i       (EnergyBits'($signed(early))),
      .subtract_i(spin),
      .result_o  (sum_d)
    );
    always_ff @(posedge clk_i) sum_q <= sum_d;
    assign sums[e*EnergyBits+:EnergyBits] = sum_q;
  end

  logic [EnergyBits-1:0] gathered, energy_d, energy_q;
  cm_delay_line #(
    .Width(EnergyBits),
    .Depth(StageBeats)
  ) u_energy (
    .clk_i,
    .advance_i,
    .data_i(slot_i.energy),
    .data_o(gathered)
  );
  always_comb begin
    energy_d = gathered;
    for (int unsigned e = 0; e < Engines; e++) begin
      energy_d = energy_d + sums[e*EnergyBits+:EnergyBits];
    end
  end
  always_ff @(posedge clk_i) begin
    if (phase_i == '0) energy_q <= energy_d;
  end
  assign slot_o.energy = energy_q;
endmodule
`default_nettype wire
