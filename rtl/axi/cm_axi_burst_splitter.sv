// Cuts a transfer of any length into AXI4 bursts: none longer than MaxBeats, none over a 4 KiB
// boundary (AXI4 forbids it: the next page may belong to another slave). A burst is worked out in
// two clocks, each with one comparison, and offered from registers: what lies behind it is the
// longest path of the kernel otherwise, and a burst's data take far longer than two clocks.
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
  localparam int unsigned BeatWidth = 9;  // holds MaxBeats
  if (DataBytes < 1 || DataBytes > 128 || (1 << ByteBits) != DataBytes) begin : gen_bad_bytes
    $fatal(1, "cm_axi_burst_splitter: DataBytes must be a power of two up to 128");
  end
  if (MaxBeats < 1 || MaxBeats > 256 || (1 << $clog2(MaxBeats)) != MaxBeats) begin : gen_bad_beats
    $fatal(1, "cm_axi_burst_splitter: MaxBeats must be a power of two up to 256");
  end
  if (CountWidth < PageBits + 1 || CountWidth < 10) begin : gen_bad_count
    $fatal(1, "cm_axi_burst_splitter: CountWidth must hold the beats of a page and of a burst");
  end

  logic [63:0]           addr_q;
  logic [CountWidth-1:0] left_q;
  logic                  any_q;     // left_q is not zero
  logic                  capped_q;  // cap_q belongs to addr_q
  logic                  valid_q;   // so do beats_q and len_q, and to left_q
  logic [BeatWidth-1:0]  cap_q, beats_q, cap_d, beats_d;
  logic [7:0]            len_q;
  logic [PageBits:0]     page_left;
  logic [CountWidth-1:0] left_after;
  logic                  command, taken;

  // Beats up to the next boundary: PageBeats when the address lies on one.
  assign page_left = (PageBits + 1)'(PageBeats) - {1'b0, addr_q[11:ByteBits]};
  assign cap_d = page_left < (PageBits + 1)'(MaxBeats) ? BeatWidth'(page_left) : BeatWidth'(MaxBeats);
  assign beats_d = left_q < CountWidth'(cap_q) ? BeatWidth'(left_q) : cap_q;
  assign left_after = left_q - CountWidth'(beats_q);

  assign cmd_ready_o   = !any_q;
  assign burst_valid_o = valid_q;
  assign burst_addr_o  = addr_q;
  assign burst_len_o   = len_q;
  assign command       = cmd_valid_i && cmd_ready_o;
  assign taken         = burst_valid_o && burst_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      left_q   <= '0;
      any_q    <= 1'b0;
      capped_q <= 1'b0;
      valid_q  <= 1'b0;
    end else if (command) begin
      left_q   <= cmd_beats_i;
      any_q    <= cmd_beats_i != '0;
      capped_q <= 1'b0;
      valid_q  <= 1'b0;
    end else if (taken) begin
      left_q   <= left_after;
      any_q    <= left_after != '0;
      capped_q <= 1'b0;
      valid_q  <= 1'b0;
    end else begin
      capped_q <= any_q;
      valid_q  <= any_q && capped_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (command) addr_q <= cmd_addr_i;
    else if (taken) addr_q <= addr_q + (64'(beats_q) << ByteBits);
    cap_q <= cap_d;
    if (!valid_q) begin
      beats_q <= beats_d;
      len_q   <= 8'(beats_d - 1'b1);
    end
  end

`ifdef FORMAL
  `include "cm_axi_burst_splitter_proof.svh"
`endif
endmodule
`default_nettype wire
