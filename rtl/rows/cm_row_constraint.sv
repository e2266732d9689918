// What constraints add to a lane: the change of the violations g that a turn of the row's spin would
// make, the decision with its pull, and g itself. Clocks as in cm_row_lane.sv, F is at FieldAt:
//   FieldAt - 1 change   FieldAt field and pull   FieldAt + 1 drawn   FieldAt + 2 residuals written
//   FieldAt + 3 g
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
  localparam int unsigned SlotBits   = topology_pkg::SlotBits,
  localparam int unsigned PassBits   = topology_pkg::PassBits,
  localparam int unsigned PassClocks = topology_pkg::PassClocks
) (
  input  wire logic                           clk_i,
  input  wire logic [PassClocks*PassBits-1:0] passes_i,
  input  wire topology_pkg::row_told_t  told_i,
  input  wire logic [Pbits-1:0]               state1_i,      // at clock 1
  input  wire logic                           old3_i,        // at clock 3
  input  wire logic                           turned_i,      // at FieldAt + 2
  input  wire logic                           valid_spin_i,  // at FieldAt + 2

  input  wire logic                           parameter_load_i,
  input  wire logic [SlotBits-1:0]            load_slot_i,
  input  wire logic [63:0]                    load_word_i,

  input  wire logic [FieldBits-1:0]           field_i,       // all at FieldAt
  input  wire logic                           sign_i,
  input  wire logic [12:0]                    magnitude_i,
  output logic                                drawn_o,       // at FieldAt + 1
  output logic      [GBits-1:0]               violations_o   // at FieldAt + 3
);
  localparam int unsigned Levels     = topology_pkg::TreeLevels;
  localparam int unsigned FieldAt    = 3 + Levels;
  localparam int unsigned FormLevels = (Forms > 2) ? 2 : 1;
  localparam int unsigned FormSum    = topology_pkg::ResidualBits + FormLevels;
  localparam int unsigned ReadAt     = topology_pkg::FormReadAt;

  topology_pkg::row_pass_t pass_draw, pass_drawn, pass_spin, pass_f;
  assign pass_draw    = passes_i[(FieldAt-2)*PassBits+:PassBits];
  assign pass_drawn   = passes_i[(FieldAt+1)*PassBits+:PassBits];
  assign pass_spin    = passes_i[(FieldAt+2)*PassBits+:PassBits];
  assign pass_f       = passes_i[(FieldAt+3)*PassBits+:PassBits];

  logic [FieldAt-1:3] old;  // by clock
  logic [FieldAt-1:4] old_q;
  always_ff @(posedge clk_i) old_q <= old[FieldAt-2:3];
  assign old = {old_q, old3_i};

  // ---- forms ------------------------------------------------------------------------------------------
  logic [GBits-1:0] form_change;
  logic             form_negative;
  if (Forms > 0) begin : gen_forms
    logic [FormSum-1:0] change;
    cm_row_forms #(
      .Forms    (Forms),
      .Slots    (Slots),
      .Residuals(topology_pkg::FormResiduals),
      .Bits     (topology_pkg::ResidualBits),
      .WriteAt  (FieldAt + 2 - ReadAt)
    ) u_forms (
      .clk_i,
      .slot_i        (told_i.read_slot),
      .number_i      (told_i.read_number),
      .first_i       (told_i.first),
      .old_i         (old[ReadAt+1]),
      .up_i          (told_i.step_up),
      .down_i        (told_i.step_down),
      .equality_i    (told_i.equality),
      .change_o      (change),
      .negative_o    (form_negative),
      .write_i       (told_i.used &
                      {Forms{valid_spin_i && (pass_spin.measuring || (turned_i && !pass_spin.hold))}}),
      .write_slot_i  (told_i.write_slot),
      .write_number_i(told_i.write_number)
    );
    assign form_change = GBits'($signed(change));
  end else begin : gen_no_forms
    assign form_change   = '0;
    assign form_negative = 1'b0;
  end

  // ---- products -----------------------------------------------------------------------------------------
  // Measuring adds up 2g: forms are met once, pairs at both ends.
  logic [GBits-1:0] change;    // at FieldAt - 1
  logic             negative;
  if (Products > 0) begin : gen_products
    logic [GBits-1:0] pairs, forms, sum, change_q;
    logic             measuring, against, negative_q;
    cm_row_products #(
      .Pbits  (Pbits),
      .Levels (Levels - 2),
      .OutBits(GBits)
    ) u_products (
      .clk_i,
      .state_i   (state1_i),
      .partners_i(told_i.partners),
      .shift_i   (told_i.shift),
      .sum_o     (pairs)
    );
    assign measuring = pass_draw.measuring;
    assign forms     = measuring ? {form_change[GBits-2:0], 1'b0} : form_change;
    assign against   = !measuring && old[FieldAt-2];
    cm_add_subtract #(
      .Width(GBits)
    ) u_combine (
      .a_i       (forms),
      .b_i       (pairs & {GBits{!measuring || old[FieldAt-2]}}),
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
    assign unused_pairs = ^state1_i;
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
    .read_address_i (pass_draw.slot),
    .read_data_o    (parameters)
  );
  always_ff @(posedge clk_i) beta_q <= parameters[BetaBits-1:0];
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
    .sign_i,
    .magnitude_i,
    .drawn_o
  );

  // ---- g --------------------------------------------------------------------------------------------------
  logic [GBits-1:0] g_read, g_sum, g_q, spin_change;
  logic             spin_negative, valid_f_q;
  cm_delay_line #(
    .Width(GBits + 1),
    .Depth(3)
  ) u_change (
    .clk_i,
    .advance_i(1'b1),
    .data_i   ({change, negative}),
    .data_o   ({spin_change, spin_negative})
  );
  cm_add_subtract #(
    .Width(GBits)
  ) u_g (
    .a_i       (g_read & {GBits{!pass_spin.fresh}}),
    .b_i       (spin_change & {GBits{pass_spin.measuring || turned_i}}),
    .subtract_i(spin_negative),
    .result_o  (g_sum)
  );
  always_ff @(posedge clk_i) begin
    g_q       <= (Products > 0 && pass_spin.whole) ? g_sum >> 1 : g_sum;
    valid_f_q <= valid_spin_i;
  end
  cm_ram_1r1w #(
    .Width(GBits),
    .Depth(Slots)
  ) u_violations (
    .clk_i,
    .write_i        (valid_f_q && !pass_f.flush),
    .write_address_i(pass_f.slot),
    .write_data_i   (g_q),
    .read_address_i (pass_drawn.slot),
    .read_data_o    (g_read)
  );
  assign violations_o = g_q;

  logic unused_wires;
  assign unused_wires = ^{passes_i, load_word_i, told_i, old, pass_draw, pass_drawn, pass_spin, pass_f};
endmodule
`default_nettype wire
