// Any one word, followed from the moment it is taken: it leaves unchanged, in its turn, once.
// The word is chosen by the solver ($anyconst index among all words ever pushed).
logic past_valid_q = 1'b0;
always_ff @(posedge clk_i) past_valid_q <= 1'b1;
always_comb if (!past_valid_q) assume (!rst_ni);

(* anyconst *) logic [AddrWidth:0] tracked;
logic               waiting_q = 1'b0;  // the tracked word is inside
logic [Width-1:0]   word_q;
logic [AddrWidth:0] pushed_q = '0, popped_q = '0;  // counted separately, one bit longer than an address

always_ff @(posedge clk_i) begin
  if (!rst_ni || clear_i) begin
    waiting_q <= 1'b0;
    pushed_q  <= '0;
    popped_q  <= '0;
  end else begin
    if (push && pushed_q == tracked) begin
      waiting_q <= 1'b1;
      word_q    <= in_data_i;
    end
    if (pop && popped_q == tracked) waiting_q <= 1'b0;
    pushed_q <= pushed_q + (AddrWidth + 1)'(push);
    popped_q <= popped_q + (AddrWidth + 1)'(pop);
  end
end

always_comb begin
  if (past_valid_q) begin
    assert (level_q <= (AddrWidth + 1)'(Depth));
    assert (level_q == (AddrWidth + 1)'(pushed_q - popped_q));
    assert (write_q == pushed_q[AddrWidth-1:0] && read_q == popped_q[AddrWidth-1:0]);
    assert (out_valid_o == (level_q != '0));
    assert (in_ready_o == (level_q != (AddrWidth + 1)'(Depth)));
    // The word is inside exactly while the pointers enclose its place, and it is intact.
    assert (waiting_q == ((AddrWidth + 1)'(tracked - popped_q) < level_q));
    if (waiting_q) assert (storage[tracked[AddrWidth-1:0]] == word_q);
    if (waiting_q && popped_q == tracked) assert (out_valid_o && out_data_o == word_q);
    cover (level_q == (AddrWidth + 1)'(Depth) && pop);
  end
end

always_ff @(posedge clk_i) begin
  if (past_valid_q && rst_ni && $past(rst_ni) && !$past(clear_i)) begin
    if ($past(out_valid_o && !out_ready_i)) assert (out_valid_o && $stable(out_data_o));
  end
end
