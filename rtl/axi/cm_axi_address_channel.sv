// The address side of reads and writes: cuts a transfer into bursts, keeps several of them in
// flight and remembers the first error response, which ends the transfer: no further burst is
// requested, and error_o holds the response until the next command. Responses are registered, so
// that the next burst does not depend on the memory's wires in the same clock: a burst may still go
// out in the clock in which an error arrives.
`default_nettype none
module cm_axi_address_channel #(
  parameter int unsigned DataWidth      = 64,
  parameter int unsigned CountWidth     = 24,
  parameter int unsigned MaxBeats       = 64,
  parameter int unsigned MaxOutstanding = 4  // bursts; hides the memory's latency
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,

  input  wire logic                  cmd_valid_i,
  output logic                       cmd_ready_o,  // the previous transfer is over, including responses
  input  wire logic [63:0]           cmd_addr_i,   // a multiple of the beat
  input  wire logic [CountWidth-1:0] cmd_beats_i,
  output logic                       open_o,       // a burst was requested and has not ended
  output logic      [1:0]            error_o,      // the first bad response, 0 if none

  input  wire logic                  hold_i,       // no room for another burst
  output logic                       burst_o,      // one is asked for in this clock,
  output logic      [7:0]            burst_len_o,  // so long

  output logic                       axvalid_o,
  input  wire logic                  axready_i,
  output logic      [63:0]           axaddr_o,
  output logic      [7:0]            axlen_o,
  input  wire logic                  response_i,   // one is taken in this clock,
  input  wire logic [1:0]            resp_i,       // saying this,
  input  wire logic                  last_i        // and its burst ends with it
);
  localparam int unsigned OutWidth = $clog2(MaxOutstanding + 1);

  logic                split_ready, split_valid, command, room, bad;
  logic [63:0]         split_addr, axaddr_q;
  logic [7:0]          axlen_q;
  logic                axvalid_q;
  logic [OutWidth-1:0] open_q;
  logic [1:0]          error_q, resp_q;
  logic                response_q, last_q, ended;

  cm_axi_burst_splitter #(
    .DataBytes (DataWidth / 8),
    .CountWidth(CountWidth),
    .MaxBeats  (MaxBeats)
  ) u_splitter (
    .clk_i,
    .rst_ni,
    .clear_i      (bad),
    .cmd_valid_i  (command),
    .cmd_ready_o  (split_ready),
    .cmd_addr_i,
    .cmd_beats_i,
    .burst_valid_o(split_valid),
    .burst_ready_i(room),
    .burst_addr_o (split_addr),
    .burst_len_o
  );

  assign cmd_ready_o = split_ready && open_q == '0;
  assign command     = cmd_valid_i && cmd_ready_o;
  assign bad         = response_q && resp_q != 2'b00;
  assign ended       = response_q && last_q;
  assign room        = (!axvalid_q || axready_i) && open_q < OutWidth'(MaxOutstanding) && !hold_i &&
                       !bad;
  assign burst_o     = split_valid && room;
  assign open_o      = open_q != '0;
  assign error_o     = error_q;

  // A registered address channel: once valid it must not change, whatever happens behind it.
  assign axvalid_o = axvalid_q;
  assign axaddr_o  = axaddr_q;
  assign axlen_o   = axlen_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      axvalid_q  <= 1'b0;
      open_q     <= '0;
      error_q    <= 2'b00;
      response_q <= 1'b0;
    end else begin
      if (burst_o) axvalid_q <= 1'b1;
      else if (axready_i) axvalid_q <= 1'b0;
      if (burst_o != ended) open_q <= ended ? open_q - 1'b1 : open_q + 1'b1;
      response_q <= response_i;
      if (command) error_q <= 2'b00;
      else if (bad && error_q == 2'b00) error_q <= resp_q;
    end
  end
  always_ff @(posedge clk_i) begin
    resp_q <= resp_i;
    last_q <= last_i;
    if (burst_o) begin
      axaddr_q <= split_addr;
      axlen_q  <= burst_len_o;
    end
  end

`ifdef CM_ASSERT
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!response_i || open_o) else $error("a response to nothing");
      assert (open_q <= OutWidth'(MaxOutstanding)) else $error("too many bursts in flight");
    end
  end
`endif
`ifdef FORMAL
  `include "cm_axi_address_channel_proof.svh"
`endif
endmodule
`default_nettype wire
