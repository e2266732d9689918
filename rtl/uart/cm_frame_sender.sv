// Frames to bytes (docs/uart.md): a flag before the first byte, escapes where they are needed, and
// after finish_i the CRC and the closing flag. A byte waits here in a register: what makes it, and what
// comes after it, do not hang on the line's handshake.
`default_nettype none
module cm_frame_sender (
  input  wire logic       clk_i,
  input  wire logic       rst_ni,
  input  wire logic       valid_i,
  output logic            ready_o,
  input  wire logic [7:0] byte_i,
  input  wire logic       finish_i,  // no more bytes; held until done_o
  output logic            done_o,

  output logic            valid_o,
  input  wire logic       ready_i,
  output logic      [7:0] byte_o
);
  typedef enum logic [2:0] {
    StIdle,
    StBytes,
    StEscaped,
    StCrc,
    StCrcEscaped,
    StClose
  } state_e;

  state_e      state_q;
  logic [1:0]  index_q;  // byte of the CRC
  logic        full_q, crc_busy, special, going, taken;
  logic [7:0]  byte_q, plain;
  logic [31:0] crc;

  assign plain   = (state_q == StCrc || state_q == StCrcEscaped) ? ~crc[8*index_q+:8] : byte_q;
  assign special = plain == topology_pkg::UartFlag || plain == topology_pkg::UartEscape;
  // The CRC is complete eight clocks after its last byte.
  always_comb begin
    valid_o = 1'b0;
    byte_o  = topology_pkg::UartFlag;
    unique case (state_q)
      StIdle:  valid_o = full_q;
      StClose: valid_o = 1'b1;
      StBytes: begin
        valid_o = full_q && !crc_busy;
        byte_o  = special ? topology_pkg::UartEscape : plain;
      end
      StCrc: begin
        valid_o = !crc_busy;
        byte_o  = special ? topology_pkg::UartEscape : plain;
      end
      default: begin  // the byte after an escape
        valid_o = 1'b1;
        byte_o  = plain ^ topology_pkg::UartFlip;
      end
    endcase
  end
  assign going   = valid_o && ready_i;
  assign taken   = going && ((state_q == StBytes && !special) || state_q == StEscaped);
  assign ready_o = !full_q;
  assign done_o  = state_q == StClose && going;

  cm_crc32 u_crc (
    .clk_i,
    .clear_i(state_q == StIdle),
    .valid_i(taken),
    .byte_i (byte_q),
    .busy_o (crc_busy),
    .crc_o  (crc)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) full_q <= 1'b0;
    else full_q <= full_q ? !taken : valid_i;
    if (!full_q) byte_q <= byte_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      index_q <= '0;
    end else begin
      unique case (state_q)
        StIdle:  if (going) state_q <= StBytes;
        StBytes: begin
          index_q <= '0;
          if (going && special) state_q <= StEscaped;
          else if (finish_i && !full_q) state_q <= StCrc;
        end
        StEscaped: if (going) state_q <= StBytes;
        StCrc: begin
          if (going && special) state_q <= StCrcEscaped;
          else if (going) begin
            index_q <= index_q + 1'b1;
            if (index_q == 2'd3) state_q <= StClose;
          end
        end
        StCrcEscaped: begin
          if (going) begin
            index_q <= index_q + 1'b1;
            state_q <= (index_q == 2'd3) ? StClose : StCrc;
          end
        end
        StClose: if (going) state_q <= StIdle;
        default: state_q <= StIdle;
      endcase
    end
  end
endmodule
`default_nettype wire
