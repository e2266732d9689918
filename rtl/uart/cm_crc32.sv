// CRC-32 of a stream of bytes, one bit per clock: a byte takes eight clocks, during which busy_o is
// set. Bits reflected, no final inversion: message and CRC together leave a constant.
`default_nettype none
module cm_crc32 (
  input  wire logic        clk_i,
  input  wire logic        clear_i,  // before the first byte
  input  wire logic        valid_i,  // not while busy
  input  wire logic [7:0]  byte_i,
  output logic             busy_o,
  output logic      [31:0] crc_o
);
  logic [31:0] crc_q;
  logic [7:0]  byte_q;
  logic [3:0]  left_q;
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      crc_q  <= '1;
      left_q <= '0;
    end else if (valid_i) begin
      left_q <= 4'd8;
      byte_q <= byte_i;
    end else if (busy_o) begin
      left_q <= left_q - 1'b1;
      byte_q <= {1'b0, byte_q[7:1]};
      crc_q  <= {1'b0, crc_q[31:1]} ^
                (topology_pkg::UartCrcPolynomial & {32{crc_q[0] ^ byte_q[0]}});
    end
  end
  assign busy_o = left_q != '0;
  assign crc_o  = crc_q;
endmodule
`default_nettype wire
