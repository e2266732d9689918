// The first of eight lanes that flips: which one at clock 11; its spin and what travels with it at
// clock 12.
`default_nettype none
module cm_flip_first #(
  parameter int unsigned Width = 18  // of what travels with a lane
) (
  input  wire logic                   clk_i,
  input  wire logic [7:0]             drawn10_i,
  input  wire logic [7:0]             spin10_i,
  input  wire logic [8*Width-1:0]     data11_i,
  output logic                        any11_o,
  output logic      [2:0]             at11_o,
  output logic      [Width-1:0]       data12_o,
  output logic                        spin12_o
);
  logic       any11_q;
  logic [7:0] turn10, spin11_q;
  logic [2:0] at10, at11_q;
  assign turn10 = drawn10_i ^ spin10_i;
  always_comb begin
    at10 = '0;
    for (int k = 7; k >= 0; k--) if (turn10[k]) at10 = 3'(k);
  end
  logic [8*(Width+1)-1:0] all11;
  logic [Width:0]         chosen11, chosen12_q;
  for (genvar k = 0; k < 8; k++) begin : gen_lane
    assign all11[(Width+1)*k+:Width+1] = {spin11_q[k], data11_i[Width*k+:Width]};
  end
  cm_select #(
    .Inputs(8),
    .Width (Width + 1)
  ) u_chosen (
    .data_i  (all11),
    .select_i(at11_q),
    .data_o  (chosen11)
  );
  always_ff @(posedge clk_i) begin
    any11_q    <= turn10 != '0;
    spin11_q   <= spin10_i;
    at11_q     <= at10;
    chosen12_q <= chosen11;
  end
  assign any11_o              = any11_q;
  assign at11_o               = at11_q;
  assign {spin12_o, data12_o} = chosen12_q;
endmodule
`default_nettype wire
