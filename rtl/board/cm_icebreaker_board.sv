// The iCEBreaker: oscillator, FTDI serial port, two LEDs that light when driven low.
`default_nettype none
module cm_icebreaker_board #(
  parameter int unsigned ClockMHz = 24,
  parameter int unsigned Baud     = 3_000_000,
  parameter int unsigned Turns    = 5
) (
  input  wire logic clk_osc,
  input  wire logic uart_rx,
  output logic      uart_tx,
  output logic      led_red_n,
  output logic      led_green_n
);
  logic alive, busy, unused_running;
  cm_ice40 #(
    .ClockMHz(ClockMHz),
    .Baud    (Baud),
    .Turns   (Turns),
    .ClockPad(1'b1)
  ) u_body (
    .clk_12mhz_i(clk_osc),
    .rx_i       (uart_rx),
    .tx_o       (uart_tx),
    .alive_o    (alive),
    .busy_o     (busy),
    .running_o  (unused_running)
  );
  // Green: alive. Red: a frame is being executed.
  assign led_green_n = !alive;
  assign led_red_n   = !busy;
endmodule
`default_nettype wire
