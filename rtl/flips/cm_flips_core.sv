// The flip kernel between loads and stores (docs/flips.md): one replica per clock. A pass applies
// the pending flip to all of the replica's cells and draws a chunk; the first row that flips is
// then pending.
//
//   clock 0   the queue's head: replica, sweeps left, place in the sweep, pending turn
//      1, 2   token; relays for each 64 cells
//      3, 4   J's row and the cells
//         5   the new sums; a best state is caught
//      6, 7   the chunk's sums in two steps; its spins, base, beta
//   8, 9, 10  F, beta F, which lanes turn
//    11, 12   the first of eight, of all; the next token
//        13   back in the queue: it may pass again; f at 14, whether it is the best at 15
//
// With constraints clocks from 9 on come one later, with forms or groups those from 6 on another one,
// and a token waits for two clocks until residuals are written. What follows is named by the clocks
// above.
//
// A best state is caught on its replica's next pass, so every replica ends with a pass that draws
// nothing. If the cells do not hold the spins yet, a burst begins with a load: a sweep that starts
// from all spins down and flips those that are up.
`default_nettype none
module cm_flips_core #(
  parameter bit WideAdd = 1'b1,
  // Derived, named for the ports.
  localparam int unsigned MaxReplicas = topology_pkg::MaxReplicas,
  localparam int unsigned SlotBits    = topology_pkg::SlotBits,
  localparam int unsigned CountBits   = $clog2(MaxReplicas + 1),
  localparam int unsigned WordBits    = (topology_pkg::StateWords > 1) ? $clog2(topology_pkg::StateWords) : 1,
  localparam int unsigned EnergyBits  = topology_pkg::EnergyBits,
  localparam int unsigned GBits       = topology_pkg::ViolationBits
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,
  input  wire logic [SlotBits-1:0]   first_i,
  input  wire logic [CountBits-1:0]  replicas_i,
  input  wire logic [31:0]           sweeps_i,
  input  wire logic                  tables_start_i,
  input  wire logic                  table_valid_i,
  output logic                       bad_image_o,
  input  wire logic                  parameters_start_i,
  input  wire logic                  state_load_i,
  input  wire logic                  parameter_load_i,
  input  wire logic [SlotBits-1:0]   load_replica_i,
  input  wire logic [WordBits-1:0]   load_index_i,
  input  wire logic [63:0]           load_word_i,
  input  wire logic                  seed_start_i,
  input  wire logic [63:0]           seed_i,
  output logic                       seed_busy_o,
  input  wire logic                  burst_start_i,
  output logic                       burst_busy_o,
  input  wire logic                  reading_i,
  input  wire logic [SlotBits-1:0]   row_i,
  input  wire logic [WordBits-1:0]   index_i,
  output logic      [EnergyBits-1:0] energy_o,
  output logic      [GBits-1:0]      violations_o,
  output logic                       found_o,
  output logic      [EnergyBits-1:0] best_o,
  output logic      [63:0]           state_word_o,
  output logic      [63:0]           best_word_o
);
  localparam int unsigned Rows      = topology_pkg::Pbits;
  localparam int unsigned Lanes     = topology_pkg::Lanes;
  localparam int unsigned Chunks    = Rows / Lanes;
  localparam int unsigned RowBits   = topology_pkg::RowBits;
  localparam int unsigned ChunkBits = topology_pkg::ChunkBits;
  localparam int unsigned LaneBits  = topology_pkg::LaneBits;
  localparam int unsigned BetaBits  = topology_pkg::BetaBits;
  localparam int unsigned FieldBits = topology_pkg::FieldBits;
  localparam int unsigned SumBits   = FieldBits - 1;
  localparam int unsigned TokenBits = topology_pkg::TokenBits;
  localparam int unsigned Products  = topology_pkg::Products;
  localparam int unsigned PairBits  = (Products > 0) ? RowBits : 0;
  localparam int unsigned PullBits  = topology_pkg::PullBits;
  localparam int unsigned ValueBits = SumBits + PairBits;
  localparam int unsigned DataBits  = (Products > 0) ? 72 : 64;  // of eight couplings
  localparam int unsigned Forms     = topology_pkg::Forms;
  localparam int unsigned FormPorts = (Forms > 0) ? Forms : 1;
  localparam bit          Penalised = Products > 0 || Forms > 0;
  localparam int unsigned OneHots   = topology_pkg::OneHots;
  localparam int unsigned FormLate  = (Forms > 0 || OneHots > 0) ? 1 : 0;  // clocks
  localparam int unsigned Late      = FormLate + ((Penalised || OneHots > 0) ? 1 : 0);

  // ---- the image ----------------------------------------------------------------------------------------
  logic [ChunkBits-1:0]  last_chunk, base_chunk;
  logic [EnergyBits-1:0] all_down;
  logic [RowBits-1:0]    image_row;
  logic                  coupling_write;
  logic [RowBits-4:0]    octet;
  logic [DataBits-1:0]   couplings;
  logic [3:0]            shift;
  logic [Lanes-1:0]      base_write;
  logic [FieldBits+3:0]  base;
  logic [GBits-1:0]      broken;
  logic [FormPorts-1:0]  form_write;
  logic [63:0]           form;
  cm_flip_image #(
    .Rows      (Rows),
    .Lanes     (Lanes),
    .FieldBits (FieldBits),
    .EnergyBits(EnergyBits),
    .Mark      (topology_pkg::ImageMark),
    .Products  (Products > 0),
    .Forms     (Forms),
    .GBits     (GBits)
  ) u_image (
    .clk_i,
    .rst_ni,
    .start_i         (tables_start_i),
    .valid_i         (table_valid_i),
    .word_i          (load_word_i),
    .bad_o           (bad_image_o),
    .last_chunk_o    (last_chunk),
    .all_down_o      (all_down),
    .broken_o        (broken),
    .shift_o         (shift),
    .row_o           (image_row),
    .coupling_write_o(coupling_write),
    .octet_o         (octet),
    .couplings_o     (couplings),
    .base_write_o    (base_write),
    .base_chunk_o    (base_chunk),
    .base_o          (base),
    .form_write_o    (form_write),
    .form_o          (form)
  );

  // ---- of which replicas cells know the spins, and how many sweeps each runs ---------------------------
  logic                all_known;
  logic [SlotBits-1:0] begin_slot;
  logic [32:0]         begin_left;
  cm_flip_replicas #(
    .Replicas   (MaxReplicas),
    .LeftOutBit (topology_pkg::LeftOutBit),
    .LeftOutBits(topology_pkg::LeftOutBits)
  ) u_replicas (
    .clk_i,
    .rst_ni,
    .image_load_i      (tables_start_i),
    .parameters_start_i,
    .state_load_i,
    .parameter_load_i,
    .load_replica_i,
    .load_word_i,
    .sweeps_i,
    .all_known_o       (all_known),
    .slot_i            (begin_slot),
    .left_o            (begin_left)
  );

  // ---- loads, then sweeps: who passes ----------------------------------------------------------------------
  typedef enum logic [1:0] {
    StIdle,
    StStart,  // of residuals
    StLoad,
    StSweep
  } phase_e;
  phase_e     phase_q;
  logic       go_q, valid0, opening, passing_q, starting, back12, back;
  logic [Lanes-1:0] spins8, spins8_late;
  logic [4:0] drain_q;  // clocks until the last pass has finished writing
  logic [15+Late:1] v;
  topology_pkg::flip_token_t t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14, t15, next;
  topology_pkg::flip_token_t t5_late, t8_late;
  logic [TokenBits-1:0] head, returning;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      phase_q   <= StIdle;
      go_q      <= 1'b0;
      drain_q   <= '0;
      passing_q <= 1'b0;
    end else begin
      go_q      <= 1'b0;
      drain_q   <= valid0 ? 5'(17 + Late) : (drain_q != '0) ? drain_q - 1'b1 : '0;
      passing_q <= go_q || valid0 || drain_q != '0;
      if (burst_start_i) begin
        phase_q <= all_known ? StSweep : (Forms > 0) ? StStart : StLoad;
        go_q    <= all_known || Forms == 0;
      end else if (phase_q == StStart) begin
        if (!starting) phase_q <= StLoad;
        go_q <= !starting;
      end else if (!go_q && !passing_q) begin
        phase_q <= (phase_q == StLoad) ? StSweep : StIdle;
        go_q    <= phase_q == StLoad;
      end
    end
  end
  assign burst_busy_o = phase_q != StIdle;
  cm_flip_queue #(
    .Replicas(MaxReplicas),
    .Width   (TokenBits)
  ) u_queue (
    .clk_i,
    .rst_ni,
    .start_i  (go_q),
    .first_i,
    .replicas_i,
    .opening_o(opening),
    .slot_o   (begin_slot),
    .valid_o  (valid0),
    .data_o   (head),
    .back_i   (back),
    .data_i   (returning)
  );
  always_comb begin
    t0 = head;
    if (opening) begin
      t0         = '0;
      t0.slot    = begin_slot;
      t0.loads   = phase_q == StLoad;
      t0.left    = (phase_q == StLoad) ? 32'd1 : begin_left[31:0];
      t0.draws   = phase_q == StLoad || begin_left[32];
      t0.opening = 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    v <= rst_ni ? {v[14+Late:1], valid0} : '0;
    {t15, t14, t13, t12, t11, t10, t9, t8, t7, t6, t5, t4, t3, t2, t1} <=
        {t14, t13, t12, t11, t10, t9, t8_late, t7, t6, t5_late, t4, t3, t2, t1, t0};
  end

  cm_delay_line #(
    .Width(TokenBits),
    .Depth(FormLate)
  ) u_form_late (
    .clk_i,
    .advance_i(1'b1),
    .data_i   (t5),
    .data_o   (t5_late)
  );
  cm_delay_line #(
    .Width(TokenBits + Lanes),
    .Depth(Late - FormLate)
  ) u_late (
    .clk_i,
    .advance_i(1'b1),
    .data_i   ({t8, spins8}),
    .data_o   ({t8_late, spins8_late})
  );

  if (FormLate > 0) begin : gen_wait
    logic [TokenBits-1:0] next13_q, next14_q;
    always_ff @(posedge clk_i) {next14_q, next13_q} <= {next13_q, next};
    assign returning = next14_q;
    assign back      = v[14+Late] && t14.draws;
    logic unused_back;
    assign unused_back = back12;
  end else begin : gen_no_wait
    assign returning = next;
    assign back      = back12;
  end

  // ---- cells -------------------------------------------------------------------------------------------------
  localparam int unsigned Cells  = (Rows < 64) ? Rows : 64;
  localparam int unsigned Groups = Rows / Cells;
  logic [Rows*ValueBits-1:0] value5;
  logic [Rows-1:0]         spin5;
  for (genvar g = 0; g < Groups; g++) begin : gen_group
    cm_flip_group #(
      .Number  (g),
      .Rows    (Rows),
      .Replicas(MaxReplicas),
      .SumBits (SumBits),
      .PairBits(PairBits)
    ) u_group (
      .clk_i,
      .write_i      (coupling_write),
      .write_row_i  (image_row),
      .write_octet_i(octet),
      .write_data_i (couplings),
      .valid1_i     (v[1]),
      .turned1_i    (t1.turned),
      .down1_i      (t1.down),
      .fresh1_i     (t1.loads && t1.opening),
      .slot1_i      (t1.slot),
      .row1_i       (t1.row),
      .value5_o     (value5[Cells*ValueBits*g+:Cells*ValueBits]),
      .spin5_o      (spin5[Cells*g+:Cells])
    );
  end

  // ---- best states: a replica that has no sweep to run takes what it has --------------------------------------
  (* ram_style = "distributed" *) logic better_mem [MaxReplicas];
  logic better15, catch5_q;
  always_ff @(posedge clk_i) begin
    if (v[15+Late]) better_mem[t15.slot] <= better15;
    catch5_q <= v[4] && !t4.loads && (t4.opening ? !t4.draws : better_mem[t4.slot]);
  end
  cm_best_states #(
    .Pbits(Rows),
    .Slots(MaxReplicas)
  ) u_best (
    .clk_i,
    .write_i        (catch5_q),
    .write_address_i(t5.slot),
    .state_i        (spin5),
    .read_address_i (row_i),
    .read_index_i   (index_i),
    .zero_i         (1'b0),
    .word_o         (best_word_o)
  );

  // ---- the chunk's spins, and which lanes may turn -------------------------------------------------------------
  logic [Lanes-1:0] spins9_q, spins10_q, spins11_q, spins12_q, spins13_q, keep8, kept8, behind8_q;
  logic             write13_q, hold8_q, plain8_q;
  logic [ChunkBits-1:0] chunk13_q, kept_chunk1;
  logic [RowBits-1:0]   row12;
  logic [Lanes-1:0] spins_read;
  logic [SlotBits-1:0]  read_slot;
  logic [ChunkBits-1:0] read_chunk;
  cm_flip_states #(
    .Rows    (Rows),
    .Lanes   (Lanes),
    .Replicas(MaxReplicas)
  ) u_states (
    .clk_i,
    .load_i       (state_load_i),
    .load_slot_i  (load_replica_i),
    .load_index_i,
    .load_word_i,
    .write_i      (write13_q),
    .write_slot_i (t13.slot),
    .write_chunk_i(chunk13_q),
    .write_spins_i(spins13_q),
    .reading_i,
    .row_i,
    .index_i,
    .word_o       (state_word_o),
    .slot_i       (read_slot),
    .chunk_i      (read_chunk),
    .spins_o      (spins_read)
  );
  // Forms are looked up by their rows' spins, early. A group's best member may be in another chunk.
  assign read_slot  = (FormLate > 0) ? t1.slot : t6.slot;
  assign read_chunk = (FormLate == 0) ? t6.chunk : t1.settles ? kept_chunk1 : t1.chunk;
  cm_delay_line #(
    .Width(Lanes),
    .Depth((FormLate > 0) ? 5 + FormLate : 0)
  ) u_spins8 (
    .clk_i,
    .advance_i(1'b1),
    .data_i   (spins_read),
    .data_o   (spins8)
  );
  always_ff @(posedge clk_i) begin
    {spins12_q, spins11_q, spins10_q, spins9_q} <= {spins11_q, spins10_q, spins9_q, spins8_late};
    for (int unsigned l = 0; l < Lanes; l++) behind8_q[l] <= LaneBits'(l) < t7.start;
    hold8_q  <= t7.loads || !t7.draws || t7.settles;
    plain8_q <= !t7.loads || !t7.draws;
  end
  // In a load nothing is drawn: a lane whose spin is up flips, as if it had been down.
  assign keep8 = behind8_q | {Lanes{hold8_q}};
  assign kept8 = spins8 & (behind8_q | {Lanes{plain8_q}});

  // ---- forms ---------------------------------------------------------------------------------------------------
  logic                      turns12, down12;
  logic [Lanes*PullBits-1:0] forms8;
  logic [Lanes-1:0]          negative8;
  if (Forms > 0) begin : gen_forms
    cm_flip_forms u_forms (
      .clk_i,
      .rst_ni,
      .item_write_i(form_write),
      .item_row_i  (image_row),
      .item_word_i (form),
      .start_i     (burst_start_i && !all_known),
      .first_i,
      .replicas_i,
      .starting_o  (starting),
      .chunk1_i    (t1.chunk),
      .slot1_i     (t1.slot),
      .up3_i       (spins_read & ~{Lanes{t3.loads}}),
      .changes8_o  (forms8),
      .negative8_o (negative8),
      .turns12_i   (v[12+Late] && turns12),
      .down12_i    (down12),
      .slot12_i    (t12.slot),
      .row12_i     (row12)
    );
  end else begin : gen_no_forms
    assign starting  = 1'b0;
    assign forms8    = '0;
    assign negative8 = '0;
    logic unused_forms;
    assign unused_forms = ^{form_write, form};
  end

  // ---- lanes, and the first that ends the pass ---------------------------------------------------------------------
  localparam int unsigned KeyBits = BetaBits + ((FieldBits > PullBits) ? FieldBits : PullBits) + 2;
  localparam int unsigned SumsBits = FieldBits + (Penalised ? PullBits : 0);  // D, F
  localparam int unsigned PlainBits = FieldBits + ((Penalised || OneHots > 0) ? PullBits : 0);
  localparam int unsigned OutBits = PlainBits + ((OneHots > 0) ? KeyBits + 3 : 0);
  logic                any12, spin12;
  logic [LaneBits-1:0] lane12;
  logic [OutBits-1:0]  data12;
  cm_flip_lanes #(
    .ValueBits(ValueBits),
    .KeyBits  (KeyBits),
    .OutBits  (OutBits),
    .StepLate (FormLate - OneHots),
    .WideAdd  (WideAdd)
  ) u_lanes (
    .clk_i,
    .rst_ni,
    .parameter_load_i,
    .load_replica_i,
    .load_word_i,
    .seed_start_i,
    .seed_i,
    .seed_busy_o,
    .base_write_i(base_write),
    .base_chunk_i(base_chunk),
    .base_i      (base),
    .shift_i     (shift),
    .chunk4_i    (t4.chunk),
    .value5_i    (value5),
    .draws5_i    (v[5] && t5.draws && !t5.loads && !t5.settles),
    .slot6_i     (t6.slot),
    .forms8_i    (forms8),
    .negative8_i (negative8),
    .keep8_i     (keep8),
    .kept8_i     (kept8),
    .spins8_i    (spins8),
    .any12_o     (any12),
    .lane12_o    (lane12),
    .data12_o    (data12),
    .spin12_o    (spin12)
  );

  // ---- groups ----------------------------------------------------------------------------------------------------
  logic                event12, member12, last_member12, stays12, between14;
  logic [LaneBits-1:0] place12;
  logic [SumsBits-1:0] sums12;
  if (OneHots > 0) begin : gen_groups
    logic [SumsBits-1:0]  kept12;
    logic [RowBits-1:0]   kept_row1, kept_row12;
    logic [2:0]           marks12;
    cm_flip_winner #(
      .Replicas(MaxReplicas),
      .RowBits (RowBits),
      .KeyBits (KeyBits),
      .Width   (SumsBits)
    ) u_winner (
      .clk_i,
      .slot1_i   (t1.slot),
      .row1_o    (kept_row1),
      .slot11_i  (t11.slot),
      .row12_o   (kept_row12),
      .data12_o  (kept12),
      .member12_i(v[12+Late] && member12),
      .begins12_i(marks12[1]),
      .key12_i   (data12[OutBits-1-:KeyBits]),
      .row12_i   (row12),
      .data12_i  (data12[SumsBits-1:0]),
      .slot14_i  (t14.slot)
    );
    assign marks12       = data12[PlainBits+:3];
    assign member12      = event12 && marks12[0] && !t12.loads && !t12.settles;
    assign last_member12 = marks12[2];
    assign row12         = t12.settles ? kept_row12 : RowBits'({t12.chunk, lane12});
    assign sums12        = t12.settles ? kept12 : data12[SumsBits-1:0];
    assign kept_chunk1   = ChunkBits'(kept_row1 >> LaneBits);
    logic between13_q, between14_q, unused_data;
    assign unused_data = ^data12;
    always_ff @(posedge clk_i) {between14_q, between13_q} <= {between13_q, member12};
    assign between14 = between14_q;
  end else begin : gen_no_groups
    assign {member12, last_member12, between14} = '0;
    assign kept_chunk1                          = '0;
    assign row12                                = RowBits'({t12.chunk, lane12});
    assign sums12                               = data12;
    logic unused_kept;
    assign unused_kept = ^kept_chunk1;
  end

  // ---- the next token --------------------------------------------------------------------------------------------
  logic        last12_q, one12_q, ends12;  // the last chunk; of the last sweep
  logic [31:0] less12_q;
  always_ff @(posedge clk_i) begin
    last12_q <= t11.chunk == (t11.loads ? ChunkBits'(Chunks - 1) : last_chunk);
    one12_q  <= t11.left == 32'd1;
    less12_q <= t11.left - 1'b1;
  end
  assign event12 = t12.settles || (any12 && t12.draws);
  assign turns12 = event12 && (!member12 || spin12);  // members are set down
  assign down12  = spin12 && !t12.loads && !t12.settles;
  assign stays12 = member12 && last_member12;
  assign place12 = t12.settles ? t12.start : lane12;
  assign ends12  = !stays12 && (!event12 || place12 == LaneBits'(Lanes - 1));
  assign back12  = v[12+Late] && t12.draws;
  always_comb begin
    next         = t12;
    next.opening = 1'b0;
    next.turned  = turns12;
    next.down    = down12;
    next.row     = row12;
    next.start   = ends12 ? '0 : stays12 ? place12 : place12 + 1'b1;
    next.settles = stays12;
    if (ends12) next.chunk = last12_q ? '0 : t12.chunk + 1'b1;
    if (ends12 && last12_q) next.left = less12_q;
    next.draws = !(ends12 && last12_q && one12_q);
  end
  always_ff @(posedge clk_i) begin
    write13_q <= v[12+Late] && turns12 && !t12.loads;
    chunk13_q <= ChunkBits'(row12 >> LaneBits);
    for (int unsigned l = 0; l < Lanes; l++) spins13_q[l] <= spins12_q[l] ^ (row12[LaneBits-1:0] == LaneBits'(l));
  end

  // ---- f and g, and whether they are the best ------------------------------------------------------------------------
  logic [EnergyBits-1:0] f14;
  logic [GBits-1:0]      g14;
  cm_flip_sums #(
    .Replicas  (MaxReplicas),
    .FieldBits (FieldBits),
    .PullBits  (Penalised ? PullBits : 0),
    .EnergyBits(EnergyBits),
    .GBits     (GBits)
  ) u_sums (
    .clk_i,
    .all_down_i(all_down),
    .broken_i  (broken),
    .fresh12_i (t12.loads && t12.opening),
    .slot12_i  (t12.slot),
    .turns12_i (turns12),
    .down12_i  (down12),
    .data12_i  (sums12),
    .write14_i (v[14+Late]),
    .slot14_i  (t14.slot),
    .f14_o     (f14),
    .g14_o     (g14)
  );
  logic [SlotBits-1:0] unused_replica;
  cm_best_capture #(
    .EnergyBits   (EnergyBits),
    .ViolationBits(GBits),
    .Replicas     (MaxReplicas),
    .Lead         (2)
  ) u_capture (
    .clk_i,
    .valid_i         (v[12+Late] && !t12.loads),
    .first_i         (t12.opening),
    .replica_i       (t12.slot),
    .energy_i        (f14),
    .violations_i    (g14 | GBits'(between14)),  // no state between members
    .better_o        (better15),
    .better_replica_o(unused_replica),
    .reading_i,
    .read_address_i  (row_i),
    .energy_o,
    .violations_o,
    .found_o,
    .best_o
  );

  logic unused_tokens;
  assign unused_tokens = ^{t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t13, t14, t15, load_word_i};
endmodule
`default_nettype wire
