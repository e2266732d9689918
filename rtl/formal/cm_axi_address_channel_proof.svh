// The channel keeps AXI's rules whatever the memory answers and when, the number of open bursts is
// bounded, and a command ends only when everything requested has come back.
logic past_valid_q = 1'b0;
always_ff @(posedge clk_i) past_valid_q <= 1'b1;
always_comb if (!past_valid_q) assume (!rst_ni);

// The memory answers only bursts it has accepted.
logic [OutWidth:0] accepted_q = '0;
always_ff @(posedge clk_i) begin
  if (!rst_ni) accepted_q <= '0;
  else accepted_q <= accepted_q + (OutWidth + 1)'(axvalid_o && axready_i) -
                     (OutWidth + 1)'(response_i && last_i);
end
always_comb if (accepted_q == '0) assume (!response_i);

always_comb begin
  if (past_valid_q) begin
    assert (open_q <= OutWidth'(MaxOutstanding));
    assert (accepted_q <= (OutWidth + 1)'(MaxOutstanding));
    assert ((OutWidth + 1)'(open_q) == accepted_q + (OutWidth + 1)'(axvalid_q) + (OutWidth + 1)'(ended));
    if (cmd_ready_o) assert (!axvalid_o && accepted_q == '0);
    if (hold_i) assert (!burst_o);
    // Nothing follows an error.
    if (error_o != 2'b00) assert (split_ready && !burst_o);
    cover (open_q == OutWidth'(MaxOutstanding));
    cover (error_o != 2'b00 && cmd_ready_o);
  end
end
always_ff @(posedge clk_i) begin
  if (past_valid_q && !$past(rst_ni)) assert (!axvalid_o && error_o == 2'b00);
  if (past_valid_q && $past(rst_ni)) begin
    // VALID does not wait for READY: a burst with room goes out whatever axready_i says.
    if ($past(split_valid && !axvalid_q && !hold_i && !bad &&
              open_q < OutWidth'(MaxOutstanding))) assert (axvalid_o);
    // The first error stays until the next command.
    if ($past(error_q != 2'b00 && !command)) assert ($stable(error_o));
    if ($past(bad && error_q == 2'b00 && !command)) assert (error_o == $past(resp_q));
    // A response counts one clock after it came.
    assert (response_q == $past(response_i) && resp_q == $past(resp_i) && last_q == $past(last_i));
    if ($past(axvalid_o && !axready_i))
      assert (axvalid_o && $stable(axaddr_o) && $stable(axlen_o));
    // What goes out is a burst of the splitter, whose own proof keeps it within its page.
    if ($past(burst_o)) assert (axaddr_o == $past(split_addr) && axlen_o == $past(burst_len_o));
  end
end
