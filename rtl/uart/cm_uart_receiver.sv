// Bytes from a serial line, 8N1, sampled in the middle of each bit. A start bit that is gone by its
// middle was noise; a byte without a stop bit is dropped, and its frame with it by the CRC.
`default_nettype none
module cm_uart_receiver #(
  parameter int unsigned Divider = 12  // clocks of a bit, at least 4
) (
  input  wire logic       clk_i,
  input  wire logic       rst_ni,
  input  wire logic       rx_i,
  output logic            valid_o,  // for one clock
  output logic      [7:0] byte_o
);
  localparam int unsigned CountBits = $clog2(Divider);
  if (Divider < 4) begin : gen_bad_divider
    $fatal(1, "cm_uart_receiver: a bit must be at least 4 clocks long");
  end

  logic                 meta_q, line_q;  // the line is asynchronous to this clock
  logic [CountBits-1:0] count_q;
  logic [3:0]           bit_q;  // 0 idle, 1 start bit, 2 to 9 data, 10 stop bit
  logic [7:0]           byte_q;
  logic                 valid_q;
  always_ff @(posedge clk_i) begin
    meta_q <= rx_i;
    line_q <= meta_q;
  end
  always_ff @(posedge clk_i) begin
    valid_q <= 1'b0;
    if (!rst_ni) begin
      bit_q   <= '0;
      count_q <= '0;
    end else if (bit_q == 4'd0) begin
      count_q <= CountBits'(Divider / 2 - 1);
      if (!line_q) bit_q <= 4'd1;
    end else if (count_q != '0) begin
      count_q <= count_q - 1'b1;
    end else begin
      count_q <= CountBits'(Divider - 1);
      bit_q   <= bit_q + 1'b1;
      if (bit_q == 4'd1 && line_q) bit_q <= '0;
      if (bit_q >= 4'd2 && bit_q <= 4'd9) byte_q <= {line_q, byte_q[7:1]};
      if (bit_q == 4'd10) begin
        bit_q   <= '0;
        valid_q <= line_q;
      end
    end
  end
  assign valid_o = valid_q;
  assign byte_o  = byte_q;
endmodule
`default_nettype wire
