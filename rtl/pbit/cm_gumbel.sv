// Gumbel noise from one random word (docs/rows.md): sign, octave and four bits select a table
// entry, three bits interpolate between entries. Latency: four clocks from word_i.
`default_nettype none
module cm_gumbel (
  input  wire logic        clk_i,
  input  wire logic [31:0] word_i,      // in the slot's clock
  input  wire logic [31:0] previous_i,  // the same, one clock later
  output logic      [15:0] noise_o      // signed
);
  (* rom_style = "block" *) logic [17:0] table_q [1024];
  initial begin
    for (int unsigned i = 0; i < 1024; i++) table_q[i] = topology_pkg::Gumbel[18*i+:18];
  end

  logic [4:0]  octave, octave_q;
  logic [17:0] entry_q;
  logic [13:0] base_q;
  logic [2:0]  fine_q;
  logic [6:0]  step;  // times the fine bits
  logic [4:0]  step_q;
  cm_octave u_octave (
    .bits_i  (word_i[30:7]),
    .octave_o(octave)
  );
  assign step = 7'(entry_q[17:14]) * 7'(fine_q);
  always_ff @(posedge clk_i) begin
    octave_q <= octave;
    entry_q  <= table_q[{previous_i[31], octave_q, previous_i[6:3]}];
    fine_q   <= previous_i[2:0];
    base_q   <= entry_q[13:0];
    step_q   <= step[6:2];
    noise_o  <= 16'($signed(base_q)) + 16'(step_q);
  end
  logic unused_bits;
  assign unused_bits = ^{word_i, previous_i, step[1:0]};
endmodule
`default_nettype wire
