// What is broadcast to all lanes about the row's constraints, each part at its clock: entries of forms
// (cm_form_schedule), partners of products and their shift. Clocks are the pass's.
`default_nettype none
module cm_row_broadcast #(
  localparam int unsigned Forms     = topology_pkg::Forms,
  localparam int unsigned MoreBeats = topology_pkg::HeadBeats - 1,
  localparam int unsigned MoreBits  = 256 * ((MoreBeats > 0) ? MoreBeats : 1)
) (
  input  wire logic                           clk_i,
  // Two clocks before the pass:
  input  wire logic                           bank_i,
  // A clock before it:
  input  wire logic [15:0]                    flags_i,  // cm_row_builder.sv, by bank
  input  wire logic [2*MoreBits-1:0]          more_i,
  // Clock 0, some of its fields:
  // verilator lint_off UNUSEDSIGNAL
  input  wire topology_pkg::row_pass_t        pass0_i,
  // verilator lint_on UNUSEDSIGNAL
  output topology_pkg::row_broadcast_t    broadcast_o
);
  localparam int unsigned FormPorts  = (Forms > 0) ? Forms : 1;
  localparam int unsigned NumberBits = topology_pkg::NumberBits;
  localparam int unsigned Bits       = topology_pkg::ResidualBits;
  localparam int unsigned SlotBits   = topology_pkg::SlotBits;
  localparam int unsigned FieldAt    = 3 + topology_pkg::TreeLevels;

  // The bank is a register for every 128 bits it chooses, the first also for the shift.
  localparam int unsigned Parts = MoreBits / 128;
  logic [MoreBits-1:0] more_q;  // at clock 0
  logic [Parts-1:0]    bank;    // a clock before
  for (genvar p = 0; p < Parts; p++) begin : gen_part
    cm_relay u_bank (
      .clk_i,
      .data_i(bank_i),
      .data_o(bank[p])
    );
    always_ff @(posedge clk_i) begin
      more_q[128*p+:128] <= bank[p] ? more_i[MoreBits+128*p+:128] : more_i[128*p+:128];
    end
  end

  logic [SlotBits-1:0]             read_slot, write_slot;
  logic [FormPorts*NumberBits-1:0] read_number, write_number;
  logic [FormPorts-1:0]            first, equality, used;
  logic [FormPorts*Bits-1:0]       step_up, step_down;
  if (Forms > 0) begin : gen_forms
    cm_form_schedule #(
      .Forms     (Forms),
      .NumberBits(NumberBits),
      .SlotBits  (SlotBits),
      .Bits      (Bits),
      .ReadAt    (topology_pkg::FormReadAt),
      .WriteAt   (FieldAt + 3)
    ) u_schedule (
      .clk_i,
      .slot_i        (pass0_i.slot),
      .measuring_i   (pass0_i.measuring),
      .entries_i     (more_q[64*Forms-1:0]),
      .read_slot_o   (read_slot),
      .read_number_o (read_number),
      .first_o       (first),
      .step_up_o     (step_up),
      .step_down_o   (step_down),
      .equality_o    (equality),
      .write_slot_o  (write_slot),
      .write_number_o(write_number),
      .used_o        (used)
    );
  end else begin : gen_no_forms
    assign {read_slot, write_slot, read_number, write_number} = '0;
    assign {first, equality, used, step_up, step_down}        = '0;
  end

  logic [topology_pkg::PairSpins-1:0] partners;
  logic [3:0]                         shift_q, shift;
  if (topology_pkg::Products > 0) begin : gen_products
    logic [topology_pkg::PairSpins-1:0] partners_q;  // at clock 1, as the state
    always_ff @(posedge clk_i) begin
      shift_q    <= bank[0] ? flags_i[12+:4] : flags_i[4+:4];
      partners_q <= more_q[256*((Forms > 0) ? 1 : 0)+:topology_pkg::PairSpins];
    end
    cm_delay_line #(
      .Width(4),
      .Depth(FieldAt - 3)
    ) u_shift (
      .clk_i,
      .advance_i(1'b1),
      .data_i   (shift_q),
      .data_o   (shift)
    );
    assign partners = partners_q;
  end else begin : gen_no_products
    assign partners = '0;
    assign shift_q  = '0;
    assign shift    = shift_q;
    logic unused_shifts;
    assign unused_shifts = ^{flags_i[15:12], flags_i[7:4]};
  end

  // What a group's member leaves for the row that settles it, at FieldAt + 3.
  localparam int unsigned FormBits = topology_pkg::FormBits;
  logic [FormPorts*FormBits-1:0] entries;
  if (Forms > 0 && topology_pkg::OneHots > 0) begin : gen_entries
    logic [FormPorts*FormBits-1:0] entries0;
    for (genvar k = 0; k < Forms; k++) begin : gen_entry
      assign entries0[FormBits*k+:FormBits] = more_q[64*k+:FormBits];
    end
    cm_delay_line #(
      .Width(FormPorts * FormBits),
      .Depth(FieldAt + 3)
    ) u_entries (
      .clk_i,
      .advance_i(1'b1),
      .data_i   (entries0),
      .data_o   (entries)
    );
  end else begin : gen_no_entries
    assign entries = '0;
  end

  // Yosys 0.23 knows no assignment by names: in the order of the struct.
  assign broadcast_o = {read_slot, read_number, first, step_up, step_down, equality, write_slot, write_number,
                         used, partners, shift, entries};
  logic unused_bits;
  assign unused_bits = ^{flags_i[11:8], flags_i[3:0]};  // of the row alone
  // Beats are whole, what they hold need not fill them.
  localparam int unsigned PairsEnd = 256 * ((Forms > 0) ? 1 : 0) + topology_pkg::PairSpins;
  if (Forms == 0 && topology_pkg::Products == 0) begin : gen_none
    logic unused_more;
    assign unused_more = ^more_q;
  end
  if (Forms > 0 && Forms < 4) begin : gen_few_forms
    logic unused_forms;
    assign unused_forms = ^more_q[255:64*Forms];
  end
  if (topology_pkg::Products > 0 && PairsEnd < MoreBits) begin : gen_few_pairs
    logic unused_pairs;
    assign unused_pairs = ^more_q[MoreBits-1:PairsEnd];
  end
endmodule
`default_nettype wire
