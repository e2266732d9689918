// What constraints add to a lane: the change of the violations g if the row's spin flips, the
// decision that includes it, groups, and g itself. Clocks as in cm_row_lane.sv, F is at FieldAt:
//   FieldAt - 1 change   FieldAt field and pull   FieldAt + 2 drawn   FieldAt + 3 residuals written
//   FieldAt + 4 g
`default_nettype none
module cm_row_constraint #(
  localparam int unsigned Slots      = topology_pkg::LaneReplicas,
  localparam int unsigned Pbits      = topology_pkg::Pbits,
  localparam int unsigned Forms      = topology_pkg::Forms,
  localparam int unsigned Products   = topology_pkg::Products,
  localparam int unsigned FieldBits  = topology_pkg::FieldBits,
  localparam int unsigned BetaBits   = topology_pkg::BetaBits,
  localparam int unsigned PullBits   = topology_pkg::PullBits,
  localparam int unsigned GBits      = topology_pkg::ViolationBits,
  localparam int unsigned OneHots    = topology_pkg::OneHots,
  localparam int unsigned RowBits    = topology_pkg::SliceBits + 3,
  localparam int unsigned SlotBits   = topology_pkg::SlotBits,
  localparam int unsigned PassBits   = topology_pkg::PassBits,
  localparam int unsigned PassClocks = topology_pkg::PassClocks
) (
  input  wire logic                           clk_i,
  // The pass at every clock; each clock uses some of its fields.
  // verilator lint_off UNUSEDSIGNAL
  input  wire logic [PassClocks*PassBits-1:0] passes_i,
  // verilator lint_on UNUSEDSIGNAL
  input  wire topology_pkg::row_broadcast_t    broadcast_i,
  input  wire logic [Pbits-1:0]               state1_i,      // at clock 1
  input  wire logic                           old3_i,        // at clock 3
  // Of this lane only, at FieldAt + 2:
  // verilator lint_off UNUSEDSIGNAL
  input  wire topology_pkg::row_pass_t        pass_drawn_i,
  // verilator lint_on UNUSEDSIGNAL
  input  wire logic                           valid_drawn_i,
  input  wire logic                           adds_i,        // f, g and residuals change
  // At FieldAt + 3:
  // verilator lint_off UNUSEDSIGNAL
  input  wire topology_pkg::row_pass_t        pass_spin_i,
  // verilator lint_on UNUSEDSIGNAL
  input  wire logic                           valid_spin_i,

  input  wire logic                           parameter_load_i,
  input  wire logic [SlotBits-1:0]            load_slot_i,
  input  wire logic [63:0]                    load_word_i,

  input  wire logic [31:0]                    word_i,        // noise: at FieldAt - 3, with groups - 4
  input  wire logic [31:0]                    previous_i,    // a clock later
  input  wire logic                           sign_i,        // two clocks later
  input  wire logic [12:0]                    magnitude_i,
  input  wire logic [FieldBits-1:0]           field_i,       // at FieldAt
  input  wire logic [FieldBits:0]             doubled_i,     // 2F, at FieldAt + 2
  output logic      [RowBits-1:0]             kept_row1_o,   // of the group's member, at clock 1
  output logic      [FieldBits-1:0]           kept_field_o,  // at FieldAt + 2
  output logic                                drawn_o,       // at FieldAt + 2
  output logic      [GBits-1:0]               violations_o   // at FieldAt + 4
);
  localparam int unsigned Levels     = topology_pkg::TreeLevels;
  localparam int unsigned FieldAt    = 3 + Levels;
  localparam int unsigned FormLevels = (Forms > 2) ? 2 : 1;
  localparam int unsigned FormSum    = topology_pkg::ResidualBits + FormLevels;
  localparam int unsigned ReadAt     = topology_pkg::FormReadAt;

  localparam int unsigned Bits       = topology_pkg::ResidualBits;
  localparam int unsigned NumberBits = topology_pkg::NumberBits;
  localparam int unsigned FormPorts  = topology_pkg::FormPorts;
  localparam int unsigned FormBits   = topology_pkg::FormBits;
  localparam int unsigned SumBits    = 28;  // of violations

  // verilator lint_off UNUSEDSIGNAL
  topology_pkg::row_pass_t pass0, pass_pairs, pass_sum, pass_pull, pass_field, pass_after, pass_f;
  topology_pkg::row_pass_t pass_entry, pass_read;
  // verilator lint_on UNUSEDSIGNAL
  assign pass0      = passes_i[PassBits+:PassBits];
  assign pass_entry = passes_i[ReadAt*PassBits+:PassBits];  // at ReadAt - 1
  assign pass_read  = passes_i[(ReadAt+1)*PassBits+:PassBits];
  assign pass_pairs = passes_i[(FieldAt-2)*PassBits+:PassBits];  // at FieldAt - 3
  assign pass_sum   = passes_i[(FieldAt-1)*PassBits+:PassBits];  // at FieldAt - 2
  assign pass_pull  = passes_i[FieldAt*PassBits+:PassBits];      // at FieldAt - 1
  assign pass_field = passes_i[(FieldAt+1)*PassBits+:PassBits];
  assign pass_after = passes_i[(FieldAt+2)*PassBits+:PassBits];  // at FieldAt + 1
  assign pass_f     = passes_i[(FieldAt+5)*PassBits+:PassBits];  // at FieldAt + 4

  logic [FieldAt-1:3] old;  // by clock
  logic [FieldAt-1:4] old_q;
  always_ff @(posedge clk_i) old_q <= old[FieldAt-2:3];
  assign old = {old_q, old3_i};

  // ---- forms ------------------------------------------------------------------------------------------
  logic [FormPorts*FormBits-1:0] kept_entries;  // of a group's member, at ReadAt
  logic [SumBits-1:0]            form_change;
  logic                          form_negative;
  if (Forms > 0) begin : gen_forms
    logic [FormSum-1:0]          change;
    logic [Forms*NumberBits-1:0] number, write_number;
    logic [Forms*Bits-1:0]       step_down;
    logic [Forms-1:0]            used;
    logic                        writes_q;
    always_ff @(posedge clk_i) writes_q <= valid_drawn_i && adds_i;
    if (OneHots > 0) begin : gen_kept
      // A row that settles a group reads and writes the residuals of the chosen member.
      logic [Forms*NumberBits-1:0]      own_number, own_write_number;
      logic [Forms*topology_pkg::CoefficientBits-1:0] own_a_q;
      logic [Forms-1:0]                 own_used, own_write_used;
      logic                             settle_read, settle_step;
      cm_relay u_read (
        .clk_i,
        .data_i(pass_entry.settle),
        .data_o(settle_read)
      );
      cm_relay u_step (
        .clk_i,
        .data_i(pass_read.settle),
        .data_o(settle_step)
      );
      for (genvar k = 0; k < Forms; k++) begin : gen_form
        localparam int unsigned ABits = topology_pkg::CoefficientBits;
        assign own_number[NumberBits*k+:NumberBits] = kept_entries[FormBits*k+ABits+:NumberBits];
        assign own_used[k]                          = kept_entries[FormBits*k+:ABits] != '0;
        always_ff @(posedge clk_i) own_a_q[ABits*k+:ABits] <= kept_entries[FormBits*k+:ABits];
        assign step_down[Bits*k+:Bits] = settle_step ? Bits'($signed(own_a_q[ABits*k+:ABits]))
                                                     : broadcast_i.step_down[Bits*k+:Bits];
      end
      cm_delay_line #(
        .Width(Forms * (NumberBits + 1)),
        .Depth(FieldAt + 3 - ReadAt)
      ) u_own (
        .clk_i,
        .advance_i(1'b1),
        .data_i   ({own_number, own_used}),
        .data_o   ({own_write_number, own_write_used})
      );
      assign number       = settle_read ? own_number : broadcast_i.read_number;
      assign write_number = pass_spin_i.settle ? own_write_number : broadcast_i.write_number;
      assign used         = pass_spin_i.settle ? own_write_used : broadcast_i.used;
    end else begin : gen_broadcast
      assign number       = broadcast_i.read_number;
      assign step_down    = broadcast_i.step_down;
      assign write_number = broadcast_i.write_number;
      assign used         = broadcast_i.used;
      logic unused_kept;
      assign unused_kept = ^kept_entries;
    end
    cm_row_forms #(
      .Forms    (Forms),
      .Slots    (Slots),
      .Residuals(topology_pkg::FormResiduals),
      .Bits     (Bits),
      .WriteAt  (FieldAt + 3 - ReadAt)
    ) u_forms (
      .clk_i,
      .slot_i        (broadcast_i.read_slot),
      .number_i      (number),
      .first_i       (broadcast_i.first),
      .old_i         (old[ReadAt]),
      .up_i          (broadcast_i.step_up),
      .down_i        (step_down),
      .equality_i    (broadcast_i.equality),
      .change_o      (change),
      .negative_o    (form_negative),
      .write_i       (used & {Forms{writes_q}}),
      .write_slot_i  (broadcast_i.write_slot),
      .write_number_i(write_number)
    );
    assign form_change = SumBits'($signed(change));
  end else begin : gen_no_forms
    assign form_change   = '0;
    assign form_negative = 1'b0;
    logic unused_forms;
    assign unused_forms = ^{broadcast_i.read_slot, broadcast_i.read_number, broadcast_i.first, broadcast_i.step_up,
                            broadcast_i.step_down, broadcast_i.equality, broadcast_i.write_slot,
                            broadcast_i.write_number, broadcast_i.used, kept_entries};
    if (OneHots == 0) begin : gen_unused
      logic unused_valid;
      assign unused_valid = valid_drawn_i;
    end
  end

  // ---- products -----------------------------------------------------------------------------------------
  // Measuring adds up 2g: forms count once, pairs at both ends.
  logic [SumBits-1:0] change;    // at FieldAt - 1
  logic               negative;
  if (Products > 0) begin : gen_products
    logic [SumBits-1:0] pairs, forms, sum, change_q;
    logic               measuring, against, negative_q;
    cm_relay #(
      .Width(2)
    ) u_sum (
      .clk_i,
      .data_i({pass_pairs.measuring, !pass_pairs.measuring && old[FieldAt-3]}),
      .data_o({measuring, against})
    );
    cm_row_products #(
      .Pbits  (Pbits),
      .Levels (Levels - 2),
      .OutBits(SumBits)
    ) u_products (
      .clk_i,
      .state_i   (state1_i),
      .partners_i(broadcast_i.partners),
      .shift_i   (broadcast_i.shift),
      .counts_i  (!pass_pairs.measuring || old[FieldAt-3]),
      .sum_o     (pairs)
    );
    assign forms = measuring ? {form_change[SumBits-2:0], 1'b0} : form_change;
    cm_add_subtract #(
      .Width(SumBits)
    ) u_combine (
      .a_i       (forms),
      .b_i       (pairs),
      .subtract_i(form_negative ^ against),
      .result_o  (sum)
    );
    always_ff @(posedge clk_i) begin
      change_q   <= sum;
      negative_q <= form_negative;
    end
    assign change   = change_q;
    assign negative = negative_q;
  end else begin : gen_no_products
    logic unused_pairs;
    assign change       = form_change;
    assign negative     = form_negative;
    assign unused_pairs = ^{state1_i, broadcast_i.partners, broadcast_i.shift};
  end

  // ---- the decision ---------------------------------------------------------------------------------------
  logic [2*BetaBits-1:0] parameters;
  logic [BetaBits-1:0]   beta_q;
  cm_ram_1r1w #(
    .Width(2 * BetaBits),
    .Depth(Slots)
  ) u_parameters (
    .clk_i,
    .write_i        (parameter_load_i),
    .write_address_i(load_slot_i),
    .write_data_i   ({load_word_i[32+:BetaBits], load_word_i[BetaBits-1:0]}),
    .read_address_i (pass_sum.slot),
    .read_data_o    (parameters)
  );
  always_ff @(posedge clk_i) beta_q <= parameters[BetaBits-1:0];

  localparam int unsigned KeyBits = BetaBits + ((FieldBits > PullBits) ? FieldBits : PullBits) + 2;
  logic [15:0]        noise;
  logic               sign, unused_group;  // a clock before the noise
  logic [KeyBits-1:0] key;
  cm_row_decision #(
    .FieldBits  (FieldBits),
    .BetaBits   (BetaBits),
    .PenaltyBits(BetaBits),
    .PullBits   (PullBits)
  ) u_decision (
    .clk_i,
    .penalty_i  (parameters[BetaBits+:BetaBits]),
    .change_i   (change[PullBits-1:0]),
    .negative_i (negative ^ old[FieldAt-1]),
    .beta_i     (beta_q),
    .field_i,
    .sign_i     (sign),
    .noise_i    (noise),
    .drawn_o,
    .key_o      (key)
  );

  // ---- groups ---------------------------------------------------------------------------------------------
  logic [SumBits-1:0]  spin_change;  // the row's own, at FieldAt + 2
  logic                spin_negative, kept_negative;
  logic [PullBits-1:0] kept_change;
  if (OneHots > 0) begin : gen_groups
    logic [15:0] gumbel;
    logic [12:0] magnitude_q, magnitude2_q;
    logic        sign_q, old_up, member;
    cm_gumbel u_gumbel (
      .clk_i,
      .word_i,
      .previous_i,
      .noise_o(gumbel)
    );
    always_ff @(posedge clk_i) begin
      magnitude_q  <= magnitude_i;
      magnitude2_q <= magnitude_q;
      sign_q       <= sign_i;
    end
    cm_relay u_member (
      .clk_i,
      .data_i(pass_pull.member),
      .data_o(member)
    );
    assign noise = member ? gumbel : 16'(magnitude2_q);
    assign sign  = sign_q && !pass_pull.member;
    cm_delay_line #(
      .Width(1),
      .Depth(3)
    ) u_old (
      .clk_i,
      .advance_i(1'b1),
      .data_i   (old[FieldAt-1]),
      .data_o   (old_up)
    );
    cm_row_group #(
      .Slots    (Slots),
      .KeyBits  (KeyBits),
      .FieldBits(FieldBits),
      .PullBits (PullBits),
      .RowBits  (RowBits),
      .EntryBits(FormPorts * FormBits)
    ) u_group (
      .clk_i,
      .row_slot_i  (pass0.slot),
      .row_o       (kept_row1_o),
      .entry_slot_i(pass_entry.slot),
      .entries_o   (kept_entries),
      .slot_i      (pass_field.slot),
      .field_o     (kept_field_o),
      .change_o    (kept_change),
      .negative_o  (kept_negative),
      .member_i    (valid_drawn_i && pass_drawn_i.member),
      .begin_i     (pass_drawn_i.begins),
      .key_i       (key),
      .field_i     (doubled_i[FieldBits:1]),
      .change_i    (spin_change[PullBits-1:0]),
      .negative_i  (spin_negative ^ old_up),
      .write_slot_i(pass_spin_i.slot),
      .row_i       ({pass_spin_i.slice, pass_spin_i.place}),
      .entries_i   (broadcast_i.entries)
    );
    assign unused_group = doubled_i[0];
  end else begin : gen_no_groups
    logic [12:0] magnitude_q;
    always_ff @(posedge clk_i) magnitude_q <= magnitude_i;
    assign noise         = 16'(magnitude_q);
    assign sign          = sign_i;
    assign kept_row1_o   = '0;
    assign kept_entries  = '0;
    assign kept_field_o  = '0;
    assign kept_change   = '0;
    assign kept_negative = 1'b0;
    assign unused_group  = ^{key, doubled_i, word_i, previous_i, broadcast_i.entries};
  end

  // ---- g --------------------------------------------------------------------------------------------------
  logic [SumBits-1:0] g_read, g_before_q, g_sum, g_q, g_change_q;
  logic               g_negative_q, valid_f_q;
  cm_delay_line #(
    .Width(SumBits + 1),
    .Depth(3)
  ) u_change (
    .clk_i,
    .advance_i(1'b1),
    .data_i   ({change, negative}),
    .data_o   ({spin_change, spin_negative})
  );
  cm_add_subtract #(
    .Width(SumBits)
  ) u_g (
    .a_i       (g_before_q),
    .b_i       (g_change_q),
    .subtract_i(g_negative_q),
    .result_o  (g_sum)
  );
  always_ff @(posedge clk_i) begin
    g_before_q   <= g_read & {SumBits{!pass_drawn_i.fresh}};
    g_change_q   <= (pass_drawn_i.settle ? SumBits'($signed(kept_change)) : spin_change) & {SumBits{adds_i}};
    g_negative_q <= pass_drawn_i.settle ? kept_negative : spin_negative;
    g_q          <= (Products > 0 && pass_spin_i.whole) ? g_sum >> 1 : g_sum;
    valid_f_q    <= valid_spin_i;
  end
  cm_ram_1r1w #(
    .Width(SumBits),
    .Depth(Slots)
  ) u_violations (
    .clk_i,
    .write_i        (valid_f_q && !pass_f.flush),
    .write_address_i(pass_f.slot),
    .write_data_i   (g_q),
    .read_address_i (pass_after.slot),
    .read_data_o    (g_read)
  );
  assign violations_o = g_q[GBits-1:0];

  if (BetaBits < 32) begin : gen_short
    logic unused_word;
    assign unused_word = ^{load_word_i[63:32+BetaBits], load_word_i[31:BetaBits]};
  end
endmodule
`default_nettype wire
