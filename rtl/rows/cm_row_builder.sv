// Turns rows into tables. A record is a head, the row's constraints (a beat of forms, beats of
// partners) and beats of six groups of five couplings; a unit takes a beat and writes, for each of
// its groups, the 16 sums with the last spin up: the other 16 are their negatives. Two banks: one
// is built while the other is in use. Every unit has at most two beats of a row, of 20 clocks each,
// so a row is built in Units + 44 clocks.
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
  input  wire logic                      clear_i,    // discards everything

  input  wire logic                      beat_valid_i,
  output logic                           beat_ready_o,
  input  wire logic [255:0]              beat_i,

  // Banks: a full one is used, and freed when the last replica has been dealt to it.
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
  logic [Units-1:0]       ready, quiet;
  logic                   more, last_more, couplings, done;

  assign couplings    = wanting_q && (turn & ready) != '0;
  assign beat_ready_o = head_q || more || couplings;
  assign done         = in_row_q && all_taken_q && (&quiet);

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
  // Duplicated, since a unit has many registers.
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

  logic [Units*5-1:0] unit_count;  // for the proof
  logic [Units-1:0]   unit_busy, unit_first;
  for (genvar u = 0; u < Units; u++) begin : gen_unit
    cm_row_unit #(
      .EntryBits(EntryBits),
      .BeatBits (BeatBits)
    ) u_unit (
      .clk_i,
      .rst_ni     (rst_ni && !clear_i),
      .load_i     (beat_valid_i && wanting_q && turn[u] && ready[u]),
      .load_sums_i(beat_valid_i && wanting_q && turn_again[u] && ready[u]),
      .beat_i,
      .index_i    (BeatBits'(taken_q)),
      .ready_o    (ready[u]),
      .quiet_o    (quiet[u]),
      .write_o    (write_o[u]),
      .index_o    (write_beat_o[u*BeatBits+:BeatBits]),
      .entry_o    (write_address_o[5*u+:4]),
      .sums_o     (write_sums_o[u*SumBits+:SumBits]),
      .busy_o     (unit_busy[u]),
      .count_o    (unit_count[5*u+:5]),
      .first_o    (unit_first[u])
    );
    assign write_address_o[5*u+4] = bank_q;
  end

  logic unused_bits;
  assign unused_bits = ^{unit_count, unit_busy, unit_first};

`ifdef CM_ASSERT
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!in_row_q || $onehot(turn)) else $error("a beat for two units, or none");
      assert ((free_i & ~full_q) == '0 || clear_i) else $error("a bank freed that is not full");
    end
  end
`endif
`ifdef FORMAL
  `include "cm_row_builder_proof.svh"
`endif
endmodule
`default_nettype wire
