// AXI4 writes to the memory of cm_bar_memory.sv, as a slave: full beats, INCR, any strobes. A burst
// ends with WLAST and is answered when its last beat is on its way to the memory: a read that
// begins after the answer sees it.
`default_nettype none
module cm_bar_write #(
  parameter int unsigned DataBytes = 64,  // of a beat: a power of two up to a row
  parameter int unsigned IdWidth   = 16,
  parameter int unsigned Rows      = 64,
  localparam int unsigned RowBits  = $clog2(Rows),
  localparam int unsigned DataBits = 8 * DataBytes
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,

  input  wire logic                 awvalid_i,
  output logic                      awready_o,
  input  wire logic [IdWidth-1:0]   awid_i,
  input  wire logic [63:0]          awaddr_i,
  input  wire logic                 wvalid_i,
  output logic                      wready_o,
  input  wire logic [DataBits-1:0]  wdata_i,
  input  wire logic [DataBytes-1:0] wstrb_i,
  input  wire logic                 wlast_i,
  output logic                      bvalid_o,
  input  wire logic                 bready_i,
  output logic      [IdWidth-1:0]   bid_o,
  output logic      [1:0]           bresp_o,

  output logic                      write_o,  // bytes of a row are to be written
  output logic      [RowBits-1:0]   row_o,
  output logic      [63:0]          strobe_o,
  output logic      [511:0]         data_o,
  input  wire logic                 taken_i
);
  localparam int unsigned ByteBits  = $clog2(DataBytes);
  localparam int unsigned LaneBits  = 6 - ByteBits;        // which beat of a row
  localparam int unsigned PlaceBits = RowBits + LaneBits;  // beats of the memory
  localparam int unsigned Queue     = 32;                  // requests of the host

  logic                 aw_valid, aw_take, aw_bad;
  logic [IdWidth-1:0]   aw_id;
  logic [PlaceBits-1:0] aw_place;
  cm_sync_fifo #(
    .Width(IdWidth + PlaceBits + 1),
    .Depth(Queue)
  ) u_requests (
    .clk_i,
    .rst_ni,
    .clear_i    (1'b0),
    .in_valid_i (awvalid_i),
    .in_ready_o (awready_o),
    .in_data_i  ({awid_i, awaddr_i[RowBits+5:ByteBits], awaddr_i[63:RowBits+6] != '0}),
    .out_valid_o(aw_valid),
    .out_ready_i(aw_take),
    .out_data_o ({aw_id, aw_place, aw_bad})
  );
  logic                 w_valid, w_last, beat;
  logic [DataBits-1:0]  w_data;
  logic [DataBytes-1:0] w_strobe;
  cm_sync_fifo #(
    .Width(DataBits + DataBytes + 1),
    .Depth(Queue)
  ) u_beats (
    .clk_i,
    .rst_ni,
    .clear_i    (1'b0),
    .in_valid_i (wvalid_i),
    .in_ready_o (wready_o),
    .in_data_i  ({wdata_i, wstrb_i, wlast_i}),
    .out_valid_o(w_valid),
    .out_ready_i(beat),
    .out_data_o ({w_data, w_strobe, w_last})
  );

  logic                 busy_q, bad_q, room, bad;
  logic [IdWidth-1:0]   id_q;
  logic [PlaceBits-1:0] place_q;
  assign write_o = busy_q && w_valid && room;
  assign beat    = write_o && taken_i;
  assign aw_take = !busy_q || (beat && w_last);
  assign row_o   = place_q[PlaceBits-1:LaneBits];
  assign data_o  = {64 / DataBytes{w_data}};
  if (LaneBits == 0) begin : gen_whole
    assign strobe_o = bad_q ? '0 : w_strobe;
  end else begin : gen_part
    for (genvar l = 0; l < 64 / DataBytes; l++) begin : gen_lane
      assign strobe_o[DataBytes*l+:DataBytes] =
          (bad_q || place_q[LaneBits-1:0] != LaneBits'(l)) ? '0 : w_strobe;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) busy_q <= 1'b0;
    else if (aw_take) busy_q <= aw_valid;
  end
  always_ff @(posedge clk_i) begin
    if (aw_take) begin
      id_q    <= aw_id;
      place_q <= aw_place;
      bad_q   <= aw_bad;
    end else if (beat) begin
      place_q <= place_q + 1'b1;
    end
  end

  cm_sync_fifo #(
    .Width(IdWidth + 1),
    .Depth(Queue)
  ) u_answers (
    .clk_i,
    .rst_ni,
    .clear_i    (1'b0),
    .in_valid_i (beat && w_last),
    .in_ready_o (room),
    .in_data_i  ({id_q, bad_q}),
    .out_valid_o(bvalid_o),
    .out_ready_i(bready_i),
    .out_data_o ({bid_o, bad})
  );
  assign bresp_o = {2{bad}};

  logic unused;
  assign unused = ^awaddr_i[ByteBits-1:0];
endmodule
`default_nettype wire
