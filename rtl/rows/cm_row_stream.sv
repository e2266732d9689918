// Reads the row image: first its head, which has the topology's hash and the number of rows in use,
// then all rows, once per pass, as a stream of beats. It begins before the burst does, so that the
// first tables are ready when the parameters are. A queue hides the memory's latency, also between
// two passes.
`default_nettype none
module cm_row_stream #(
  parameter int unsigned RecordBeats = 10,  // of a row, all of them
  parameter int unsigned MaxRows     = 256,
  parameter logic [31:0] ImageMark   = '0,
  parameter int unsigned QueueBeats  = 64,
  localparam int unsigned RowBits    = $clog2(MaxRows + 1)
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,

  input  wire logic [63:0]        base_i,         // a multiple of the beat; stable during a call
  input  wire logic               head_start_i,
  input  wire logic               rows_start_i,   // the first pass,
  input  wire logic               burst_start_i,  // and now it is known how many there are
  input  wire logic [32:0]        left_i,         // after the first
  input  wire logic               stop_i,         // instead: drop what is in flight
  output logic                    busy_o,         // reading; after an error until all is quiet again
  output logic                    error_o,        // of the last job
  output logic                    head_seen_o,    // one clock, when busy_o falls: the two below belong to this image
  output logic      [RowBits-1:0] rows_o,
  output logic                    bad_image_o,    // also before an image was loaded

  output logic                    beat_valid_o,
  input  wire logic               beat_ready_i,
  output logic      [255:0]       beat_o,

  output logic                    arvalid_o,
  input  wire logic               arready_i,
  output logic      [63:0]        araddr_o,
  output logic      [7:0]         arlen_o,
  input  wire logic               rvalid_i,
  output logic                    rready_o,
  input  wire logic [255:0]       rdata_i,
  input  wire logic [1:0]         rresp_i,
  input  wire logic               rlast_i
);
  typedef enum logic [2:0] {
    StIdle,
    StHead,      // requests the head
    StHeadWait,
    StPass,      // requests the rows
    StPassWait
  } state_e;
  state_e             state_q, state_d;
  logic [32:0]        left_q, left_d;  // passes after this one
  logic [23:0]        few, many, few_q, many_q, image_beats_q, cmd_beats_q;
  logic [63:0]        head_q, cmd_addr_q;
  logic [RowBits-1:0] rows;
  logic               begun_q, stop_q, is_head_q, cmd_valid, cmd_ready, valid, ready, failed;
  logic               headed_q, judged_q, seen_q, wrong_mark_q, none_q, over_q, bad_q;
  logic [1:0]         room, waiting, error;
  logic [255:0]       beat;

  // Rows times the beats of a record, by shifted additions: a multiplier would cost a DSP slice. It
  // may take two clocks, since rows are requested much later.
  assign rows = RowBits'(head_q);
  always_comb begin
    few  = '0;
    many = '0;
    for (int unsigned b = 0; b < 3; b++) begin
      if ((RecordBeats >> b) % 2 == 1) few = few + (24'(rows) << b);
    end
    for (int unsigned b = 3; b < 8; b++) begin
      if ((RecordBeats >> b) % 2 == 1) many = many + (24'(rows) << b);
    end
  end

  cm_axi_read_master #(
    .DataWidth     (256),
    .MaxBeats      (64),
    .MaxOutstanding(4)
  ) u_master (
    .clk_i,
    .rst_ni,
    .cmd_valid_i (cmd_valid),
    .cmd_ready_o (cmd_ready),
    .cmd_addr_i  (cmd_addr_q),
    .cmd_beats_i (cmd_beats_q),
    .error_o     (error),
    .data_valid_o(valid),
    .data_ready_i(ready),
    .data_o      (beat),
    .arvalid_o,
    .arready_i,
    .araddr_o,
    .arlen_o,
    .rvalid_i,
    .rready_o,
    .rdata_i,
    .rresp_i,
    .rlast_i
  );
  assign failed    = error != 2'b00;
  assign cmd_valid = state_q == StHead || state_q == StPass;
  assign ready     = is_head_q || room[0];  // the queue is cleared for what is dropped

  // In two identical halves: one address for so wide a memory would have too many loads.
  for (genvar half = 0; half < 2; half++) begin : gen_queue
    cm_sync_fifo #(
      .Width(128),
      .Depth(QueueBeats)
    ) u_queue (
      .clk_i,
      .rst_ni,
      .clear_i    (failed || stop_q || is_head_q),  // the head does not go to the lanes
      .in_valid_i (valid),
      .in_ready_o (room[half]),
      .in_data_i  (beat[128*half+:128]),
      .out_valid_o(waiting[half]),
      .out_ready_i(beat_ready_i),
      .out_data_o (beat_o[128*half+:128])
    );
  end
  assign beat_valid_o = waiting[0];
  logic unused_half;
  assign unused_half = room[1] ^ waiting[1];

  always_comb begin
    state_d = state_q;
    left_d  = burst_start_i ? left_i : left_q;
    unique case (state_q)
      StIdle: begin
        if (head_start_i) state_d = StHead;
        if (rows_start_i) state_d = StPass;
      end
      StHead:     if (cmd_ready) state_d = StHeadWait;
      StHeadWait: if (cmd_ready) state_d = StIdle;
      StPass:     if (cmd_ready) state_d = StPassWait;
      StPassWait: begin
        if (cmd_ready && (failed || stop_q)) state_d = StIdle;
        else if (cmd_ready && begun_q) begin
          state_d = (left_q == '0) ? StIdle : StPass;
          left_d  = left_q - 1'b1;
        end
      end
      default:    state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      headed_q <= 1'b0;
      judged_q <= 1'b0;
      seen_q   <= 1'b0;
      bad_q    <= 1'b1;
      begun_q  <= 1'b0;
      stop_q   <= 1'b0;
    end else begin
      state_q  <= state_d;
      begun_q  <= burst_start_i || (begun_q && !rows_start_i);
      stop_q   <= (stop_i || stop_q) && state_q != StIdle;
      headed_q <= valid && is_head_q;
      judged_q <= headed_q;
      if (judged_q) bad_q <= wrong_mark_q || none_q || over_q;
      seen_q   <= judged_q;
    end
  end
  always_ff @(posedge clk_i) begin
    left_q <= left_d;
    if (valid && is_head_q) head_q <= beat[63:0];
    few_q         <= few;
    many_q        <= many;
    image_beats_q <= few_q + many_q;
    if (head_start_i) begin
      is_head_q   <= 1'b1;
      cmd_addr_q  <= base_i;
      cmd_beats_q <= 24'd1;
    end
    if (rows_start_i) begin
      is_head_q   <= 1'b0;
      cmd_addr_q  <= base_i + 64'd32;
      cmd_beats_q <= image_beats_q;
    end
    wrong_mark_q <= head_q[63:32] != ImageMark;
    none_q       <= head_q[31:0] == '0;
    over_q       <= head_q[31:0] > MaxRows;
  end
  assign busy_o      = state_q != StIdle || headed_q || judged_q;
  assign error_o     = failed;
  assign head_seen_o = seen_q;
  assign rows_o      = rows;
  assign bad_image_o = bad_q;

`ifdef CM_ASSERT
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(head_start_i || rows_start_i) || state_q == StIdle) else $error("a start while one runs");
      assert (!rows_start_i || !bad_q) else $error("rows of no image");
    end
  end
`endif
endmodule
`default_nettype wire
