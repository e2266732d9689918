// One colour of the ring, in the form that Turns selects: hardware for every p-bit, one step per
// clock (cm_colour_stage.sv), or p-bits that take turns on shared engines, one step per beat of
// Turns clocks (cm_folded_stage.sv). Both have these ports; the bits are the same.
`default_nettype none
module cm_stage #(
  parameter int unsigned Stage      = 0,
  parameter int unsigned Turns      = 1,
  parameter int unsigned StageSteps = topology_pkg::StageLatency,  // from slot_i to slot_o
  parameter bit          WideAdd    = 1'b1,
  // Widths, named here for the ports.
  localparam int unsigned Pbits     = topology_pkg::Pbits,
  localparam int unsigned TurnBits  = (Turns > 1) ? $clog2(Turns) : 1
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
  if (Turns == 1) begin : gen_own
    if (StageSteps != topology_pkg::StageLatency) begin : gen_bad_steps
      $fatal(1, "cm_stage: a stage without turns takes StageLatency steps");
    end
    cm_colour_stage #(
      .Stage  (Stage),
      .WideAdd(WideAdd)
    ) u_stage (
      .clk_i,
      .advance_i,
      .phase_i,
      .load_i,
      .token_i,
      .token_o,
      .seed_i,
      .measure_i,
      .slot_i,
      .slot_o
    );
  end else begin : gen_shared
    cm_folded_stage #(
      .Stage     (Stage),
      .Turns     (Turns),
      .StageBeats(StageSteps),
      .WideAdd   (WideAdd)
    ) u_stage (
      .clk_i,
      .advance_i,
      .phase_i,
      .load_i,
      .token_i,
      .token_o,
      .seed_i,
      .measure_i,
      .slot_i,
      .slot_o
    );
  end
endmodule
`default_nettype wire
