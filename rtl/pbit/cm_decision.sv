// The decision of a p-bit: beta * field + betaP * chain + threshold >= 0? Drawn one clock after the
// inputs, which belong to one replica; whether it keeps its old spin instead is an input of that
// clock.
//
// The contract specifies y + (sign ? ~mag : mag) >= 0 with y = beta F + betaP c. For a negative
// threshold that is the opposite of mag - y >= 0, so the sign is applied to y and to the answer,
// and mag stays as it is. betaP c is +-betaP for one link, -2, 0 or 2 times betaP for two; a
// negative value is ~value and a carry, so that each bit of the sum is one LUT.
`default_nettype none
module cm_decision #(
  parameter int unsigned Links       = 2,  // chain neighbours: 0, 1, 2, or 3 where count_i says
  parameter int unsigned FieldBits   = 17,
  parameter int unsigned BetaBits    = 24,
  parameter int unsigned PenaltyBits = 16,
  parameter bit          WideAdd     = 1'b1
) (
  input  wire logic                   clk_i,
  input  wire logic [1:0]             count_i,
  input  wire logic [1:0]             links_i,  // with one link bit 0 counts
  input  wire logic [BetaBits-1:0]    beta_i,
  input  wire logic [PenaltyBits-1:0] penalty_i,
  input  wire logic [FieldBits-1:0]   field_i,
  input  wire logic                   sign_i,
  input  wire logic [12:0]            magnitude_i,
  // One clock later:
  input  wire logic                   keep_i,
  input  wire logic                   old_i,
  output logic                        drawn_o
);
  // ---- bias: threshold and chain, in units of the threshold ---------------------------------------
  localparam int unsigned ChainBits = PenaltyBits + 2;  // signed
  localparam int unsigned TermBits  = ChainBits + 1;
  logic [ChainBits-1:0] chain;
  logic                 chain_negative;
  if (Links == 0) begin : gen_no_link
    logic unused_chain;
    assign unused_chain   = ^{links_i, penalty_i, count_i};
    assign chain          = '0;
    assign chain_negative = 1'b0;
  end else if (Links == 1) begin : gen_one_link
    logic unused_link;
    assign unused_link    = ^{links_i[1], count_i};
    assign chain          = {2'b00, penalty_i};
    assign chain_negative = links_i[0] == sign_i;
  end else if (Links == 2) begin : gen_two_links
    logic agree, unused_count;
    assign unused_count   = ^count_i;
    assign agree          = links_i[0] == links_i[1];
    assign chain          = {1'b0, penalty_i, 1'b0} & {ChainBits{agree}};
    assign chain_negative = agree && links_i[0] == sign_i;
  end else begin : gen_any_links
    logic one, two;
    assign one            = count_i == 2'd1;
    assign two            = count_i == 2'd2 && links_i[0] == links_i[1];
    assign chain          = ({2'b00, penalty_i} & {ChainBits{one}}) |
                            ({1'b0, penalty_i, 1'b0} & {ChainBits{two}});
    assign chain_negative = (one || two) && links_i[0] == sign_i;
  end

  logic [TermBits-1:0] term_q;
  logic                sign_q, unused_carry;
  always_ff @(posedge clk_i) begin
    // One bit below the sum carries the +1 of a negative chain term into the same adder.
    {term_q, unused_carry} <= {TermBits'(magnitude_i), 1'b1} +
                              {TermBits'(chain) ^ {TermBits{chain_negative}}, chain_negative};
    sign_q <= sign_i;
  end

  // ---- the sum's sign -------------------------------------------------------------------------------
  cm_multiply_add #(
    .BetaBits (BetaBits),
    .FieldBits(FieldBits),
    .TermBits (TermBits),
    .UnitShift(BetaBits - 9),
    .WideAdd  (WideAdd)
  ) u_multiply_add (
    .clk_i,
    .beta_i,
    .field_i,
    .bias_i    (term_q),
    .subtract_i(sign_q),
    .keep_i,
    .old_i,
    .spin_o    (drawn_o)
  );
endmodule
`default_nettype wire
