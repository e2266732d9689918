// Colorlight's i5 and i9 modules on their extension board: oscillator, the debugger's serial port, one
// LED that lights when driven low.
`default_nettype none
module cm_colorlight_board #(
  parameter int unsigned ClockMHz = 75,
  parameter int unsigned Baud     = 3_000_000,
  parameter int unsigned Turns    = 1
) (
  input  wire logic clk_osc,
  input  wire logic uart_rx,
  output logic      uart_tx,
  output logic      led_n
);
  logic alive, busy, unused_running;
  cm_ecp5 #(
    .ClockMHz(ClockMHz),
    .Baud    (Baud),
    .Turns   (Turns)
  ) u_body (
    .clk_25mhz_i(clk_osc),
    .rx_i       (uart_rx),
    .tx_o       (uart_tx),
    .alive_o    (alive),
    .busy_o     (busy),
    .running_o  (unused_running)
  );
  // Lit when alive, dark while a frame is executed.
  assign led_n = !alive || busy;
endmodule
`default_nettype wire
