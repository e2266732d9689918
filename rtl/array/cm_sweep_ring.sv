// The ring through all colours: a state enters with its parameters, passes a stage for each colour
// and leaves updated; its energy and violations follow.
//
// Turns = 1: every p-bit has its own hardware and a step is a clock. Turns > 1: the p-bits of a
// colour take turns on shared engines and a step is a beat of Turns clocks, counted by phase_i;
// advance_i marks the last one.
`default_nettype none
module cm_sweep_ring #(
  parameter bit          WideAdd    = 1'b1,
  parameter int unsigned Turns      = 1,
  parameter int unsigned StageSteps = topology_pkg::StageLatency,
  parameter int unsigned EnergyLag  = topology_pkg::EnergyLag,
  localparam int unsigned TurnBits  = (Turns > 1) ? $clog2(Turns) : 1,
  // Widths of the topology, named here for the ports.
  localparam int unsigned Pbits         = topology_pkg::Pbits,
  localparam int unsigned BetaBits      = topology_pkg::BetaBits,
  localparam int unsigned PenaltyBits   = topology_pkg::PenaltyBits,
  localparam int unsigned EnergyBits    = topology_pkg::EnergyBits,
  localparam int unsigned ViolationBits = topology_pkg::ViolationBits
) (
  input  wire logic                     clk_i,
  input  wire logic                     advance_i,
  input  wire logic [TurnBits-1:0]      phase_i,

  input  wire topology_pkg::load_t      load_i,
  input  wire logic                     token_i,
  input  wire topology_pkg::seed_t      seed_i,

  input  wire logic                     measure_i,
  input  wire logic                     valid_i,
  input  wire logic [Pbits-1:0]         state_i,
  input  wire logic [BetaBits-1:0]      beta_i,
  input  wire logic [PenaltyBits-1:0]   penalty_i,
  output logic      [Pbits-1:0]         state_o,   // Colours * StageSteps steps later
  // EnergyLag steps after state_o, at the end of a beat:
  output logic      [Pbits-1:0]         measured_o,
  output logic      [EnergyBits-1:0]    energy_o,
  output logic      [ViolationBits-1:0] violations_o
);
  localparam int unsigned Colours = topology_pkg::Colours;
  // A stage has a relay for the parameters; an engine has its own registers.
  localparam int unsigned ParameterLag = (Turns == 1) ? topology_pkg::TreeLevels : 0;

  topology_pkg::slot_t entering, left;
  assign entering.valid  = valid_i;
  assign entering.state  = state_i;
  assign entering.energy = '0;
  cm_delay_line #(
    .Width(BetaBits + PenaltyBits),
    .Depth(ParameterLag)
  ) u_parameters (
    .clk_i,
    .advance_i,
    .data_i({beta_i, penalty_i}),
    .data_o({entering.beta, entering.penalty})
  );

  // The token visits the p-bits in numerical order, whatever their colours.
  logic [Pbits:0]           token;
  logic [Colours*Pbits-1:0] stage_token;
  // It enters when the load bus has passed the stages' relays.
  cm_delay_line #(
    .Width(1),
    .Depth((Turns == 1) ? 1 : 0)
  ) u_token (
    .clk_i,
    .advance_i(1'b1),
    .data_i   (token_i),
    .data_o   (token[0])
  );
  for (genvar p = 0; p < Pbits; p++) begin : gen_token
    localparam int unsigned Colour = topology_pkg::Colour[32*p+:32];
    assign token[p+1] = stage_token[Colour*Pbits+p];
  end

  for (genvar c = 0; c < Colours; c++) begin : gen_stage
    topology_pkg::slot_t slot_in, slot_out;
    if (c == 0) begin : gen_first
      assign slot_in = entering;
    end else begin : gen_next
      assign slot_in = gen_stage[c-1].slot_out;
    end
    cm_stage #(
      .Stage     (c),
      .Turns     (Turns),
      .StageSteps(StageSteps),
      .WideAdd   (WideAdd)
    ) u_stage (
      .clk_i,
      .advance_i,
      .phase_i,
      .load_i,
      .token_i(token[Pbits-1:0]),
      .token_o(stage_token[c*Pbits+:Pbits]),
      .seed_i,
      .measure_i,
      .slot_i (slot_in),
      .slot_o (slot_out)
    );
  end

  assign left     = gen_stage[Colours-1].slot_out;
  assign state_o  = left.state;
  assign energy_o = left.energy;
  cm_delay_line #(
    .Width(Pbits),
    .Depth(EnergyLag)
  ) u_measured (
    .clk_i,
    .advance_i,
    .data_i(state_o),
    .data_o(measured_o)
  );
  // In a beat the count has time to settle after the state has moved on.
  if (Turns == 1) begin : gen_count
    cm_violation_count #(
      .Pbits        (Pbits),
      .Logical      (topology_pkg::Logical),
      .ViolationBits(ViolationBits),
      .Levels       (EnergyLag)
    ) u_violations (
      .clk_i,
      .state_i     (state_o),
      .violations_o
    );
    logic unused_phase;
    assign unused_phase = ^phase_i;
  end else begin : gen_settled_count
    localparam int unsigned Links = Pbits - topology_pkg::Logical;
    cm_violation_count #(
      .Pbits        (Pbits),
      .Logical      (topology_pkg::Logical),
      .ViolationBits(ViolationBits),
      .Levels       ((Links > 12) ? $clog2((Links + 5) / 6) : 1)
    ) u_violations (
      .clk_i,
      .state_i     (measured_o),
      .violations_o
    );
  end

  // The last stage's outputs are not needed: the sequencer knows when a slot is through.
  logic unused_tail;
  assign unused_tail = ^{left.valid, left.beta, left.penalty, token[Pbits]};
endmodule
`default_nettype wire
