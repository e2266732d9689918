// Every burst stays in its page and within MaxBeats; together the bursts cover the transfer
// exactly, in order, without gap or overlap; a burst once offered stays until it is taken.
logic past_valid_q = 1'b0;
always_ff @(posedge clk_i) past_valid_q <= 1'b1;
always_comb if (!past_valid_q) assume (!rst_ni);
always_comb assume ((cmd_addr_i & 64'(DataBytes - 1)) == '0);

logic [63:0]           start_q = '0;
logic [CountWidth-1:0] total_q = '0, sent_q = '0;  // beats asked for, beats in bursts taken
logic [63:0]           burst_last;                 // address of a burst's last byte
always_ff @(posedge clk_i) begin
  if (!rst_ni || clear_i) begin
    total_q <= '0;
    sent_q  <= '0;
  end else if (cmd_valid_i && cmd_ready_o) begin
    start_q <= cmd_addr_i;
    total_q <= cmd_beats_i;
    sent_q  <= '0;
  end else if (burst_valid_o && burst_ready_i) begin
    sent_q <= sent_q + CountWidth'(burst_len_o) + 1'b1;
  end
end

assign burst_last = burst_addr_o + ((64'(burst_len_o) + 64'd1) << ByteBits) - 64'd1;
always_comb begin
  if (past_valid_q) begin
    assert (sent_q <= total_q);
    assert (any_q == (total_q != sent_q));
    assert (!any_q || left_q == total_q - sent_q - 1'b1);
    assert (!any_q || {page_q + 52'(turn_q), place_q} == start_q + (64'(sent_q) << ByteBits));
    assert (any_q || (!capped_q && !valid_q));
    assert (!valid_q || capped_q);
    assert (!capped_q || (cap_q == cap_d && !turn_q));
    assert (!valid_q || (last_q == last_d && len_q == len_d));
    assert ((start_q & 64'(DataBytes - 1)) == '0);
    if (burst_valid_o) begin
      assert (burst_last[63:12] == burst_addr_o[63:12]);
      assert (9'(burst_len_o) < 9'(MaxBeats));
      assert (CountWidth'(burst_len_o) <= left_q && last_q == (CountWidth'(burst_len_o) == left_q));
    end
    cover (burst_valid_o && burst_ready_i && sent_q != '0 && CountWidth'(burst_len_o) == left_q);
  end
end

always_ff @(posedge clk_i) begin
  if (past_valid_q && rst_ni && $past(rst_ni) && !$past(clear_i)) begin
    if ($past(burst_valid_o && !burst_ready_i))
      assert (burst_valid_o && $stable(burst_addr_o) && $stable(burst_len_o));
  end
end
