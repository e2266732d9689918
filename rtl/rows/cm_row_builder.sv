// Turns rows into tables. A record is a head, what the row says of constraints (a beat of forms, beats
// of partners) and beats of six groups of five couplings; a unit takes
// a beat and writes, in Gray order, the 16 sums of each of its groups in which the last spin is up:
// the other 16 are their negatives. Two banks: one is built while the other is in use.
//
// A unit needs 4 clocks to the first sum and 16 for all, and every unit has at most two beats of a
// row, so that a row is built in Units + 43 clocks.
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
  localparam int unsigned UnitBits  = (Units > 1) ? $clog2(Units) : 1;

  logic                   bank_q, in_row_q, all_taken;
  logic [1:0]             full_q;
  logic [CountBits-1:0]   taken_q;   // beats of couplings
  logic [UnitBits-1:0]    next_q;    // the unit whose turn it is
  logic [2*FieldBits-1:0] h_q;
  logic [2*HeadBits-1:0]  flags_q;
  logic [Units-1:0]       unit_ready, unit_quiet;
  logic                   head, more, couplings, done;

  assign all_taken    = taken_q == CountBits'(RowBeats);
  assign head         = !in_row_q && !full_q[bank_q];
  assign couplings    = in_row_q && !more && !all_taken && unit_ready[next_q];
  assign beat_ready_o = head || more || couplings;
  assign done         = in_row_q && all_taken && (&unit_quiet);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      bank_q   <= 1'b0;
      in_row_q <= 1'b0;
      full_q   <= 2'b00;
      taken_q  <= '0;
      next_q   <= '0;
    end else begin
      if (beat_valid_i && head) begin
        in_row_q <= 1'b1;
        taken_q  <= '0;
        next_q   <= '0;
      end
      if (beat_valid_i && couplings) begin
        taken_q <= taken_q + 1'b1;
        next_q  <= (next_q == UnitBits'(Units - 1)) ? '0 : next_q + 1'b1;
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
  always_ff @(posedge clk_i) begin
    if (beat_valid_i && head) begin
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
    assign more   = 1'b0;
    assign more_o = '0;
  end else begin : gen_more
    localparam int unsigned LeftBits = $clog2(MoreBeats + 1);
    logic [LeftBits-1:0]   left_q;
    logic [2*MoreBits-1:0] more_q;
    assign more = in_row_q && left_q != '0;
    always_ff @(posedge clk_i) begin
      if (beat_valid_i && head) left_q <= LeftBits'(MoreBeats);
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
    logic                busy_q, write_q, load;
    logic [4:0]          count_q;    // 0..3: the first sum; 4 + k: entry k in Gray order
    logic [BeatBits-1:0] index_q, write_index_q;
    logic [3:0]          gray, gray_next, write_gray_q;
    logic [1:0]          turned;     // the coupling that comes next
    logic                subtract, first;
    logic [SumBits-1:0]  sums_q, written_q;

    assign first     = !count_q[4] && count_q[3:2] == 2'b00;  // below 4
    assign gray      = 4'(count_q - 5'd4) ^ (4'(count_q - 5'd4) >> 1);
    assign gray_next = 4'(count_q - 5'd3) ^ (4'(count_q - 5'd3) >> 1);
    always_comb begin
      turned = count_q[1:0];
      if (!first) begin
        turned = 2'd3;
        for (int b = 2; b >= 0; b--) if (gray[b] != gray_next[b]) turned = 2'(b);
      end
    end
    assign subtract      = first || !gray_next[turned];
    assign unit_ready[u] = !busy_q || count_q == 5'd19;
    assign unit_quiet[u] = !busy_q && !write_q;
    assign load          = beat_valid_i && couplings && next_q == UnitBits'(u);

    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) begin
        busy_q  <= 1'b0;
        write_q <= 1'b0;
      end else begin
        if (load) busy_q <= 1'b1;
        else if (count_q == 5'd19) busy_q <= 1'b0;
        write_q <= busy_q && !first;
      end
    end
    always_ff @(posedge clk_i) begin
      count_q <= load ? '0 : count_q + 5'(busy_q);
      if (load) index_q <= BeatBits'(taken_q);
      write_index_q <= index_q;
      write_gray_q  <= gray;
      written_q     <= sums_q;
    end

    for (genvar g = 0; g < 6; g++) begin : gen_group
      logic [31:0]          coupling_q;  // the four that turn
      logic [7:0]           step;
      logic [EntryBits-1:0] sum, operand, next;
      assign sum     = sums_q[g*EntryBits+:EntryBits];
      assign step    = coupling_q[8*turned+:8];
      assign operand = first ? EntryBits'($signed(step)) : EntryBits'($signed({step, 1'b0}));
      cm_add_subtract #(
        .Width(EntryBits)
      ) u_add (
        .a_i       (sum),
        .b_i       (operand),
        .subtract_i(subtract),
        .result_o  (next)
      );
      always_ff @(posedge clk_i) begin
        if (load) begin
          coupling_q                     <= beat_i[40*g+:32];
          sums_q[g*EntryBits+:EntryBits] <= EntryBits'($signed(beat_i[40*g+32+:8]));
        end else sums_q[g*EntryBits+:EntryBits] <= next;
      end
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
