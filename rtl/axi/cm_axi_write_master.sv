// Writes a stream to a range of memory over AXI4, with several bursts in flight.
//
// After an error response open bursts are completed with empty strobes, so nothing more is written.
`default_nettype none
module cm_axi_write_master #(
  parameter int unsigned DataWidth      = 64,
  parameter int unsigned CountWidth     = 24,
  parameter int unsigned MaxBeats       = 64,
  parameter int unsigned MaxOutstanding = 4  // bursts, a power of two
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,

  input  wire logic                   cmd_valid_i,
  output logic                        cmd_ready_o,  // the previous transfer is over, including responses
  input  wire logic [63:0]            cmd_addr_i,   // a multiple of the beat
  input  wire logic [CountWidth-1:0]  cmd_beats_i,
  output logic      [1:0]             error_o,      // the first bad BRESP, 0 if none

  input  wire logic                   data_valid_i,
  output logic                        data_ready_o,
  input  wire logic [DataWidth-1:0]   data_i,

  output logic                        awvalid_o,
  input  wire logic                   awready_i,
  output logic      [63:0]            awaddr_o,
  output logic      [7:0]             awlen_o,
  output logic                        wvalid_o,
  input  wire logic                   wready_i,
  output logic      [DataWidth-1:0]   wdata_o,
  output logic      [DataWidth/8-1:0] wstrb_o,
  output logic                        wlast_o,
  input  wire logic                   bvalid_i,
  output logic                        bready_o,
  input  wire logic [1:0]             bresp_i
);
  logic       burst, room;
  logic [7:0] burst_len;

  cm_axi_address_channel #(
    .DataWidth     (DataWidth),
    .CountWidth    (CountWidth),
    .MaxBeats      (MaxBeats),
    .MaxOutstanding(MaxOutstanding)
  ) u_addresses (
    .clk_i,
    .rst_ni,
    .cmd_valid_i,
    .cmd_ready_o,
    .cmd_addr_i,
    .cmd_beats_i,
    .open_o     (bready_o),
    .error_o,
    .hold_i     (!room),
    .burst_o    (burst),
    .burst_len_o(burst_len),
    .axvalid_o  (awvalid_o),
    .axready_i  (awready_i),
    .axaddr_o   (awaddr_o),
    .axlen_o    (awlen_o),
    .response_i (bvalid_i && bready_o),
    .resp_i     (bresp_i),
    .last_i     (1'b1)
  );

  // The burst's length waits here for the data channel, which may lag behind the address channel.
  logic       len_valid, len_ready;
  logic [7:0] len;
  cm_sync_fifo #(
    .Width(8),
    .Depth(MaxOutstanding)
  ) u_lengths (
    .clk_i,
    .rst_ni,
    .clear_i    (1'b0),
    .in_valid_i (burst),
    .in_ready_o (room),
    .in_data_i  (burst_len),
    .out_valid_o(len_valid),
    .out_ready_i(len_ready),
    .out_data_o (len)
  );

  // Data goes through one register, for the same reason as the address. A beat is void when the
  // transfer has failed: it only completes a burst that is already open.
  logic                 wvalid_q, wlast_q, wvoid_q, beat, void_beat, last;
  logic [DataWidth-1:0] wdata_q;
  logic [7:0]           beat_q;  // beats of the current burst already passed on
  assign void_beat    = error_o != 2'b00;
  assign last         = beat_q == len;
  assign beat         = len_valid && (data_valid_i || void_beat) && (!wvalid_q || wready_i);
  assign data_ready_o = beat && !void_beat;
  assign len_ready    = beat && last;
  assign wvalid_o     = wvalid_q;
  assign wdata_o      = wdata_q;
  assign wlast_o      = wlast_q;
  assign wstrb_o      = wvoid_q ? '0 : '1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wvalid_q <= 1'b0;
      beat_q   <= '0;
    end else begin
      if (beat) wvalid_q <= 1'b1;
      else if (wready_i) wvalid_q <= 1'b0;
      if (beat) beat_q <= last ? '0 : beat_q + 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (beat) begin
      wdata_q <= data_i;
      wlast_q <= last;
      wvoid_q <= void_beat;
    end
  end

`ifdef FORMAL
  `include "cm_axi_write_master_proof.svh"
`endif
endmodule
`default_nettype wire
