// Frames from bytes (docs/uart.md): removes escapes, keeps the frame in a buffer and offers it when
// its CRC is right. Anything else is dropped at the next flag: noise costs a frame, never more.
// While a frame is offered nothing is received, so the buffer does not change. Reads pass a register:
// block RAM is slow, and the more so where a buffer takes several.
`default_nettype none
module cm_frame_receiver #(
  parameter int unsigned Bytes = 512,
  localparam int unsigned AddressBits = $clog2(Bytes)
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,
  input  wire logic                   valid_i,
  input  wire logic [7:0]             byte_i,

  output logic                        frame_o,   // there is one, until release_i
  output logic      [AddressBits-1:0] length_o,  // of it, without the CRC
  input  wire logic                   release_i,
  input  wire logic [AddressBits-1:0] read_address_i,
  output logic      [7:0]             read_data_o  // two clocks later
);
  localparam int unsigned Least = topology_pkg::UartHeadBytes + topology_pkg::UartCrcBytes;

  logic                   frame_q, escaped_q, lost_q;  // lost: wait for the next flag
  logic [AddressBits-1:0] length_q;
  logic                   flag, escape, take, crc_busy;
  logic [7:0]             plain, read_data;
  logic [31:0]            crc;

  assign flag   = valid_i && !frame_q && byte_i == topology_pkg::UartFlag;
  assign escape = byte_i == topology_pkg::UartEscape;
  assign take   = valid_i && !frame_q && !flag && !escape && !lost_q;
  assign plain  = escaped_q ? byte_i ^ topology_pkg::UartFlip : byte_i;

  cm_crc32 u_crc (
    .clk_i,
    .clear_i(flag || !rst_ni),
    .valid_i(take),
    .byte_i (plain),
    .busy_o (crc_busy),
    .crc_o  (crc)
  );
  cm_ram_1r1w #(
    .Width(8),
    .Depth(Bytes)
  ) u_buffer (
    .clk_i,
    .write_i        (take),
    .write_address_i(length_q),
    .write_data_i   (plain),
    .read_address_i,
    .read_data_o    (read_data)
  );
  always_ff @(posedge clk_i) read_data_o <= read_data;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      frame_q   <= 1'b0;
      escaped_q <= 1'b0;
      lost_q    <= 1'b1;
      length_q  <= '0;
    end else if (frame_q) begin
      // What arrived meanwhile may be the middle of a frame.
      lost_q <= 1'b1;
      if (release_i) frame_q <= 1'b0;
    end else if (flag) begin
      escaped_q <= 1'b0;
      lost_q    <= 1'b0;
      length_q  <= '0;
      if (!lost_q && !escaped_q && length_q >= AddressBits'(Least) &&
          crc == topology_pkg::UartCrcResidue) begin
        frame_q  <= 1'b1;
        length_q <= length_q - AddressBits'(topology_pkg::UartCrcBytes);
      end
    end else if (valid_i) begin
      escaped_q <= escape;
      if (escape && escaped_q) lost_q <= 1'b1;
      if (take) length_q <= length_q + 1'b1;
      if (take && length_q == AddressBits'(Bytes - 1)) lost_q <= 1'b1;
    end
  end
  assign frame_o  = frame_q;
  assign length_o = length_q;

  // A byte takes longer on the line than in the CRC.
  logic unused_busy;
  assign unused_busy = crc_busy;
endmodule
`default_nettype wire
