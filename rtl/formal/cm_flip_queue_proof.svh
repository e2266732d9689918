// A burst's replicas begin once each and in order; what comes back is given out again unchanged, in its turn, never
// in the clock it comes in; none is lost; the queue cannot overflow.
logic past_valid_q = 1'b0;
always_ff @(posedge clk_i) past_valid_q <= 1'b1;
always_comb if (!past_valid_q) assume (!rst_ni);

// Environment: replicas in flight come back or finish; a burst starts only when none is left.
(* anyseq *) logic finished;
logic [CountBits-1:0] flight_q = '0, begun_q = '0, burst_q = '0, gone_q = '0;
logic [SlotBits-1:0]  first_q = '0;
always_comb begin
  assume (!(back_i && finished));
  if (back_i || finished) assume (flight_q != '0);
  if (start_i) assume (!valid_o && flight_q == '0 && replicas_i != '0 && replicas_i <= CountBits'(Replicas));
end
always_ff @(posedge clk_i) begin
  if (!rst_ni) begin
    flight_q <= '0;
    begun_q  <= '0;
    burst_q  <= '0;
    gone_q   <= '0;
  end else begin
    flight_q <= flight_q + CountBits'(valid_o) - CountBits'(back_i || finished);
    gone_q   <= start_i ? '0 : gone_q + CountBits'(finished);
    if (start_i) begin
      begun_q <= '0;
      burst_q <= replicas_i;
      first_q <= first_i;
    end else if (opening_q) begin
      begun_q <= begun_q + 1'b1;
    end
  end
end

// Any one place of the queue, and the word stored there.
(* anyconst *) logic [SlotBits-1:0] tracked;
always_comb assume (32'(tracked) < Replicas);
logic             waiting_q = 1'b0;
logic [Width-1:0] word_q;
always_ff @(posedge clk_i) begin
  if (!rst_ni) waiting_q <= 1'b0;
  else begin
    if (take && read_q == tracked) waiting_q <= 1'b0;
    if (back_i && write_q == tracked) begin
      waiting_q <= 1'b1;
      word_q    <= data_i;
    end
  end
end
function automatic logic [31:0] distance(input logic [SlotBits-1:0] from, input logic [SlotBits-1:0] to);
  distance = (to >= from) ? 32'(to - from) : 32'(to) + Replicas - 32'(from);
endfunction

always_comb begin
  if (past_valid_q) begin
    assert (any_q == (level_q != '0));
    assert (valid_o == (opening_q || level_q != '0));
    assert (32'(read_q) < Replicas && 32'(write_q) < Replicas);
    assert (distance(read_q, write_q) == ((32'(level_q) == Replicas) ? 0 : 32'(level_q)));
    // All of a burst: to begin, waiting, in flight, finished. None is lost and none is there twice.
    assert (32'(opening_q ? left_q : '0) + 32'(level_q) + 32'(flight_q) + 32'(gone_q) == 32'(burst_q));
    assert (burst_q <= CountBits'(Replicas));
    if (opening_q) begin
      assert (left_q != '0 && begun_q + left_q == burst_q);
      assert (slot_o == SlotBits'(first_q + SlotBits'(begun_q)));
    end
    if (back_i) assert (32'(level_q) < Replicas);
    assert (waiting_q == (distance(read_q, tracked) < 32'(level_q)));
    if (waiting_q) assert (queue[tracked] == word_q);
    if (waiting_q && take && read_q == tracked) assert (data_o == word_q);
    cover (burst_q == CountBits'(Replicas) && 32'(level_q) == Replicas - 1 && back_i && !opening_q);
    cover (opening_q && level_q == CountBits'(2));
  end
end
