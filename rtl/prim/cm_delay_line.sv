// Delays a vector by a fixed number of steps. No reset, and an enable that is a constant where
// every clock is a step, so that FPGA tools put it in shift-register LUTs: the state between colour
// stages costs one LUT per bit, whatever the depth.
`default_nettype none
module cm_delay_line #(
  parameter int unsigned Width = 1,
  parameter int unsigned Depth = 1  // 0 is a wire
) (
  input  wire logic             clk_i,
  input  wire logic             advance_i,
  input  wire logic [Width-1:0] data_i,
  output logic      [Width-1:0] data_o
);
  if (Depth == 0) begin : gen_wire
    logic unused_clk;
    assign unused_clk = ^{clk_i, advance_i};
    assign data_o     = data_i;
  end else if (Depth == 1) begin : gen_register
    logic [Width-1:0] data_q;
    always_ff @(posedge clk_i) if (advance_i) data_q <= data_i;
    assign data_o = data_q;
  end else begin : gen_shift
    logic [Depth*Width-1:0] data_q;
    always_ff @(posedge clk_i) begin
      if (advance_i) data_q <= {data_q[(Depth-1)*Width-1:0], data_i};
    end
    assign data_o = data_q[(Depth-1)*Width+:Width];
  end
endmodule
`default_nettype wire
