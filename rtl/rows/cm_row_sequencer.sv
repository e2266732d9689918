// Deals slots: for every row whose tables are there one slot a clock, then the next row, round and
// round; at the end a pass without tables in which only best states are caught. A replica returns
// after at least Depth clocks, when all of its last pass is in memory.
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
  // These stay during a burst.
  input  wire logic [SlotBits:0]   slots_i,      // at least 1
  input  wire logic [RowBits-1:0]  rows_i,       // at least 1
  input  wire logic [31:0]         sweeps_i,
  input  wire logic                measure_i,    // a measuring pass comes first; always without sweeps
  output logic                     busy_o,

  input  wire logic [1:0]          full_i,       // tables of a bank are there
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

  logic                 running_q, active_q, go, ending, last_row;
  logic                 measuring_q, first_q, flush_q, flush_next_q, bank_q, only;
  logic [CountBits-1:0] count_q, last_count;
  logic [RowBits-1:0]   row_q, next_row_q;
  logic [32:0]          left_q;  // passes after the next row's
  logic                 next_measuring_q, next_first_q, next_bank_q;

  assign only       = sweeps_i == '0;
  assign last_count = (CountBits'(slots_i) < CountBits'(Depth) ? CountBits'(Depth)
                                                               : CountBits'(slots_i)) - 1'b1;
  assign ending     = active_q && count_q == last_count;
  assign go         = running_q && !flush_q && (!active_q || ending) &&
                      (flush_next_q || full_i[next_bank_q]);
  assign last_row   = next_row_q == rows_i - 1'b1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || abort_i) begin
      running_q <= 1'b0;
      active_q  <= 1'b0;
      flush_q   <= 1'b0;
    end else begin
      if (start_i) running_q <= 1'b1;
      else if (ending && flush_q) running_q <= 1'b0;
      if (go) active_q <= 1'b1;
      else if (ending) active_q <= 1'b0;
      if (go) flush_q <= flush_next_q;
      else if (ending) flush_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    count_q <= go ? '0 : count_q + CountBits'(active_q);
    if (start_i) begin
      next_row_q       <= '0;
      next_bank_q      <= 1'b0;
      next_first_q     <= 1'b1;
      next_measuring_q <= measure_i;
      flush_next_q     <= 1'b0;
      left_q           <= 33'(sweeps_i) + 33'(measure_i) - 33'd1;
    end else if (go && !flush_next_q) begin
      next_row_q   <= last_row ? '0 : next_row_q + 1'b1;
      next_bank_q  <= !next_bank_q;
      next_first_q <= 1'b0;
      if (last_row) begin
        next_measuring_q <= 1'b0;
        left_q           <= left_q - 1'b1;
        flush_next_q     <= left_q == '0;
      end
    end
    if (go) begin
      row_q       <= next_row_q;
      bank_q      <= next_bank_q;
      measuring_q <= next_measuring_q;
      first_q     <= next_first_q;
    end
  end

  assign busy_o       = running_q;
  assign valid_o      = active_q && count_q < CountBits'(slots_i);
  assign slot_o       = SlotBits'(count_q);
  assign first_slot_o = count_q == '0;
  assign last_slot_o  = count_q == CountBits'(slots_i) - 1'b1;
  assign row_o        = row_q;
  assign bank_o       = bank_q;
  assign measuring_o  = measuring_q && !flush_q;
  assign fresh_o      = measuring_o && row_q == '0;
  assign whole_o      = measuring_o && row_q == rows_i - 1'b1;
  assign takes_best_o = !flush_q && (!measuring_q || (whole_o && only));
  assign first_o      = first_q && !flush_q;
  assign flush_o      = flush_q;
  always_comb begin
    free_o         = 2'b00;
    free_o[bank_q] = valid_o && last_slot_o && !flush_q;
  end

`ifdef FORMAL
  `include "cm_row_sequencer_proof.svh"
`endif
endmodule
`default_nettype wire
