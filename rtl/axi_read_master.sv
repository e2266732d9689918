// Reads a stretch of memory over AXI4 and hands it on as a stream, several bursts in flight.
//
// The first error response ends the transfer: no further burst is asked for, what is still on its
// way is taken and dropped, and error_o holds the response until the next command.
module axi_read_master #(
  parameter int unsigned DataWidth      = 64,
  parameter int unsigned CountWidth     = 24,
  parameter int unsigned MaxBeats       = 64,
  parameter int unsigned MaxOutstanding = 4  // bursts; hides the memory's latency
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  cmd_valid_i,
  output logic                  cmd_ready_o,  // the transfer before is over
  input  logic [63:0]           cmd_addr_i,   // a multiple of the beat
  input  logic [CountWidth-1:0] cmd_beats_i,
  output logic [1:0]            error_o,      // RRESP of the first bad beat, 0 if none

  output logic                  data_valid_o,
  input  logic                  data_ready_i,
  output logic [DataWidth-1:0]  data_o,

  output logic                  arvalid_o,
  input  logic                  arready_i,
  output logic [63:0]           araddr_o,
  output logic [7:0]            arlen_o,
  input  logic                  rvalid_i,
  output logic                  rready_o,
  input  logic [DataWidth-1:0]  rdata_i,
  input  logic [1:0]            rresp_i,
  input  logic                  rlast_i
);
  localparam int unsigned OutWidth = $clog2(MaxOutstanding + 1);

  logic                split_ready, burst_valid, burst_ready, command, failed, bad_beat;
  logic [63:0]         burst_addr, araddr_q;
  logic [7:0]          burst_len, arlen_q;
  logic                arvalid_q;
  logic [OutWidth-1:0] outstanding_q;  // bursts queued for AR or waiting for their last beat
  logic [1:0]          error_q;

  axi_burst_splitter #(
    .DataBytes (DataWidth / 8),
    .CountWidth(CountWidth),
    .MaxBeats  (MaxBeats)
  ) u_splitter (
    .clk_i,
    .rst_ni,
    .clear_i      (bad_beat),
    .cmd_valid_i  (command),
    .cmd_ready_o  (split_ready),
    .cmd_addr_i,
    .cmd_beats_i,
    .burst_valid_o(burst_valid),
    .burst_ready_i(burst_ready),
    .burst_addr_o (burst_addr),
    .burst_len_o  (burst_len)
  );

  assign cmd_ready_o = split_ready && outstanding_q == '0;
  assign command     = cmd_valid_i && cmd_ready_o;
  assign failed      = error_q != 2'b00;
  assign bad_beat    = rvalid_i && rready_o && rresp_i != 2'b00;
  assign error_o     = error_q;

  // A registered address channel: once valid it must not change, whatever happens behind it.
  assign burst_ready = (!arvalid_q || arready_i) && outstanding_q < OutWidth'(MaxOutstanding) &&
                       !bad_beat;
  assign arvalid_o   = arvalid_q;
  assign araddr_o    = araddr_q;
  assign arlen_o     = arlen_q;

  assign data_valid_o = rvalid_i && !failed && rresp_i == 2'b00;
  assign data_o       = rdata_i;
  assign rready_o     = outstanding_q != '0 && (data_ready_i || failed || rresp_i != 2'b00);

  logic taken, finished;
  assign taken    = burst_valid && burst_ready;
  assign finished = rvalid_i && rready_o && rlast_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      arvalid_q     <= 1'b0;
      outstanding_q <= '0;
      error_q       <= 2'b00;
    end else begin
      if (taken) arvalid_q <= 1'b1;
      else if (arready_i) arvalid_q <= 1'b0;
      outstanding_q <= outstanding_q + OutWidth'(taken) - OutWidth'(finished);
      if (command) error_q <= 2'b00;
      else if (bad_beat && !failed) error_q <= rresp_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (taken) begin
      araddr_q <= burst_addr;
      arlen_q  <= burst_len;
    end
  end

`ifdef FORMAL
  `include "axi_read_master_proof.svh"
`endif
endmodule
