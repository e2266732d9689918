// Data is passed on only while there is no error and the receiver is ready, and never without a
// requested burst. The address side has its own proof.
logic past_valid_q = 1'b0;
always_ff @(posedge clk_i) past_valid_q <= 1'b1;
always_comb if (!past_valid_q) assume (!rst_ni);

always_comb begin
  if (past_valid_q) begin
    if (failed) assert (!data_valid_o);
    if (cmd_ready_o) assert (!rready_o);
    // A good beat is passed on and taken in the same clock, or neither.
    if (rvalid_i && rresp_i == 2'b00 && !failed && open) assert (rready_o == data_ready_i);
    if (data_valid_o) assert (data_o == rdata_i);
    cover (data_valid_o && data_ready_i && rready_o && rlast_i);
    cover (failed && cmd_ready_o);
  end
end
