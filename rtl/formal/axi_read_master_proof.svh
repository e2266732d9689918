// The address channel keeps AXI's rules whatever the memory answers and when, the number of open
// bursts is bounded, and a command ends only when everything asked for has come back.
logic past_valid_q = 1'b0;
always_ff @(posedge clk_i) past_valid_q <= 1'b1;
always_comb if (!past_valid_q) assume (!rst_ni);

// The memory answers only bursts it has accepted.
logic [OutWidth:0] accepted_q = '0;
always_ff @(posedge clk_i) begin
  if (!rst_ni) accepted_q <= '0;
  else accepted_q <= accepted_q + (OutWidth + 1)'(arvalid_o && arready_i) -
                     (OutWidth + 1)'(rvalid_i && rready_o && rlast_i);
end
always_comb if (accepted_q == '0) assume (!rvalid_i);

always_comb begin
  if (past_valid_q) begin
    assert (outstanding_q <= OutWidth'(MaxOutstanding));
    assert ((OutWidth + 1)'(outstanding_q) == accepted_q + (OutWidth + 1)'(arvalid_q));
    if (cmd_ready_o) assert (!arvalid_o && accepted_q == '0);
    if (failed) assert (!data_valid_o && split_ready);
    cover (outstanding_q == OutWidth'(MaxOutstanding));
    cover (failed && cmd_ready_o);
  end
end
always_ff @(posedge clk_i) begin
  if (past_valid_q && $past(rst_ni)) begin
    if ($past(arvalid_o && !arready_i))
      assert (arvalid_o && $stable(araddr_o) && $stable(arlen_o));
    // What goes out is a burst of the splitter, whose own proof keeps it within its page.
    if ($past(taken)) assert (araddr_o == $past(burst_addr) && arlen_o == $past(burst_len));
  end
end
