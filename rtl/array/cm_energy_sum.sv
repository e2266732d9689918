// The sum of spin * E over the p-bits of one colour, where E is a p-bit's sum over neighbours of
// earlier colours.
//
// Signs are deferred: s1 E1 + s2 E2 = s1 (E1 +- E2), so a node of the tree is a value and a spin
// that still has to be multiplied, each addition is an add or subtract of raw values, and negation
// costs no logic.
`default_nettype none
module cm_energy_sum #(
  parameter int unsigned Members   = 4,
  parameter int unsigned FieldBits = 17,
  parameter int unsigned SumBits   = 26,
  parameter int unsigned Levels    = 2   // latency in clocks, at least log2(Members)
) (
  input  wire logic                         clk_i,
  input  wire logic [Members-1:0]           spins_i,
  input  wire logic [Members*FieldBits-1:0] early_i,
  // The sum is value_o if spin_o is 1, else -value_o.
  output logic                              spin_o,
  output logic      [SumBits-1:0]           value_o
);
  if ((1 << Levels) < Members) begin : gen_bad_levels
    $fatal(1, "cm_energy_sum: Levels must be at least log2(Members)");
  end

  if (Levels == 0) begin : gen_single
    logic unused_clk;
    assign unused_clk = clk_i;
    assign spin_o     = spins_i;
    assign value_o    = SumBits'($signed(early_i));
  end else begin : gen_tree
    for (genvar k = 0; k < Levels; k++) begin : gen_level
      localparam int unsigned NodesIn  = (Members + (1 << k) - 1) >> k;
      localparam int unsigned NodesOut = (NodesIn + 1) / 2;
      localparam int unsigned WidthIn  = (FieldBits + k < SumBits) ? FieldBits + k : SumBits;
      localparam int unsigned WidthOut = (FieldBits + k + 1 < SumBits) ? FieldBits + k + 1 : SumBits;
      logic [NodesIn-1:0]           spins;
      logic [NodesIn*WidthIn-1:0]   values;
      logic [NodesOut-1:0]          spins_d, spins_q;
      // Whether a node's two inputs differ in sign: known a clock before it is needed.
      localparam int unsigned Pairs = (NodesOut > 1) ? NodesOut / 2 : 1;
      logic [NodesIn/2:0]           differ;
      logic [Pairs-1:0]             differ_d, differ_q;
      logic [NodesOut*WidthOut-1:0] values_d, values_q;

      if (k == 0) begin : gen_first
        assign spins  = spins_i;
        assign values = early_i;
        for (genvar i = 0; i < NodesIn / 2; i++) begin : gen_differ
          assign differ[i] = spins_i[2*i] != spins_i[2*i+1];
        end
        assign differ[NodesIn/2] = 1'b0;
      end else begin : gen_next
        assign spins  = gen_level[k-1].spins_q;
        assign values = gen_level[k-1].values_q;
        assign differ = (NodesIn / 2 + 1)'(gen_level[k-1].differ_q);
      end
      for (genvar i = 0; i < NodesOut; i++) begin : gen_node
        assign spins_d[i] = spins[2*i];
        if (2 * i + 1 < NodesIn) begin : gen_pair
          cm_add_subtract #(
            .Width(WidthOut)
          ) u_add (
            .a_i       (WidthOut'($signed(values[(2*i)*WidthIn+:WidthIn]))),
            .b_i       (WidthOut'($signed(values[(2*i+1)*WidthIn+:WidthIn]))),
            .subtract_i(differ[i]),
            .result_o  (values_d[i*WidthOut+:WidthOut])
          );
        end else begin : gen_pass
          assign values_d[i*WidthOut+:WidthOut] =
              WidthOut'($signed(values[(2*i)*WidthIn+:WidthIn]));
        end
      end
      if (NodesOut > 1) begin : gen_pairs
        for (genvar i = 0; i < NodesOut / 2; i++) begin : gen_next_differ
          assign differ_d[i] = spins_d[2*i] != spins_d[2*i+1];
        end
      end else begin : gen_no_pairs
        assign differ_d = '0;
      end
      always_ff @(posedge clk_i) begin
        spins_q  <= spins_d;
        differ_q <= differ_d;
        values_q <= values_d;
      end
      logic unused_signs;  // of the second of a pair, of a last level
      assign unused_signs = ^{spins, differ, differ_q};
    end
    assign spin_o  = gen_level[Levels-1].spins_q;
    assign value_o = SumBits'($signed(gen_level[Levels-1].values_q));
  end
endmodule
`default_nettype wire
