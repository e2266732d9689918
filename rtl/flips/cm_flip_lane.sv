// One of the rows drawn side by side: selects its field from those of all chunks, noise, decision.
// Clocks of a pass as in cm_flips_core: 5 the sums of all chunks, 7 that of its own, 8 F, 9 the
// product, 10 the draw. With constraints everything from the draw on comes a clock later: at 8 there
// is D, what the spin, up instead of down, adds to g. With forms or groups everything from 8 on
// comes another clock later. A member of a group always ends a pass, and its key goes along.
`default_nettype none
module cm_flip_lane #(
  parameter int unsigned Chunks    = 8,
  parameter int unsigned SumBits   = 17,
  parameter int unsigned PairBits  = 0,  // of a number of partners; 0: no products
  parameter bit          Forms     = 1'b0,
  parameter bit          OneHots   = 1'b0,
  parameter int unsigned PullBits  = 18,
  parameter int unsigned KeyBits   = 44,
  parameter int unsigned FieldBits = 18,
  parameter int unsigned BetaBits  = 24,
  parameter int unsigned RngWords  = 4,
  parameter bit          WideAdd   = 1'b1,
  // Derived, named for the ports.
  localparam int unsigned ChunkBits = (Chunks > 1) ? $clog2(Chunks) : 1,
  localparam int unsigned ValueBits = SumBits + PairBits,
  localparam bit          Constrained = PairBits > 0 || Forms || OneHots,
  localparam int unsigned MarkBits  = OneHots ? 4 : 1,
  localparam int unsigned OutBits   = FieldBits + (Constrained ? PullBits : 0) + (OneHots ? KeyBits + 3 : 0)
) (
  input  wire logic                      clk_i,
  input  wire logic                      write_i,  // of base and clamp
  input  wire logic [ChunkBits-1:0]      write_chunk_i,
  input  wire logic [FieldBits+3:0]      write_data_i,  // of a group: last, first, member; clamp, base
  input  wire logic [ChunkBits-1:0]      chunk4_i,
  input  wire logic [Chunks*ValueBits-1:0] value5_i,  // partners, sum
  input  wire logic [3:0]                shift_i,  // of a product's weight
  input  wire logic [PullBits-1:0]       forms8_i,  // their part of D, and whether it counts negatively
  input  wire logic                      negative8_i,
  input  wire logic [BetaBits-1:0]       beta8_i,
  input  wire logic [BetaBits-1:0]       penalty8_i,
  input  wire logic                      keep8_i,  // ignore the draw,
  input  wire logic                      kept8_i,  // and use this spin instead
  input  wire logic                      spin8_i,
  output logic                           drawn10_o,  // it flips if this is not its spin
  output logic      [OutBits-1:0]        data10_o,  // key; last, first, member; D, F
  output logic                           spin10_o,
  // noise
  input  wire logic                      clear5_i,
  input  wire logic                      step5_i,
  input  wire logic [7:0]                inject6_i
);
  // verilator no_inline_module
  // ---- the chunk's sum, in two steps -------------------------------------------------------------------
  localparam int unsigned LowBits = ChunkBits / 2;
  localparam int unsigned Low     = 1 << LowBits;
  localparam int unsigned High    = (Chunks + Low - 1) / Low;
  logic [ChunkBits-1:0]    chunk5, chunk6;
  logic [High*ValueBits-1:0] value6_d, value6_q;
  logic [ValueBits-1:0]      value7_d, value7_q;
  cm_relay #(
    .Width(2 * ChunkBits)
  ) u_chunk (
    .clk_i,
    .data_i({chunk4_i, chunk5}),
    .data_o({chunk5, chunk6})
  );
  for (genvar u = 0; u < High; u++) begin : gen_low
    cm_select #(
      .Inputs(Low),
      .Width (ValueBits)
    ) u_low (
      .data_i  (value5_i[u*Low*ValueBits+:Low*ValueBits]),
      .select_i(chunk5[((LowBits>0)?LowBits : 1)-1:0]),
      .data_o  (value6_d[u*ValueBits+:ValueBits])
    );
  end
  cm_select #(
    .Inputs(High),
    .Width (ValueBits)
  ) u_high (
    .data_i  (value6_q),
    .select_i(chunk6[ChunkBits-1:LowBits]),
    .data_o  (value7_d)
  );

  // ---- field: base + twice the sum -----------------------------------------------------------------------
  (* ram_style = "distributed" *) logic [FieldBits+MarkBits-1:0] memory [Chunks];
  logic [FieldBits+MarkBits-1:0] row7_q, row7;
  logic [MarkBits-1:0]  marks8_q;
  logic                 member8;
  logic [SumBits-1:0]   sum7;
  logic [PullBits-1:0]  pairs7, pairs;
  logic [FieldBits-1:0] field8_q, field9_q;
  logic                 keep9_q, kept9_q, spin9_q;
  always_ff @(posedge clk_i) begin
    if (write_i) memory[write_chunk_i] <= write_data_i[FieldBits+MarkBits-1:0];
    row7_q    <= memory[chunk6];
    value6_q  <= value6_d;
    value7_q  <= value7_d;
    field8_q  <= row7[FieldBits-1:0] + {sum7, 1'b0};
    marks8_q  <= row7[FieldBits+:MarkBits];
    field9_q  <= field8_q;
    keep9_q   <= keep8_i || (marks8_q[0] && !member8);
    kept9_q   <= kept8_i;
    spin9_q   <= spin8_i;
  end

  if (PairBits > 0) begin : gen_pairs
    logic [3:0] shift;
    cm_relay #(
      .Width(4)
    ) u_shift (
      .clk_i,
      .data_i(shift_i),
      .data_o(shift)
    );
    assign pairs7 = PullBits'(value7_q[ValueBits-1:SumBits]) << shift;
  end else begin : gen_no_pairs
    assign pairs7 = '0;
  end
  cm_delay_line #(
    .Width(FieldBits + MarkBits + SumBits + PullBits),
    .Depth((Forms || OneHots) ? 1 : 0)
  ) u_late (
    .clk_i,
    .advance_i(1'b1),
    .data_i   ({row7_q, value7_q[SumBits-1:0], pairs7}),
    .data_o   ({row7, sum7, pairs})
  );

  if (OneHots) begin : gen_member
    assign member8 = marks8_q[1];
  end else begin : gen_no_member
    assign member8 = 1'b0;
    logic unused_marks;
    assign unused_marks = ^write_data_i;
  end

  // ---- noise and decision ----------------------------------------------------------------------------------
  logic        clear6, step6, sign;  // a register for each lane's 128 bits
  logic [31:0] word, previous;
  logic [12:0] magnitude;
  cm_relay #(
    .Width(2)
  ) u_step (
    .clk_i,
    .data_i({clear5_i, step5_i}),
    .data_o({clear6, step6})
  );
  cm_random_stream #(
    .Words(RngWords)
  ) u_stream (
    .clk_i,
    .clear_i   (clear6),
    .step_i    (step6),
    .inject_i  (inject6_i),
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
  if (!Constrained) begin : gen_free
    logic                 drawn, drawn10_q, spin10_q;
    logic [FieldBits-1:0] field10_q;
    cm_decision #(
      .Links    (0),
      .FieldBits(FieldBits),
      .BetaBits (BetaBits),
      .WideAdd  (WideAdd)
    ) u_decision (
      .clk_i,
      .count_i    ('0),
      .links_i    ('0),
      .beta_i     (beta8_i),
      .penalty_i  ('0),
      .field_i    (field8_q),
      .sign_i     (sign),
      .magnitude_i(magnitude),
      .keep_i     (keep9_q),
      .old_i      (kept9_q),
      .drawn_o    (drawn)
    );
    always_ff @(posedge clk_i) begin
      field10_q <= field9_q;
      spin10_q  <= spin9_q;
      drawn10_q <= drawn;  // no logic after the carry chain
    end
    assign drawn10_o = drawn10_q;
    assign data10_o  = field10_q;
    assign spin10_o  = spin10_q;
    logic unused_penalty;
    assign unused_penalty = ^{penalty8_i, shift_i, pairs, forms8_i, negative8_i};
  end else begin : gen_penalised
    logic                drawn, keep10_q, kept10_q, spin10_q, keep11_q, kept11_q, spin11_q;
    logic [FieldBits+PullBits-1:0] data10_q, data11_q;
    logic [2:0]          marks9_q, marks10_q, marks11_q;
    logic                sign8, ends11;
    logic [15:0]         noise9;
    logic [PullBits-1:0] pull, pull8_q, pull9_q;
    logic [BetaBits-1:0] beta9_q;
    logic [KeyBits-1:0]  key;
    cm_row_decision #(
      .FieldBits  (FieldBits),
      .BetaBits   (BetaBits),
      .PenaltyBits(BetaBits),
      .PullBits   (PullBits)
    ) u_decision (
      .clk_i,
      .penalty_i (penalty8_i),
      .change_i  (pull8_q),
      .negative_i(1'b0),
      .sign_i    (sign8),
      .beta_i    (beta9_q),
      .field_i   (field9_q),
      .noise_i   (noise9),
      .drawn_o   (drawn),
      .key_o     (key)
    );
    if (Forms) begin : gen_forms
      cm_add_subtract #(
        .Width(PullBits)
      ) u_pull (
        .a_i       (pairs),
        .b_i       (forms8_i),
        .subtract_i(negative8_i),
        .result_o  (pull)
      );
    end else begin : gen_no_forms
      assign pull = pairs;
    end
    always_ff @(posedge clk_i) begin
      pull8_q      <= pull;
      pull9_q      <= pull8_q;
      beta9_q      <= beta8_i;
      {marks11_q, marks10_q, marks9_q} <= {marks10_q, marks9_q, 3'(4'(marks8_q) >> 1)};
      {keep11_q, kept11_q, spin11_q, data11_q} <= {keep10_q, kept10_q, spin10_q, data10_q};
      {keep10_q, kept10_q, spin10_q, data10_q} <= {keep9_q, kept9_q, spin9_q, pull9_q, field9_q};
    end
    if (OneHots) begin : gen_groups
      // Gumbel noise takes a clock longer than the threshold, so streams step a clock earlier.
      logic [15:0] gumbel9;
      logic [12:0] magnitude8_q, magnitude9_q;
      logic        sign8_q;
      cm_gumbel u_gumbel (
        .clk_i,
        .word_i    (word),
        .previous_i(previous),
        .noise_o   (gumbel9)
      );
      always_ff @(posedge clk_i) begin
        magnitude8_q <= magnitude;
        magnitude9_q <= magnitude8_q;
        sign8_q      <= sign;
      end
      assign noise9   = marks9_q[0] ? gumbel9 : 16'(magnitude9_q);
      assign sign8    = sign8_q && !member8;
      assign ends11   = marks11_q[0] ? !spin11_q : drawn;
      assign data10_o = {key, marks11_q, data11_q};
    end else begin : gen_no_groups
      logic [12:0] magnitude9_q;
      always_ff @(posedge clk_i) magnitude9_q <= magnitude;
      assign noise9   = 16'(magnitude9_q);
      assign sign8    = sign;
      assign ends11   = drawn;
      assign data10_o = data11_q;
      logic unused_marks;
      assign unused_marks = ^marks11_q;
    end
    assign drawn10_o = keep11_q ? kept11_q : ends11;
    assign spin10_o  = spin11_q;
    logic unused_key;
    assign unused_key = ^{key, 1'(WideAdd), shift_i, forms8_i, negative8_i};
  end
endmodule
`default_nettype wire
