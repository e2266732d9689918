// A replica never passes twice within Depth clocks, a row is dealt only from a bank that is full, a
// bank that is read is not freed before its last slot, and every row deals each slot once, in order.
logic past_valid_q = 1'b0;
always_ff @(posedge clk_i) past_valid_q <= 1'b1;
always_comb if (!past_valid_q) assume (!rst_ni);
always_comb assume (slots_i != '0 && slots_i <= (SlotBits + 1)'(1 << SlotBits) && rows_i != '0);
always_comb assume (measure_i || !only_i);
// Stable from two clocks before the start.
logic [SlotBits:0]  slots_past_q = '0, slots_past2_q = '0;
logic [RowBits-1:0] rows_past_q = '0, rows_past2_q = '0;
logic               running_past_q = 1'b0;
always_ff @(posedge clk_i) begin
  slots_past_q   <= slots_i;
  slots_past2_q  <= slots_past_q;
  rows_past_q    <= rows_i;
  rows_past2_q   <= rows_past_q;
  running_past_q <= running_q;
end
always_comb begin
  if (running_q || running_past_q || start_i)
    assume (slots_i == slots_past_q && rows_i == rows_past_q);
  if (start_i) assume (slots_i == slots_past2_q && rows_i == rows_past2_q);
  if (running_q) assume (!start_i);
end
// A builder as the contract has it: full stays until the bank is freed, and a bank that was freed
// is not full in the next clock.
logic [1:0] full_past_q = 2'b00, free_past_q = 2'b00;
always_ff @(posedge clk_i) begin
  full_past_q <= full_i;
  free_past_q <= free_o;
end
always_comb begin
  for (int b = 0; b < 2; b++) begin
    if (full_past_q[b] && !free_past_q[b]) assume (full_i[b]);
    if (free_past_q[b]) assume (!full_i[b]);
  end
end

// Any one slot, followed: clocks since it was dealt.
(* anyconst *) logic [SlotBits-1:0] tracked;
logic [CountBits:0] since_q = '0;  // saturates
logic               dealt_q = 1'b0;
logic               deal;
assign deal = valid_o && slot_o == tracked;
always_ff @(posedge clk_i) begin
  if (!rst_ni || !running_q) begin
    dealt_q <= 1'b0;
    since_q <= '0;
  end else if (deal) begin
    dealt_q <= 1'b1;
    since_q <= (CountBits + 1)'(1);
  end else if (!since_q[CountBits]) since_q <= since_q + 1'b1;
end

logic [CountBits-1:0] last_count;
assign last_count = (CountBits'(slots_i) < CountBits'(Depth) ? CountBits'(Depth) : CountBits'(slots_i)) - 1'b1;
always_comb begin
  if (past_valid_q && running_q) begin
    // A slot's outputs follow from its count.
    assert (before_end_q == last_count - 1'b1 && before_last_q == CountBits'(slots_i) - CountBits'(2));
    assert (single_q == (slots_i == (SlotBits + 1)'(1)) && last_row_q == rows_i - 1'b1);
    assert (ending_q == (active_q && count_q == last_count));
    assert (valid_q == (active_q && count_q < CountBits'(slots_i)));
    if (active_q) assert (first_slot_q == (count_q == '0));
    if (valid_q) assert (last_slot_q == (count_q == CountBits'(slots_i) - 1'b1));
    if (active_q) assert (count_q <= last_count);
    if (active_q && !flush_q) assert (bank_q != next_bank_q);
    if (active_q && !flush_q && CountBits'(slots_i) > count_q) assert (full_i[bank_q]);
    if (flush_q) assert (active_q && flush_next_q);
    if (!active_q || count_q != '0)
      assert (next_is_last_q == (next_row_q == last_row_q) && next_is_first_q == (next_row_q == '0));
    if (active_q && measuring_q) assert (fresh_q == (row_q == '0) && whole_q == (row_q == last_row_q));
    if (deal && dealt_q) assert (since_q >= (CountBits + 1)'(Depth));
    // Where the tracked slot is in time, for the induction.
    if (dealt_q && active_q && count_q > CountBits'(tracked))
      assert (since_q[CountBits] || since_q == (CountBits + 1)'(count_q) - (CountBits + 1)'(tracked));
    if (dealt_q && active_q && count_q <= CountBits'(tracked))
      assert (since_q[CountBits] || since_q >= (CountBits + 1)'(count_q) +
              (CountBits + 1)'(last_count) + 1'b1 - (CountBits + 1)'(tracked));
    if (dealt_q && !active_q)
      assert (since_q[CountBits] ||
              since_q >= (CountBits + 1)'(last_count) + 1'b1 - (CountBits + 1)'(tracked));
    if (dealt_q) assert ((SlotBits + 1)'(tracked) < slots_i);
    if (valid_o && !flush_o) assert (full_i[bank_o]);
    assert (free_o == ((valid_o && last_slot_o && !flush_o) ? 2'b01 << bank_o : 2'b00));
    cover (flush_o && valid_o && slots_i == (SlotBits + 1)'(2) && rows_i == RowBits'(2));
    cover (whole_o && valid_o && rows_i == RowBits'(2));
  end
  if (past_valid_q && !running_q) assert (!active_q && !flush_q && !valid_q && !ending_q && free_q == 2'b00);
end
always_ff @(posedge clk_i) begin
  if (past_valid_q && rst_ni && $past(rst_ni)) begin
    if ($past(valid_o) && valid_o && !first_slot_o) assert (slot_o == $past(slot_o) + 1'b1);
    cover ($past(running_q) && !running_q && !$past(abort_i));
  end
end
