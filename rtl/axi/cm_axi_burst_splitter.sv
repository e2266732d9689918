// Cuts a transfer of any length into AXI4 bursts: none longer than MaxBeats, none over a 4 KiB
// boundary (AXI4 forbids it: the next page may belong to another slave).
`default_nettype none
module cm_axi_burst_splitter #(
  parameter int unsigned DataBytes  = 8,   // a power of two up to 128
  parameter int unsigned CountWidth = 24,  // of a transfer, in beats
  parameter int unsigned MaxBeats   = 64   // a power of two up to 256
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,
  input  wire logic                  clear_i,  // forgets what is left of the transfer
  input  wire logic                  cmd_valid_i,
  output logic                       cmd_ready_o,
  input  wire logic [63:0]           cmd_addr_i,   // a multiple of DataBytes
  input  wire logic [CountWidth-1:0] cmd_beats_i,  // 0 is a transfer of nothing
  output logic                       burst_valid_o,
  input  wire logic                  burst_ready_i,
  output logic      [63:0]           burst_addr_o,
  output logic      [7:0]            burst_len_o  // beats - 1, as in AxLEN
);
  localparam int unsigned ByteBits  = $clog2(DataBytes);
  localparam int unsigned PageBeats = 4096 / DataBytes;
  localparam int unsigned PageBits  = $clog2(PageBeats);
  if (DataBytes < 1 || DataBytes > 128 || (1 << ByteBits) != DataBytes) begin : gen_bad_bytes
    $fatal(1, "cm_axi_burst_splitter: DataBytes must be a power of two up to 128");
  end
  if (MaxBeats < 1 || MaxBeats > 256 || (1 << $clog2(MaxBeats)) != MaxBeats) begin : gen_bad_beats
    $fatal(1, "cm_axi_burst_splitter: MaxBeats must be a power of two up to 256");
  end
  if (CountWidth < PageBits + 1 || CountWidth < 10) begin : gen_bad_count
    $fatal(1, "cm_axi_burst_splitter: CountWidth must hold the beats of a page and of a burst");
  end

  logic [63:0]           addr_q, addr_d;
  logic [CountWidth-1:0] left_q, left_d;
  logic [PageBits:0]     page_left;
  logic [CountWidth-1:0] beats;

  // Beats up to the next boundary: PageBeats when the address lies on one.
  assign page_left = (PageBits + 1)'(PageBeats) - {1'b0, addr_q[11:ByteBits]};

  always_comb begin
    beats = CountWidth'(MaxBeats);
    if (CountWidth'(page_left) < beats) beats = CountWidth'(page_left);
    if (left_q < beats) beats = left_q;
  end

  assign cmd_ready_o   = left_q == '0;
  assign burst_valid_o = left_q != '0;
  assign burst_addr_o  = addr_q;
  assign burst_len_o   = 8'(beats - 1'b1);

  always_comb begin
    addr_d = addr_q;
    left_d = left_q;
    if (cmd_valid_i && cmd_ready_o) begin
      addr_d = cmd_addr_i;
      left_d = cmd_beats_i;
    end else if (burst_valid_o && burst_ready_i) begin
      addr_d = addr_q + (64'(beats) << ByteBits);
      left_d = left_q - beats;
    end
    if (clear_i) left_d = '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      addr_q <= '0;
      left_q <= '0;
    end else begin
      addr_q <= addr_d;
      left_q <= left_d;
    end
  end

`ifdef FORMAL
  `include "cm_axi_burst_splitter_proof.svh"
`endif
endmodule
`default_nettype wire
