// The data channel keeps AXI's rules whatever the memory answers and when, and a failed transfer
// accepts no more data. The address side has its own proof.
logic past_valid_q = 1'b0;
always_ff @(posedge clk_i) past_valid_q <= 1'b1;
always_comb if (!past_valid_q) assume (!rst_ni);

// The memory answers a burst only after its last beat.
localparam int unsigned SentWidth = $clog2(MaxOutstanding + 1) + 1;
logic [SentWidth-1:0] sent_q = '0;
always_ff @(posedge clk_i) begin
  if (!rst_ni) sent_q <= '0;
  else sent_q <= sent_q + SentWidth'(wvalid_o && wready_i && wlast_o) -
                 SentWidth'(bvalid_i && bready_o);
end
always_comb if (sent_q == '0) assume (!bvalid_i);

// Any one burst, followed by its number: it has the beats its length says, and WLAST is the last.
// That lengths leave in order is assumed here: sync_fifo has its own proof.
(* anyconst *) logic [3:0] tracked;
logic [3:0] asked_q = '0, ended_q = '0, number_q = '0, level;
logic [7:0] tracked_len_q = '0, out_q = '0;  // out: beats taken of the burst on the channel
assign level = asked_q - ended_q;
always_ff @(posedge clk_i) begin
  if (!rst_ni) begin
    asked_q <= '0;
    ended_q <= '0;
    out_q   <= '0;
  end else begin
    asked_q <= asked_q + 4'(burst);
    ended_q <= ended_q + 4'(beat && last);
    if (beat) number_q <= ended_q;
    if (burst && asked_q == tracked) tracked_len_q <= burst_len;
    if (wvalid_o && wready_i) out_q <= wlast_o ? '0 : out_q + 1'b1;
  end
end
logic inside;  // the tracked burst was requested and is not yet passed on completely
assign inside = 4'(tracked - ended_q) < level;
always_comb begin
  assume (len_valid == (level != '0));
  assume (room == (level < 4'(MaxOutstanding)));
  if (inside && ended_q == tracked) assume (len == tracked_len_q);
end
always_comb begin
  if (past_valid_q) begin
    assert (level <= 4'(MaxOutstanding));
    if (!len_valid) assert (beat_q == '0);
    if (inside && ended_q == tracked) assert (beat_q <= tracked_len_q);
    if (!wvalid_o) assert (out_q == beat_q);
    if (wvalid_o && !wlast_o) begin
      assert (8'(out_q + 1'b1) == beat_q && number_q == ended_q && level != '0);
    end
    if (wvalid_o && wlast_o) assert (beat_q == '0 && 4'(number_q + 1'b1) == ended_q);
    if (wvalid_o && number_q == tracked) assert (wlast_o == (out_q == tracked_len_q));
  end
end

always_comb begin
  if (past_valid_q) begin
    if (void_beat) assert (!data_ready_o);
    if (cmd_ready_o) assert (!bready_o);
    cover (wvalid_o && wlast_o && wready_i);
    cover (wvalid_o && wstrb_o == '0 && wlast_o);
    cover (void_beat && cmd_ready_o);
  end
end
always_ff @(posedge clk_i) begin
  if (past_valid_q && !$past(rst_ni)) assert (!wvalid_o && !awvalid_o && !bready_o);
  if (past_valid_q && $past(rst_ni)) begin
    // VALID does not wait for READY.
    if ($past(len_valid && data_valid_i && !wvalid_o)) assert (wvalid_o);
    if ($past(wvalid_o && !wready_i))
      assert (wvalid_o && $stable(wdata_o) && $stable(wstrb_o) && $stable(wlast_o));
    // A beat that was taken is the next to go out, with all its bytes; a void one with none.
    if ($past(data_valid_i && data_ready_o))
      assert (wvalid_o && wdata_o == $past(data_i) && wstrb_o == '1);
    if ($past(void_beat) && wvalid_o && $past(!wvalid_o || wready_i)) assert (wstrb_o == '0);
  end
end
