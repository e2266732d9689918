// Everything of the row kernel between its loads and its stores: the builder of tables, the
// sequencer, the seeder, the lanes with states and outcomes, and of which replicas f is known.
// Place p of the ring is slot p / Lanes of lane p mod Lanes.
`default_nettype none
module cm_rows_core #(
  parameter bit WideAdd = 1'b1,
  // Widths of the topology, named here for the ports.
  localparam int unsigned Pbits       = topology_pkg::Pbits,
  localparam int unsigned Lanes       = topology_pkg::Lanes,
  localparam int unsigned Slots       = topology_pkg::LaneReplicas,
  localparam int unsigned MaxReplicas = topology_pkg::MaxReplicas,
  localparam int unsigned RowBeats    = topology_pkg::RowBeats,
  localparam int unsigned FieldBits   = topology_pkg::FieldBits,
  localparam int unsigned EntryBits   = topology_pkg::EntryBits,
  localparam int unsigned EnergyBits  = topology_pkg::EnergyBits,
  localparam int unsigned StateWords  = topology_pkg::StateWords,
  localparam int unsigned AddressBits = (MaxReplicas > 1) ? $clog2(MaxReplicas) : 1,
  localparam int unsigned IndexBits   = $clog2(MaxReplicas + 1),
  localparam int unsigned WordBits    = (StateWords > 1) ? $clog2(StateWords) : 1,
  localparam int unsigned RowBits     = $clog2(Pbits + 1)
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,

  // These stay from burst_start_i until burst_busy_o falls.
  input  wire logic [AddressBits-1:0] first_i,
  input  wire logic [IndexBits-1:0]   replicas_i,
  input  wire logic [31:0]            sweeps_i,
  input  wire logic [RowBits-1:0]     rows_i,
  output logic      [32:0]            passes_o,  // over the image

  input  wire logic                   beat_valid_i,
  output logic                        beat_ready_o,
  input  wire logic [255:0]           beat_i,
  input  wire logic                   beat_error_i,   // no more will come

  input  wire logic                   forget_i,          // f of all replicas
  input  wire logic                   parameters_start_i,  // rows are read from here on, too
  input  wire logic                   state_load_i,      // both take load_word_i
  input  wire logic                   parameter_load_i,
  input  wire logic [AddressBits-1:0] load_replica_i,
  input  wire logic [WordBits-1:0]    load_index_i,
  input  wire logic [63:0]            load_word_i,

  input  wire logic                   seed_start_i,
  input  wire logic [63:0]            seed_i,
  output logic                        seed_busy_o,
  input  wire logic                   burst_start_i,
  output logic                        burst_busy_o,      // until the last slot's outcome is in memory

  // Read back when no burst runs; the memories answer one clock later.
  input  wire logic                   reading_i,
  input  wire logic [AddressBits-1:0] row_i,
  input  wire logic [WordBits-1:0]    index_i,
  output logic      [EnergyBits-1:0]  energy_o,
  output logic                        found_o,
  output logic      [EnergyBits-1:0]  best_o,
  output logic      [63:0]            state_word_o,
  output logic      [63:0]            best_word_o
);
  localparam int unsigned LaneBits    = (Lanes > 1) ? $clog2(Lanes) : 1;
  localparam int unsigned LaneShift   = $clog2(Lanes);
  localparam int unsigned SlotBits    = (Slots > 1) ? $clog2(Slots) : 1;
  localparam int unsigned SliceBits   = topology_pkg::SliceBits;
  localparam int unsigned Units       = (RowBeats + 1) / 2;
  localparam int unsigned BeatBits    = (RowBeats > 1) ? $clog2(RowBeats) : 1;
  localparam int unsigned PassClocks  = topology_pkg::TreeLevels + 8;  // of a slot, to its last trace
  localparam int unsigned SettleBits  = $clog2(PassClocks + 3);

  // ---- of which replicas f is known ---------------------------------------------------------------
  logic [MaxReplicas-1:0] known_q;
  logic                   all_known_q, measure;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || forget_i) known_q <= '0;
    else if (state_load_i || parameter_load_i) known_q[load_replica_i] <= parameter_load_i;
    if (parameters_start_i) all_known_q <= 1'b1;
    else if (parameter_load_i && !known_q[load_replica_i]) all_known_q <= 1'b0;
  end
  assign measure  = !all_known_q || sweeps_i == '0;
  assign passes_o = 33'(sweeps_i) + 33'(measure);

  // ---- where the burst's replicas are -----------------------------------------------------------------
  logic [AddressBits:0]   last_place;
  logic [SlotBits-1:0]    first_slot;
  logic [SlotBits:0]      slots;
  logic [LaneBits-1:0]    first_lane, last_lane;
  assign last_place = (AddressBits + 1)'(first_i) + (AddressBits + 1)'(replicas_i) - 1'b1;
  assign first_slot = SlotBits'(first_i >> LaneShift);
  assign slots      = (SlotBits + 1)'(last_place >> LaneShift) - (SlotBits + 1)'(first_slot) + 1'b1;
  assign first_lane = (Lanes > 1) ? LaneBits'(first_i) : '0;
  assign last_lane  = (Lanes > 1) ? LaneBits'(last_place) : '0;

  // ---- tables, slots, seeds -----------------------------------------------------------------------
  logic [1:0]                   full, freed, clamps;
  logic [2*FieldBits-1:0]       h;
  logic [Units-1:0]             write;
  logic [Units*BeatBits-1:0]    write_beat;
  logic [Units*5-1:0]           write_address;
  logic [Units*6*EntryBits-1:0] write_sums;
  logic                         dealing;
  cm_row_builder #(
    .RowBeats (RowBeats),
    .FieldBits(FieldBits),
    .EntryBits(EntryBits)
  ) u_builder (
    .clk_i,
    .rst_ni,
    .clear_i        (parameters_start_i || beat_error_i),
    .beat_valid_i,
    .beat_ready_o,
    .beat_i,
    .full_o         (full),
    .free_i         (freed),
    .h_o            (h),
    .clamp_o        (clamps),
    .write_o        (write),
    .write_beat_o   (write_beat),
    .write_address_o(write_address),
    .write_sums_o   (write_sums)
  );

  logic                valid, slot_first, slot_last, bank, measuring, fresh, whole, takes_best;
  logic                row_first, flush;
  logic [SlotBits-1:0] slot;
  logic [RowBits-1:0]  row;
  cm_row_sequencer #(
    .Depth   (topology_pkg::PassDepth),
    .SlotBits(SlotBits),
    .RowBits (RowBits)
  ) u_sequencer (
    .clk_i,
    .rst_ni,
    .abort_i     (beat_error_i),
    .start_i     (burst_start_i),
    .slots_i     (slots),
    .rows_i,
    .sweeps_i,
    .measure_i   (measure),
    .busy_o      (dealing),
    .full_i      (full),
    .free_o      (freed),
    .valid_o     (valid),
    .slot_o      (slot),
    .first_slot_o(slot_first),
    .last_slot_o (slot_last),
    .row_o       (row),
    .bank_o      (bank),
    .measuring_o (measuring),
    .fresh_o     (fresh),
    .whole_o     (whole),
    .takes_best_o(takes_best),
    .first_o     (row_first),
    .flush_o     (flush)
  );

  topology_pkg::seed_t seed;
  cm_seeder u_seeder (
    .clk_i,
    .rst_ni,
    .advance_i(1'b1),
    .start_i  (seed_start_i),
    .seed_i,
    .busy_o   (seed_busy_o),
    .clear_o  (seed.clear),
    .step_o   (seed.step),
    .index_o  (seed.index),
    .byte_o   (seed.value)
  );

  // After a reset, slots that were under way are still to leave the lanes.
  logic [SettleBits-1:0] settle_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || dealing || burst_start_i) settle_q <= SettleBits'(PassClocks + 2);
    else if (settle_q != '0) settle_q <= settle_q - 1'b1;
  end
  assign burst_busy_o = dealing || settle_q != '0;

  // ---- lanes --------------------------------------------------------------------------------------
  // One register between the sequencer and the lanes.
  logic [Lanes-1:0]      valid_q, from_first, to_last;  // in a call's first and last slot
  assign from_first = {Lanes{1'b1}} << first_lane;
  assign to_last    = {Lanes{1'b1}} >> (LaneBits'(Lanes - 1) - last_lane);
  logic [SlotBits-1:0]   slot_q;
  logic [SliceBits-1:0]  slice_q;
  logic [2:0]            bit_q;
  logic                  bank_q, hold_q, flush_q, fresh_q, whole_q, measuring_q, takes_best_q;
  logic                  first_q, clamp_q;
  logic [FieldBits-1:0]  h_q;
  always_ff @(posedge clk_i) begin
    valid_q      <= {Lanes{rst_ni && valid}} & (slot_first ? from_first : '1) &
                    (slot_last ? to_last : '1);
    slot_q       <= first_slot + slot;
    slice_q      <= SliceBits'(row >> 3);
    bit_q        <= row[2:0];
    bank_q       <= bank;
    hold_q       <= measuring || flush;
    flush_q      <= flush;
    fresh_q      <= fresh;
    whole_q      <= whole;
    measuring_q  <= measuring;
    takes_best_q <= takes_best;
    first_q      <= row_first;
    clamp_q      <= clamps[bank];
    h_q          <= h[bank*FieldBits+:FieldBits];
  end

  logic [LaneBits-1:0]         load_lane, read_lane_q;
  logic [SlotBits-1:0]         load_slot, read_slot;
  logic [Lanes*EnergyBits-1:0] energies, bests;
  logic [Lanes-1:0]            founds;
  logic [Lanes*64-1:0]         state_words, best_words;
  assign load_lane = (Lanes > 1) ? LaneBits'(load_replica_i) : '0;
  assign load_slot = SlotBits'(load_replica_i >> LaneShift);
  assign read_slot = SlotBits'(row_i >> LaneShift);
  logic [WordBits-1:0]         read_index_q;
  always_ff @(posedge clk_i) begin
    read_lane_q  <= (Lanes > 1) ? LaneBits'(row_i) : '0;
    read_index_q <= index_i;
  end

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    cm_row_lane #(
      .WideAdd(WideAdd),
      .Code   (topology_pkg::LaneCode[64*l+:64])
    ) u_lane (
      .clk_i,
      .write_i         (write),
      .write_beat_i    (write_beat),
      .write_address_i (write_address),
      .write_sums_i    (write_sums),
      .seed_i          (seed),
      .valid0_i        (valid_q[l]),
      .slot0_i         (slot_q),
      .slice0_i        (slice_q),
      .bit0_i          (bit_q),
      .bank0_i         (bank_q),
      .hold0_i         (hold_q),
      .flush0_i        (flush_q),
      .fresh0_i        (fresh_q),
      .whole0_i        (whole_q),
      .measuring0_i    (measuring_q),
      .takes_best0_i   (takes_best_q),
      .first0_i        (first_q),
      .clamp0_i        (clamp_q),
      .h0_i            (h_q),
      .state_load_i    (state_load_i && load_lane == LaneBits'(l)),
      .parameter_load_i(parameter_load_i && load_lane == LaneBits'(l)),
      .load_slot_i     (load_slot),
      .load_index_i,
      .load_word_i,
      .reading_i,
      .read_slot_i     (read_slot),
      .read_index_i    (read_index_q),
      .energy_o        (energies[l*EnergyBits+:EnergyBits]),
      .found_o         (founds[l]),
      .best_o          (bests[l*EnergyBits+:EnergyBits]),
      .state_word_o    (state_words[64*l+:64]),
      .best_word_o     (best_words[64*l+:64])
    );
  end
  assign energy_o     = energies[read_lane_q*EnergyBits+:EnergyBits];
  assign best_o       = bests[read_lane_q*EnergyBits+:EnergyBits];
  assign found_o      = founds[read_lane_q];
  assign state_word_o = state_words[64*read_lane_q+:64];
  assign best_word_o  = best_words[64*read_lane_q+:64];
endmodule
`default_nettype wire
