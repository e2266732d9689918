// Makes the bytes from which all random streams are seeded (docs/kernel.md): a Speck-like network
// on the two halves of the seed, one step per clock with advance_i set. Each p-bit takes the bytes
// that its code selects.
`default_nettype none
module cm_seeder (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  input  wire logic        advance_i,
  input  wire logic        start_i,
  input  wire logic [63:0] seed_i,
  output logic             busy_o,
  output logic             clear_o,  // streams to zero
  output logic             step_o,   // streams step; one step after the byte
  output logic      [5:0]  index_o,  // of the byte
  output logic      [7:0]  byte_o    // 0 when there is none
);
  logic        running_q, clear_q, made_q, step_q;
  logic [5:0]  n_q, index_q;
  logic [7:0]  byte_q;
  logic [31:0] a_q, b_q, a_d, b_d;

  assign a_d = ({a_q[7:0], a_q[31:8]} + b_q) ^ {26'd0, n_q};
  assign b_d = {b_q[28:0], b_q[31:29]} ^ a_d;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      running_q <= 1'b0;
      clear_q   <= 1'b0;
      made_q    <= 1'b0;
      step_q    <= 1'b0;
      n_q       <= '0;
      byte_q    <= '0;
    end else if (advance_i) begin
      clear_q <= start_i;
      if (start_i) running_q <= 1'b1;
      else if (n_q == 6'd63) running_q <= 1'b0;
      n_q    <= running_q ? n_q + 1'b1 : '0;
      made_q <= running_q;
      step_q <= made_q;
      byte_q <= running_q ? a_d[7:0] : '0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (advance_i) begin
      index_q <= n_q;
      if (start_i) {a_q, b_q} <= seed_i;
      else if (running_q) {a_q, b_q} <= {a_d, b_d};
    end
  end

  assign busy_o  = running_q || clear_q || made_q || step_q;
  assign clear_o = clear_q;
  assign step_o  = step_q;
  assign index_o = index_q;
  assign byte_o  = byte_q;
endmodule
`default_nettype wire
