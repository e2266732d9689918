// A register in the path of a broadcast. Tools must not merge it with its duplicates, so that each
// drives only its own group: a net of few loads instead of one across the whole die.
`default_nettype none
module cm_relay #(
  parameter int unsigned Width = 1,
  parameter int unsigned Depth = 1  // clocks
) (
  input  wire logic             clk_i,
  input  wire logic [Width-1:0] data_i,
  output logic      [Width-1:0] data_o
);
  if (Depth < 1) begin : gen_bad_depth
    $fatal(1, "cm_relay: Depth must be at least 1");
  end
  for (genvar d = 0; d < Depth; d++) begin : gen_clock
    (* keep = "true", dont_touch = "true", shreg_extract = "no" *) logic [Width-1:0] data_q;
    if (d == 0) begin : gen_first
      always_ff @(posedge clk_i) data_q <= data_i;
    end else begin : gen_next
      always_ff @(posedge clk_i) data_q <= gen_clock[d-1].data_q;
    end
  end
  assign data_o = gen_clock[Depth-1].data_q;
endmodule
`default_nettype wire
