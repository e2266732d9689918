// One lane: a replica a clock passes the row. Its spins address the tables, a tree sums them, the
// p-bit decides, f follows, and one spin is written back. Clocks, with L = TreeLevels:
//   0 slot address   1 state    2 folded addresses   2+L sum   3+L field F   5+L new spin, written
//   6+L f            8+L best f and whether it is one: the state is caught when it is read next
// What the core gives is in time for the clock its name ends with.
`default_nettype none
module cm_row_lane #(
  parameter bit          WideAdd = 1'b1,
  parameter logic [63:0] Code    = '0,  // of the random stream
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
  localparam int unsigned AddressBits = (Slots > 1) ? $clog2(Slots) : 1,
  localparam int unsigned SliceBits   = topology_pkg::SliceBits,
  localparam int unsigned Units       = (RowBeats + 1) / 2,
  localparam int unsigned BeatBits    = (RowBeats > 1) ? $clog2(RowBeats) : 1
) (
  input  wire logic                          clk_i,

  // Tables.
  input  wire logic [Units-1:0]              write_i,
  input  wire logic [Units*BeatBits-1:0]     write_beat_i,
  input  wire logic [Units*5-1:0]            write_address_i,
  input  wire logic [Units*6*EntryBits-1:0]  write_sums_i,

  input  wire topology_pkg::seed_t           seed_i,

  // The pass. valid0_i is this lane's, the rest is the same for all lanes.
  input  wire logic                          valid0_i,
  input  wire logic [AddressBits-1:0]        slot0_i,
  input  wire logic [SliceBits-1:0]          slice0_i,   // of the row's spin,
  input  wire logic [2:0]                    bit0_i,     // and its place in it
  input  wire logic                          bank0_i,
  input  wire logic                          hold0_i,    // spins stay: measuring, flush
  input  wire logic                          flush0_i,
  input  wire logic                          fresh0_i,
  input  wire logic                          whole0_i,
  input  wire logic                          measuring0_i,
  input  wire logic                          takes_best0_i,
  input  wire logic                          first0_i,
  input  wire logic                          clamp0_i,
  input  wire logic [FieldBits-1:0]          h0_i,

  // Loads and stores, when no burst runs.
  input  wire logic                          state_load_i,
  input  wire logic                          parameter_load_i,
  input  wire logic [AddressBits-1:0]        load_slot_i,
  input  wire logic [WordBits-1:0]           load_index_i,
  input  wire logic [63:0]                   load_word_i,
  input  wire logic                          reading_i,
  input  wire logic [AddressBits-1:0]        read_slot_i,
  input  wire logic [WordBits-1:0]           read_index_i,
  output logic      [EnergyBits-1:0]         energy_o,
  output logic                               found_o,
  output logic      [EnergyBits-1:0]         best_o,
  output logic      [63:0]                   state_word_o,
  output logic      [63:0]                   best_word_o
);
  localparam int unsigned FieldAt = 3 + Levels;  // clock of F

  // ---- what travels beside the replica ------------------------------------------------------------
  typedef struct packed {
    logic                   valid;
    logic [AddressBits-1:0] slot;
    logic [SliceBits-1:0]   slice;
    logic [2:0]             place;
    logic                   hold;
    logic                   flush;
    logic                   fresh;
    logic                   whole;
    logic                   measuring;
    logic                   takes_best;
    logic                   first;
    logic                   clamp;
  } pass_t;
  pass_t pass0, pass1, pass_draw, pass_beta, pass_field, pass_drawn, pass_spin, pass_f, pass_best;
  // Yosys 0.23 knows no assignment by names: in the order of the struct.
  assign pass0 = {valid0_i, slot0_i, slice0_i, bit0_i, hold0_i, flush0_i, fresh0_i, whole0_i,
                  measuring0_i, takes_best0_i, first0_i, clamp0_i};
  cm_delay_line #(
    .Width(AddressBits + SliceBits + 12),
    .Depth(FieldAt - 3)
  ) u_until_draw (
    .clk_i,
    .advance_i(1'b1),
    .data_i   (pass1),
    .data_o   (pass_draw)  // clock FieldAt - 2
  );
  always_ff @(posedge clk_i) begin
    pass1      <= pass0;
    pass_beta  <= pass_draw;
    pass_field <= pass_beta;
    pass_drawn <= pass_field;
    pass_spin  <= pass_drawn;
    pass_f     <= pass_spin;
    pass_best  <= pass_f;
  end

  // ---- states ---------------------------------------------------------------------------------------
  logic [Pbits-1:0] state;
  logic [7:0]       written;
  cm_slice_memory #(
    .Pbits    (Pbits),
    .Slots    (Slots),
    .SliceBits(SliceBits)
  ) u_states (
    .clk_i,
    .write_i        (pass_spin.valid && !pass_spin.hold),
    .write_address_i(pass_spin.slot),
    .write_slice_i  (pass_spin.slice),
    .spins_i        (written),
    .load_i         (state_load_i),
    .load_address_i (load_slot_i),
    .load_index_i,
    .load_word_i,
    .read_address_i (reading_i ? read_slot_i : slot0_i),
    .state_o        (state)
  );

  // A state that was better when it passed last is caught now that it is read.
  logic             pending_q [Slots];
  logic             pending1_q, better;
  logic [Pbits-1:0] best_state;
  always_ff @(posedge clk_i) begin
    if (pass_best.valid) pending_q[pass_best.slot] <= better;
    pending1_q <= pending_q[slot0_i];
  end
  cm_ram_1r1w #(
    .Width(Pbits),
    .Depth(Slots)
  ) u_best (
    .clk_i,
    .write_i        (pass1.valid && pending1_q && !pass1.first),
    .write_address_i(pass1.slot),
    .write_data_i   (state),
    .read_address_i (read_slot_i),
    .read_data_o    (best_state)
  );

  logic [64*Words-1:0] state_words, best_words;
  assign state_words  = (64 * Words)'(state);
  assign best_words   = (64 * Words)'(best_state);
  assign state_word_o = state_words[64*read_index_i+:64];
  assign best_word_o  = best_words[64*read_index_i+:64];

  // ---- the old spin: eight of them around it, in two clocks ---------------------------------------------
  localparam int unsigned HighBits = SliceBits - 3;
  logic [8*Words-1:0]  slices_q;  // the slice of each word
  logic [HighBits-1:0] high_q;
  logic [7:0]          slice_q, old_slice;
  always_ff @(posedge clk_i) begin
    for (int unsigned w = 0; w < Words; w++) begin
      slices_q[8*w+:8] <= state_words[64*w+8*pass1.slice[2:0]+:8];
    end
    high_q  <= pass1.slice[SliceBits-1:3];
    slice_q <= slices_q[8*high_q+:8];
  end
  cm_delay_line #(
    .Width(8),
    .Depth(FieldAt - 2)
  ) u_slice (
    .clk_i,
    .advance_i(1'b1),
    .data_i   (slice_q),
    .data_o   (old_slice)  // clock FieldAt + 1
  );

  // ---- the field ----------------------------------------------------------------------------------------
  // An address whose last spin is down is folded: the entry of its complement, negated.
  logic [5*Groups-1:0]         spins;
  logic [4*Groups-1:0]         address_q;
  logic [Groups-1:0]           negative_q;
  logic                        bank1_q, bank2_q;
  logic [Groups*EntryBits-1:0] entries;
  assign spins = (5 * Groups)'(state);
  always_ff @(posedge clk_i) begin
    for (int unsigned q = 0; q < Groups; q++) begin
      negative_q[q]      <= !spins[5*q+4];
      address_q[4*q+:4]  <= spins[5*q+:4] ^ {4{!spins[5*q+4]}};
    end
    bank1_q <= bank0_i;
    bank2_q <= bank1_q;
  end
  for (genvar q = 0; q < Groups; q++) begin : gen_table
    localparam int unsigned Beat = q / 6;
    localparam int unsigned Unit = Beat % Units;
    logic [EntryBits-1:0] table_q [32];
    always_ff @(posedge clk_i) begin
      if (write_i[Unit] && write_beat_i[Unit*BeatBits+:BeatBits] == BeatBits'(Beat)) begin
        table_q[write_address_i[5*Unit+:5]] <=
            write_sums_i[(6*Unit+q%6)*EntryBits+:EntryBits];
      end
    end
    assign entries[q*EntryBits+:EntryBits] = table_q[{bank2_q, address_q[4*q+:4]}];
  end

  logic [FieldBits-1:0] sum, field_d, field_q, h, h_q;
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
  cm_delay_line #(
    .Width(FieldBits),
    .Depth(FieldAt - 1)
  ) u_h (
    .clk_i,
    .advance_i(1'b1),
    .data_i   (h0_i),
    .data_o   (h)
  );
  cm_add_subtract #(
    .Width(FieldBits)
  ) u_field (
    .a_i       (h),
    .b_i       (sum),
    .subtract_i(sum_negative),
    .result_o  (field_d)
  );
  always_ff @(posedge clk_i) begin
    field_q <= field_d;
    h_q     <= h;
  end

  // ---- the decision ---------------------------------------------------------------------------------------
  logic [7:0]          inject_q;
  logic [31:0]         word, previous;
  logic                sign, drawn;
  logic [12:0]         magnitude;
  logic [BetaBits-1:0] beta;
  always_ff @(posedge clk_i) inject_q <= Code[seed_i.index] ? seed_i.value : '0;
  cm_random_stream #(
    .Words(topology_pkg::RngWords)
  ) u_stream (
    .clk_i,
    .clear_i   (seed_i.clear),
    .step_i    (seed_i.step || (pass_draw.valid && !pass_draw.hold)),
    .inject_i  (inject_q),
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
    .drawn_o    (drawn)
  );

  // ---- the new spin and f -----------------------------------------------------------------------------------
  // 2f = -sum of s (F + h) while measuring; a spin that turns changes f by 2 s F with its old s.
  logic [FieldBits:0]    doubled_q, doubled2_q;
  logic                  old, fresh_spin, turned_q, old_q, subtract;
  logic [7:0]            written_q;
  logic [EnergyBits-1:0] f_read, f_before, f_sum, f_q, change;
  assign old        = old_slice[pass_drawn.place];
  assign fresh_spin = (pass_drawn.hold || pass_drawn.clamp) ? old : drawn;
  always_ff @(posedge clk_i) begin
    doubled_q  <= (FieldBits + 1)'($signed(field_q)) +
                  (FieldBits + 1)'($signed(pass_field.measuring ? h_q : field_q));
    doubled2_q <= doubled_q;
    turned_q   <= fresh_spin != old;
    old_q      <= old;
    for (int unsigned b = 0; b < 8; b++) begin
      written_q[b] <= (pass_drawn.place == 3'(b)) ? fresh_spin : old_slice[b];
    end
  end
  assign written  = written_q;
  assign change   = EnergyBits'($signed(doubled2_q)) &
                    {EnergyBits{pass_spin.measuring || turned_q}};
  assign subtract = pass_spin.measuring ? old_q : !old_q;
  assign f_before = f_read & {EnergyBits{!pass_spin.fresh}};
  cm_add_subtract #(
    .Width(EnergyBits)
  ) u_f (
    .a_i       (f_before),
    .b_i       (change),
    .subtract_i(subtract),
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
    .write_i        (pass_f.valid && !pass_f.flush),
    .write_address_i(pass_f.slot),
    .write_data_i   (f_q),
    .read_address_i (pass_drawn.slot),
    .read_data_o    (f_read)
  );

  logic [AddressBits-1:0] unused_replica;
  logic                   unused_violation;
  cm_best_capture #(
    .EnergyBits   (EnergyBits),
    .ViolationBits(1),
    .Replicas     (Slots)
  ) u_capture (
    .clk_i,
    .valid_i         (pass_spin.valid && !pass_spin.flush),
    .first_i         (pass_spin.first),
    .replica_i       (pass_spin.slot),
    .energy_i        (f_q),
    .violations_i    (!pass_f.takes_best),
    .better_o        (better),
    .better_replica_o(unused_replica),
    .reading_i,
    .read_address_i  (read_slot_i),
    .energy_o,
    .violations_o    (unused_violation),
    .found_o,
    .best_o
  );

  logic unused_wires;
  assign unused_wires = ^{unused_replica, unused_violation, load_word_i, pass_best, pass_beta,
                          pass_draw, pass1, pass_f, pass_field, write_sums_i};
endmodule
`default_nettype wire
