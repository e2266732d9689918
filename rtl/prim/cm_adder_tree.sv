// Sums signed values in a binary tree with a register after every level. Levels beyond what the
// inputs need are plain registers, so that trees of different sizes can have the same latency.
`default_nettype none
module cm_adder_tree #(
  parameter int unsigned Inputs   = 7,
  parameter int unsigned Width    = 14,  // of an input
  parameter int unsigned OutWidth = 17,  // the caller knows that the sum fits
  parameter int unsigned Levels   = 3    // latency in clocks, at least log2(Inputs)
) (
  input  wire logic                    clk_i,
  input  wire logic [Inputs*Width-1:0] values_i,
  output logic      [OutWidth-1:0]     sum_o
);
  if (Inputs < 1 || Levels < 1 || (1 << Levels) < Inputs) begin : gen_bad_levels
    $fatal(1, "cm_adder_tree: Levels must be at least 1 and at least log2(Inputs)");
  end
  if (OutWidth < Width) begin : gen_bad_width
    $fatal(1, "cm_adder_tree: OutWidth must not be smaller than Width");
  end

  for (genvar k = 0; k < Levels; k++) begin : gen_level
    // A level needs one bit more than the one before, until the width of the sum is reached.
    localparam int unsigned NodesIn  = (Inputs + (1 << k) - 1) >> k;
    localparam int unsigned NodesOut = (NodesIn + 1) / 2;
    localparam int unsigned WidthIn  = (Width + k < OutWidth) ? Width + k : OutWidth;
    localparam int unsigned WidthOut = (Width + k + 1 < OutWidth) ? Width + k + 1 : OutWidth;
    logic [NodesIn*WidthIn-1:0]   in;
    logic [NodesOut*WidthOut-1:0] sum_d, sum_q;

    if (k == 0) begin : gen_first
      assign in = values_i;
    end else begin : gen_next
      assign in = gen_level[k-1].sum_q;
    end
    for (genvar i = 0; i < NodesOut; i++) begin : gen_node
      if (2 * i + 1 < NodesIn) begin : gen_add
        assign sum_d[i*WidthOut+:WidthOut] =
            WidthOut'($signed(in[(2*i)*WidthIn+:WidthIn])) +
            WidthOut'($signed(in[(2*i+1)*WidthIn+:WidthIn]));
      end else begin : gen_pass
        assign sum_d[i*WidthOut+:WidthOut] = WidthOut'($signed(in[(2*i)*WidthIn+:WidthIn]));
      end
    end
    always_ff @(posedge clk_i) sum_q <= sum_d;
  end

  assign sum_o = OutWidth'($signed(gen_level[Levels-1].sum_q));
endmodule
`default_nettype wire
