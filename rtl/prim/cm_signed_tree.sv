// Sums values with separate signs. A node adds or subtracts, depending on the signs of its two
// inputs, and passes the first one's sign on: one LUT per bit, and no negation anywhere. A register
// after every level.
`default_nettype none
module cm_signed_tree #(
  parameter int unsigned Inputs   = 52,
  parameter int unsigned Width    = 11,  // of an input, signed
  parameter int unsigned OutWidth = 17,  // the caller knows that the sum fits
  parameter int unsigned Levels   = 6    // latency in clocks, at least log2(Inputs)
) (
  input  wire logic                    clk_i,
  input  wire logic [Inputs*Width-1:0] values_i,
  input  wire logic [Inputs-1:0]       negative_i,  // the value counts negatively
  output logic      [OutWidth-1:0]     sum_o,
  output logic                         negative_o   // and so does the sum
);
  if (Inputs < 1 || Levels < 1 || (1 << Levels) < Inputs || OutWidth < Width) begin : gen_bad
    $fatal(1, "cm_signed_tree: Levels must be at least 1 and log2(Inputs), OutWidth at least Width");
  end

  for (genvar k = 0; k < Levels; k++) begin : gen_level
    localparam int unsigned NodesIn  = (Inputs + (1 << k) - 1) >> k;
    localparam int unsigned NodesOut = (NodesIn + 1) / 2;
    localparam int unsigned WidthIn  = (Width + k < OutWidth) ? Width + k : OutWidth;
    localparam int unsigned WidthOut = (Width + k + 1 < OutWidth) ? Width + k + 1 : OutWidth;
    logic [NodesIn*WidthIn-1:0]   in;
    logic [NodesIn-1:0]           in_negative;
    logic [NodesOut*WidthOut-1:0] sum_d, sum_q;
    logic [NodesOut-1:0]          negative_d, negative_q;

    if (k == 0) begin : gen_first
      assign in          = values_i;
      assign in_negative = negative_i;
    end else begin : gen_next
      assign in          = gen_level[k-1].sum_q;
      assign in_negative = gen_level[k-1].negative_q;
    end
    for (genvar i = 0; i < NodesOut; i++) begin : gen_node
      assign negative_d[i] = in_negative[2*i];
      if (2 * i + 1 < NodesIn) begin : gen_add
        cm_add_subtract #(
          .Width(WidthOut)
        ) u_add (
          .a_i       (WidthOut'($signed(in[(2*i)*WidthIn+:WidthIn]))),
          .b_i       (WidthOut'($signed(in[(2*i+1)*WidthIn+:WidthIn]))),
          .subtract_i(in_negative[2*i] ^ in_negative[2*i+1]),
          .result_o  (sum_d[i*WidthOut+:WidthOut])
        );
      end else begin : gen_pass
        assign sum_d[i*WidthOut+:WidthOut] = WidthOut'($signed(in[(2*i)*WidthIn+:WidthIn]));
      end
    end
    always_ff @(posedge clk_i) begin
      sum_q      <= sum_d;
      negative_q <= negative_d;
    end
  end

  assign sum_o      = OutWidth'($signed(gen_level[Levels-1].sum_q));
  assign negative_o = gen_level[Levels-1].negative_q[0];
endmodule
`default_nettype wire
