// g of a state: twice the number of chain links whose two spins differ. Copy k of a spin lies one
// whole set of logical spins after copy k - 1.
`default_nettype none
module cm_violation_count #(
  parameter int unsigned Pbits         = 10,
  parameter int unsigned Logical       = 5,
  parameter int unsigned ViolationBits = 4,
  parameter int unsigned Levels        = 2   // latency in clocks
) (
  input  wire logic                     clk_i,
  input  wire logic [Pbits-1:0]         state_i,
  output logic      [ViolationBits-1:0] violations_o
);
  if (Pbits == Logical) begin : gen_no_links
    logic unused;
    assign unused       = ^{clk_i, state_i};
    assign violations_o = '0;
  end else begin : gen_links
    localparam int unsigned Links = Pbits - Logical;
    logic [Links-1:0]         broken;
    logic [ViolationBits-2:0] count;
    assign broken = state_i[Links-1:0] ^ state_i[Pbits-1:Logical];
    cm_popcount #(
      .Inputs  (Links),
      .OutWidth(ViolationBits - 1),
      .Levels  (Levels)
    ) u_count (
      .clk_i,
      .bits_i (broken),
      .count_o(count)
    );
    assign violations_o = {count, 1'b0};
  end
endmodule
`default_nettype wire
