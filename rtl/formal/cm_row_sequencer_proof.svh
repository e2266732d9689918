// A replica never passes twice within Depth clocks, a row is dealt only from a bank that is full, a
// bank that is read is not freed before its last slot, and every row deals each slot once, in order.
logic past_valid_q = 1'b0;
always_ff @(posedge clk_i) past_valid_q <= 1'b1;
always_comb if (!past_valid_q) assume (!rst_ni);
always_comb assume (slots_i != '0 && slots_i <= (SlotBits + 1)'(1 << SlotBits) && rows_i != '0);
always_comb assume (measure_i || sweeps_i != '0);
logic [SlotBits:0]  slots_past_q = '0;
logic [RowBits-1:0] rows_past_q = '0;
logic [31:0]        sweeps_past_q = '0;
logic               running_past_q = 1'b0;
always_ff @(posedge clk_i) begin
  slots_past_q   <= slots_i;
  rows_past_q    <= rows_i;
  sweeps_past_q  <= sweeps_i;
  running_past_q <= running_q;
end
always_comb begin
  if (running_q || running_past_q)
    assume (slots_i == slots_past_q && rows_i == rows_past_q && sweeps_i == sweeps_past_q);
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

always_comb begin
  if (past_valid_q && running_q) begin
    if (active_q) assert (count_q <= last_count);
    if (active_q && !flush_q) assert (bank_q != next_bank_q);
    if (active_q && !flush_q && CountBits'(slots_i) > count_q) assert (full_i[bank_q]);
    if (flush_q) assert (active_q && flush_next_q);
    if (!running_q) assert (!active_q);
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
    if (free_o != 2'b00) assert (valid_o && last_slot_o && free_o == 2'b01 << bank_o);
    cover (flush_o && valid_o && slots_i == (SlotBits + 1)'(2) && rows_i == RowBits'(2));
    cover (whole_o && valid_o && rows_i == RowBits'(2));
  end
  if (past_valid_q && !running_q) assert (!active_q && !flush_q);
end
always_ff @(posedge clk_i) begin
  if (past_valid_q && rst_ni && $past(rst_ni)) begin
    if ($past(valid_o) && valid_o && !first_slot_o) assert (slot_o == $past(slot_o) + 1'b1);
    cover ($past(running_q) && !running_q && !$past(abort_i));
  end
end
