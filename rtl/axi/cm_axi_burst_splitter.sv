// Cuts a transfer of any length into AXI4 bursts: none longer than MaxBeats, none over a 4 KiB
// boundary (AXI4 forbids it: the next page may belong to another slave). A burst is computed in two
// clocks and offered from registers: otherwise this would be the longest path of the kernel, and a
// burst's data take far longer than two clocks. Counts are stored less one, as AxLEN is, and the
// page number is updated a clock after the place in it.
`default_nettype none
module cm_axi_burst_splitter #(
  parameter int unsigned DataBytes  = 8,   // a power of two up to 128
  parameter int unsigned CountWidth = 24,  // of a transfer, in beats
  parameter int unsigned MaxBeats   = 64   // a power of two up to 256
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,
  input  wire logic                  clear_i,  // drops the rest of the transfer
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

  logic [51:0]           page_q;    // of the next burst, once turn_q has been added,
  logic [11:0]           place_q;   // and where in it
  logic                  turn_q;    // the previous burst filled its page
  logic [CountWidth-1:0] left_q;    // beats left, less one
  logic                  any_q;     // there are any
  logic                  capped_q;  // cap_q belongs to place_q
  logic                  valid_q;   // so do len_q and last_q, and to left_q
  logic                  last_q;    // this burst is the transfer's last
  logic [7:0]            cap_q, len_q, cap_d, len_d;
  logic [PageBits-1:0]   page_left;
  logic                  command, taken, last_d;

  // Beats up to the next boundary, less one.
  assign page_left = ~place_q[11:ByteBits];
  assign cap_d     = page_left < PageBits'(MaxBeats - 1) ? 8'(page_left) : 8'(MaxBeats - 1);
  assign last_d    = left_q <= CountWidth'(cap_q);
  assign len_d     = last_d ? 8'(left_q) : cap_q;

  assign cmd_ready_o   = !any_q;
  assign burst_valid_o = valid_q;
  assign burst_addr_o  = {page_q, place_q};
  assign burst_len_o   = len_q;
  assign command       = cmd_valid_i && cmd_ready_o;
  assign taken         = burst_valid_o && burst_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      any_q    <= 1'b0;
      capped_q <= 1'b0;
      valid_q  <= 1'b0;
    end else if (command) begin
      any_q    <= cmd_beats_i != '0;
      capped_q <= 1'b0;
      valid_q  <= 1'b0;
    end else if (taken) begin
      any_q    <= !last_q;
      capped_q <= 1'b0;
      valid_q  <= 1'b0;
    end else begin
      capped_q <= any_q;
      valid_q  <= any_q && capped_q;
    end
  end
  always_ff @(posedge clk_i) begin
    turn_q <= 1'b0;
    page_q <= page_q + 52'(turn_q);
    if (command) begin
      {page_q, place_q} <= cmd_addr_i;
      left_q            <= cmd_beats_i - 1'b1;
    end else if (taken) begin
      {turn_q, place_q} <= 13'(place_q) + ((13'(len_q) + 13'd1) << ByteBits);
      left_q            <= left_q - CountWidth'(len_q) - 1'b1;
    end
    cap_q <= cap_d;
    if (!valid_q) begin
      last_q <= last_d;
      len_q  <= len_d;
    end
  end

`ifdef FORMAL
  `include "cm_axi_burst_splitter_proof.svh"
`endif
endmodule
`default_nettype wire
