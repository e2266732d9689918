// One of the rows drawn side by side: selects its field from those of all chunks, noise, decision.
// Clocks of a pass as in cm_flips_core: 5 the sums of all chunks, 7 that of its own, 8 F, 9 the
// product, 10 the draw.
`default_nettype none
module cm_flip_lane #(
  parameter int unsigned Chunks    = 8,
  parameter int unsigned SumBits   = 17,
  parameter int unsigned FieldBits = 18,
  parameter int unsigned BetaBits  = 24,
  parameter int unsigned RngWords  = 4,
  parameter bit          WideAdd   = 1'b1,
  // Derived, named for the ports.
  localparam int unsigned ChunkBits = (Chunks > 1) ? $clog2(Chunks) : 1
) (
  input  wire logic                      clk_i,
  input  wire logic                      write_i,  // of base and clamp
  input  wire logic [ChunkBits-1:0]      write_chunk_i,
  input  wire logic [FieldBits:0]        write_data_i,  // clamp, base
  input  wire logic [ChunkBits-1:0]      chunk4_i,
  input  wire logic [Chunks*SumBits-1:0] sum5_i,
  input  wire logic [BetaBits-1:0]       beta8_i,
  input  wire logic                      keep8_i,  // ignore the draw,
  input  wire logic                      kept8_i,  // and use this spin instead
  input  wire logic                      spin8_i,
  output logic                           drawn10_o,  // it flips if this is not its spin
  output logic      [FieldBits-1:0]      field10_o,
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
  logic [High*SumBits-1:0] sum6_d, sum6_q;
  logic [SumBits-1:0]      sum7_d, sum7_q;
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
      .Width (SumBits)
    ) u_low (
      .data_i  (sum5_i[u*Low*SumBits+:Low*SumBits]),
      .select_i(chunk5[((LowBits>0)?LowBits : 1)-1:0]),
      .data_o  (sum6_d[u*SumBits+:SumBits])
    );
  end
  cm_select #(
    .Inputs(High),
    .Width (SumBits)
  ) u_high (
    .data_i  (sum6_q),
    .select_i(chunk6[ChunkBits-1:LowBits]),
    .data_o  (sum7_d)
  );

  // ---- field: base + twice the sum -----------------------------------------------------------------------
  (* ram_style = "distributed" *) logic [FieldBits:0] memory [Chunks];
  logic [FieldBits:0]   row7_q;
  logic [FieldBits-1:0] field8_q, field9_q, field10_q;
  logic                 clamp8_q, keep9_q, kept9_q, spin9_q, spin10_q, drawn10_q, drawn;
  always_ff @(posedge clk_i) begin
    if (write_i) memory[write_chunk_i] <= write_data_i;
    row7_q    <= memory[chunk6];
    sum6_q    <= sum6_d;
    sum7_q    <= sum7_d;
    field8_q  <= row7_q[FieldBits-1:0] + {sum7_q, 1'b0};
    clamp8_q  <= row7_q[FieldBits];
    field9_q  <= field8_q;
    field10_q <= field9_q;
    keep9_q   <= keep8_i || clamp8_q;
    kept9_q   <= kept8_i;
    spin9_q   <= spin8_i;
    spin10_q  <= spin9_q;
    drawn10_q <= drawn;  // no logic after the carry chain
  end
  assign drawn10_o = drawn10_q;
  assign field10_o = field10_q;
  assign spin10_o  = spin10_q;

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
endmodule
`default_nettype wire
