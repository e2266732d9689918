// One step of a random stream: Marsaglia's xorshift with 128 bits of state (64 where area is
// scarce) and an injected byte (docs/kernel.md). The lowest word is the oldest, the highest the
// newest.
`default_nettype none
module cm_xorshift_step #(
  parameter int unsigned Words = 4  // 32-bit words of state: 4 or 2
) (
  input  wire logic [32*Words-1:0] state_i,
  input  wire logic [7:0]          inject_i,
  output logic      [32*Words-1:0] state_o
);
  logic [31:0] x, w, t, next;
  assign x = state_i[31:0];
  assign w = state_i[32*(Words-1)+:32];
  if (Words == 4) begin : gen_xorshift128
    assign t    = x ^ (x << 11);
    assign next = w ^ (w >> 19) ^ t ^ (t >> 8) ^ {24'd0, inject_i};
  end else if (Words == 2) begin : gen_xorshift64
    assign t    = x ^ (x << 10);
    assign next = w ^ (w >> 10) ^ t ^ (t >> 13) ^ {24'd0, inject_i};
  end else begin : gen_bad_words
    $fatal(1, "cm_xorshift_step: Words must be 4 or 2");
  end
  assign state_o = {next, state_i[32*Words-1:32]};
endmodule
`default_nettype wire
