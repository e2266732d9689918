// One p-bit: local field, random threshold, decision. It takes a new replica every clock.
//
// Time within a slot, counted from the clock t = 0 in which the stage holds the state vector:
//   0            neighbours_i address the tables
//   Levels - 3   draw_i
//   Levels - 2   the slot's random word is read and the stream steps
//   Levels       field ready; links_i, beta_i, penalty_i belong to the slot
//   Levels + 1   product and bias ready; old_i
//   Levels + 2   spin_o, early_o
// Tables are loaded through a chain of tokens that passes every table of every p-bit in the order
// of the load image: whoever has the token writes what is on the bus.
`default_nettype none
module cm_pbit #(
  parameter int unsigned TableBits   = 14,
  parameter int unsigned AddressBits = 5,
  parameter int unsigned ImageTables = 7,  // tables in a record of the load image
  parameter int unsigned Tables      = 7,  // of this p-bit; the rest of the record is ignored
  parameter bit          HasField    = 1'b1,  // 0: no neighbour at all, whatever its one table says
  parameter int unsigned EarlyTables = 7,
  parameter int unsigned Links       = 2,  // chain neighbours: 0, 1 or 2
  parameter int unsigned FieldBits   = 17,
  parameter int unsigned BetaBits    = 24,
  parameter int unsigned PenaltyBits = 16,
  parameter int unsigned RngWords    = 4,
  parameter int unsigned Levels      = 3,  // at least 2, which the threshold needs
  parameter bit          WideAdd     = 1'b1
) (
  input  wire logic                          clk_i,

  input  wire logic                          token_clear_i,
  input  wire logic                          token_next_i,
  input  wire logic                          token_i,
  output logic                               token_o,
  input  wire logic [AddressBits-1:0]        load_address_i,
  input  wire logic [TableBits-1:0]          load_data_i,

  input  wire logic                          seed_clear_i,
  input  wire logic                          seed_step_i,    // in the clock of the byte
  input  wire logic                          seed_absorb_i,  // this p-bit takes the byte
  input  wire logic [7:0]                    seed_byte_i,    // 0 when nothing is seeded

  input  wire logic [Tables*AddressBits-1:0] neighbours_i,
  input  wire logic                          draw_i,
  input  wire logic [1:0]                    links_i,        // with one link bit 0 counts
  input  wire logic [BetaBits-1:0]           beta_i,
  input  wire logic [PenaltyBits-1:0]        penalty_i,
  input  wire logic                          old_i,
  input  wire logic                          measure_i,      // keep every spin: a pass that only measures
  output logic                               spin_o,
  output logic      [FieldBits-1:0]          early_o
);
  /* verilator no_inline_module */
  if (Levels < 2) begin : gen_bad_levels
    $fatal(1, "cm_pbit: Levels must be at least 2");
  end
  if (Tables < 1 || Tables > ImageTables || EarlyTables > Tables) begin : gen_bad_tables
    $fatal(1, "cm_pbit: EarlyTables <= Tables <= ImageTables must hold, with at least one table");
  end

  // ---- load -------------------------------------------------------------------------------------
  logic [ImageTables:0] token_q;  // one for each table of the record, then the control word
  logic                 clamp_q;
  always_ff @(posedge clk_i) begin
    if (token_clear_i) token_q <= '0;
    else if (token_next_i) token_q <= {token_q[ImageTables-1:0], token_i};
  end
  always_ff @(posedge clk_i) begin
    if (token_q[ImageTables]) clamp_q <= load_data_i[0];
  end
  assign token_o = token_q[ImageTables];

  // ---- local field ------------------------------------------------------------------------------
  logic [FieldBits-1:0] field, early, summed;
  assign field = HasField ? summed : '0;
  cm_local_field #(
    .TableBits  (TableBits),
    .AddressBits(AddressBits),
    .Tables     (Tables),
    .EarlyTables(EarlyTables),
    .FieldBits  (FieldBits),
    .Levels     (Levels)
  ) u_field (
    .clk_i,
    .write_i        (token_q[Tables-1:0]),
    .write_address_i(load_address_i),
    .write_data_i   (load_data_i),
    .neighbours_i,
    .field_o        (summed),
    .early_o        (early)
  );
  if (EarlyTables == 0) begin : gen_no_early
    logic unused_early;
    assign unused_early = ^early;
    assign early_o      = '0;
  end else begin : gen_early
    cm_delay_line #(
      .Width(FieldBits),
      .Depth(2)
    ) u_early (
      .clk_i,
      .advance_i(1'b1),
      .data_i(early),
      .data_o(early_o)
    );
  end

  // ---- threshold --------------------------------------------------------------------------------
  // What a whole stream hangs on comes from a register of this p-bit's own. The byte is masked by the
  // register's reset, which is cheaper than by logic.
  logic [7:0]  inject_q;
  logic        clear_q, step_q;
  logic [31:0] word, previous;
  logic        sign;
  logic [12:0] magnitude;
  always_ff @(posedge clk_i) begin
    if (!seed_absorb_i) inject_q <= '0;
    else inject_q <= seed_byte_i;
    clear_q <= seed_clear_i;
    step_q  <= draw_i || seed_step_i;
  end
  cm_random_stream #(
    .Words(RngWords)
  ) u_stream (
    .clk_i,
    .clear_i   (clear_q),
    .step_i    (step_q),
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

  // ---- decision -----------------------------------------------------------------------------------
  logic drawn, spin_q;
  cm_decision #(
    .Links      (Links),
    .FieldBits  (FieldBits),
    .BetaBits   (BetaBits),
    .PenaltyBits(PenaltyBits),
    .WideAdd    (WideAdd)
  ) u_decision (
    .clk_i,
    .count_i    (2'(Links)),
    .links_i,
    .beta_i,
    .penalty_i,
    .field_i    (field),
    .sign_i     (sign),
    .magnitude_i(magnitude),
    .keep_i     (clamp_q || measure_i),
    .old_i,
    .drawn_o    (drawn)
  );
  always_ff @(posedge clk_i) spin_q <= drawn;
  assign spin_o = spin_q;
endmodule
`default_nettype wire
