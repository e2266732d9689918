// The ring's way through all colours: a state enters with its parameters, passes a stage for each
// colour and leaves updated; its energy and violations follow.
//
// Turns = 1: every p-bit is hardware of its own and a step is a clock. Turns > 1: the p-bits of a
// colour share engines in turns and a step is a beat of that many clocks, whose last one has
// advance_i; phase_i counts them.
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
  input  wire logic                                 clk_i,
  input  wire logic                                 advance_i,
  input  wire logic [TurnBits-1:0]                  phase_i,

  input  wire logic                                 token_clear_i,
  input  wire logic                                 token_next_i,
  input  wire logic                                 token_i,
  input  wire logic [topology_pkg::AddressBits-1:0] load_address_i,
  input  wire logic [topology_pkg::TableBits-1:0]   load_data_i,

  input  wire logic                                 seed_clear_i,
  input  wire logic                                 seed_step_i,
  input  wire logic [5:0]                           seed_index_i,
  input  wire logic [7:0]                           seed_byte_i,

  input  wire logic                                 measure_i,
  input  wire logic                                 valid_i,
  input  wire logic [Pbits-1:0]                     state_i,
  input  wire logic [BetaBits-1:0]                  beta_i,
  input  wire logic [PenaltyBits-1:0]               penalty_i,
  output logic      [Pbits-1:0]                     state_o,   // Colours * StageSteps steps later
  // EnergyLag steps after state_o, at the end of a beat:
  output logic      [Pbits-1:0]                     measured_o,
  output logic      [EnergyBits-1:0]                energy_o,
  output logic      [ViolationBits-1:0]             violations_o
);
  localparam int unsigned Colours = topology_pkg::Colours;
  // An engine has its own registers for the parameters.
  localparam int unsigned ParameterLag = (Turns == 1) ? topology_pkg::TreeLevels + 1 : 0;

  // Element c of each bundle enters stage c; element Colours leaves the last stage.
  logic [Colours:0]                 valid;
  logic [(Colours+1)*Pbits-1:0]     state;
  logic [(Colours+1)*BetaBits-1:0]  beta;
  logic [(Colours+1)*PenaltyBits-1:0] penalty;
  logic [(Colours+1)*EnergyBits-1:0]  energy;

  assign valid[0]                = valid_i;
  assign state[Pbits-1:0]        = state_i;
  assign energy[EnergyBits-1:0]  = '0;
  cm_delay_line #(
    .Width(BetaBits + PenaltyBits),
    .Depth(ParameterLag)
  ) u_parameters (
    .clk_i,
    .advance_i,
    .data_i({beta_i, penalty_i}),
    .data_o({beta[BetaBits-1:0], penalty[PenaltyBits-1:0]})
  );

  // The token passes the p-bits in the order of their numbers, whatever their colours.
  logic [Pbits:0]           token;
  logic [Colours*Pbits-1:0] stage_token;
  assign token[0] = token_i;
  for (genvar p = 0; p < Pbits; p++) begin : gen_token
    localparam int unsigned Colour = topology_pkg::Colour[32*p+:32];
    assign token[p+1] = stage_token[Colour*Pbits+p];
  end

  for (genvar c = 0; c < Colours; c++) begin : gen_stage
if (Turns == 1) begin : gen_own
      cm_colour_stage #(
        .Stage  (c),
        .WideAdd(WideAdd)
      ) u_stage (
        .clk_i,
        .token_clear_i,
        .token_next_i,
        .token_i       (token[Pbits-1:0]),
        .token_o       (stage_token[c*Pbits+:Pbits]),
        .load_address_i,
        .load_data_i,
        .seed_clear_i,
        .seed_step_i,
        .seed_index_i,
        .seed_byte_i,
        .measure_i,
        .valid_i       (valid[c]),
        .state_i       (state[c*Pbits+:Pbits]),
        .beta_i        (beta[c*BetaBits+:BetaBits]),
        .penalty_i     (penalty[c*PenaltyBits+:PenaltyBits]),
        .energy_i      (energy[c*EnergyBits+:EnergyBits]),
        .valid_o       (valid[c+1]),
        .state_o       (state[(c+1)*Pbits+:Pbits]),
        .beta_o        (beta[(c+1)*BetaBits+:BetaBits]),
        .penalty_o     (penalty[(c+1)*PenaltyBits+:PenaltyBits]),
        .energy_o      (energy[(c+1)*EnergyBits+:EnergyBits])
      );
  end else begin : gen_shared
      cm_folded_stage #(
        .Stage     (c),
        .Turns     (Turns),
        .StageBeats(StageSteps),
        .WideAdd   (WideAdd)
      ) u_stage (
        .clk_i,
        .advance_i,
        .phase_i,
        .token_clear_i,
        .token_next_i,
        .token_i       (token[Pbits-1:0]),
        .token_o       (stage_token[c*Pbits+:Pbits]),
        .load_address_i,
        .load_data_i,
        .seed_clear_i,
        .seed_step_i,
        .seed_index_i,
        .seed_byte_i,
        .measure_i,
        .valid_i       (valid[c]),
        .state_i       (state[c*Pbits+:Pbits]),
        .beta_i        (beta[c*BetaBits+:BetaBits]),
        .penalty_i     (penalty[c*PenaltyBits+:PenaltyBits]),
        .energy_i      (energy[c*EnergyBits+:EnergyBits]),
        .valid_o       (valid[c+1]),
        .state_o       (state[(c+1)*Pbits+:Pbits]),
        .beta_o        (beta[(c+1)*BetaBits+:BetaBits]),
        .penalty_o     (penalty[(c+1)*PenaltyBits+:PenaltyBits]),
        .energy_o      (energy[(c+1)*EnergyBits+:EnergyBits])
      );
  end
  end

  assign state_o  = state[Colours*Pbits+:Pbits];
  assign energy_o = energy[Colours*EnergyBits+:EnergyBits];
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

  // What the last stage passes on has no taker: the sequencer knows when a slot is through.
  logic unused_tail;
  assign unused_tail = ^{valid[Colours], beta[Colours*BetaBits+:BetaBits],
                         penalty[Colours*PenaltyBits+:PenaltyBits], token[Pbits]};
endmodule
`default_nettype wire
