// No stale residual is used: when a slot's residual is read, no earlier pass of the same slot, bank
// and number has yet to write it. And every pass writes to the slot and number it has read, at its
// own clock. A slot returns after at least WriteAt - ReadAt + 1 clocks: the sequencer's proof shows
// that (PassDepth is more).
localparam int unsigned Return    = WriteAt - ReadAt + 1;
localparam int unsigned SinceBits = $clog2(Return + 2);

// Any one slot, bank and number, followed.
(* anyconst *) logic [SlotBits-1:0]      tracked_slot;
(* anyconst *) logic [NumberBits-1:0]    tracked_number;
(* anyconst *) logic [$clog2(Forms)-1:0] tracked_bank;
logic [SinceBits-1:0] since_q = SinceBits'(Return);  // clocks since the slot was here
logic                 here;
assign here = slot_i == tracked_slot;
always_ff @(posedge clk_i) begin
  if (here) since_q <= SinceBits'(1);
  else if (since_q != SinceBits'(Return)) since_q <= since_q + 1'b1;
end
always_comb if (here) assume (since_q == SinceBits'(Return));

logic             uses, reads, writes;
logic [WriteAt:1] uses_q = '0;      // passes that use it, by the clocks since they came
logic [WriteAt:1] filled_q = '0;    // before that the delay lines hold no pass
assign uses   = here && used[tracked_bank] &&
                number[NumberBits*tracked_bank+:NumberBits] == tracked_number;
assign reads  = read_slot_o == tracked_slot &&
                read_number_o[NumberBits*tracked_bank+:NumberBits] == tracked_number;
assign writes = write_slot_o == tracked_slot && used_o[tracked_bank] &&
                write_number_o[NumberBits*tracked_bank+:NumberBits] == tracked_number;
always_ff @(posedge clk_i) begin
  uses_q   <= {uses_q[WriteAt-1:1], uses};
  filled_q <= {filled_q[WriteAt-1:1], 1'b1};
end
always_comb begin
  if (uses_q[ReadAt]) begin
    assert (reads);
    assert (uses_q[WriteAt:ReadAt+1] == '0);
  end
  if (filled_q[WriteAt]) assert (writes == uses_q[WriteAt]);
  cover (uses_q[WriteAt] && uses_q[ReadAt-1]);
end
