// Every request gets exactly one answer, answers are stable until taken, an argument reads what
// was last written to it byte by byte, a start is one pulse for one write, and no done is lost.
logic past_valid_q = 1'b0;
always_ff @(posedge clk_i) past_valid_q <= 1'b1;
always_comb if (!past_valid_q) assume (!rst_ni);

// The master keeps the rules of AXI: valid and payload stay until ready.
always_ff @(posedge clk_i) begin
  if (past_valid_q && $past(rst_ni)) begin
    if ($past(awvalid_i && !awready_o)) assume (awvalid_i && $stable(awaddr_i));
    if ($past(wvalid_i && !wready_o)) assume (wvalid_i && $stable(wdata_i) && $stable(wstrb_i));
    if ($past(arvalid_i && !arready_o)) assume (arvalid_i && $stable(araddr_i));
  end
end
// The kernel signals done only while a call runs.
always_comb if (!running_q) assume (!done_i);

// ---- one answer a request -------------------------------------------------------------------
logic [3:0] aw_count_q = '0, w_count_q = '0, b_count_q = '0, ar_count_q = '0, r_count_q = '0;
always_ff @(posedge clk_i) begin
  if (!rst_ni) begin
    aw_count_q <= '0;
    w_count_q  <= '0;
    b_count_q  <= '0;
    ar_count_q <= '0;
    r_count_q  <= '0;
  end else begin
    aw_count_q <= aw_count_q + 4'(awvalid_i && awready_o);
    w_count_q  <= w_count_q + 4'(wvalid_i && wready_o);
    b_count_q  <= b_count_q + 4'(bvalid_o && bready_i);
    ar_count_q <= ar_count_q + 4'(arvalid_i && arready_o);
    r_count_q  <= r_count_q + 4'(rvalid_o && rready_i);
  end
end
always_comb begin
  if (past_valid_q) begin
    assert (4'(aw_count_q - b_count_q) == 4'(aw_held_q) + 4'(bvalid_o));
    assert (4'(w_count_q - b_count_q) == 4'(w_held_q) + 4'(bvalid_o));
    assert (4'(ar_count_q - r_count_q) == 4'(rvalid_o) + 4'(read_q));
    assert (!(rvalid_o && read_q));
    assert (raddrs[2*WordWidth-1:WordWidth] == raddr);
    cover (b_count_q == 4'd2 && r_count_q == 4'd2);
  end
end
always_ff @(posedge clk_i) begin
  if (past_valid_q && $past(rst_ni)) begin
    if ($past(bvalid_o && !bready_i)) assert (bvalid_o && $stable(bresp_o));
    if ($past(rvalid_o && !rready_i)) assert (rvalid_o && $stable(rdata_o));
  end
end

// ---- an argument is what was written last -----------------------------------------------------
(* anyconst *) logic [$clog2(ArgWords)-1:0] word;
(* anyconst *) logic [1:0]                  lane;
logic [7:0] shadow_q = '0;
logic       written_q = 1'b0;  // before, and after a reset, an argument is whatever it was
logic       checked;
assign checked = ArgMask[word];
always_ff @(posedge clk_i) begin
  if (write && waddr_q == WordWidth'(ArgBase / 4) + WordWidth'(word) && wstrb_q[lane]) begin
    shadow_q  <= wdata_q[8*lane+:8];
    written_q <= 1'b1;
  end
end
logic [32*ArgWords-1:0] shifted;
assign shifted = args >> {word, lane, 3'b000};
always_comb begin
  if (past_valid_q && checked && written_q) assert (shifted[7:0] == shadow_q);
  if (past_valid_q && !checked) assert (shifted[7:0] == '0);
end
logic [WordWidth-1:0] asked_q;
always_ff @(posedge clk_i) if (arvalid_i && arready_o) asked_q <= araddr_i[AddrWidth-1:2];
always_comb if (past_valid_q && read_q) assert (raddr == asked_q);
logic [7:0] expected_q;
logic       reading_q = 1'b0;
always_ff @(posedge clk_i) begin
  if (!rst_ni) reading_q <= 1'b0;
  else if (read_q) begin
    reading_q  <= raddr == WordWidth'(ArgBase / 4) + WordWidth'(word);
    expected_q <= !checked ? 8'd0 : written_q ? shadow_q : shifted[7:0];
  end
end
always_comb if (past_valid_q && rvalid_o && reading_q) assert (rdata_q[8*lane+:8] == expected_q);

// ---- a call keeps the arguments of its start ------------------------------------------------------
logic [32*ArgWords-1:0] called;
assign called = args_o >> {word, lane, 3'b000};
logic [7:0] start_args_q = '0;
always_ff @(posedge clk_i) if (start) start_args_q <= shifted[7:0];
// The write that starts is answered before another is taken.
always_comb begin
  if (past_valid_q && start_q) assert (bvalid_q && running_q && start_args_q == shifted[7:0]);
  if (past_valid_q && copied_q) assert (!start_q);
end
always_ff @(posedge clk_i) begin
  if (past_valid_q && $past(rst_ni)) begin
    // Their values when the start was written.
    if (start_o) assert (called[7:0] == start_args_q);
    if ($past(start_q) && !$past(start_q, 2)) assert (start_o);
    if ($past(running_q) && !start_o) assert ($stable(args_o));
  end
end

// ---- start and done ---------------------------------------------------------------------------
logic [3:0] control_q;
logic       reading_control_q = 1'b0;
always_ff @(posedge clk_i) begin
  if (!rst_ni) reading_control_q <= 1'b0;
  else if (read_q) begin
    reading_control_q <= raddr == '0;
    control_q         <= {ready_q, !running_q, done_q, running_q};
  end
end
always_comb begin
  if (past_valid_q && rvalid_o && reading_control_q) assert (rdata_o == 32'(control_q));
  if (past_valid_q && done_q) assert (!running_q);
end
always_ff @(posedge clk_i) begin
  if (past_valid_q && !$past(rst_ni))
    assert (!bvalid_o && !rvalid_o && !start_o && !interrupt_o && !running_q && !done_q);
  if (past_valid_q && $past(rst_ni)) begin
    // A start counts only while no call runs.
    assert (start_q == $past(write_control && wdata_q[0] && !running_q));
    assert (start_o == $past(start_q));
    if ($past(running_q) && !running_q) assert ($past(done_i));
    if ($past(running_q && !done_i)) assert (running_q);
    if ($past(done_i)) assert (done_q && ready_q && !running_q);
    // Done disappears only when the host has seen it, says continue or starts again.
    if ($past(done_q) && !done_q)
      assert ($past(read_control || (write_control && (wdata_q[4] || wdata_q[0]))));
    if ($past(ready_q) && !ready_q) assert ($past(read_control || (write_control && wdata_q[0])));
    if ($past(done_q && write_control && wdata_q[4] && !done_i)) assert (!done_q);
    cover (done_q && $past(read_control));
    cover (start_q && $past(done_q));
  end
end

// ---- interrupt: an enabled event sets its bit, a one written to a bit toggles it, else it stays ----
logic [1:0] enabled_q = '0;
logic       global_q = 1'b0;
always_ff @(posedge clk_i) begin
  if (!rst_ni) begin
    enabled_q <= '0;
    global_q  <= 1'b0;
  end else if (write && wstrb_q[0]) begin
    if (waddr_q == WordWidth'(1)) global_q <= wdata_q[0];
    if (waddr_q == WordWidth'(2)) enabled_q <= wdata_q[1:0];
  end
end
for (genvar i = 0; i < 2; i++) begin : gen_interrupt
  logic toggled;
  assign toggled = write && wstrb_q[0] && waddr_q == WordWidth'(3) && wdata_q[i];
  always_ff @(posedge clk_i) begin
    if (past_valid_q && $past(rst_ni)) begin
      if ($past(done_i && enabled_q[i])) assert (isr_q[i]);
      else assert (isr_q[i] == ($past(isr_q[i]) ^ $past(toggled)));
    end
  end
end
always_comb begin
  if (past_valid_q) begin
    assert (gie_q == global_q && ier_q == enabled_q);
    assert (interrupt_o == (global_q && isr_q != 2'b00));
    cover (interrupt_o && isr_q == 2'b10);
  end
end
