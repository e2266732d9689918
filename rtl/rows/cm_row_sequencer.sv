// Deals slots: one per clock for every row whose tables are ready, then the next row, round and
// round; at the end a pass without tables that only catches best states. A replica returns after at
// least Depth clocks, when everything from its last pass is in memory. A slot's outputs come from
// registers, and so do the values counts are compared with.
`default_nettype none
module cm_row_sequencer #(
  parameter int unsigned Depth    = 14,
  parameter int unsigned SlotBits = 6,  // of a slot's number
  parameter int unsigned RowBits  = 9
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  input  wire logic                abort_i,      // ends the burst here

  input  wire logic                start_i,
  // Stable from two clocks before start_i and during a burst.
  input  wire logic [SlotBits:0]   slots_i,      // at least 1
  input  wire logic [RowBits-1:0]  rows_i,       // at least 1
  input  wire logic                only_i,       // no sweep, only a measuring pass
  // Sampled with start_i:
  input  wire logic                measure_i,    // a measuring pass comes first; always without sweeps
  input  wire logic [32:0]         left_i,       // passes after the first
  output logic                     busy_o,

  input  wire logic [1:0]          full_i,       // tables of a bank are ready
  output logic      [1:0]          free_o,       // the bank's last slot is dealt

  output logic                     valid_o,
  output logic      [SlotBits-1:0] slot_o,
  output logic                     first_slot_o,
  output logic                     last_slot_o,
  output logic      [RowBits-1:0]  row_o,
  output logic                     bank_o,
  output logic                     measuring_o,
  output logic                     fresh_o,      // f begins at nothing
  output logic                     whole_o,      // f is complete
  output logic                     takes_best_o,
  output logic                     first_o,      // the burst's first row
  output logic                     flush_o       // only best states are caught
);
  localparam int unsigned CountBits = ((1 << SlotBits) > Depth ? SlotBits : $clog2(Depth)) + 1;

  logic                 running_q, active_q, go, ending_q;
  logic                 measuring_q, fresh_q, whole_q, takes_best_q, first_q, flush_q, flush_next_q, bank_q;
  logic [CountBits-1:0] count_q, before_end_q, before_last_q;  // two counts before a row's end, its last slot's
  logic [RowBits-1:0]   row_q, next_row_q, last_row_q;
  logic [32:0]          left_q;  // passes after the next row's
  logic                 next_measuring_q, next_first_q, next_bank_q, next_is_last_q, next_is_first_q;
  logic                 single_q, valid_q, first_slot_q, last_slot_d, last_slot_q;
  logic [1:0]           free_q;

  // A row's end is at max(slots, Depth) - 1, its last slot at slots - 1; both are known a clock before.
  always_ff @(posedge clk_i) begin
    before_end_q    <= (CountBits'(slots_i) < CountBits'(Depth) ? CountBits'(Depth)
                                                                : CountBits'(slots_i)) - CountBits'(2);
    before_last_q   <= CountBits'(slots_i) - CountBits'(2);
    single_q        <= slots_i == (SlotBits + 1)'(1);
    last_row_q      <= rows_i - 1'b1;
    // Rows change many clocks apart, so these are ready in time; at the start they are set.
    next_is_last_q  <= start_i ? last_row_q == '0 : next_row_q == last_row_q;
    next_is_first_q <= start_i || next_row_q == '0;
  end
  assign go = running_q && !flush_q && (!active_q || ending_q) &&
              (flush_next_q || full_i[next_bank_q]);
  assign last_slot_d = go ? single_q : count_q == before_last_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || abort_i) begin
      running_q <= 1'b0;
      active_q  <= 1'b0;
      ending_q  <= 1'b0;
      valid_q   <= 1'b0;
      flush_q   <= 1'b0;
      free_q    <= 2'b00;
    end else begin
      if (start_i) running_q <= 1'b1;
      else if (ending_q && flush_q) running_q <= 1'b0;
      if (go) active_q <= 1'b1;
      else if (ending_q) active_q <= 1'b0;
      ending_q <= active_q && count_q == before_end_q;
      valid_q  <= go || (valid_q && !last_slot_q);
      if (go) flush_q <= flush_next_q;
      else if (ending_q) flush_q <= 1'b0;
      // At the last slot.
      for (int unsigned b = 0; b < 2; b++) begin
        free_q[b] <= last_slot_d && (go ? next_bank_q == 1'(b) && !flush_next_q
                                        : bank_q == 1'(b) && !flush_q && valid_q && !last_slot_q);
      end
    end
  end
  always_ff @(posedge clk_i) begin
    count_q      <= go ? '0 : count_q + CountBits'(active_q);
    first_slot_q <= go;
    last_slot_q  <= last_slot_d;
    if (start_i) begin
      next_row_q       <= '0;
      next_bank_q      <= 1'b0;
      next_first_q     <= 1'b1;
      next_measuring_q <= measure_i;
      flush_next_q     <= 1'b0;
      left_q           <= left_i;
    end else if (go && !flush_next_q) begin
      next_row_q   <= next_is_last_q ? '0 : next_row_q + 1'b1;
      next_bank_q  <= !next_bank_q;
      next_first_q <= 1'b0;
      if (next_is_last_q) begin
        next_measuring_q <= 1'b0;
        left_q           <= left_q - 1'b1;
        flush_next_q     <= left_q == '0;
      end
    end
    if (go) begin
      row_q        <= next_row_q;
      bank_q       <= next_bank_q;
      measuring_q  <= next_measuring_q && !flush_next_q;
      fresh_q      <= next_measuring_q && !flush_next_q && next_is_first_q;
      whole_q      <= next_measuring_q && !flush_next_q && next_is_last_q;
      takes_best_q <= !flush_next_q && (!next_measuring_q || (next_is_last_q && only_i));
      first_q      <= next_first_q && !flush_next_q;
    end
  end

  assign busy_o       = running_q;
  assign valid_o      = valid_q;
  assign slot_o       = SlotBits'(count_q);
  assign first_slot_o = first_slot_q;
  assign last_slot_o  = last_slot_q;
  assign row_o        = row_q;
  assign bank_o       = bank_q;
  assign measuring_o  = measuring_q;
  assign fresh_o      = fresh_q;
  assign whole_o      = whole_q;
  assign takes_best_o = takes_best_q;
  assign first_o      = first_q;
  assign flush_o      = flush_q;
  assign free_o       = free_q;

`ifdef CM_ASSERT
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!start_i || !running_q || abort_i) else $error("a burst while one runs");
      assert (!valid_o || (SlotBits + 1)'(slot_o) < slots_i) else $error("a slot that is not there");
      assert (!valid_o || row_o < rows_i) else $error("a row that is not there");
      assert ($onehot0(free_o)) else $error("two banks freed at once");
    end
  end
`endif
`ifdef FORMAL
  `include "cm_row_sequencer_proof.svh"
`endif
endmodule
`default_nettype wire
