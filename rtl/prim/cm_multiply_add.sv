// The decision of a p-bit: bias +- beta * field >= 0, or with subtract its opposite; a p-bit that keeps
// its spin gets the old one. The bias has UnitShift zeros below it.
//
// One function, two forms. WideAdd = 1 is multiply, register, then add or subtract over the whole
// width, which is what a DSP slice does: Vivado maps all of it to one. WideAdd = 0 is for tools
// that use only the slice's multiplier (Yosys) or have none: the low bits can only produce a carry,
// so the adder starts above them; and it ends with the new spin itself, so that no LUT follows the
// carry chain.
`default_nettype none
module cm_multiply_add #(
  parameter int unsigned BetaBits  = 24,  // unsigned
  parameter int unsigned FieldBits = 17,  // signed
  parameter int unsigned TermBits  = 19,  // signed
  parameter int unsigned UnitShift = 15,
  parameter bit          WideAdd   = 1'b1
) (
  input  wire logic                 clk_i,
  input  wire logic [BetaBits-1:0]  beta_i,
  input  wire logic [FieldBits-1:0] field_i,
  // One clock after beta and field:
  input  wire logic [TermBits-1:0]  bias_i,
  input  wire logic                 subtract_i,
  input  wire logic                 keep_i,
  input  wire logic                 old_i,
  output logic                      spin_o  // in the same clock; register it
);
  localparam int unsigned ProductBits = BetaBits + FieldBits;
  localparam int unsigned BiasBits = TermBits + UnitShift;
  localparam int unsigned SumBits = ((ProductBits > BiasBits) ? ProductBits : BiasBits) + 1;

  logic signed [ProductBits-1:0] product_q;
  logic signed [SumBits-1:0]     product;
  always_ff @(posedge clk_i) begin
    product_q <= ProductBits'($signed({1'b0, beta_i})) * ProductBits'($signed(field_i));
  end
  assign product = SumBits'(product_q);

  if (WideAdd) begin : gen_wide
    logic signed [SumBits-1:0] bias, sum;
    assign bias           = SumBits'($signed({bias_i, {UnitShift{1'b0}}}));
    assign sum            = subtract_i ? bias - product : bias + product;
    assign spin_o         = keep_i ? old_i : !sum[SumBits-1] ^ subtract_i;
    logic unused_sum;
    assign unused_sum = ^sum[SumBits-2:0];
  end else begin : gen_split
    // The sign of the sum is bias sign ^ product sign ^ subtract ^ carry, and subtract flips it
    // again: the top bit is the spin if its summand is the equality of the two signs and the carry
    // passes. If the p-bit keeps its spin, a bit in between stops the carry and the top bit is the
    // old spin.
    localparam int unsigned HighBits = SumBits - UnitShift - 1;  // without the sign
    logic                low_zero, top;
    logic [HighBits-1:0] high;
    logic [HighBits+2:0] sum;  // one bit below takes the carry into the same adder
    // -x is ~x + 1, and the 1 reaches the high part when all low bits are 0.
    assign low_zero       = product[UnitShift-1:0] == '0;
    assign high           = product[SumBits-2:UnitShift] ^ {HighBits{subtract_i}};
    assign top            = keep_i ? old_i : product[SumBits-1] == bias_i[TermBits-1];
    // A sum a + b + carry as {a, 0} - ~{b, carry}: Yosys connects the carry chain's data input to
    // the first operand of a difference, which must be the one without logic in front of it.
    assign sum = {2'b00, HighBits'($signed(bias_i)), 1'b0} - ~{top, !keep_i, high, subtract_i && low_zero};
    assign spin_o = sum[HighBits+2];
    logic unused_sum;
    assign unused_sum = ^sum[HighBits+1:0];
  end
endmodule
`default_nettype wire
