// Address and data channels keep AXI's rules whatever the memory answers and when, and a command
// ends only when every response is back.
logic past_valid_q = 1'b0;
always_ff @(posedge clk_i) past_valid_q <= 1'b1;
always_comb if (!past_valid_q) assume (!rst_ni);

// The memory answers only bursts it has accepted.
logic [OutWidth:0] accepted_q = '0;
always_ff @(posedge clk_i) begin
  if (!rst_ni) accepted_q <= '0;
  else accepted_q <= accepted_q + (OutWidth + 1)'(awvalid_o && awready_i) -
                     (OutWidth + 1)'(bvalid_i && bready_o);
end
always_comb if (accepted_q == '0) assume (!bvalid_i);

always_comb begin
  if (past_valid_q) begin
    assert (outstanding_q <= OutWidth'(MaxOutstanding));
    assert ((OutWidth + 1)'(outstanding_q) == accepted_q + (OutWidth + 1)'(awvalid_q));
    if (cmd_ready_o) assert (!awvalid_o && accepted_q == '0);
    if (error_q != 2'b00) assert (!data_ready_o && split_ready);
    cover (outstanding_q == OutWidth'(MaxOutstanding));
    cover (error_q != 2'b00 && cmd_ready_o);
    cover (wvalid_o && wstrb_o == '0 && wlast_o);
  end
end
always_ff @(posedge clk_i) begin
  if (past_valid_q && $past(rst_ni)) begin
    if ($past(awvalid_o && !awready_i))
      assert (awvalid_o && $stable(awaddr_o) && $stable(awlen_o));
    // What goes out is a burst of the splitter, whose own proof keeps it within its page.
    if ($past(taken)) assert (awaddr_o == $past(burst_addr) && awlen_o == $past(burst_len));
    if ($past(wvalid_o && !wready_i))
      assert (wvalid_o && $stable(wdata_o) && $stable(wstrb_o) && $stable(wlast_o));
  end
end
