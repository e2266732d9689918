// Bytes to a serial line, 8N1.
`default_nettype none
module cm_uart_sender #(
  parameter int unsigned Divider = 12  // clocks of a bit
) (
  input  wire logic       clk_i,
  input  wire logic       rst_ni,
  input  wire logic       valid_i,
  output logic            ready_o,
  input  wire logic [7:0] byte_i,
  output logic            tx_o
);
  localparam int unsigned CountBits = $clog2(Divider);

  logic [CountBits-1:0] count_q;
  logic [3:0]           left_q;  // bits still to go
  logic [8:0]           bits_q;  // the one on the line lowest; stop bits follow
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q <= '0;
      left_q  <= '0;
      bits_q  <= '1;
    end else if (left_q == '0) begin
      count_q <= CountBits'(Divider - 1);
      if (valid_i) begin
        bits_q <= {byte_i, 1'b0};
        left_q <= 4'd10;
      end
    end else if (count_q != '0) begin
      count_q <= count_q - 1'b1;
    end else begin
      count_q <= CountBits'(Divider - 1);
      left_q  <= left_q - 1'b1;
      bits_q  <= {1'b1, bits_q[8:1]};
    end
  end
  assign ready_o = left_q == '0;
  assign tx_o    = bits_q[0];
endmodule
`default_nettype wire
