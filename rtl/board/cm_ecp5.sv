// Shared by ECP5 boards: the PLL that makes the clock from 25 MHz, the reset after configuration and
// the kernel behind its serial line. A board adds only its pins. ClockMHz comes from
// constraints/ecp5.mk; nextpnr derives the clock it checks from the PLL itself.
`default_nettype none
module cm_ecp5 #(
  parameter int unsigned ClockMHz = 75,
  parameter int unsigned Baud     = 3_000_000,
  parameter int unsigned Turns    = 1
) (
  input  wire logic clk_25mhz_i,
  input  wire logic rx_i,
  output logic      tx_o,
  output logic      alive_o,
  output logic      busy_o,    // a frame is being executed
  output logic      running_o  // a burst is running
);
  // The first output closes the loop at 25 MHz and has the VCO run at 600 MHz (of 400 to 800); the second is our clock.
  localparam int unsigned VcoMHz = 600;
  if (VcoMHz % ClockMHz != 0) begin : gen_bad_clock
    $fatal(1, "cm_ecp5: the PLL divides 600 MHz by a whole number");
  end
  logic clk, locked, rst_n, unused_loop;
  (* FREQUENCY_PIN_CLKI = "25", ICP_CURRENT = "12", LPF_RESISTOR = "8", MFG_ENABLE_FILTEROPAMP = "1",
     MFG_GMCREF_SEL = "2" *)
  EHXPLLL #(
    .PLLRST_ENA    ("DISABLED"),
    .FEEDBK_PATH   ("CLKOP"),
    .CLKI_DIV      (1),
    .CLKFB_DIV     (1),
    .CLKOP_ENABLE  ("ENABLED"),
    .CLKOP_DIV     (VcoMHz / 25),
    .CLKOP_CPHASE  (VcoMHz / 25 - 1),
    .CLKOS_ENABLE  ("ENABLED"),
    .CLKOS_DIV     (VcoMHz / ClockMHz),
    .CLKOS_CPHASE  (VcoMHz / ClockMHz - 1)
  ) u_pll (
    .CLKI     (clk_25mhz_i),
    .CLKFB    (unused_loop),
    .RST      (1'b0),
    .STDBY    (1'b0),
    .PHASESEL0(1'b0),
    .PHASESEL1(1'b0),
    .PHASEDIR (1'b0),
    .PHASESTEP(1'b0),
    .PHASELOADREG(1'b0),
    .PLLWAKESYNC(1'b0),
    .ENCLKOP  (1'b0),
    .ENCLKOS  (1'b0),
    .CLKOP    (unused_loop),
    .CLKOS    (clk),
    .LOCK     (locked)
  );
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
