// One p-bit's worth of logic that Turns p-bits of a colour share, one after the other, for parts
// too small to hold every p-bit. Tables and random streams are in block RAM, one row per p-bit; the
// decisions are those of cm_pbit.sv, bit for bit.
//
// A beat is Turns clocks, in which one replica stands still before its stage; in clock (phase) m of
// it the m-th p-bit enters the pipeline:
//   0   its neighbours address its table, its stream is read
//   1   field and random word; the stream steps
//   3   threshold, links, beta and penalty meet
//   4   product and bias
//   5   the new spin, delayed until spin_o and field_o of the m-th p-bit stand in phase m again
`default_nettype none
module cm_shared_pbit #(
  parameter int unsigned Turns       = 5,
  parameter int unsigned Pad         = 0,  // clocks from the decision to phase m
  parameter int unsigned TableBits   = 14,
  parameter int unsigned AddressBits = 5,
  parameter int unsigned FieldBits   = 17,
  parameter int unsigned BetaBits    = 24,
  parameter int unsigned PenaltyBits = 16,
  parameter int unsigned RngWords    = 4,
  parameter bit [2*Turns-1:0] Links  = '0,  // chain neighbours of each p-bit: 0, 1 or 2
  parameter bit          WideAdd     = 1'b0,
  localparam int unsigned TurnBits   = $clog2(Turns)
) (
  input  wire logic                         clk_i,
  input  wire logic [TurnBits-1:0]          phase_i,

  // Load: what is on the bus goes to the table or the clamp of the p-bit whose bit is set.
  input  wire logic [Turns-1:0]             table_write_i,
  input  wire logic [Turns-1:0]             clamp_write_i,
  input  wire logic [AddressBits-1:0]       load_address_i,
  input  wire logic [TableBits-1:0]         load_data_i,

  // Stable for a beat.
  input  wire logic                         seed_clear_i,
  input  wire logic                         seed_step_i,
  input  wire logic [Turns-1:0]             seed_absorb_i,
  input  wire logic [7:0]                   seed_byte_i,
  input  wire logic                         valid_i,
  input  wire logic                         measure_i,
  input  wire logic [Turns*AddressBits-1:0] neighbours_i,
  input  wire logic [2*Turns-1:0]           links_i,  // with one link bit 0 counts
  input  wire logic [Turns-1:0]             old_i,
  input  wire logic [BetaBits-1:0]          beta_i,     // three clocks behind the beat
  input  wire logic [PenaltyBits-1:0]       penalty_i,  // three clocks behind the beat

  output logic                              spin_o,
  output logic      [FieldBits-1:0]         field_o
);
  // ---- load -------------------------------------------------------------------------------------
  logic [Turns-1:0]    clamp_q;
  logic [TurnBits-1:0] load_turn;
  always_comb begin
    load_turn = '0;
    for (int unsigned m = 0; m < Turns; m++) begin
      if (table_write_i[m]) load_turn = load_turn | TurnBits'(m);
    end
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned m = 0; m < Turns; m++) begin
      if (clamp_write_i[m]) clamp_q[m] <= load_data_i[0];
    end
  end

  // ---- clock 0: whose turn it is ------------------------------------------------------------------
  logic [AddressBits-1:0] address;
  logic [1:0]             links1_q, links2_q, links3_q, count;
  logic                   keep, keep_late, old;
  assign address = neighbours_i[phase_i*AddressBits+:AddressBits];
  assign keep    = clamp_q[phase_i] || measure_i;
  cm_delay_line #(
    .Width(2),
    .Depth(4)
  ) u_keep (
    .clk_i,
    .advance_i(1'b1),
    .data_i({keep, old_i[phase_i]}),
    .data_o({keep_late, old})
  );

  logic [TableBits-1:0]   entry;
  logic [TurnBits-1:0]    turn1_q, turn2_q, turn3_q;
  logic [32*RngWords-1:0] stream, stepped;
  logic [7:0]             inject1_q;
  logic                   clear1_q, step1_q;
  cm_ram_1r1w #(
    .Width(TableBits),
    .Depth(1 << (TurnBits + AddressBits))
  ) u_tables (
    .clk_i,
    .write_i        (table_write_i != '0),
    .write_address_i({load_turn, load_address_i}),
    .write_data_i   (load_data_i),
    .read_address_i ({phase_i, address}),
    .read_data_o    (entry)
  );
  cm_ram_1r1w #(
    .Width(32 * RngWords),
    .Depth(1 << TurnBits)
  ) u_streams (
    .clk_i,
    .write_i        (clear1_q || step1_q),
    .write_address_i(turn1_q),
    .write_data_i   (clear1_q ? '0 : stepped),
    .read_address_i (phase_i),
    .read_data_o    (stream)
  );
  cm_xorshift_step #(
    .Words(RngWords)
  ) u_step (
    .state_i (stream),
    .inject_i(inject1_q),
    .state_o (stepped)
  );
  always_ff @(posedge clk_i) begin
    turn1_q  <= phase_i;
    turn2_q  <= turn1_q;
    turn3_q  <= turn2_q;
    clear1_q <= seed_clear_i;
    step1_q  <= seed_step_i || valid_i;
    links1_q <= links_i[phase_i*2+:2];
    links2_q <= links1_q;
    links3_q <= links2_q;
    if (!seed_absorb_i[phase_i]) inject1_q <= '0;
    else inject1_q <= seed_byte_i;
  end

  // ---- clocks 1 to 3: threshold and field -----------------------------------------------------------
  logic [31:0]          word, word2_q;
  logic [FieldBits-1:0] wide_entry, field;
  logic                 sign;
  logic [12:0]          magnitude;
  assign word       = stream[32*(RngWords-1)+:32];
  assign wide_entry = FieldBits'($signed(entry));
  always_ff @(posedge clk_i) word2_q <= word;
  cm_logistic_threshold u_threshold (
    .clk_i,
    .word_i     (word),
    .previous_i (word2_q),
    .sign_o     (sign),
    .magnitude_o(magnitude)
  );
  cm_delay_line #(
    .Width(FieldBits),
    .Depth(2)
  ) u_field (
    .clk_i,
    .advance_i(1'b1),
    .data_i(wide_entry),
    .data_o(field)
  );

  // ---- clocks 3 to 5: the decision ------------------------------------------------------------------
  logic drawn, spin_q;
  assign count = Links[turn3_q*2+:2];
  cm_decision #(
    .Links      (3),
    .FieldBits  (FieldBits),
    .BetaBits   (BetaBits),
    .PenaltyBits(PenaltyBits),
    .WideAdd    (WideAdd)
  ) u_decision (
    .clk_i,
    .count_i    (count),
    .links_i    (links3_q),
    .beta_i,
    .penalty_i,
    .field_i    (field),
    .sign_i     (sign),
    .magnitude_i(magnitude),
    .keep_i     (keep_late),
    .old_i      (old),
    .drawn_o    (drawn)
  );
  always_ff @(posedge clk_i) spin_q <= drawn;
  cm_delay_line #(
    .Width(1),
    .Depth(Pad)
  ) u_spin (
    .clk_i,
    .advance_i(1'b1),
    .data_i(spin_q),
    .data_o(spin_o)
  );
  cm_delay_line #(
    .Width(FieldBits),
    .Depth(2 + Pad)
  ) u_early (
    .clk_i,
    .advance_i(1'b1),
    .data_i(field),
    .data_o(field_o)
  );
endmodule
`default_nettype wire
