// The ring's way through all colours: a state enters with its parameters, passes a stage for each
// colour and leaves updated; its energy and violations follow a few clocks later.
module sweep_ring #(
  parameter bit WideAdd = 1'b1,
  // Widths of the topology, named here for the ports.
  localparam int unsigned Pbits         = topology_pkg::Pbits,
  localparam int unsigned BetaBits      = topology_pkg::BetaBits,
  localparam int unsigned PenaltyBits   = topology_pkg::PenaltyBits,
  localparam int unsigned EnergyBits    = topology_pkg::EnergyBits,
  localparam int unsigned ViolationBits = topology_pkg::ViolationBits
) (
  input  logic                                 clk_i,

  input  logic                                 token_clear_i,
  input  logic                                 token_next_i,
  input  logic                                 token_i,
  input  logic [topology_pkg::AddressBits-1:0] load_address_i,
  input  logic [topology_pkg::TableBits-1:0]   load_data_i,

  input  logic                                 seed_clear_i,
  input  logic                                 seed_step_i,
  input  logic [5:0]                           seed_index_i,
  input  logic [7:0]                           seed_byte_i,

  input  logic                                 measure_i,
  input  logic                                 valid_i,
  input  logic [Pbits-1:0]                     state_i,
  input  logic [BetaBits-1:0]                  beta_i,
  input  logic [PenaltyBits-1:0]               penalty_i,
  output logic [Pbits-1:0]                     state_o,   // Colours * StageLatency clocks later
  // EnergyLag clocks after state_o:
  output logic [Pbits-1:0]                     measured_o,
  output logic [EnergyBits-1:0]                energy_o,
  output logic [ViolationBits-1:0]             violations_o
);
  localparam int unsigned Colours   = topology_pkg::Colours;
  localparam int unsigned EnergyLag = topology_pkg::EnergyLag;

  // Element c of each bundle enters stage c; element Colours leaves the last stage.
  logic [Colours:0]                 valid;
  logic [(Colours+1)*Pbits-1:0]     state;
  logic [(Colours+1)*BetaBits-1:0]  beta;
  logic [(Colours+1)*PenaltyBits-1:0] penalty;
  logic [(Colours+1)*EnergyBits-1:0]  energy;

  assign valid[0]                = valid_i;
  assign state[Pbits-1:0]        = state_i;
  assign energy[EnergyBits-1:0]  = '0;
  delay_line #(
    .Width(BetaBits + PenaltyBits),
    .Depth(topology_pkg::TreeLevels + 1)
  ) u_parameters (
    .clk_i,
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
    colour_stage #(
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
  end

  assign state_o  = state[Colours*Pbits+:Pbits];
  assign energy_o = energy[Colours*EnergyBits+:EnergyBits];
  delay_line #(
    .Width(Pbits),
    .Depth(EnergyLag)
  ) u_measured (
    .clk_i,
    .data_i(state_o),
    .data_o(measured_o)
  );
  violation_count #(
    .Pbits        (Pbits),
    .Logical      (topology_pkg::Logical),
    .ViolationBits(ViolationBits),
    .Levels       (EnergyLag)
  ) u_violations (
    .clk_i,
    .state_i     (state_o),
    .violations_o
  );

  // What the last stage passes on has no taker: the sequencer knows when a slot is through.
  logic unused_tail;
  assign unused_tail = ^{valid[Colours], beta[Colours*BetaBits+:BetaBits],
                         penalty[Colours*PenaltyBits+:PenaltyBits], token[Pbits]};
endmodule
