// AXI4 reads from the memory of cm_bar_memory.sv, as a slave: full beats, INCR. One beat a clock;
// a read is only begun if its beat has room, so the memory never waits for RREADY.
`default_nettype none
module cm_bar_read #(
  parameter int unsigned DataBytes = 64,  // of a beat: a power of two up to a row
  parameter int unsigned IdWidth   = 16,
  parameter int unsigned Rows      = 64,
  localparam int unsigned RowBits  = $clog2(Rows),
  localparam int unsigned DataBits = 8 * DataBytes
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,

  input  wire logic                arvalid_i,
  output logic                     arready_o,
  input  wire logic [IdWidth-1:0]  arid_i,
  input  wire logic [63:0]         araddr_i,
  input  wire logic [7:0]          arlen_i,
  output logic                     rvalid_o,
  input  wire logic                rready_i,
  output logic      [IdWidth-1:0]  rid_o,
  output logic      [DataBits-1:0] rdata_o,
  output logic      [1:0]          rresp_o,
  output logic                     rlast_o,

  output logic                     read_o,   // a row is wanted,
  output logic      [RowBits-1:0]  row_o,    // this one,
  input  wire logic                taken_i,  // and will come,
  input  wire logic                valid_i,  // in order: here it is
  input  wire logic [511:0]        row_i
);
  localparam int unsigned ByteBits  = $clog2(DataBytes);
  localparam int unsigned LaneBits  = 6 - ByteBits;          // which beat of a row
  localparam int unsigned PlaceBits = RowBits + LaneBits;    // beats of the memory
  localparam int unsigned Queue     = 32;                    // requests of the host, and beats on the way
  localparam int unsigned RoomBits  = $clog2(Queue + 1);

  // ---- addresses -----------------------------------------------------------------------------------
  logic                 ar_valid, ar_take, ar_bad;
  logic [IdWidth-1:0]   ar_id;
  logic [PlaceBits-1:0] ar_place;
  logic [7:0]           ar_len;
  cm_sync_fifo #(
    .Width(IdWidth + PlaceBits + 9),
    .Depth(Queue)
  ) u_requests (
    .clk_i,
    .rst_ni,
    .clear_i    (1'b0),
    .in_valid_i (arvalid_i),
    .in_ready_o (arready_o),
    .in_data_i  ({arid_i, araddr_i[RowBits+5:ByteBits], arlen_i, araddr_i[63:RowBits+6] != '0}),
    .out_valid_o(ar_valid),
    .out_ready_i(ar_take),
    .out_data_o ({ar_id, ar_place, ar_len, ar_bad})
  );

  // ---- beats: a bad address goes through the memory like any other, and is answered DECERR ------------
  logic                 busy_q, bad_q, beat, last;
  logic [IdWidth-1:0]   id_q;
  logic [PlaceBits-1:0] place_q;
  logic [7:0]           left_q;
  logic [RoomBits-1:0]  room_q;
  assign read_o  = busy_q && room_q != '0;
  assign row_o   = place_q[PlaceBits-1:LaneBits];
  assign beat    = read_o && taken_i;
  assign last    = left_q == '0;
  assign ar_take = !busy_q || (beat && last);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      room_q <= RoomBits'(Queue);
    end else begin
      if (ar_take) busy_q <= ar_valid;
      if (beat != (rvalid_o && rready_i)) room_q <= beat ? room_q - 1'b1 : room_q + 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (ar_take) begin
      id_q    <= ar_id;
      place_q <= ar_place;
      left_q  <= ar_len;
      bad_q   <= ar_bad;
    end else if (beat) begin
      place_q <= place_q + 1'b1;
      left_q  <= left_q - 1'b1;
    end
  end

  // ---- what belongs to the beats on their way, and the beats that have come ------------------------------
  logic               tag_valid, tag_room, tag_bad, tag_last, beat_room;
  logic [IdWidth-1:0] tag_id;
  logic [2:0]         lane, tag_lane;
  assign lane = 3'(place_q & PlaceBits'(64 / DataBytes - 1));
  cm_sync_fifo #(
    .Width(IdWidth + 5),
    .Depth(Queue)
  ) u_tags (
    .clk_i,
    .rst_ni,
    .clear_i    (1'b0),
    .in_valid_i (beat),
    .in_ready_o (tag_room),
    .in_data_i  ({id_q, lane, bad_q, last}),
    .out_valid_o(tag_valid),
    .out_ready_i(valid_i),
    .out_data_o ({tag_id, tag_lane, tag_bad, tag_last})
  );
  logic [DataBits-1:0] data;
  logic                bad;
  if (LaneBits == 0) begin : gen_whole
    assign data = row_i;
  end else begin : gen_part
    assign data = row_i[DataBits*tag_lane+:DataBits];
  end
  cm_sync_fifo #(
    .Width(DataBits + IdWidth + 2),
    .Depth(Queue)
  ) u_beats (
    .clk_i,
    .rst_ni,
    .clear_i    (1'b0),
    .in_valid_i (valid_i),
    .in_ready_o (beat_room),
    .in_data_i  ({data, tag_id, tag_bad, tag_last}),
    .out_valid_o(rvalid_o),
    .out_ready_i(rready_i),
    .out_data_o ({rdata_o, rid_o, bad, rlast_o})
  );
  assign rresp_o = {2{bad}};

  logic unused;
  assign unused = ^{tag_valid, tag_room, beat_room, tag_lane, araddr_i[ByteBits-1:0]};

`ifdef CM_ASSERT
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!valid_i || (tag_valid && beat_room)) else $error("a row that nobody has room for");
      assert (!beat || tag_room) else $error("more beats on the way than tags");
    end
  end
`endif
endmodule
`default_nettype wire
