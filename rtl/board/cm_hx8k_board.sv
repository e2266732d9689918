// Lattice's iCE40HX-8K breakout board: oscillator, FTDI serial port, eight LEDs (D9 to D2).
`default_nettype none
module cm_hx8k_board #(
  parameter int unsigned ClockMHz = 48,
  parameter int unsigned Baud     = 3_000_000,
  parameter int unsigned Turns    = 3
) (
  input  wire logic       clk_osc,
  input  wire logic       uart_rx,
  output logic            uart_tx,
  output logic      [7:0] led
);
  logic alive, busy, running;
  cm_ice40 #(
    .ClockMHz(ClockMHz),
    .Baud    (Baud),
    .Turns   (Turns),
    .ClockPad(1'b0)
  ) u_body (
    .clk_12mhz_i(clk_osc),
    .rx_i       (uart_rx),
    .tx_o       (uart_tx),
    .alive_o    (alive),
    .busy_o     (busy),
    .running_o  (running)
  );
  assign led = {5'd0, running, busy, alive};
endmodule
`default_nettype wire
