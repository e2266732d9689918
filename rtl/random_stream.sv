// The random stream of one p-bit: Marsaglia's xorshift with 128 bits of state (64 where area is
// dear). It is seeded by injecting bytes (docs/kernel.md) and steps only for valid slots, so the
// k-th replica through a stage always meets the k-th word, whatever the pipeline does.
module random_stream #(
  parameter int unsigned Words = 4  // 32-bit words of state: 4 or 2
) (
  input  logic        clk_i,
  input  logic        clear_i,  // all words 0, the start of seeding
  input  logic        step_i,
  input  logic [7:0]  inject_i,
  output logic [31:0] word_o,
  output logic [31:0] previous_o  // the word before the last step
);
  logic [31:0] x, t, w_d, w_q;

  if (Words == 4) begin : gen_xorshift128
    logic [31:0] x_q, y_q, z_q;
    assign x          = x_q;
    assign t          = x ^ (x << 11);
    assign w_d        = w_q ^ (w_q >> 19) ^ t ^ (t >> 8) ^ {24'd0, inject_i};
    assign previous_o = z_q;
    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        x_q <= '0;
        y_q <= '0;
        z_q <= '0;
      end else if (step_i) begin
        x_q <= y_q;
        y_q <= z_q;
        z_q <= w_q;
      end
    end
  end else if (Words == 2) begin : gen_xorshift64
    logic [31:0] x_q;
    assign x          = x_q;
    assign t          = x ^ (x << 10);
    assign w_d        = w_q ^ (w_q >> 10) ^ t ^ (t >> 13) ^ {24'd0, inject_i};
    assign previous_o = x_q;
    always_ff @(posedge clk_i) begin
      if (clear_i) x_q <= '0;
      else if (step_i) x_q <= w_q;
    end
  end else begin : gen_bad_words
    $fatal(1, "random_stream: Words must be 4 or 2");
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) w_q <= '0;
    else if (step_i) w_q <= w_d;
  end
  assign word_o = w_q;
endmodule
