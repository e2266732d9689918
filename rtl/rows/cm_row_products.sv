// Pairs of one lane that must not both be up: how many of the row's partners are up, shifted by
// their weight, or zero. Latency: Levels + 2 clocks, at least log2 of a third of the spins and 2.
`default_nettype none
module cm_row_products #(
  parameter int unsigned Pbits   = 256,
  parameter int unsigned Levels  = 7,
  parameter int unsigned OutBits = 18
) (
  input  wire logic               clk_i,
  input  wire logic [Pbits-1:0]   state_i,
  input  wire logic [Pbits-1:0]   partners_i,
  // Levels + 1 clocks later:
  input  wire logic [3:0]         shift_i,
  input  wire logic               counts_i,
  output logic      [OutBits-1:0] sum_o
);
  localparam int unsigned Thirds    = (Pbits + 2) / 3;
  localparam int unsigned CountBits = $clog2(Pbits + 1) + 1;  // signed
  logic [3*Thirds-1:0]  both;
  logic [3*Thirds-1:0]  counts_q;
  logic [CountBits-1:0] count;
  assign both = (3 * Thirds)'(state_i) & (3 * Thirds)'(partners_i);
  always_ff @(posedge clk_i) begin
    for (int unsigned t = 0; t < Thirds; t++) begin
      counts_q[3*t+2]   <= 1'b0;
      counts_q[3*t+1]   <= (both[3*t] && both[3*t+1]) || (both[3*t] && both[3*t+2]) ||
                           (both[3*t+1] && both[3*t+2]);
      counts_q[3*t]     <= both[3*t] ^ both[3*t+1] ^ both[3*t+2];
    end
    sum_o <= (OutBits'(count) << shift_i) & {OutBits{counts_i}};
  end
  cm_adder_tree #(
    .Inputs  (Thirds),
    .Width   (3),
    .OutWidth(CountBits),
    .Levels  (Levels)
  ) u_tree (
    .clk_i,
    .values_i(counts_q),
    .sum_o   (count)
  );
endmodule
`default_nettype wire
