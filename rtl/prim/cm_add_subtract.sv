// a + b or a - b in one carry chain, one LUT per bit.
//
// Written as {a, 0} - ~{b or ~b, carry}: the carry enters one bit below the sum, and Yosys connects
// the chain's data input to the first operand of a difference, which must be the one without logic
// in front of it.
`default_nettype none
module cm_add_subtract #(
  parameter int unsigned Width = 16
) (
  input  wire logic [Width-1:0] a_i,
  input  wire logic [Width-1:0] b_i,
  input  wire logic             subtract_i,
  output logic      [Width-1:0] result_o
);
  logic [Width:0] sum;
  assign sum      = {a_i, 1'b0} - ~{b_i ^ {Width{subtract_i}}, subtract_i};
  assign result_o = sum[Width:1];

  logic unused_carry;
  assign unused_carry = sum[0];
endmodule
`default_nettype wire
