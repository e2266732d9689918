// The row kernel between its loads and stores: the table builder, the sequencer, the seeder, the
// lanes with states and outcomes, and for which replicas f and g are known. Place p of the ring is
// slot p / Lanes of lane p mod Lanes.
`default_nettype none
module cm_rows_core #(
  parameter bit WideAdd = 1'b1,
  // Widths of the topology, named here for the ports.
  localparam int unsigned Pbits       = topology_pkg::Pbits,
  localparam int unsigned Lanes       = topology_pkg::Lanes,
  localparam int unsigned MaxReplicas = topology_pkg::MaxReplicas,
  localparam int unsigned RowBeats    = topology_pkg::RowBeats,
  localparam int unsigned FieldBits   = topology_pkg::FieldBits,
  localparam int unsigned EntryBits   = topology_pkg::EntryBits,
  localparam int unsigned EnergyBits  = topology_pkg::EnergyBits,
  localparam int unsigned StateWords  = topology_pkg::StateWords,
  localparam int unsigned AddressBits = (MaxReplicas > 1) ? $clog2(MaxReplicas) : 1,
  localparam int unsigned IndexBits   = $clog2(MaxReplicas + 1),
  localparam int unsigned WordBits    = (StateWords > 1) ? $clog2(StateWords) : 1,
  localparam int unsigned RowBits     = $clog2(Pbits + 1),
  localparam int unsigned GBits       = topology_pkg::ViolationBits
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,

  // Stable from parameters_start_i until burst_busy_o falls.
  input  wire logic [AddressBits-1:0] first_i,
  input  wire logic [IndexBits-1:0]   replicas_i,
  input  wire logic [31:0]            sweeps_i,
  input  wire logic [RowBits-1:0]     rows_i,

  input  wire logic                   beat_valid_i,
  output logic                        beat_ready_o,
  input  wire logic [255:0]           beat_i,
  input  wire logic                   beat_error_i,   // no more will come

  input  wire logic                   forget_i,          // f and g of all replicas
  output logic                        forgetting_o,      // until it is done, also after a reset
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
  output logic                        passes_known_o,    // a clock after burst_start_i:
  output logic      [32:0]            passes_left_o,     // over the image, after the first

  // Read back when no burst runs; the answer comes three clocks later.
  input  wire logic                   reading_i,
  input  wire logic [AddressBits-1:0] row_i,
  input  wire logic [WordBits-1:0]    index_i,
  output logic      [EnergyBits-1:0]  energy_o,
  output logic      [GBits-1:0]       violations_o,
  output logic                        found_o,
  output logic      [EnergyBits-1:0]  best_o,
  output logic      [63:0]            state_word_o,
  output logic      [63:0]            best_word_o
);
  localparam int unsigned LaneBits    = (Lanes > 1) ? $clog2(Lanes) : 1;
  localparam int unsigned LaneShift   = $clog2(Lanes);
  localparam int unsigned SlotBits    = topology_pkg::SlotBits;
  localparam int unsigned SliceBits   = topology_pkg::SliceBits;
  localparam int unsigned Units       = (RowBeats + 1) / 2;
  localparam int unsigned BeatBits    = (RowBeats > 1) ? $clog2(RowBeats) : 1;
  localparam int unsigned PassBits    = topology_pkg::PassBits;
  localparam int unsigned PassClocks  = topology_pkg::PassClocks;  // of a slot: from the one before it until everything is written
  localparam int unsigned FieldAt     = 3 + topology_pkg::TreeLevels;
  localparam int unsigned SettleBits  = $clog2(PassClocks + 3);

  if (topology_pkg::PassDepth < FieldAt + 6) begin : gen_too_soon
    $fatal(1, "cm_rows_core: a replica returns before all of its last pass is in memory");
  end

  // ---- of which replicas f and g are known ----------------------------------------------------------
  // One bit each in memory: clearing takes as many clocks as there are replicas.
  logic                   all_known_q, measure_q, forgetting_q, known, asked_q;
  logic [AddressBits-1:0] forgotten_q;
  cm_ram_1r1w #(
    .Width(1),
    .Depth(MaxReplicas)
  ) u_known (
    .clk_i,
    .write_i        (forgetting_q || state_load_i || parameter_load_i),
    .write_address_i(forgetting_q ? forgotten_q : load_replica_i),
    .write_data_i   (parameter_load_i && !forgetting_q),
    .read_address_i (load_replica_i),
    .read_data_o    (known)  // as it was
  );
  always_ff @(posedge clk_i) begin
    asked_q <= parameter_load_i;
    if (parameters_start_i) all_known_q <= 1'b1;
    else if (asked_q && !known) all_known_q <= 1'b0;
    if (!rst_ni || forget_i) begin
      forgetting_q <= 1'b1;
      forgotten_q  <= '0;
    end else begin
      if (forgotten_q == AddressBits'(MaxReplicas - 1)) forgetting_q <= 1'b0;
      forgotten_q <= forgotten_q + 1'b1;
    end
  end
  assign forgetting_o = forgetting_q;
  // Known a clock after the last parameter; the first clock of a burst computes it.
  logic        only_q, begin_q;
  logic [32:0] less_q;  // sweeps after the first
  always_ff @(posedge clk_i) begin
    only_q    <= sweeps_i == '0;
    less_q    <= 33'(sweeps_i) - 33'd1;
    measure_q <= !all_known_q || only_q;
    begin_q   <= burst_start_i && rst_ni;
  end
  assign passes_known_o = begin_q;
  assign passes_left_o  = measure_q ? 33'(sweeps_i) : less_q;

  // ---- where the burst's replicas are -----------------------------------------------------------------
  logic [AddressBits:0]   last_place_q;
  logic [SlotBits-1:0]    first_slot;
  logic [SlotBits:0]      slots_q;
  logic [LaneBits-1:0]    first_lane, last_lane;
  logic [Lanes-1:0]       from_first_q, to_last_q;  // in a call's first and last slot
  assign first_slot = SlotBits'(first_i >> LaneShift);
  assign first_lane = (Lanes > 1) ? LaneBits'(first_i) : '0;
  assign last_lane  = (Lanes > 1) ? LaneBits'(last_place_q) : '0;
  always_ff @(posedge clk_i) begin
    last_place_q <= (AddressBits + 1)'(first_i) + (AddressBits + 1)'(replicas_i) - 1'b1;
    slots_q      <= (SlotBits + 1)'(last_place_q >> LaneShift) - (SlotBits + 1)'(first_slot) + 1'b1;
    from_first_q <= {Lanes{1'b1}} << first_lane;
    to_last_q    <= {Lanes{1'b1}} >> (LaneBits'(Lanes - 1) - last_lane);
  end

  // ---- tables, slots, seeds -----------------------------------------------------------------------
  localparam int unsigned MoreBeats = topology_pkg::HeadBeats - 1;
  localparam int unsigned MoreBits  = 256 * ((MoreBeats > 0) ? MoreBeats : 1);
  logic [1:0]                   full, freed;
  logic [2*FieldBits-1:0]       h;
  logic [15:0]                  flags;
  logic [2*MoreBits-1:0]        more;
  logic [Units-1:0]             write;
  logic [Units*BeatBits-1:0]    write_beat;
  logic [Units*5-1:0]           write_address;
  logic [Units*6*EntryBits-1:0] write_sums;
  logic                         dealing, clear_q;
  always_ff @(posedge clk_i) clear_q <= parameters_start_i || beat_error_i;
  cm_row_builder #(
    .RowBeats (RowBeats),
    .FieldBits(FieldBits),
    .EntryBits(EntryBits),
    .FormBeats((topology_pkg::Forms > 0) ? 1 : 0),
    .PairBeats(topology_pkg::ProductBeats)
  ) u_builder (
    .clk_i,
    .rst_ni,
    .clear_i        (clear_q),
    .beat_valid_i,
    .beat_ready_o,
    .beat_i,
    .full_o         (full),
    .free_i         (freed),
    .h_o            (h),
    .flags_o        (flags),
    .more_o         (more),
    .write_o        (write),
    .write_beat_o   (write_beat),
    .write_address_o(write_address),
    .write_sums_o   (write_sums)
  );

  // Which beat's tables are written is the same for all lanes.
  logic [RowBeats-1:0] writes;
  for (genvar b = 0; b < RowBeats; b++) begin : gen_writes
    assign writes[b] = write[b%Units] && write_beat[(b%Units)*BeatBits+:BeatBits] == BeatBits'(b);
  end

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
    .start_i     (begin_q),
    .slots_i     (slots_q),
    .rows_i,
    .only_i      (only_q),
    .measure_i   (measure_q),
    .left_i      (passes_left_o),
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

  // After a reset, slots in flight still have to leave the lanes.
  logic [SettleBits-1:0] settle_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || dealing || burst_start_i || begin_q) settle_q <= SettleBits'(PassClocks + 2);
    else if (settle_q != '0) settle_q <= settle_q - 1'b1;
  end
  assign burst_busy_o = dealing || settle_q != '0;

  // ---- lanes --------------------------------------------------------------------------------------
  // Two registers between the sequencer and the lanes. What a pass carries travels beside it, once for
  // all lanes, from the clock before the pass on: what drives much of a lane has a register there.
  logic                  valid_before_q, slot_first_q, slot_last_q, bank_before_q;
  logic [Lanes-1:0]      valid_q;
  topology_pkg::row_pass_t        pass_d;
  logic [PassClocks*PassBits-1:0] passes_q;
  logic [FieldBits-1:0]           h_q, h_before, h_field_q;
  logic [3:0]                     row_flags;
  logic                           turning, member, settle;  // of groups, where spins turn
  assign row_flags = flags[8*bank+:4];
  assign turning   = topology_pkg::OneHots > 0 && !measuring && !flush;
  assign member    = turning && row_flags[1];
  assign settle    = turning && row_flags[3];
  // Yosys 0.23 knows no assignment by names: in the order of the struct.
  assign pass_d = {first_slot + slot, SliceBits'(row >> 3), row[2:0], bank, measuring || flush, flush,
                   fresh, whole, measuring, takes_best && !member, row_first, row_flags[0], member,
                   member && row_flags[2], settle};
  always_ff @(posedge clk_i) begin
    valid_before_q <= rst_ni && valid;
    bank_before_q  <= bank;
    slot_first_q   <= slot_first;
    slot_last_q    <= slot_last;
    valid_q        <= {Lanes{rst_ni && valid_before_q}} & (slot_first_q ? from_first_q : '1) &
                      (slot_last_q ? to_last_q : '1);
    passes_q       <= {passes_q[(PassClocks-1)*PassBits-1:0], pass_d};
    h_q            <= bank_before_q ? h[2*FieldBits-1:FieldBits] : h[FieldBits-1:0];
    h_field_q      <= h_before;
  end
  cm_delay_line #(
    .Width(FieldBits),
    .Depth(FieldAt - 1)
  ) u_h (
    .clk_i,
    .advance_i(1'b1),
    .data_i   (h_q),
    .data_o   (h_before)
  );

  // ---- constraints --------------------------------------------------------------------------------
  topology_pkg::row_broadcast_t broadcast;
  cm_row_broadcast u_broadcast (
    .clk_i,
    .bank_i      (bank),
    .flags_i     (flags),
    .more_i      (more),
    .pass0_i     (passes_q[PassBits+:PassBits]),
    .broadcast_o (broadcast)
  );

  logic [LaneBits-1:0]         load_lane, read_lane;
  logic [SlotBits-1:0]         load_slot, read_slot;
  // By lane; at powers of two, since any other multiple of an index is a multiplexer on every bit.
  logic [Lanes*128-1:0]        outcomes;  // f, best f, g and whether there is a best
  logic [127:0]                outcome_q;
  logic [Lanes*64-1:0]         state_words, best_words;
  assign load_lane = (Lanes > 1) ? LaneBits'(load_replica_i) : '0;
  assign load_slot = SlotBits'(load_replica_i >> LaneShift);
  assign read_slot = SlotBits'(row_i >> LaneShift);
  logic [4*LaneBits-1:0]       read_lanes;  // the same, for one part of an outcome each, two clocks later
  assign read_lane = (Lanes > 1) ? LaneBits'(row_i) : '0;
  for (genvar w = 0; w < 4; w++) begin : gen_read_lane
    cm_relay #(
      .Width(LaneBits),
      .Depth(2)
    ) u_lane (
      .clk_i,
      .data_i(read_lane),
      .data_o(read_lanes[LaneBits*w+:LaneBits])
    );
  end

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [EnergyBits-1:0] energy, best;
    logic [GBits-1:0]      violations;
    logic                  found;
    assign outcomes[128*l+:128] = {32'(found), 32'(violations), 32'(best), 32'(energy)};
    cm_row_lane #(
      .WideAdd(WideAdd)
    ) u_lane (
      .clk_i,
      .write_i         (writes),
      .write_address_i (write_address),
      .write_sums_i    (write_sums),
      .seed_i          (seed),
      .seeded_i        (topology_pkg::LaneCode[64*l+32'(seed.index)]),
      .valid0_i        (valid_q[l]),
      .passes_i        (passes_q),
      .h_i             (h_before),
      .h_field_i       (h_field_q),
      .broadcast_i     (broadcast),
      .state_load_i    (state_load_i && load_lane == LaneBits'(l)),
      .parameter_load_i(parameter_load_i && load_lane == LaneBits'(l)),
      .load_slot_i     (load_slot),
      .load_index_i,
      .load_word_i,
      .reading_i,
      .asked_i         (read_lane == LaneBits'(l)),
      .read_slot_i     (read_slot),
      .read_index_i    (index_i),
      .energy_o        (energy),
      .violations_o    (violations),
      .found_o         (found),
      .best_o          (best),
      .state_word_o    (state_words[64*l+:64]),
      .best_word_o     (best_words[64*l+:64])
    );
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned w = 0; w < 4; w++) begin
      outcome_q[32*w+:32] <= outcomes[128*read_lanes[LaneBits*w+:LaneBits]+32*w+:32];
    end
  end
  assign energy_o     = outcome_q[EnergyBits-1:0];
  assign best_o       = outcome_q[32+:EnergyBits];
  assign violations_o = outcome_q[64+:GBits];
  assign found_o      = outcome_q[96];
  logic unused_outcome;  // between the parts
  assign unused_outcome = ^{outcome_q[127:97], outcome_q[95:64+GBits], outcome_q[63:32+EnergyBits],
                            outcome_q[31:EnergyBits]};
  always_comb begin
    state_word_o = '0;
    best_word_o  = '0;
    for (int unsigned l = 0; l < Lanes; l++) begin
      state_word_o = state_word_o | state_words[64*l+:64];
      best_word_o  = best_word_o | best_words[64*l+:64];
    end
  end

`ifdef CM_ASSERT
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!forgetting_q || !(state_load_i || parameter_load_i)) else $error("a load while all is forgotten");
      assert (!burst_start_i || !forgetting_q) else $error("a burst while all is forgotten");
    end
  end
`endif
endmodule
`default_nettype wire
