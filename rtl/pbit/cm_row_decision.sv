// The decision of a spin under constraints: beta F - betaP D + noise >= 0? D comes as the change a
// flip would make, with a separate sign. As in cm_decision a negative threshold negates the rest
// instead. With Gumbel noise and no sign the sum itself is a group member's key. The two
// multipliers work one clock apart, so that both can be slices of one cascade.
`default_nettype none
module cm_row_decision #(
  parameter int unsigned FieldBits   = 18,
  parameter int unsigned BetaBits    = 24,
  parameter int unsigned PenaltyBits = 24,
  parameter int unsigned PullBits    = 18,
  localparam int unsigned UnitShift   = BetaBits - 9,
  localparam int unsigned PushBits    = PenaltyBits + PullBits,
  localparam int unsigned ProductBits = BetaBits + FieldBits,
  localparam int unsigned MostBits    = (PushBits > ProductBits) ? PushBits : ProductBits,
  localparam int unsigned SumBits     = ((MostBits > UnitShift + 16) ? MostBits : UnitShift + 16) + 2
) (
  input  wire logic                   clk_i,
  // Clock 0:
  input  wire logic [PenaltyBits-1:0] penalty_i,
  input  wire logic [PullBits-1:0]    change_i,
  input  wire logic                   negative_i,  // flipping up would lower the violations by change_i
  input  wire logic                   sign_i,
  // Clock 1:
  input  wire logic [BetaBits-1:0]    beta_i,
  input  wire logic [FieldBits-1:0]   field_i,
  input  wire logic [15:0]            noise_i,     // signed; a threshold's size, or Gumbel noise
  // Clock 3:
  output logic                        drawn_o,
  output logic      [SumBits-1:0]     key_o
);

  logic signed [PushBits-1:0]    push_q;
  logic signed [ProductBits-1:0] product_q;
  logic [SumBits-1:0]            bias, sum, bias_q, sum_q;
  logic                          subtract_q, sign_q, sign2_q, sign3_q;
  always_ff @(posedge clk_i) begin
    push_q     <= PushBits'($signed({1'b0, penalty_i})) * PushBits'($signed(change_i));
    subtract_q <= negative_i == sign_i;
    product_q  <= ProductBits'($signed({1'b0, beta_i})) * ProductBits'($signed(field_i));
    bias_q     <= bias;
    sum_q      <= sum;
    sign_q     <= sign_i;
    sign2_q    <= sign_q;
    sign3_q    <= sign2_q;
  end
  cm_add_subtract #(
    .Width(SumBits)
  ) u_bias (
    .a_i       (SumBits'($signed({noise_i, {UnitShift{1'b0}}}))),
    .b_i       (SumBits'(push_q)),
    .subtract_i(subtract_q),
    .result_o  (bias)
  );
  cm_add_subtract #(
    .Width(SumBits)
  ) u_sum (
    .a_i       (bias_q),
    .b_i       (SumBits'(product_q)),
    .subtract_i(sign2_q),
    .result_o  (sum)
  );
  assign drawn_o = !sum_q[SumBits-1] ^ sign3_q;
  assign key_o   = sum_q;
endmodule
`default_nettype wire
