// No bank is written while it is read: writes go to the bank that is being built, never to a full
// one, and none comes within 8 clocks after a bank was freed with its last slot (which has read its
// tables 4 clocks later, cm_row_lane.sv). A row is full only when all of its beats are written.
logic past_valid_q = 1'b0;
always_ff @(posedge clk_i) past_valid_q <= 1'b1;
always_comb if (!past_valid_q) assume (!rst_ni);
always_comb assume ((free_i & ~full_q) == 2'b00);  // the sequencer frees only what it was given

logic [3:0] since_q [2];  // clocks since the bank was freed, saturates
always_ff @(posedge clk_i) begin
  for (int b = 0; b < 2; b++) begin
    if (!rst_ni || clear_i) since_q[b] <= 4'd15;
    else if (free_i[b]) since_q[b] <= '0;
    else if (since_q[b] != 4'd15) since_q[b] <= since_q[b] + 1'b1;
  end
end
logic [3:0] since;
assign since = bank_q ? since_q[1] : since_q[0];

always_comb begin
  if (past_valid_q) begin
    assert (taken_q <= CountBits'(RowBeats));
    if (head_q) assert (!in_row_q && !full_q[bank_q] && since >= 4'd1);
    if (in_row_q) assert (!full_q[bank_q] && since >= 4'd2);
    if (!in_row_q) assert ((&quiet) && !wanting_q);
    if (wanting_q) assert (taken_q < CountBits'(RowBeats));
    if (in_row_q) assert (all_taken_q == (taken_q == CountBits'(RowBeats)));
    if (write_o != '0) assert (!full_q[bank_q] && since >= 4'd8);
    cover (write_o != '0 && taken_q == CountBits'(2));
  end
end
for (genvar u = 0; u < Units; u++) begin : gen_proof
  logic [4:0] reached;
  assign reached = unit_count[5*u+:5] + 5'd3;
  always_comb begin
    if (past_valid_q && unit_busy[u]) begin
      assert (unit_count[5*u+:5] <= 5'd19);
      assert (since == 4'd15 || 5'(since) >= reached);
    end
    if (past_valid_q) assert (ready[u] == (!unit_busy[u] || unit_count[5*u+:5] == 5'd19));
    if (past_valid_q && unit_busy[u]) assert (unit_first[u] == (unit_count[5*u+:5] < 5'd4));
    if (past_valid_q) assert (write_address_o[5*u+4] == bank_q);
  end
end
