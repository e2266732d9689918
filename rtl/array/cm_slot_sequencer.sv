// Deals the slots of a burst: replica 0 .. R-1, sweep after sweep, one per clock. A replica may
// enter the ring again only when it has left it and is back in memory, Depth clocks after it
// entered; with fewer replicas than that, bubbles fill the round. If a slot takes several clocks, a
// step is a clock with advance_i set, and Depth counts steps.
`default_nettype none
module cm_slot_sequencer #(
  parameter int unsigned Depth     = 14,
  parameter int unsigned IndexBits = 11  // holds the number of replicas
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,
  input  wire logic                 advance_i,
  input  wire logic                 start_i,
  input  wire logic [IndexBits-1:0] replicas_i,  // at least 1; stable during the burst
  input  wire logic [31:0]          passes_i,    // 0 counts as 1; stable during the burst
  output logic                      busy_o,
  output logic                      valid_o,
  output logic      [IndexBits-1:0] index_o,
  output logic                      first_o      // of the first pass
);
  localparam int unsigned DepthBits = $clog2(Depth + 1);
  localparam int unsigned RoundBits = (DepthBits > IndexBits) ? DepthBits : IndexBits;

  logic                 busy_q, first_q;
  logic [RoundBits-1:0] round_q;  // clocks of this round so far
  logic [31:0]          left_q;   // rounds, this one included
  // Equality with values known at the start needs no carry chain.
  logic [RoundBits-1:0] last_q, end_q;  // clock of the last replica, of the round's end
  logic                 in_round_q, last_of_round;

  // A round ends when all replicas have gone and the first may come back.
  assign last_of_round = round_q == end_q;
  always_ff @(posedge clk_i) begin
    if (!busy_q) begin
      last_q <= RoundBits'(replicas_i) - 1'b1;
      end_q  <= (RoundBits'(replicas_i) > RoundBits'(Depth)) ? RoundBits'(replicas_i) - 1'b1
                                                             : RoundBits'(Depth - 1);
    end
    if (advance_i) in_round_q <= !busy_q || last_of_round || (in_round_q && round_q != last_q);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      first_q <= 1'b0;
      round_q <= '0;
      left_q  <= '0;
    end else if (!advance_i) begin
      // The slot is passed on.
    end else if (!busy_q) begin
      busy_q  <= start_i;
      first_q <= 1'b1;
      round_q <= '0;
      left_q  <= passes_i;
    end else if (last_of_round) begin
      busy_q  <= left_q[31:1] != '0;
      first_q <= 1'b0;
      round_q <= '0;
      left_q  <= left_q - 1'b1;
    end else begin
      round_q <= round_q + 1'b1;
    end
  end

  assign busy_o  = busy_q;
  assign valid_o = busy_q && in_round_q;
  assign index_o = IndexBits'(round_q);
  assign first_o = first_q;

`ifdef CM_ASSERT
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!start_i || !busy_q) else $error("a burst while one runs");
      assert (!valid_o || index_o < replicas_i) else $error("a replica that is not there");
    end
  end
`endif
`ifdef FORMAL
  `include "cm_slot_sequencer_proof.svh"
`endif
endmodule
`default_nettype wire
