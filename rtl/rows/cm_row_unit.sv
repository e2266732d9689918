// A unit of the row builder: takes a beat of six groups of five couplings and makes, in Gray order,
// the 16 sums of each group with the last spin up, with one adder per group: 4 clocks to the first
// sum, 16 for all. Each clock's step is computed a clock ahead.
`default_nettype none
module cm_row_unit #(
  parameter int unsigned EntryBits = 11,
  parameter int unsigned BeatBits  = 4,
  localparam int unsigned SumBits  = 6 * EntryBits
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,

  // A beat; two identical wires, since a unit has many registers.
  input  wire logic                load_i,
  input  wire logic                load_sums_i,
  input  wire logic [255:0]        beat_i,
  input  wire logic [BeatBits-1:0] index_i,
  output logic                     ready_o,  // not busy, or in its last clock
  output logic                     quiet_o,  // nothing is left to write

  output logic                     write_o,
  output logic      [BeatBits-1:0] index_o,
  output logic      [3:0]          entry_o,
  output logic      [SumBits-1:0]  sums_o,

  // Where it is, for the proof.
  output logic                     busy_o,
  output logic      [4:0]          count_o,
  output logic                     first_o
);
  logic                busy_q, write_q, ready_q;
  logic [4:0]          count_q;    // 0..3: the first sum; 4 + k: entry k in Gray order
  logic [BeatBits-1:0] index_q, write_index_q;
  logic [3:0]          gray, write_gray_q;
  logic [1:0]          turned_d, turned_q;  // the coupling that comes next
  logic                subtract_d, subtract_q, first_d, first_q;
  logic [SumBits-1:0]  sums_q, written_q;

  // The next clock's step, from the count c. Before the first sum all couplings are subtracted.
  // Then entry k = c - 3 becomes k + 1: the spin that flips is the lowest one of k + 1 = c - 2, and
  // it flips down if the bit above it is set; c[0] is bit 0 of c - 2, bit 1 is !c[1], ...
  assign gray = 4'(count_q - 5'd4) ^ (4'(count_q - 5'd4) >> 1);
  always_comb begin
    first_d    = count_q[4:2] == 3'd0 && count_q[1:0] != 2'd3;
    turned_d   = 2'd3;
    subtract_d = !count_q[3];
    if (count_q[2]) begin
      turned_d   = 2'd2;
      subtract_d = count_q[3];
    end
    if (!count_q[1]) begin
      turned_d   = 2'd1;
      subtract_d = !count_q[2];
    end
    if (count_q[0]) begin
      turned_d   = 2'd0;
      subtract_d = !count_q[1];
    end
    if (first_d) begin
      turned_d   = {count_q[1] ^ count_q[0], !count_q[0]};  // c + 1
      subtract_d = 1'b1;
    end
    if (load_i) begin
      first_d    = 1'b1;
      turned_d   = 2'd0;
      subtract_d = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      write_q <= 1'b0;
      ready_q <= 1'b1;
    end else begin
      if (load_i) busy_q <= 1'b1;
      else if (count_q == 5'd19) busy_q <= 1'b0;
      write_q <= busy_q && !first_q;
      ready_q <= !load_i && (!busy_q || count_q[4:1] == 4'd9);
    end
  end
  always_ff @(posedge clk_i) begin
    count_q    <= load_i ? '0 : count_q + 5'(busy_q);
    first_q    <= first_d;
    turned_q   <= turned_d;
    subtract_q <= subtract_d;
    if (load_i) index_q <= index_i;
    write_index_q <= index_q;
    write_gray_q  <= gray;
    written_q     <= sums_q;
  end

  for (genvar g = 0; g < 6; g++) begin : gen_group
    logic [31:0]          coupling_q;  // the four that flip
    logic [7:0]           step;
    logic [EntryBits-1:0] sum, operand;
    logic [EntryBits:0]   next;  // and a bit below that takes the carry
    logic                 unused_carry;
    assign sum     = sums_q[g*EntryBits+:EntryBits];
    assign step    = coupling_q[8*turned_q+:8];
    assign operand = first_q ? EntryBits'($signed(step)) : EntryBits'($signed({step, 1'b0}));
    // As in cm_add_subtract, but inline, so that the operand is selected in the same LUT.
    assign next    = {sum, 1'b0} - ~{operand ^ {EntryBits{subtract_q}}, subtract_q};
    always_ff @(posedge clk_i) begin
      if (load_i) coupling_q <= beat_i[40*g+:32];
      if (load_sums_i) sums_q[g*EntryBits+:EntryBits] <= EntryBits'($signed(beat_i[40*g+32+:8]));
      else sums_q[g*EntryBits+:EntryBits] <= next[EntryBits:1];
    end
    assign unused_carry = next[0];
  end

  assign ready_o = ready_q;
  assign quiet_o = !busy_q && !write_q;
  assign write_o = write_q;
  assign index_o = write_index_q;
  assign entry_o = write_gray_q;
  assign sums_o  = written_q;
  assign busy_o  = busy_q;
  assign count_o = count_q;
  assign first_o = first_q;
  logic unused_bits;
  assign unused_bits = ^beat_i;
endmodule
`default_nettype wire
