// Selects one of several values by a tree of two-way choices: Yosys turns an index into a shifter,
// but packs four of these choices into a LUT.
`default_nettype none
module cm_select #(
  parameter int unsigned Inputs = 4,
  parameter int unsigned Width  = 17,
  localparam int unsigned Levels = $clog2(Inputs),
  localparam int unsigned Bits   = (Levels > 0) ? Levels : 1
) (
  input  wire logic [Inputs*Width-1:0] data_i,
  input  wire logic [Bits-1:0]         select_i,
  output logic      [Width-1:0]        data_o
);
  for (genvar k = 0; k < Levels; k++) begin : gen_level
    localparam int unsigned Out = 1 << (Levels - 1 - k);
    logic [2*Out*Width-1:0] in;
    logic [Out*Width-1:0]   out;
    if (k == 0) begin : gen_inputs
      assign in = (2 * Out * Width)'(data_i);
    end else begin : gen_chosen
      assign in = gen_level[k-1].out;
    end
    for (genvar u = 0; u < Out; u++) begin : gen_pair
      assign out[u*Width+:Width] = select_i[k] ? in[(2*u+1)*Width+:Width] : in[2*u*Width+:Width];
    end
  end
  if (Levels == 0) begin : gen_wire
    logic unused_select;
    assign unused_select = ^select_i;
    assign data_o        = data_i;
  end else begin : gen_end
    assign data_o = gen_level[Levels-1].out;
  end
endmodule
`default_nettype wire
