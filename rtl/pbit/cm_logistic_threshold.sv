// A logistic random threshold from one random word (docs/kernel.md): the number of leading zeros of
// 24 bits gives the octave, a table the place within it, three dither bits the last digits.
// Latency: two clocks from word_i. A slot's stream has stepped one clock after its word was read,
// so the bits needed only then are taken from previous_i and need no register here.
`default_nettype none
module cm_logistic_threshold (
  input  wire logic        clk_i,
  input  wire logic [31:0] word_i,      // in the slot's clock
  input  wire logic [31:0] previous_i,  // one clock later
  output logic             sign_o,      // two clocks later
  output logic      [12:0] magnitude_o  // T
);
  localparam int unsigned BaseBits = 11, DitherBits = 5;

  // ---- first clock: the octave ----------------------------------------------------------------
  logic [4:0] octave_d, octave_q;
  logic [2:0] row_d, row_q;
  cm_octave u_octave (
    .bits_i  (word_i[30:7]),
    .octave_o(octave_d)
  );
  always_comb begin
    // The octave, but 6 for 6 to 23 and 7 for 24: from the bits, not from the octave, which comes late.
    row_d = (word_i[24:7] != '0) ? 3'd6 : 3'd7;
    for (int unsigned i = 0; i < 6; i++) begin
      if (word_i[25+i]) row_d = 3'(5 - i);
    end
  end
  always_ff @(posedge clk_i) begin
    octave_q <= octave_d;
    row_q    <= row_d;
  end

  // ---- second clock: the place within the octave ------------------------------------------------
  logic [3:0]            mantissa;
  logic [2:0]            dither;
  logic [BaseBits-1:0]   base;
  logic [DitherBits-1:0] fine;
  logic [BaseBits-1:0]   place_q;
  logic [4:0]            octave2_q;
  logic                  sign_q;
  assign mantissa = previous_i[6:3];
  assign dither   = previous_i[2:0];
  assign base     = topology_pkg::ThresholdBase[{row_q, mantissa}*BaseBits+:BaseBits];
  assign fine     = topology_pkg::ThresholdDither[
                        {row_q == 3'd0, mantissa[3:2], dither}*DitherBits+:DitherBits];
  always_ff @(posedge clk_i) begin
    place_q   <= base + BaseBits'(fine);
    octave2_q <= octave_q;
    sign_q    <= previous_i[31];
  end
  // Only the upper bits of the place overlap the octave.
  assign sign_o      = sign_q;
  assign magnitude_o = {octave2_q + 5'(place_q[BaseBits-1:8]), place_q[7:0]};

  // The octave's bits of the word are used in the first clock only.
  logic unused_bits;
  assign unused_bits = ^{word_i[31], word_i[6:0], previous_i[30:7]};
endmodule
`default_nettype wire
