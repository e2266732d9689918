// The kernel between its loads and stores: tables, states and parameters in memory, the seeder, the
// ring, and the outcome of every replica. Words come in and go out through AXI in pbit_burst.sv, or
// a serial line in cm_uart_kernel.sv.
//
// Turns = 1 is the full array, a replica-sweep every clock. With Turns > 1 the p-bits of a colour
// share engines and a replica-sweep takes that many clocks (cm_folded_stage.sv); the bits are the same.
`default_nettype none
module cm_burst_core #(
  parameter bit          WideAdd       = 1'b1,
  parameter int unsigned Turns         = 1,
  parameter int unsigned TableWordBits = 64,  // see cm_table_loader.sv
  // Widths of the topology, named here for the ports.
  localparam int unsigned Pbits         = topology_pkg::Pbits,
  localparam int unsigned MaxReplicas   = topology_pkg::MaxReplicas,
  localparam int unsigned StateWords    = topology_pkg::StateWords,
  localparam int unsigned BetaBits      = topology_pkg::BetaBits,
  localparam int unsigned PenaltyBits   = topology_pkg::PenaltyBits,
  localparam int unsigned EnergyBits    = topology_pkg::EnergyBits,
  localparam int unsigned ViolationBits = topology_pkg::ViolationBits,
  localparam int unsigned AddressBits   = (MaxReplicas > 1) ? $clog2(MaxReplicas) : 1,
  localparam int unsigned IndexBits     = $clog2(MaxReplicas + 1),
  localparam int unsigned WordBits      = (StateWords > 1) ? $clog2(StateWords) : 1
) (
  input  wire logic                     clk_i,
  input  wire logic                     rst_ni,

  // Stable from burst_start_i until burst_busy_o falls.
  input  wire logic [AddressBits-1:0]   first_i,
  input  wire logic [IndexBits-1:0]     replicas_i,
  input  wire logic [31:0]              sweeps_i,

  input  wire logic                     tables_start_i,
  output logic                          tables_busy_o,
  input  wire logic                     table_valid_i,
  output logic                          table_ready_o,
  input  wire logic [TableWordBits-1:0] table_word_i,

  input  wire logic                     state_load_i,      // both take load_word_i
  input  wire logic                     parameter_load_i,
  input  wire logic [AddressBits-1:0]   load_replica_i,
  input  wire logic [WordBits-1:0]      load_index_i,
  input  wire logic [63:0]              load_word_i,

  input  wire logic                     seed_start_i,
  input  wire logic [63:0]              seed_i,
  output logic                          seed_busy_o,
  input  wire logic                     burst_start_i,
  output logic                          burst_busy_o,      // until the last slot's outcome is in memory

  // Read back when no burst runs; the memories answer one clock later.
  input  wire logic                     reading_i,
  input  wire logic [AddressBits-1:0]   row_i,
  input  wire logic [WordBits-1:0]      index_i,
  output logic      [EnergyBits-1:0]    energy_o,
  output logic      [ViolationBits-1:0] violations_o,
  output logic                          found_o,
  output logic      [EnergyBits-1:0]    best_o,
  output logic      [63:0]              state_word_o,
  output logic      [63:0]              best_word_o
);
  // ---- time ---------------------------------------------------------------------------------------
  // A step is a clock, or a beat of Turns clocks. An engine has the whole beat to read the ring's
  // memory; the full array needs an extra clock. An engine's pipeline of 5 clocks follows the last
  // turn.
  localparam int unsigned StageSteps = (Turns == 1) ? topology_pkg::StageLatency
                                                    : (Turns + 5 + Turns - 1) / Turns;
  localparam int unsigned EntrySteps = (Turns == 1) ? 1 : 0;
  localparam int unsigned RingSteps  = topology_pkg::Colours * StageSteps + EntrySteps;
  localparam int unsigned EnergyLag  = (Turns == 1) ? topology_pkg::EnergyLag : 1;
  // Full array: a slot waits one clock for its place, an outcome is looked up a clock earlier, and
  // broadcasts pass two relays on their way to a p-bit (cm_colour_stage.sv).
  localparam int unsigned PlaceClocks  = (Turns == 1) ? 1 : 0;
  localparam int unsigned CaptureLead  = (Turns == 1) ? 2 : 1;
  localparam int unsigned RelayClocks  = (Turns == 1) ? 2 : 0;
  // From dealing the last slot until everything it writes is in memory.
  localparam int unsigned SettleClocks = (RingSteps + EnergyLag + 3) * Turns + PlaceClocks + 1;
  localparam int unsigned SettleBits   = $clog2(SettleClocks + 1);
  localparam int unsigned TurnBits     = (Turns > 1) ? $clog2(Turns) : 1;

  logic                advance, look, seed_start, burst_start, pending, seeding, dealing;
  logic [TurnBits-1:0] phase;
  if (Turns == 1) begin : gen_clocks
    assign advance     = 1'b1;
    assign look        = 1'b1;
    assign phase       = '0;
    assign seed_start  = seed_start_i;
    assign burst_start = burst_start_i;
    assign pending     = 1'b0;
    logic relayed_q;  // the last byte is still in flight
    cm_delay_line #(
      .Width(1),
      .Depth(RelayClocks)
    ) u_relayed (
      .clk_i,
      .advance_i(1'b1),
      .data_i   (seeding),
      .data_o   (relayed_q)
    );
    assign seed_busy_o = seeding || relayed_q;
  end else begin : gen_beats
    // Starts wait for the end of a beat.
    logic [TurnBits-1:0] phase_q;
    logic                seed_q, burst_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        phase_q <= '0;
        seed_q  <= 1'b0;
        burst_q <= 1'b0;
      end else begin
        phase_q <= advance ? '0 : phase_q + 1'b1;
        seed_q  <= seed_start_i || (seed_q && !advance);
        burst_q <= burst_start_i || (burst_q && !advance);
      end
    end
    assign phase       = phase_q;
    assign advance     = phase_q == TurnBits'(Turns - 1);
    assign look        = phase_q == TurnBits'(Turns - 2);
    assign seed_start  = seed_q;
    assign burst_start = burst_q;
    assign pending     = burst_q;
    assign seed_busy_o = seeding || seed_q;
  end

  // After a reset, slots in flight still have to leave the ring.
  logic [SettleBits-1:0] settle_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || dealing || pending) settle_q <= SettleBits'(SettleClocks);
    else if (settle_q != '0) settle_q <= settle_q - 1'b1;
  end
  assign burst_busy_o = dealing || pending || settle_q != '0;

  // ---- tables and streams ---------------------------------------------------------------------------
  topology_pkg::load_t load;
  logic                token;
  cm_table_loader #(
    .Pbits      (Pbits),
    .Tables     (topology_pkg::Tables),
    .AddressBits(topology_pkg::AddressBits),
    .TableBits  (topology_pkg::TableBits),
    .WordBits   (TableWordBits)
  ) u_table_loader (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .start_i      (tables_start_i),
    .busy_o       (tables_busy_o),
    .word_valid_i (table_valid_i),
    .word_ready_o (table_ready_o),
    .word_i       (table_word_i),
    .token_clear_o(load.token_clear),
    .token_next_o (load.token_next),
    .token_o      (token),
    .address_o    (load.address),
    .data_o       (load.data)
  );

  topology_pkg::seed_t seed;
  cm_seeder u_seeder (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .advance_i(advance),
    .start_i(seed_start),
    .seed_i (seed_i),
    .busy_o (seeding),
    .clear_o(seed.clear),
    .step_o (seed.step),
    .index_o(seed.index),
    .byte_o (seed.value)
  );

  // ---- the ring -----------------------------------------------------------------------------------
  logic                     dealt, dealt_first, slot_valid, slot_first, measure_q;
  logic [IndexBits-1:0]     slot_index;
  logic [AddressBits-1:0]   dealt_place, slot_place;
  logic [Pbits-1:0]         ring_in, ring_out, measured, measured_q, unused_best;
  logic [BetaBits-1:0]      beta;
  logic [PenaltyBits-1:0]   penalty;
  logic [EnergyBits-1:0]    energy;
  logic [ViolationBits-1:0] violations;

  always_ff @(posedge clk_i) measure_q <= sweeps_i == '0;
  cm_slot_sequencer #(
    .Depth    (RingSteps + 1),
    .IndexBits(IndexBits)
  ) u_sequencer (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .advance_i (advance),
    .start_i   (burst_start),
    .replicas_i(replicas_i),
    .passes_i  (sweeps_i),  // none: one pass that only measures
    .busy_o    (dealing),
    .valid_o   (dealt),
    .index_o   (slot_index),
    .first_o   (dealt_first)
  );
  assign dealt_place = first_i + AddressBits'(slot_index);
  cm_delay_line #(
    .Width(AddressBits + 2),
    .Depth(PlaceClocks)
  ) u_place (
    .clk_i,
    .advance_i(1'b1),
    .data_i   ({dealt, dealt_first, dealt_place}),
    .data_o   ({slot_valid, slot_first, slot_place})
  );

  // A slot's place, delayed to when its state leaves the ring and to when its energy is known.
  logic                   leaving, measuring, measuring_first;
  logic [AddressBits-1:0] leaving_place, measuring_place;
  cm_delay_line #(
    .Width(AddressBits + 1),
    .Depth(RingSteps)
  ) u_leaving (
    .clk_i (clk_i),
    .advance_i(advance),
    .data_i({slot_valid, slot_place}),
    .data_o({leaving, leaving_place})
  );
  cm_delay_line #(
    .Width(AddressBits + 2),
    .Depth((Turns == 1) ? RingSteps + EnergyLag - CaptureLead : RingSteps + 1)
  ) u_measuring (
    .clk_i (clk_i),
    .advance_i(advance),
    .data_i({slot_valid, slot_first, slot_place}),
    .data_o({measuring, measuring_first, measuring_place})
  );

  cm_ring_memory #(
    .Pbits   (Pbits),
    .Replicas(MaxReplicas)
  ) u_states (
    .clk_i          (clk_i),
    .write_i        (leaving && advance),
    .write_address_i(leaving_place),
    .state_i        (ring_out),
    .load_i         (state_load_i),
    .load_address_i (load_replica_i),
    .load_index_i   (load_index_i),
    .load_word_i    (load_word_i),
    .read_address_i (reading_i ? row_i : slot_place),
    .state_o        (ring_in),
    .word_index_i   (index_i),
    .word_o         (state_word_o)
  );
  cm_ram_1r1w #(
    .Width(BetaBits + PenaltyBits),
    .Depth(MaxReplicas)
  ) u_parameters (
    .clk_i          (clk_i),
    .write_i        (parameter_load_i),
    .write_address_i(load_replica_i),
    .write_data_i   ({load_word_i[BetaBits-1:0], load_word_i[32+:PenaltyBits]}),
    .read_address_i (slot_place),
    .read_data_o    ({beta, penalty})
  );

  always_ff @(posedge clk_i) measured_q <= measured;
  cm_sweep_ring #(
    .WideAdd   (WideAdd),
    .Turns     (Turns),
    .StageSteps(StageSteps),
    .EnergyLag (EnergyLag)
  ) u_ring (
    .clk_i         (clk_i),
    .advance_i     (advance),
    .phase_i       (phase),
    .load_i        (load),
    .token_i       (token),
    .seed_i        (seed),
    .measure_i     (measure_q),
    .valid_i       (slot_valid),
    .state_i       (ring_in),
    .beta_i        (beta),
    .penalty_i     (penalty),
    .state_o       (ring_out),
    .measured_o    (measured),
    .energy_o      (energy),
    .violations_o  (violations)
  );

  // ---- outcome ------------------------------------------------------------------------------------
  logic                     better;
  logic [AddressBits-1:0]   better_place;
  cm_best_capture #(
    .EnergyBits   (EnergyBits),
    .ViolationBits(ViolationBits),
    .Replicas     (MaxReplicas),
    .Lead         (CaptureLead)
  ) u_capture (
    .clk_i           (clk_i),
    .valid_i         (measuring && look),
    .first_i         (measuring_first),
    .replica_i       (measuring_place),
    .energy_i        (energy),
    .violations_i    (violations),
    .better_o        (better),
    .better_replica_o(better_place),
    .reading_i       (reading_i),
    .read_address_i  (row_i),
    .energy_o        (energy_o),
    .violations_o    (violations_o),
    .found_o         (found_o),
    .best_o          (best_o)
  );
  cm_ring_memory #(
    .Pbits   (Pbits),
    .Replicas(MaxReplicas),
    .HasLoad (1'b0)
  ) u_best (
    .clk_i          (clk_i),
    .write_i        (better),
    .write_address_i(better_place),
    .state_i        (measured_q),
    .load_i         (1'b0),
    .load_address_i ('0),
    .load_index_i   ('0),
    .load_word_i    ('0),
    .read_address_i (row_i),
    .state_o        (unused_best),
    .word_index_i   (index_i),
    .word_o         (best_word_o)
  );

  if (IndexBits > AddressBits) begin : gen_unused
    logic unused_index;  // the count of replicas has a bit more than their places
    assign unused_index = slot_index[IndexBits-1];
  end
endmodule
`default_nettype wire
