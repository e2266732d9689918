// Reset for the first clocks after configuration, and whenever the clock is not good. iCE40
// registers start as 0, which is what this counts from.
`default_nettype none
module cm_power_on_reset (
  input  wire logic clk_i,
  input  wire logic good_i,  // the PLL is locked
  output logic      rst_no
);
  logic [3:0] count_q = '0;
  logic       meta_q = 1'b0, good_q = 1'b0;
  always_ff @(posedge clk_i) begin
    meta_q <= good_i;
    good_q <= meta_q;
    if (!good_q) count_q <= '0;
    else if (count_q != '1) count_q <= count_q + 1'b1;
  end
  assign rst_no = count_q == '1;
endmodule
`default_nettype wire
