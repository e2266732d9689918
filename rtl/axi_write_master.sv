// Writes a stream to a stretch of memory over AXI4, several bursts in flight.
//
// The first error response ends the transfer: no further burst is opened, those already open are
// completed with empty strobes, so nothing more is written, and error_o holds the response until
// the next command.
module axi_write_master #(
  parameter int unsigned DataWidth      = 64,
  parameter int unsigned CountWidth     = 24,
  parameter int unsigned MaxBeats       = 64,
  parameter int unsigned MaxOutstanding = 4  // bursts, a power of two
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic                   cmd_valid_i,
  output logic                   cmd_ready_o,  // the transfer before is over, responses and all
  input  logic [63:0]            cmd_addr_i,   // a multiple of the beat
  input  logic [CountWidth-1:0]  cmd_beats_i,
  output logic [1:0]             error_o,      // the first bad BRESP, 0 if none

  input  logic                   data_valid_i,
  output logic                   data_ready_o,
  input  logic [DataWidth-1:0]   data_i,

  output logic                   awvalid_o,
  input  logic                   awready_i,
  output logic [63:0]            awaddr_o,
  output logic [7:0]             awlen_o,
  output logic                   wvalid_o,
  input  logic                   wready_i,
  output logic [DataWidth-1:0]   wdata_o,
  output logic [DataWidth/8-1:0] wstrb_o,
  output logic                   wlast_o,
  input  logic                   bvalid_i,
  output logic                   bready_o,
  input  logic [1:0]             bresp_i
);
  localparam int unsigned OutWidth = $clog2(MaxOutstanding + 1);

  logic                 split_ready, burst_valid, burst_ready, taken, command, bad_response;
  logic [63:0]          burst_addr, awaddr_q;
  logic [7:0]           burst_len, awlen_q;
  logic                 awvalid_q;
  logic [OutWidth-1:0]  outstanding_q;  // bursts that have no response yet
  logic [1:0]           error_q;

  axi_burst_splitter #(
    .DataBytes (DataWidth / 8),
    .CountWidth(CountWidth),
    .MaxBeats  (MaxBeats)
  ) u_splitter (
    .clk_i,
    .rst_ni,
    .clear_i      (bad_response),
    .cmd_valid_i  (command),
    .cmd_ready_o  (split_ready),
    .cmd_addr_i,
    .cmd_beats_i,
    .burst_valid_o(burst_valid),
    .burst_ready_i(burst_ready),
    .burst_addr_o (burst_addr),
    .burst_len_o  (burst_len)
  );

  assign cmd_ready_o  = split_ready && outstanding_q == '0;
  assign command      = cmd_valid_i && cmd_ready_o;
  assign bready_o     = outstanding_q != '0;
  assign bad_response = bvalid_i && bready_o && bresp_i != 2'b00;
  assign error_o      = error_q;

  // The burst's length waits here for the data channel, which may lag behind the address channel.
  logic       len_in_ready, len_valid, len_ready;
  logic [7:0] len;
  sync_fifo #(
    .Width(8),
    .Depth(MaxOutstanding)
  ) u_lengths (
    .clk_i,
    .rst_ni,
    .clear_i    (1'b0),
    .in_valid_i (taken),
    .in_ready_o (len_in_ready),
    .in_data_i  (burst_len),
    .out_valid_o(len_valid),
    .out_ready_i(len_ready),
    .out_data_o (len)
  );

  assign burst_ready = (!awvalid_q || awready_i) && len_in_ready && !bad_response &&
                       outstanding_q < OutWidth'(MaxOutstanding);
  assign taken       = burst_valid && burst_ready;
  assign awvalid_o   = awvalid_q;
  assign awaddr_o    = awaddr_q;
  assign awlen_o     = awlen_q;

  // Data goes through one register, for the same reason as the address. A beat is void when the
  // transfer has failed: it only completes a burst that is already open.
  logic                 wvalid_q, wlast_q, wvoid_q, beat, void_beat, last;
  logic [DataWidth-1:0] wdata_q;
  logic [7:0]           beat_q;  // beats of the current burst already passed on
  assign void_beat    = error_q != 2'b00;
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
      awvalid_q     <= 1'b0;
      wvalid_q      <= 1'b0;
      beat_q        <= '0;
      outstanding_q <= '0;
      error_q       <= 2'b00;
    end else begin
      if (taken) awvalid_q <= 1'b1;
      else if (awready_i) awvalid_q <= 1'b0;
      if (beat) wvalid_q <= 1'b1;
      else if (wready_i) wvalid_q <= 1'b0;
      if (beat) beat_q <= last ? '0 : beat_q + 1'b1;
      outstanding_q <= outstanding_q + OutWidth'(taken) - OutWidth'(bvalid_i && bready_o);
      if (command) error_q <= 2'b00;
      else if (bad_response && error_q == 2'b00) error_q <= bresp_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (taken) begin
      awaddr_q <= burst_addr;
      awlen_q  <= burst_len;
    end
    if (beat) begin
      wdata_q <= data_i;
      wlast_q <= last;
      wvoid_q <= void_beat;
    end
  end

`ifdef FORMAL
  `include "axi_write_master_proof.svh"
`endif
endmodule
