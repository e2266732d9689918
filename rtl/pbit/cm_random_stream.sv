// The random stream of one p-bit. It is seeded by injecting bytes (docs/kernel.md) and steps only
// for valid slots, so the k-th replica through a stage always meets the k-th word, whatever the
// pipeline does.
`default_nettype none
module cm_random_stream #(
  parameter int unsigned Words = 4  // 32-bit words of state: 4 or 2
) (
  input  wire logic        clk_i,
  input  wire logic        clear_i,  // all words 0, the start of seeding
  input  wire logic        step_i,
  input  wire logic [7:0]  inject_i,
  output logic      [31:0] word_o,
  output logic      [31:0] previous_o  // the word before the last step
);
  logic [32*Words-1:0] state_d, state_q;
  cm_xorshift_step #(
    .Words(Words)
  ) u_step (
    .state_i (state_q),
    .inject_i,
    .state_o (state_d)
  );
  always_ff @(posedge clk_i) begin
    if (clear_i) state_q <= '0;
    else if (step_i) state_q <= state_d;
  end
  assign word_o     = state_q[32*(Words-1)+:32];
  assign previous_o = state_q[32*(Words-2)+:32];
endmodule
`default_nettype wire
