// One-hot groups of one lane: of the members that have passed, each replica keeps the one with the
// largest key, and everything needed to set it when the group is settled. Three memories, since the
// parts are needed at different clocks; all are written together, a clock after the keys are
// compared. The largest part passes a register before it is used.
`default_nettype none
module cm_row_group #(
  parameter int unsigned Slots     = 64,
  parameter int unsigned KeyBits   = 44,
  parameter int unsigned FieldBits = 18,
  parameter int unsigned PullBits  = 18,
  parameter int unsigned RowBits   = 9,
  parameter int unsigned EntryBits = 80,  // of all forms
  localparam int unsigned SlotBits = (Slots > 1) ? $clog2(Slots) : 1
) (
  input  wire logic                 clk_i,
  // The kept member: row and entries a clock after their address, the rest two clocks after slot_i.
  input  wire logic [SlotBits-1:0]  row_slot_i,
  output logic      [RowBits-1:0]   row_o,
  input  wire logic [SlotBits-1:0]  entry_slot_i,
  output logic      [EntryBits-1:0] entries_o,
  input  wire logic [SlotBits-1:0]  slot_i,      // also the width of the comparison
  output logic      [FieldBits-1:0] field_o,
  output logic      [PullBits-1:0]  change_o,
  output logic                      negative_o,

  // Two clocks after slot_i: a member passes.
  input  wire logic                 member_i,
  input  wire logic                 begin_i,     // the group's first
  input  wire logic [KeyBits-1:0]   key_i,
  input  wire logic [FieldBits-1:0] field_i,
  input  wire logic [PullBits-1:0]  change_i,
  input  wire logic                 negative_i,
  // A clock later:
  input  wire logic [SlotBits-1:0]  write_slot_i,
  input  wire logic [RowBits-1:0]   row_i,
  input  wire logic [EntryBits-1:0] entries_i
);
  localparam int unsigned Width = KeyBits + FieldBits + PullBits + 1;
  logic               wins_q;
  logic [Width-1:0]   kept, kept_q, passing_q;
  logic [KeyBits-1:0] key;
  assign {key, field_o, change_o, negative_o} = kept_q;
  always_ff @(posedge clk_i) begin
    kept_q    <= kept;
    wins_q    <= member_i && (begin_i || $signed(key_i) > $signed(key));
    passing_q <= {key_i, field_i, change_i, negative_i};
  end
  cm_ram_1r1w #(
    .Width(Width),
    .Depth(Slots)
  ) u_kept (
    .clk_i,
    .write_i        (wins_q),
    .write_address_i(write_slot_i),
    .write_data_i   (passing_q),
    .read_address_i (slot_i),
    .read_data_o    (kept)
  );
  cm_ram_1r1w #(
    .Width(RowBits),
    .Depth(Slots)
  ) u_rows (
    .clk_i,
    .write_i        (wins_q),
    .write_address_i(write_slot_i),
    .write_data_i   (row_i),
    .read_address_i (row_slot_i),
    .read_data_o    (row_o)
  );
  cm_ram_1r1w #(
    .Width(EntryBits),
    .Depth(Slots)
  ) u_entries (
    .clk_i,
    .write_i        (wins_q),
    .write_address_i(write_slot_i),
    .write_data_i   (entries_i),
    .read_address_i (entry_slot_i),
    .read_data_o    (entries_o)
  );
endmodule
`default_nettype wire
