// The ULX3S: oscillator, FTDI serial port, eight LEDs. A high level on the ESP32's GPIO0 keeps that processor
// from taking the board over.
`default_nettype none
module cm_ulx3s_board #(
  parameter int unsigned ClockMHz = 75,
  parameter int unsigned Baud     = 3_000_000,
  parameter int unsigned Turns    = 1
) (
  input  wire logic       clk_osc,
  input  wire logic       uart_rx,
  output logic            uart_tx,
  output logic            wifi_gpio0,
  output logic      [7:0] led
);
  logic alive, busy, running;
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
    .running_o  (running)
  );
  assign led        = {5'd0, running, busy, alive};
  assign wifi_gpio0 = 1'b1;
endmodule
`default_nettype wire
