// The iCEBreaker: oscillator, FTDI serial port, two LEDs that light when driven low.
// ClockMHz comes from constraints/ice40.mk, which also gives it to the timing check.
`default_nettype none
module cm_icebreaker_board #(
  parameter int unsigned ClockMHz = 24,
  parameter int unsigned Baud     = 3_000_000,
  parameter int unsigned Turns    = 5
) (
  input  wire logic       clk_12mhz,
  input  wire logic       uart_rx,
  output logic            uart_tx,
  output logic            led_red_n,
  output logic            led_green_n
);
  // VCO between 533 and 1066 MHz: 12 MHz * (DivF + 1), divided by 2^DivQ.
  localparam int unsigned DivQ = (ClockMHz >= 34) ? 4 : 5;
  localparam int unsigned DivF = (ClockMHz << DivQ) / 12 - 1;
  if ((ClockMHz << DivQ) % 12 != 0 || ClockMHz < 17 || ClockMHz > 66) begin : gen_bad_clock
    $fatal(1, "cm_icebreaker_board: the PLL cannot make ClockMHz from 12 MHz");
  end
  logic clk, locked, rst_n, busy, running;
  SB_PLL40_PAD #(
    .FEEDBACK_PATH("SIMPLE"),
    .DIVR         (4'd0),
    .DIVF         (7'(DivF)),
    .DIVQ         (3'(DivQ)),
    .FILTER_RANGE (3'd1)
  ) u_pll (
    .PACKAGEPIN  (clk_12mhz),
    .PLLOUTGLOBAL(clk),
    .LOCK        (locked),
    .RESETB      (1'b1),
    .BYPASS      (1'b0)
  );
  cm_power_on_reset u_reset (
    .clk_i (clk),
    .good_i(locked),
    .rst_no(rst_n)
  );
  cm_uart_kernel #(
    .Divider((ClockMHz * 1_000_000 + Baud / 2) / Baud),
    .Turns  (Turns)
  ) u_kernel (
    .clk_i    (clk),
    .rst_ni   (rst_n),
    .rx_i     (uart_rx),
    .tx_o     (uart_tx),
    .busy_o   (busy),
    .running_o(running)
  );
  // Green: alive. Red: a frame is being carried out.
  assign led_green_n = !rst_n;
  assign led_red_n   = !busy;

  logic unused_running;
  assign unused_running = running;
endmodule
`default_nettype wire
