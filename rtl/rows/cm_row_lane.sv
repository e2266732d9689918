// One lane: a replica a clock passes the row. Its spins address the tables, a tree sums them, the
// p-bit decides, f and g follow, and one spin is written back. Clocks, with L = TreeLevels:
//   0 slot address   1 state    2 folded addresses   2+L sum   3+L field F   5+L drawn   6+L new spin, written
//   7+L f and g      9+L best f and whether it is one: the state is caught when it is read next
// What a pass carries is the same for all lanes; passes_i has it for every clock, from the one before 0
// on. Where it drives much of a lane it passes a register there.
`default_nettype none
module cm_row_lane #(
  parameter bit WideAdd = 1'b1,
  localparam int unsigned Pbits       = topology_pkg::Pbits,
  localparam int unsigned Slots       = topology_pkg::LaneReplicas,
  localparam int unsigned Groups      = topology_pkg::Groups,
  localparam int unsigned RowBeats    = topology_pkg::RowBeats,
  localparam int unsigned Levels      = topology_pkg::TreeLevels,
  localparam int unsigned FieldBits   = topology_pkg::FieldBits,
  localparam int unsigned EnergyBits  = topology_pkg::EnergyBits,
  localparam int unsigned BetaBits    = topology_pkg::BetaBits,
  localparam int unsigned EntryBits   = topology_pkg::EntryBits,
  localparam int unsigned Words       = topology_pkg::StateWords,
  localparam int unsigned WordBits    = (Words > 1) ? $clog2(Words) : 1,
  localparam int unsigned SlotBits    = topology_pkg::SlotBits,
  localparam int unsigned SliceBits   = topology_pkg::SliceBits,
  localparam int unsigned PassBits    = topology_pkg::PassBits,
  localparam int unsigned PassClocks  = topology_pkg::PassClocks,
  localparam int unsigned GBits       = topology_pkg::ViolationBits,
  localparam int unsigned Units       = (RowBeats + 1) / 2
) (
  input  wire logic                           clk_i,

  // Tables.
  input  wire logic [RowBeats-1:0]            write_i,    // by beat; the rest by the unit that has it
  input  wire logic [Units*5-1:0]             write_address_i,
  input  wire logic [Units*6*EntryBits-1:0]   write_sums_i,

  input  wire topology_pkg::seed_t            seed_i,
  input  wire logic                           seeded_i,   // by this byte, as the lane's code says

  // The pass.
  input  wire logic                           valid0_i,   // of this lane, at clock 0
  // verilator lint_off UNUSEDSIGNAL
  input  wire logic [PassClocks*PassBits-1:0] passes_i,
  // verilator lint_on UNUSEDSIGNAL
  input  wire logic [FieldBits-1:0]           h_i,        // at the clock before F,
  input  wire logic [FieldBits-1:0]           h_field_i,  // and at F's
  input  wire topology_pkg::row_broadcast_t    broadcast_i,     // cm_row_constraint.sv

  // Loads and stores, when no burst runs.
  input  wire logic                           state_load_i,
  input  wire logic                           parameter_load_i,
  input  wire logic [SlotBits-1:0]            load_slot_i,
  input  wire logic [WordBits-1:0]            load_index_i,
  input  wire logic [63:0]                    load_word_i,
  input  wire logic                           reading_i,
  input  wire logic                           asked_i,    // this lane is being read; the others' words are zero
  input  wire logic [SlotBits-1:0]            read_slot_i,
  input  wire logic [WordBits-1:0]            read_index_i,
  output logic      [EnergyBits-1:0]          energy_o,      // two clocks after the slot, like the next ones
  output logic      [GBits-1:0]               violations_o,
  output logic                                found_o,
  output logic      [EnergyBits-1:0]          best_o,
  output logic      [63:0]                    state_word_o,  // three clocks
  output logic      [63:0]                    best_word_o
);
  localparam int unsigned FieldAt = 3 + Levels;  // clock of F
  localparam int unsigned OneHots = topology_pkg::OneHots;
  // Constraints need the sign a clock earlier; Gumbel noise takes a clock longer.
  localparam int unsigned DrawAt  = FieldAt - 2 - topology_pkg::Constrained - OneHots;
  localparam int unsigned RowBits = SliceBits + 3;

  // ---- the pass at the clocks at which it is asked ---------------------------------------------------
  // Each clock uses some of its fields.
  // verilator lint_off UNUSEDSIGNAL
  topology_pkg::row_pass_t pass_before, pass0, pass1, pass3, pass_draw, pass_beta, pass_after, pass_drawn;
  topology_pkg::row_pass_t pass_spin, pass_f, pass_best;
  // verilator lint_on UNUSEDSIGNAL
  logic [PassClocks-2:0] valid;
  logic [PassClocks-3:0] valid_q;
  assign pass_before = passes_i[0+:PassBits];
  assign pass0       = passes_i[1*PassBits+:PassBits];
  assign pass1       = passes_i[2*PassBits+:PassBits];
  assign pass3       = passes_i[4*PassBits+:PassBits];
  assign pass_draw   = passes_i[(DrawAt+1)*PassBits+:PassBits];
  assign pass_beta   = passes_i[FieldAt*PassBits+:PassBits];      // at FieldAt - 1
  assign pass_after  = passes_i[(FieldAt+2)*PassBits+:PassBits];  // at FieldAt + 1
  assign pass_f      = passes_i[(FieldAt+5)*PassBits+:PassBits];
  assign pass_best   = passes_i[(FieldAt+6)*PassBits+:PassBits];
  always_ff @(posedge clk_i) valid_q <= valid[PassClocks-3:0];
  assign valid = {valid_q, valid0_i};
  logic [SlotBits-1:0] slot0, slot1;
  logic                settle1, measuring;  // at clock 1, at FieldAt
  cm_relay #(
    .Width(2 * SlotBits + 2 * PassBits + 2)
  ) u_pass (
    .clk_i,
    .data_i({pass_before.slot, slot0, pass_after, pass_drawn, pass0.settle, pass_beta.measuring}),
    .data_o({slot0, slot1, pass_drawn, pass_spin, settle1, measuring})
  );

  // ---- loads and stores: what is asked has registers in every lane ------------------------------------------
  logic                state_load;
  logic [SlotBits-1:0] load_slot;
  logic [WordBits-1:0] load_index;
  logic [63:0]         load_word;
  cm_relay #(
    .Width(1 + SlotBits + WordBits + 64)
  ) u_load (
    .clk_i,
    .data_i({state_load_i, load_slot_i, load_index_i, load_word_i}),
    .data_o({state_load, load_slot, load_index, load_word})
  );

  logic                reading, asked;
  logic [SlotBits-1:0] read_slot;
  logic [WordBits-1:0] read_index;
  cm_relay #(
    .Width(2 + SlotBits + WordBits)
  ) u_read (
    .clk_i,
    .data_i({reading_i, asked_i, read_slot_i, read_index_i}),
    .data_o({reading, asked, read_slot, read_index})
  );

  // ---- the row whose spin may turn: where a group is settled it is the replica's own -------------------
  logic [RowBits-1:0]   pass_row1, row1, row2_q, row3_q, row_drawn, kept_row1;  // by clock
  logic [SliceBits-1:0] slice_spin;
  cm_relay #(
    .Width(RowBits + SliceBits)
  ) u_row (
    .clk_i,
    .data_i({pass0.slice, pass0.place, row_drawn[RowBits-1:3]}),
    .data_o({pass_row1, slice_spin})
  );
  always_ff @(posedge clk_i) begin
    row2_q <= row1;
    row3_q <= row2_q;
  end
  if (OneHots == 0) begin : gen_same_row
    assign row1      = pass_row1;
    assign row_drawn = {pass_drawn.slice, pass_drawn.place};
    logic unused_own;
    assign unused_own = ^{settle1, kept_row1, row3_q[RowBits-1:3]};
  end else begin : gen_own_row
    assign row1 = settle1 ? kept_row1 : pass_row1;
    cm_delay_line #(
      .Width(RowBits),
      .Depth(FieldAt - 1)
    ) u_drawn (
      .clk_i,
      .advance_i(1'b1),
      .data_i   (row3_q),
      .data_o   (row_drawn)
    );
  end

  // ---- states ---------------------------------------------------------------------------------------
  logic [Pbits-1:0]    state;
  logic [7:0]          written_q;
  logic [SlotBits-1:0] word_slot;
  logic [WordBits-1:0] word_index;
  logic [63:0]         state_word;  // the one asked for, or the row's of the pass at clock 2
  assign word_slot  = reading ? read_slot : slot1;
  always_comb begin
    word_index = WordBits'(row1 >> 6);
    if (reading) word_index = read_index;
  end
  cm_slice_memory #(
    .Pbits    (Pbits),
    .Slots    (Slots),
    .SliceBits(SliceBits)
  ) u_states (
    .clk_i,
    .write_i        (valid[FieldAt+3] && !pass_spin.hold),
    .write_address_i(pass_spin.slot),
    .write_slice_i  (slice_spin),
    .spins_i        (written_q),
    .load_i         (state_load),
    .load_address_i (load_slot),
    .load_index_i   (load_index),
    .load_word_i    (load_word),
    .read_address_i (slot0),
    .state_o        (state),
    .word_address_i (word_slot),
    .word_index_i   (word_index),
    .word_zero_i    (reading && !asked),
    .word_o         (state_word)
  );

  // A state that was better on its last pass is caught now that it is read.
  logic             pending_q [Slots];
  logic             pending1_q, better;
  logic [63:0]      best_word;
  always_ff @(posedge clk_i) begin
    if (valid[FieldAt+5]) pending_q[pass_best.slot] <= better;
    pending1_q <= pending_q[slot0];
  end
  cm_best_states #(
    .Pbits(Pbits),
    .Slots(Slots)
  ) u_best (
    .clk_i,
    .write_i        (valid[1] && pending1_q && !pass1.first),
    .write_address_i(slot1),
    .state_i        (state),
    .read_address_i (read_slot),
    .read_index_i   (read_index),
    .zero_i         (!asked),
    .word_o         (best_word)
  );
  always_ff @(posedge clk_i) begin
    state_word_o <= state_word;
    best_word_o  <= best_word;
  end

  // ---- the old spin and the seven around it ----------------------------------------------------------------
  logic [7:0] slice_q, old_slice;
  logic       old3, old;  // at clock 3, and beside its slice
  always_ff @(posedge clk_i) slice_q <= state_word[8*row2_q[5:3]+:8];
  assign old3 = slice_q[row3_q[2:0]] && !pass3.settle;  // a settled one is set up
  cm_delay_line #(
    .Width(9),
    .Depth(FieldAt - 1)
  ) u_slice (
    .clk_i,
    .advance_i(1'b1),
    .data_i   ({old3, slice_q}),
    .data_o   ({old, old_slice})  // clock FieldAt + 2
  );

  // ---- the field ----------------------------------------------------------------------------------------
  // An address whose last spin is down is folded: it uses the entry of its complement, negated.
  logic [5*Groups-1:0]         spins;
  logic [4*Groups-1:0]         address_q;
  logic [Groups-1:0]           negative_q;
  logic [Groups*EntryBits-1:0] entries;
  assign spins = (5 * Groups)'(state);
  always_ff @(posedge clk_i) begin
    for (int unsigned q = 0; q < Groups; q++) begin
      negative_q[q]      <= !spins[5*q+4];
      address_q[4*q+:4]  <= spins[5*q+:4] ^ {4{!spins[5*q+4]}};
    end
  end
  // Every table uses the bank seven times, so there is a register per 32 tables.
  localparam int unsigned Banks = (Groups + 31) / 32;
  logic [Banks-1:0] bank;  // at clock 2
  for (genvar c = 0; c < Banks; c++) begin : gen_bank
    cm_relay u_bank (
      .clk_i,
      .data_i(pass1.bank),
      .data_o(bank[c])
    );
  end
  for (genvar q = 0; q < Groups; q++) begin : gen_table
    localparam int unsigned Beat = q / 6;
    localparam int unsigned Unit = Beat % Units;
    logic [EntryBits-1:0] table_q [32];
    always_ff @(posedge clk_i) begin
      if (write_i[Beat]) begin
        table_q[write_address_i[5*Unit+:5]] <=
            write_sums_i[(6*Unit+q%6)*EntryBits+:EntryBits];
      end
    end
    assign entries[q*EntryBits+:EntryBits] = table_q[{bank[q/32], address_q[4*q+:4]}];
  end

  logic [FieldBits-1:0] sum, field_d, field_q;
  logic                 sum_negative;
  cm_signed_tree #(
    .Inputs  (Groups),
    .Width   (EntryBits),
    .OutWidth(FieldBits),
    .Levels  (Levels)
  ) u_tree (
    .clk_i,
    .values_i  (entries),
    .negative_i(negative_q),
    .sum_o     (sum),
    .negative_o(sum_negative)
  );
  cm_add_subtract #(
    .Width(FieldBits)
  ) u_field (
    .a_i       (h_i),
    .b_i       (sum),
    .subtract_i(sum_negative),
    .result_o  (field_d)
  );
  always_ff @(posedge clk_i) field_q <= field_d;

  logic [FieldBits:0] doubled2_q;  // 2F with the new spin, F + h while measuring; at FieldAt + 2
  // ---- the decision ---------------------------------------------------------------------------------------
  logic [7:0]  inject_q, inject;
  logic [31:0] word, previous;
  logic        sign, drawn, seed_clear, seed_step;
  logic [12:0] magnitude;
  always_ff @(posedge clk_i) inject_q <= seeded_i ? seed_i.value : '0;
  cm_relay #(
    .Width(10)
  ) u_seed (
    .clk_i,
    .data_i({seed_i.clear, seed_i.step, inject_q}),
    .data_o({seed_clear, seed_step, inject})
  );
  cm_random_stream #(
    .Words(topology_pkg::RngWords)
  ) u_stream (
    .clk_i,
    .clear_i   (seed_clear),
    .step_i    (seed_step || (valid[DrawAt] && !pass_draw.hold)),
    .inject_i  (inject),
    .word_o    (word),
    .previous_o(previous)
  );
  cm_logistic_threshold u_threshold (
    .clk_i,
    .word_i     (word),
    .previous_i (previous),
    .sign_o     (sign),
    .magnitude_o(magnitude)
  );

  logic                 adds;        // f, g and residuals change: a spin turns, or measuring; at FieldAt + 2
  logic [GBits-1:0]     g_q;         // one clock after the new spin
  logic [FieldBits-1:0] kept_field;  // of a group's member that is settled, at FieldAt + 2
  if (topology_pkg::Constrained == 0) begin : gen_free
    logic [BetaBits-1:0] beta;
    logic                drawn_d, drawn_q, unused_broadcast;
    cm_ram_1r1w #(
      .Width(BetaBits),
      .Depth(Slots)
    ) u_parameters (
      .clk_i,
      .write_i        (parameter_load_i),
      .write_address_i(load_slot_i),
      .write_data_i   (load_word_i[BetaBits-1:0]),
      .read_address_i (pass_beta.slot),
      .read_data_o    (beta)
    );
    cm_decision #(
      .Links      (0),
      .FieldBits  (FieldBits),
      .BetaBits   (BetaBits),
      .PenaltyBits(topology_pkg::PenaltyBits),
      .WideAdd    (WideAdd)
    ) u_decision (
      .clk_i,
      .count_i    ('0),
      .links_i    ('0),
      .beta_i     (beta),
      .penalty_i  ('0),
      .field_i    (field_q),
      .sign_i     (sign),
      .magnitude_i(magnitude),
      .keep_i     (1'b0),
      .old_i      (1'b0),
      .drawn_o    (drawn_d)
    );
    always_ff @(posedge clk_i) drawn_q <= drawn_d;
    assign drawn       = drawn_q;
    assign g_q         = '0;
    assign kept_row1   = '0;
    assign kept_field  = '0;
    assign unused_broadcast = ^broadcast_i;
  end else begin : gen_penalised
    cm_row_constraint u_constraint (
      .clk_i,
      .passes_i,
      .broadcast_i,
      .state1_i        (state),
      .old3_i          (old3),
      .pass_drawn_i    (pass_drawn),
      .valid_drawn_i   (valid[FieldAt+2]),
      .adds_i          (adds),
      .pass_spin_i     (pass_spin),
      .valid_spin_i    (valid[FieldAt+3]),
      .parameter_load_i,
      .load_slot_i,
      .load_word_i,
      .field_i         (field_q),
      .word_i          (word),
      .previous_i      (previous),
      .sign_i          (sign),
      .magnitude_i     (magnitude),
      .doubled_i       (doubled2_q),
      .kept_row1_o     (kept_row1),
      .kept_field_o    (kept_field),
      .drawn_o         (drawn),
      .violations_o    (g_q)
    );
    logic unused_wide;
    assign unused_wide = WideAdd;
  end

  // ---- the new spin and f -----------------------------------------------------------------------------------
  // 2f = -sum of s (F + h) while measuring; a spin that flips changes f by 2 s F with its old s. A
  // group's members are set down as they pass, the settled one up.
  logic [FieldBits:0]    doubled_q, change_q;
  logic                  fresh_spin, subtract_q;
  logic [EnergyBits-1:0] f_read, f_before_q, f_sum, f_q;
  always_comb begin
    fresh_spin = (pass_drawn.hold || pass_drawn.clamp) ? old : drawn;
    if (pass_drawn.member) fresh_spin = 1'b0;
    if (pass_drawn.settle) fresh_spin = 1'b1;
  end
  assign adds = pass_drawn.measuring || fresh_spin != old;
  always_ff @(posedge clk_i) begin
    doubled_q  <= (FieldBits + 1)'($signed(field_q)) +
                  (FieldBits + 1)'($signed(measuring ? h_field_i : field_q));
    doubled2_q <= doubled_q;
    change_q   <= (pass_drawn.settle ? {kept_field, 1'b0} : doubled2_q) & {(FieldBits + 1){adds}};
    subtract_q <= pass_drawn.measuring == old;
    f_before_q <= f_read & {EnergyBits{!pass_drawn.fresh}};
    for (int unsigned b = 0; b < 8; b++) begin
      written_q[b] <= (row_drawn[2:0] == 3'(b)) ? fresh_spin : old_slice[b];
    end
  end
  cm_add_subtract #(
    .Width(EnergyBits)
  ) u_f (
    .a_i       (f_before_q),
    .b_i       (EnergyBits'($signed(change_q))),
    .subtract_i(subtract_q),
    .result_o  (f_sum)
  );
  always_ff @(posedge clk_i) begin
    f_q <= pass_spin.whole ? {f_sum[EnergyBits-1], f_sum[EnergyBits-1:1]} : f_sum;
  end
  cm_ram_1r1w #(
    .Width(EnergyBits),
    .Depth(Slots)
  ) u_energies (
    .clk_i,
    .write_i        (valid[FieldAt+4] && !pass_f.flush),
    .write_address_i(pass_f.slot),
    .write_data_i   (f_q),
    .read_address_i (pass_after.slot),
    .read_data_o    (f_read)
  );

  // A state may be the best only without violations and outside members' rows.
  logic [SlotBits-1:0] unused_replica;
  logic                unused_mark;
  cm_best_capture #(
    .EnergyBits   (EnergyBits),
    .ViolationBits(GBits + 1),
    .Replicas     (Slots)
  ) u_capture (
    .clk_i,
    .valid_i         (valid[FieldAt+3] && !pass_spin.flush),
    .first_i         (pass_spin.first),
    .replica_i       (pass_spin.slot),
    .energy_i        (f_q),
    .violations_i    ({!pass_f.takes_best, g_q}),
    .better_o        (better),
    .better_replica_o(unused_replica),
    .reading_i       (reading),
    .read_address_i  (read_slot),
    .energy_o,
    .violations_o    ({unused_mark, violations_o}),
    .found_o,
    .best_o
  );

  logic unused_index;  // each lane is given a flag that says whether a byte is its own
  assign unused_index = ^seed_i.index;
  if (Groups < 6) begin : gen_short
    logic unused_sums;  // unused part of a beat
    assign unused_sums = ^write_sums_i[6*EntryBits-1:Groups*EntryBits];
  end
endmodule
`default_nettype wire
