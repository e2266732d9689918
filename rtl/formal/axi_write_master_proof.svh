// The data channel keeps AXI's rules whatever the memory answers and when, and a failed transfer
// takes no more data. The address side has a proof of its own.
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
  if (past_valid_q && $past(rst_ni)) begin
    if ($past(wvalid_o && !wready_i))
      assert (wvalid_o && $stable(wdata_o) && $stable(wstrb_o) && $stable(wlast_o));
    // A beat that was taken is the next to go out, with all its bytes; a void one with none.
    if ($past(data_valid_i && data_ready_o))
      assert (wvalid_o && wdata_o == $past(data_i) && wstrb_o == '1);
    if ($past(void_beat) && wvalid_o && $past(!wvalid_o || wready_i)) assert (wstrb_o == '0);
  end
end
