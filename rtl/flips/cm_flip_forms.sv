// Linear forms: every lane reads residuals from a copy of its own, since all lanes draw at once, and
// the one row that flips writes to all copies. Residuals are written at 17 and read at 3, so a
// replica may pass again after 17 clocks, since those after 6 come two late (cm_flips_core).
`default_nettype none
module cm_flip_forms #(
  localparam int unsigned Rows            = topology_pkg::Pbits,
  localparam int unsigned Lanes           = topology_pkg::Lanes,
  localparam int unsigned Replicas        = topology_pkg::MaxReplicas,
  localparam int unsigned Forms           = topology_pkg::Forms,
  localparam int unsigned Residuals       = topology_pkg::FormResiduals,
  localparam int unsigned NumberBits      = topology_pkg::NumberBits,
  localparam int unsigned CoefficientBits = topology_pkg::CoefficientBits,
  localparam int unsigned ResidualBits    = topology_pkg::ResidualBits,
  localparam int unsigned PullBits        = topology_pkg::PullBits,
  localparam int unsigned RowBits         = topology_pkg::RowBits,
  localparam int unsigned ChunkBits       = topology_pkg::ChunkBits,
  localparam int unsigned LaneBits        = topology_pkg::LaneBits,
  localparam int unsigned SlotBits        = topology_pkg::SlotBits,
  localparam int unsigned CountBits       = $clog2(Replicas + 1)
) (
  input  wire logic                      clk_i,
  input  wire logic                      rst_ni,
  input  wire logic [Forms-1:0]          item_write_i,  // of the image, by bank
  input  wire logic [RowBits-1:0]        item_row_i,
  input  wire logic [63:0]               item_word_i,
  input  wire logic                      start_i,       // before a load
  input  wire logic [SlotBits-1:0]       first_i,
  input  wire logic [CountBits-1:0]      replicas_i,
  output logic                           starting_o,
  input  wire logic [ChunkBits-1:0]      chunk1_i,
  input  wire logic [SlotBits-1:0]       slot1_i,
  input  wire logic [Lanes-1:0]          up3_i,
  output logic      [Lanes*PullBits-1:0] changes8_o,
  output logic      [Lanes-1:0]          negative8_o,
  input  wire logic                      turns12_i,
  input  wire logic                      down12_i,
  input  wire logic [SlotBits-1:0]       slot12_i,
  input  wire logic [RowBits-1:0]        row12_i
);
  logic [Forms-1:0]              write16;
  logic [SlotBits-1:0]           slot16;
  logic [Forms*NumberBits-1:0]   number16;
  logic [Forms*ResidualBits-1:0] data16;
  logic [NumberBits-1:0]         number;
  logic                          unused_item;
  assign number      = item_word_i[16+:NumberBits] & NumberBits'(Residuals - 1);
  assign unused_item = ^item_word_i;

  logic [Lanes-1:0]     item_lane_q;  // whose row it is
  logic [Forms-1:0]     item_write_q;
  logic [ChunkBits-1:0] item_chunk_q;
  logic [CoefficientBits+NumberBits:0] item_q;
  always_ff @(posedge clk_i) begin
    for (int unsigned l = 0; l < Lanes; l++) item_lane_q[l] <= item_row_i[LaneBits-1:0] == LaneBits'(l);
    item_write_q <= item_write_i;
    item_chunk_q <= ChunkBits'(item_row_i >> LaneBits);
    item_q       <= {item_word_i[28], number, item_word_i[CoefficientBits-1:0]};
  end
  cm_flip_form_turn #(
    .Forms          (Forms),
    .Rows           (Rows),
    .Replicas       (Replicas),
    .Residuals      (Residuals),
    .NumberBits     (NumberBits),
    .CoefficientBits(CoefficientBits),
    .ResidualBits   (ResidualBits)
  ) u_turn (
    .clk_i,
    .rst_ni,
    .item_write_i,
    .item_row_i,
    .item_first_i (item_word_i[29]),
    .item_a_i     (item_word_i[CoefficientBits-1:0]),
    .item_number_i(number),
    .item_start_i (item_word_i[32+:ResidualBits]),
    .start_i,
    .first_i,
    .replicas_i,
    .starting_o,
    .turns12_i,
    .down12_i,
    .slot12_i,
    .row12_i,
    .write16_o    (write16),
    .slot16_o     (slot16),
    .number16_o   (number16),
    .data16_o     (data16)
  );
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    cm_flip_form_lane #(
      .Forms          (Forms),
      .Chunks         (Rows / Lanes),
      .Replicas       (Replicas),
      .NumberBits     (NumberBits),
      .CoefficientBits(CoefficientBits),
      .ResidualBits   (ResidualBits),
      .PullBits       (PullBits)
    ) u_lane (
      .clk_i,
      .item_write_i  (item_write_q & {Forms{item_lane_q[l]}}),
      .item_chunk_i  (item_chunk_q),
      .item_i        (item_q),
      .chunk1_i,
      .slot1_i,
      .up3_i         (up3_i[l]),
      .change8_o     (changes8_o[PullBits*l+:PullBits]),
      .negative8_o   (negative8_o[l]),
      .write_i       (write16),
      .write_slot_i  (slot16),
      .write_number_i(number16),
      .write_data_i  (data16)
    );
  end
endmodule
`default_nettype wire
