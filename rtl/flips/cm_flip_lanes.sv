// All lanes, with beta, beta P and noise; and the first that ends the pass. Clocks of a pass as in
// cm_flips_core.
`default_nettype none
module cm_flip_lanes #(
  parameter int unsigned ValueBits = 17,  // of a cell
  parameter int unsigned KeyBits   = 44,
  parameter int unsigned OutBits   = 18,
  parameter int unsigned StepLate  = 0,   // clocks
  parameter bit          WideAdd   = 1'b1,
  // Derived, named for the ports.
  localparam int unsigned Lanes     = topology_pkg::Lanes,
  localparam int unsigned Chunks    = topology_pkg::Pbits / Lanes,
  localparam int unsigned ChunkBits = topology_pkg::ChunkBits,
  localparam int unsigned LaneBits  = topology_pkg::LaneBits,
  localparam int unsigned SlotBits  = topology_pkg::SlotBits,
  localparam int unsigned FieldBits = topology_pkg::FieldBits,
  localparam int unsigned PullBits  = topology_pkg::PullBits
) (
  input  wire logic                              clk_i,
  input  wire logic                              rst_ni,
  input  wire logic                              parameter_load_i,
  input  wire logic [SlotBits-1:0]               load_replica_i,
  input  wire logic [63:0]                       load_word_i,
  input  wire logic                              seed_start_i,
  input  wire logic [63:0]                       seed_i,
  output logic                                   seed_busy_o,
  input  wire logic [Lanes-1:0]                  base_write_i,
  input  wire logic [ChunkBits-1:0]              base_chunk_i,
  input  wire logic [FieldBits+3:0]              base_i,
  input  wire logic [3:0]                        shift_i,
  input  wire logic [ChunkBits-1:0]              chunk4_i,
  input  wire logic [Chunks*Lanes*ValueBits-1:0] value5_i,
  input  wire logic                              draws5_i,
  input  wire logic [SlotBits-1:0]               slot6_i,
  input  wire logic [Lanes*PullBits-1:0]         forms8_i,
  input  wire logic [Lanes-1:0]                  negative8_i,
  input  wire logic [Lanes-1:0]                  keep8_i,
  input  wire logic [Lanes-1:0]                  kept8_i,
  input  wire logic [Lanes-1:0]                  spins8_i,
  output logic                                   any12_o,
  output logic      [LaneBits-1:0]               lane12_o,
  output logic      [OutBits-1:0]                data12_o,
  output logic                                   spin12_o
);
  localparam int unsigned BetaBits  = topology_pkg::BetaBits;
  localparam int unsigned SumBits   = FieldBits - 1;
  localparam bit          Penalised = topology_pkg::Products > 0 || topology_pkg::Forms > 0;

  // ---- beta, and beta P ------------------------------------------------------------------------------
  localparam int unsigned PartLanes     = 16;
  localparam int unsigned Parts         = Lanes / PartLanes;
  localparam int unsigned ParameterBits = (Penalised ? 2 : 1) * BetaBits;
  logic [ParameterBits-1:0]       loaded, parameters7;
  logic [Parts*ParameterBits-1:0] parameters8;
  cm_ram_1r1w #(
    .Width(ParameterBits),
    .Depth(topology_pkg::MaxReplicas)
  ) u_beta (
    .clk_i,
    .write_i        (parameter_load_i),
    .write_address_i(load_replica_i),
    .write_data_i   (loaded),
    .read_address_i (slot6_i),
    .read_data_o    (parameters7)
  );
  if (Penalised) begin : gen_penalty
    assign loaded = {load_word_i[32+:BetaBits], load_word_i[BetaBits-1:0]};
  end else begin : gen_no_penalty
    assign loaded = load_word_i[BetaBits-1:0];
  end
  for (genvar p = 0; p < Parts; p++) begin : gen_part
    cm_relay #(
      .Width(ParameterBits)
    ) u_parameters8 (
      .clk_i,
      .data_i(parameters7),
      .data_o(parameters8[ParameterBits*p+:ParameterBits])
    );
  end
  logic unused_word;
  assign unused_word = ^load_word_i;

  // ---- noise -------------------------------------------------------------------------------------------
  logic       seed_clear, seed_step, steps;
  logic [5:0] seed_index;
  logic [7:0] seed_byte;
  cm_seeder u_seeder (
    .clk_i,
    .rst_ni,
    .advance_i(1'b1),
    .start_i  (seed_start_i),
    .seed_i,
    .busy_o   (seed_busy_o),
    .clear_o  (seed_clear),
    .step_o   (seed_step),
    .index_o  (seed_index),
    .byte_o   (seed_byte)
  );
  cm_delay_line #(
    .Width(1),
    .Depth(StepLate)
  ) u_steps (
    .clk_i,
    .advance_i(1'b1),
    .data_i   (draws5_i),
    .data_o   (steps)
  );

  // ---- lanes -------------------------------------------------------------------------------------------
  logic [Lanes-1:0]         drawn10, spin10;
  logic [Lanes*OutBits-1:0] data10;
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam bit [63:0] Code = topology_pkg::LaneCode[64*l+:64];
    localparam int unsigned Part = ParameterBits * (l / PartLanes);
    logic [Chunks*ValueBits-1:0] own5;
    logic [7:0]                  inject5_q, inject6_q;
    for (genvar c = 0; c < Chunks; c++) begin : gen_chunk
      assign own5[ValueBits*c+:ValueBits] = value5_i[ValueBits*(Lanes*c+l)+:ValueBits];
    end
    always_ff @(posedge clk_i) begin
      inject5_q <= Code[seed_index] ? seed_byte : '0;
      inject6_q <= inject5_q;
    end
    cm_flip_lane #(
      .Chunks   (Chunks),
      .SumBits  (SumBits),
      .PairBits (ValueBits - SumBits),
      .Forms    (topology_pkg::Forms > 0),
      .OneHots  (topology_pkg::OneHots > 0),
      .PullBits (PullBits),
      .KeyBits  (KeyBits),
      .FieldBits(FieldBits),
      .BetaBits (BetaBits),
      .RngWords (topology_pkg::RngWords),
      .WideAdd  (WideAdd)
    ) u_lane (
      .clk_i,
      .write_i      (base_write_i[l]),
      .write_chunk_i(base_chunk_i),
      .write_data_i (base_i),
      .chunk4_i,
      .value5_i     (own5),
      .shift_i,
      .forms8_i     (forms8_i[PullBits*l+:PullBits]),
      .negative8_i  (negative8_i[l]),
      .beta8_i      (parameters8[Part+:BetaBits]),
      .penalty8_i   (Penalised ? parameters8[Part+ParameterBits-BetaBits+:BetaBits] : '0),
      .keep8_i      (keep8_i[l]),
      .kept8_i      (kept8_i[l]),
      .spin8_i      (spins8_i[l]),
      .drawn10_o    (drawn10[l]),
      .data10_o     (data10[OutBits*l+:OutBits]),
      .spin10_o     (spin10[l]),
      .clear5_i     (seed_clear),
      .step5_i      (seed_step || steps),
      .inject6_i    (inject6_q)
    );
  end
  cm_flip_turn #(
    .Lanes(Lanes),
    .Width(OutBits)
  ) u_turn (
    .clk_i,
    .drawn10_i(drawn10),
    .spin10_i (spin10),
    .data10_i (data10),
    .any12_o,
    .lane12_o,
    .data12_o,
    .spin12_o
  );
endmodule
`default_nettype wire
