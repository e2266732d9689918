// Counts the ones of a vector: six bits at a time in three LUTs, then an adder tree.
`default_nettype none
module cm_popcount #(
  parameter int unsigned Inputs   = 12,
  parameter int unsigned OutWidth = 5,  // unsigned
  parameter int unsigned Levels   = 2   // latency in clocks, at least 1 and log2(Inputs / 6)
) (
  input  wire logic                clk_i,
  input  wire logic [Inputs-1:0]   bits_i,
  output logic      [OutWidth-1:0] count_o
);
  localparam int unsigned Groups = (Inputs + 5) / 6;
  localparam int unsigned TreeWidth = (OutWidth < 4) ? 4 : OutWidth + 1;  // signed

  // The count of every 6-bit pattern: a constant table maps to LUTs, additions of single bits to
  // carry chains.
  function automatic logic [2:0] count_of(input logic [5:0] bits);
    count_of = 3'd0;
    for (int unsigned i = 0; i < 6; i++) count_of = count_of + {2'b00, bits[i]};
  endfunction

  logic [6*Groups-1:0]  padded;
  logic [4*Groups-1:0]  counts;
  logic [TreeWidth-1:0] sum;
  assign padded = (6 * Groups)'(bits_i);
  for (genvar g = 0; g < Groups; g++) begin : gen_group
    logic [2:0] count;
    always_comb begin
      count = 3'd0;
      for (int unsigned pattern = 0; pattern < 64; pattern++) begin
        if (padded[6*g+:6] == 6'(pattern)) count = count_of(6'(pattern));
      end
    end
    assign counts[4*g+:4] = {1'b0, count};
  end
  cm_adder_tree #(
    .Inputs  (Groups),
    .Width   (4),
    .OutWidth(TreeWidth),
    .Levels  (Levels)
  ) u_tree (
    .clk_i,
    .values_i(counts),
    .sum_o   (sum)
  );
  assign count_o = OutWidth'(sum);

  logic unused_sign;
  assign unused_sign = ^sum[TreeWidth-1:OutWidth];
endmodule
`default_nettype wire
