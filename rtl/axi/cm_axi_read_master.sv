// Reads a range of memory over AXI4 and outputs it as a stream, with several bursts in flight.
//
// After an error response the data still in flight is accepted and dropped.
`default_nettype none
module cm_axi_read_master #(
  parameter int unsigned DataWidth      = 64,
  parameter int unsigned CountWidth     = 24,
  parameter int unsigned MaxBeats       = 64,
  parameter int unsigned MaxOutstanding = 4  // bursts; hides the memory's latency
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,

  input  wire logic                  cmd_valid_i,
  output logic                       cmd_ready_o,  // the previous transfer is over
  input  wire logic [63:0]           cmd_addr_i,   // a multiple of the beat
  input  wire logic [CountWidth-1:0] cmd_beats_i,
  output logic      [1:0]            error_o,      // RRESP of the first bad beat, 0 if none

  output logic                       data_valid_o,
  input  wire logic                  data_ready_i,
  output logic      [DataWidth-1:0]  data_o,

  output logic                       arvalid_o,
  input  wire logic                  arready_i,
  output logic      [63:0]           araddr_o,
  output logic      [7:0]            arlen_o,
  input  wire logic                  rvalid_i,
  output logic                       rready_o,
  input  wire logic [DataWidth-1:0]  rdata_i,
  input  wire logic [1:0]            rresp_i,
  input  wire logic                  rlast_i
);
  logic       open, failed, unused_burst;
  logic [7:0] unused_len;

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
    .open_o     (open),
    .error_o,
    .hold_i     (1'b0),
    .burst_o    (unused_burst),
    .burst_len_o(unused_len),
    .axvalid_o  (arvalid_o),
    .axready_i  (arready_i),
    .axaddr_o   (araddr_o),
    .axlen_o    (arlen_o),
    .response_i (rvalid_i && rready_o),
    .resp_i     (rresp_i),
    .last_i     (rlast_i)
  );

  assign failed       = error_o != 2'b00;
  assign data_valid_o = rvalid_i && !failed && rresp_i == 2'b00;
  assign data_o       = rdata_i;
  assign rready_o     = open && (data_ready_i || failed || rresp_i != 2'b00);

`ifdef FORMAL
  `include "cm_axi_read_master_proof.svh"
`endif
endmodule
`default_nettype wire
