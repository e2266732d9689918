// Turns rows into tables. A record is a head, what the row says of constraints (a beat of forms, beats
// of partners) and beats of six groups of five couplings; a unit takes a beat and writes, in Gray order,
// the 16 sums of each of its groups in which the last spin is up: the other 16 are their negatives. Two
// banks: one is built while the other is in use. What a unit does in a clock it has worked out before.
//
// A unit needs 4 clocks to the first sum and 16 for all, and every unit has at most two beats of a
// row, so that a row is built in Units + 44 clocks.
`default_nettype none
module cm_row_builder #(
  parameter int unsigned RowBeats  = 9,   // of couplings
  parameter int unsigned FieldBits = 18,
  parameter int unsigned EntryBits = 11,
  parameter int unsigned FormBeats = 0,   // 0 or 1
  parameter int unsigned PairBeats = 0,
  localparam int unsigned Units    = (RowBeats + 1) / 2,
  localparam int unsigned BeatBits = (RowBeats > 1) ? $clog2(RowBeats) : 1,
  localparam int unsigned HeadBits = 8,
  localparam int unsigned SumBits  = 6 * EntryBits,
  localparam int unsigned MoreBeats = FormBeats + PairBeats,
  localparam int unsigned MoreBits = 256 * ((MoreBeats > 0) ? MoreBeats : 1)
) (
  input  wire logic                      clk_i,
  input  wire logic                      rst_ni,
  input  wire logic                      clear_i,    // forgets everything

  input  wire logic                      beat_valid_i,
  output logic                           beat_ready_o,
  input  wire logic [255:0]              beat_i,

  // Banks: a full one is taken, and freed when the last replica has been dealt to it.
  output logic      [1:0]                full_o,
  input  wire logic [1:0]                free_i,     // one clock
  output logic      [2*FieldBits-1:0]    h_o,        // by bank
  output logic      [2*HeadBits-1:0]     flags_o,    // by bank: shift of pairs, settle, begin, member, clamp
  output logic      [2*MoreBits-1:0]     more_o,     // by bank: the beats between head and couplings

  // Table writes, by unit; each writes the tables of one beat at a time.
  output logic      [Units-1:0]          write_o,
  output logic      [Units*BeatBits-1:0] write_beat_o,
  output logic      [Units*5-1:0]        write_address_o,  // bank, entry
  output logic      [Units*SumBits-1:0]  write_sums_o
);
  localparam int unsigned CountBits = $clog2(RowBeats + 1);

  logic                   bank_q, in_row_q, wanting_q, all_taken_q, head_q;
  logic [1:0]             full_q;
  logic [CountBits-1:0]   taken_q;   // beats of couplings
  logic [Units-1:0]       turn_d, turn, turn_again;  // the unit whose turn it is
  logic [2*FieldBits-1:0] h_q;
  logic [2*HeadBits-1:0]  flags_q;
  logic [Units-1:0]       ready_q, unit_quiet;
  logic                   more, last_more, couplings, done;

  assign couplings    = wanting_q && (turn & ready_q) != '0;
  assign beat_ready_o = head_q || more || couplings;
  assign done         = in_row_q && all_taken_q && (&unit_quiet);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      bank_q      <= 1'b0;
      in_row_q    <= 1'b0;
      wanting_q   <= 1'b0;
      all_taken_q <= 1'b0;
      full_q      <= 2'b00;
      taken_q     <= '0;
      head_q      <= 1'b0;
    end else begin
      head_q <= !in_row_q && !full_q[bank_q] && !(beat_valid_i && head_q);
      if (beat_valid_i && head_q) begin
        in_row_q    <= 1'b1;
        all_taken_q <= 1'b0;
        taken_q     <= '0;
      end
      if (beat_valid_i && (head_q ? MoreBeats == 0 : last_more)) wanting_q <= 1'b1;
      if (beat_valid_i && couplings) begin
        taken_q <= taken_q + 1'b1;
        if (taken_q == CountBits'(RowBeats - 1)) begin
          wanting_q   <= 1'b0;
          all_taken_q <= 1'b1;
        end
      end
      if (done) begin
        in_row_q <= 1'b0;
        bank_q   <= !bank_q;
      end
      for (int unsigned b = 0; b < 2; b++) begin
        if (done && bank_q == 1'(b)) full_q[b] <= 1'b1;
        else if (free_i[b]) full_q[b] <= 1'b0;
      end
    end
  end
  // Twice, since a unit has many registers.
  always_comb begin
    turn_d = turn;
    if (beat_valid_i && couplings) turn_d = (turn << 1) | (turn >> (Units - 1));
    if (!in_row_q) turn_d = Units'(1);
  end
  cm_relay #(
    .Width(Units)
  ) u_turn (
    .clk_i,
    .data_i(turn_d),
    .data_o(turn)
  );
  cm_relay #(
    .Width(Units)
  ) u_turn_again (
    .clk_i,
    .data_i(turn_d),
    .data_o(turn_again)
  );
  always_ff @(posedge clk_i) begin
    if (beat_valid_i && head_q) begin
      for (int unsigned b = 0; b < 2; b++) begin
        if (bank_q == 1'(b)) begin
          h_q[b*FieldBits+:FieldBits]   <= beat_i[FieldBits-1:0];
          flags_q[b*HeadBits+:HeadBits] <= {beat_i[99:96], beat_i[35:32]};
        end
      end
    end
  end

  // ---- what lies between head and couplings ---------------------------------------------------------
  if (MoreBeats == 0) begin : gen_no_more
    assign more      = 1'b0;
    assign last_more = 1'b0;
    assign more_o    = '0;
  end else begin : gen_more
    localparam int unsigned LeftBits = $clog2(MoreBeats + 1);
    logic [LeftBits-1:0]   left_q;
    logic [2*MoreBits-1:0] more_q;
    assign more      = in_row_q && left_q != '0;
    assign last_more = in_row_q && left_q == LeftBits'(1);
    always_ff @(posedge clk_i) begin
      if (beat_valid_i && head_q) left_q <= LeftBits'(MoreBeats);
      else if (beat_valid_i && more) left_q <= left_q - 1'b1;
      for (int unsigned b = 0; b < 2; b++) begin
        for (int unsigned m = 0; m < MoreBeats; m++) begin
          if (beat_valid_i && more && bank_q == 1'(b) && left_q == LeftBits'(MoreBeats - m))
            more_q[256*(b*MoreBeats+m)+:256] <= beat_i;
        end
      end
    end
    assign more_o = more_q;
  end
  assign full_o  = full_q;
  assign h_o     = h_q;
  assign flags_o = flags_q;

  for (genvar u = 0; u < Units; u++) begin : gen_unit
    logic                busy_q, write_q, load, load_sums;
    logic [4:0]          count_q;    // 0..3: the first sum; 4 + k: entry k in Gray order
    logic [BeatBits-1:0] index_q, write_index_q;
    logic [3:0]          gray, write_gray_q;
    logic [1:0]          turned_d, turned_q;  // the coupling that comes next
    logic                subtract_d, subtract_q, first_d, first_q;
    logic [SumBits-1:0]  sums_q, written_q;

    // What the next clock does, from this one's count c. Before the first sum all couplings are
    // subtracted. Then entry k = c - 3 becomes k + 1: what turns is the lowest one of k + 1 = c - 2,
    // and it turns down where the bit above it is set; c[0] is c - 2's, its next is !c[1], ...
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
      if (load) begin
        first_d    = 1'b1;
        turned_d   = 2'd0;
        subtract_d = 1'b1;
      end
    end
    assign unit_quiet[u] = !busy_q && !write_q;
    assign load          = beat_valid_i && wanting_q && turn[u] && ready_q[u];
    assign load_sums     = beat_valid_i && wanting_q && turn_again[u] && ready_q[u];

    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) begin
        busy_q     <= 1'b0;
        write_q    <= 1'b0;
        ready_q[u] <= 1'b1;
      end else begin
        if (load) busy_q <= 1'b1;
        else if (count_q == 5'd19) busy_q <= 1'b0;
        write_q    <= busy_q && !first_q;
        ready_q[u] <= !load && (!busy_q || count_q[4:1] == 4'd9);  // not busy, or in its last clock
      end
    end
    always_ff @(posedge clk_i) begin
      count_q    <= load_sums ? '0 : count_q + 5'(busy_q);
      first_q    <= first_d;
      turned_q   <= turned_d;
      subtract_q <= subtract_d;
      if (load) index_q <= BeatBits'(taken_q);
      write_index_q <= index_q;
      write_gray_q  <= gray;
      written_q     <= sums_q;
    end

    for (genvar g = 0; g < 6; g++) begin : gen_group
      logic [31:0]          coupling_q;  // the four that turn
      logic [7:0]           step;
      logic [EntryBits-1:0] sum, operand;
      logic [EntryBits:0]   next;  // and a bit below that takes the carry
      assign sum     = sums_q[g*EntryBits+:EntryBits];
      assign step    = coupling_q[8*turned_q+:8];
      assign operand = first_q ? EntryBits'($signed(step)) : EntryBits'($signed({step, 1'b0}));
      // As in cm_add_subtract; here, so that the operand is chosen in the same LUT.
      assign next    = {sum, 1'b0} - ~{operand ^ {EntryBits{subtract_q}}, subtract_q};
      always_ff @(posedge clk_i) begin
        if (load) coupling_q <= beat_i[40*g+:32];
        if (load_sums) sums_q[g*EntryBits+:EntryBits] <= EntryBits'($signed(beat_i[40*g+32+:8]));
        else sums_q[g*EntryBits+:EntryBits] <= next[EntryBits:1];
      end
      logic unused_carry;
      assign unused_carry = next[0];
    end

    assign write_o[u]                            = write_q;
    assign write_beat_o[u*BeatBits+:BeatBits]    = write_index_q;
    assign write_address_o[5*u+:5]               = {bank_q, write_gray_q};
    assign write_sums_o[u*SumBits+:SumBits]      = written_q;
  end

  logic unused_bits;
  assign unused_bits = ^beat_i;

`ifdef FORMAL
  `include "cm_row_builder_proof.svh"
`endif
endmodule
`default_nettype wire
