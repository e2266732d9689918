// Each pass deals every replica once and in order, a replica never returns within Depth clocks,
// with R >= Depth no clock is lost, and a burst has exactly passes * R slots.
logic past_valid_q = 1'b0;
always_ff @(posedge clk_i) past_valid_q <= 1'b1;
always_comb if (!past_valid_q) assume (!rst_ni);
// Nothing moves while advance_i is 0, so time is counted without those clocks.
always_comb assume (advance_i);
always_comb assume (replicas_i != '0 && passes_i != '0);
logic [IndexBits-1:0] replicas_past_q = '0;
logic [31:0]          passes_past_q = '0;
logic                 busy_past_q = 1'b0;
always_ff @(posedge clk_i) begin
  replicas_past_q <= replicas_i;
  passes_past_q   <= passes_i;
  busy_past_q     <= busy_q;
end
always_comb begin
  if (busy_q || busy_past_q)
    assume (replicas_i == replicas_past_q && passes_i == passes_past_q);
end

// Any one replica, followed: clocks since it was dealt, and how often.
(* anyconst *) logic [IndexBits-1:0] tracked;
logic [RoundBits:0] since_q = '0;  // saturates
logic               dealt_q = 1'b0;
logic [31:0]        times_q = '0;
logic               deal;
assign deal = valid_o && index_o == tracked;
always_ff @(posedge clk_i) begin
  if (!rst_ni || !busy_q) begin
    dealt_q <= 1'b0;
    since_q <= '0;
    times_q <= '0;
  end else if (deal) begin
    dealt_q <= 1'b1;
    since_q <= (RoundBits + 1)'(1);
    times_q <= times_q + 1'b1;
  end else if (!since_q[RoundBits]) begin
    since_q <= since_q + 1'b1;
  end
end

always_comb begin
  if (past_valid_q && busy_q) begin
    assert (left_q != '0 && left_q <= passes_i);
    assert (first_q == (left_q == passes_i));
    assert (round_q < RoundBits'(replicas_i) || round_q < RoundBits'(Depth));
    assert (last_q == RoundBits'(replicas_i) - 1'b1);
    assert (end_q == ((RoundBits'(replicas_i) > RoundBits'(Depth)) ? last_q : RoundBits'(Depth - 1)));
    assert (in_round_q == (round_q < RoundBits'(replicas_i)));
    if (deal && dealt_q) assert (since_q >= (RoundBits + 1)'(Depth));
    if (valid_o) assert (index_o < replicas_i);
    if (replicas_i >= IndexBits'(Depth)) assert (valid_o);
    if (tracked < replicas_i) begin
      // Dealt once in each finished round, and in this one if its turn has come.
      assert (times_q == passes_i - left_q + 32'(round_q > RoundBits'(tracked)));
      assert (dealt_q == (times_q != '0));
      if (dealt_q && round_q > RoundBits'(tracked))
        assert (since_q == (RoundBits + 1)'(round_q) - (RoundBits + 1)'(tracked));
      else if (dealt_q)
        assert (since_q[RoundBits] || since_q == (RoundBits + 1)'(round_q) +
                ((replicas_i > IndexBits'(Depth)) ? (RoundBits + 1)'(replicas_i)
                                                  : (RoundBits + 1)'(Depth)) -
                (RoundBits + 1)'(tracked));
    end
    cover (valid_o && left_q == 32'd1 && passes_i == 32'd2 && replicas_i == IndexBits'(2));
  end
end
always_ff @(posedge clk_i) begin
  if (past_valid_q && rst_ni && $past(rst_ni)) begin
    if ($past(valid_o) && valid_o)
      assert (index_o == $past(index_o) + 1'b1 || (index_o == '0 && !first_o));
    if ($past(busy_q) && !busy_q && tracked < replicas_i) assert (times_q == passes_i);
    cover ($past(busy_q) && !busy_q && passes_i == 32'd2);
  end
end
