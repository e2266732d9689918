// Shared by iCE40 boards: the PLL that makes the clock from 12 MHz, the reset after configuration
// and the kernel behind its serial line. A board adds only its pins. ClockMHz comes from
// constraints/ice40.mk, which also passes it to the timing check.
`default_nettype none
module cm_ice40 #(
  parameter int unsigned ClockMHz = 48,
  parameter int unsigned Baud     = 3_000_000,
  parameter int unsigned Turns    = 3,
  parameter bit          ClockPad = 1'b0  // whether the oscillator is on the PLL's own pin, which depends on the part
) (
  input  wire logic clk_12mhz_i,
  input  wire logic rx_i,
  output logic      tx_o,
  output logic      alive_o,
  output logic      busy_o,    // a frame is being executed
  output logic      running_o  // a burst is running
);
  // VCO between 533 and 1066 MHz: 12 MHz * (DivF + 1), divided by 2^DivQ.
  localparam int unsigned DivQ = (ClockMHz >= 34) ? 4 : 5;
  localparam int unsigned DivF = (ClockMHz << DivQ) / 12 - 1;
  if ((ClockMHz << DivQ) % 12 != 0 || ClockMHz < 17 || ClockMHz > 66) begin : gen_bad_clock
    $fatal(1, "cm_ice40: the PLL cannot make ClockMHz from 12 MHz");
  end
  logic clk, locked, rst_n;
  if (ClockPad) begin : gen_pad
    SB_PLL40_PAD #(
      .FEEDBACK_PATH("SIMPLE"),
      .DIVR         (4'd0),
      .DIVF         (7'(DivF)),
      .DIVQ         (3'(DivQ)),
      .FILTER_RANGE (3'd1)
    ) u_pll (
      .PACKAGEPIN  (clk_12mhz_i),
      .PLLOUTGLOBAL(clk),
      .LOCK        (locked),
      .RESETB      (1'b1),
      .BYPASS      (1'b0)
    );
  end else begin : gen_core
    SB_PLL40_CORE #(
      .FEEDBACK_PATH("SIMPLE"),
      .DIVR         (4'd0),
      .DIVF         (7'(DivF)),
      .DIVQ         (3'(DivQ)),
      .FILTER_RANGE (3'd1)
    ) u_pll (
      .REFERENCECLK(clk_12mhz_i),
      .PLLOUTGLOBAL(clk),
      .LOCK        (locked),
      .RESETB      (1'b1),
      .BYPASS      (1'b0)
    );
  end
  cm_power_on_reset u_reset (
    .clk_i (clk),
    .good_i(locked),
    .rst_no(rst_n)
  );
  cm_uart_kernel #(
    .ClockMHz(ClockMHz),
    .Baud    (Baud),
    .Turns   (Turns)
  ) u_kernel (
    .clk_i (clk),
    .rst_ni(rst_n),
    .rx_i,
    .tx_o,
    .busy_o,
    .running_o
  );
  assign alive_o = rst_n;
endmodule
`default_nettype wire
