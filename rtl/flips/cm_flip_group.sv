// Up to 64 cells, with relays for the broadcasts.
`default_nettype none
module cm_flip_group #(
  parameter int unsigned Number   = 0,
  parameter int unsigned Rows     = 256,
  parameter int unsigned Replicas = 32,
  parameter int unsigned SumBits  = 17,
  parameter int unsigned PairBits = 0,
  // Derived, named for the ports.
  localparam int unsigned Cells    = (Rows < 64) ? Rows : 64,
  localparam int unsigned RowBits  = $clog2(Rows),
  localparam int unsigned SlotBits = (Replicas > 1) ? $clog2(Replicas) : 1,
  localparam int unsigned ValueBits = SumBits + PairBits,
  localparam int unsigned DataBits  = (PairBits > 0) ? 72 : 64
) (
  input  wire logic                     clk_i,
  input  wire logic                     write_i,  // of J and K
  input  wire logic [RowBits-1:0]       write_row_i,
  input  wire logic [RowBits-4:0]       write_octet_i,
  input  wire logic [DataBits-1:0]      write_data_i,
  input  wire logic                     valid1_i,
  input  wire logic                     turned1_i,
  input  wire logic                     down1_i,
  input  wire logic                     fresh1_i,
  input  wire logic [SlotBits-1:0]      slot1_i,
  input  wire logic [RowBits-1:0]       row1_i,
  output logic      [Cells*ValueBits-1:0] value5_o,
  output logic      [Cells-1:0]         spin5_o
);
  // verilator no_inline_module
  localparam int unsigned Octets = Cells / 8;
  localparam int unsigned CellBits = $clog2(Cells);
  localparam int unsigned OctetBits = (Octets > 1) ? $clog2(Octets) : 1;
  logic ours1, write_ours;
  if (Rows > 64) begin : gen_one_of_many
    assign ours1      = row1_i[RowBits-1:6] == (RowBits - 6)'(Number);
    assign write_ours = write_octet_i[RowBits-4:3] == (RowBits - 6)'(Number);
  end else begin : gen_only_one
    assign ours1      = 1'b1;
    assign write_ours = 1'b1;
  end

  logic                 valid2, turned2, down2, fresh2, ours2, write;
  logic [SlotBits-1:0]  slot2;
  logic [RowBits-1:0]   row2, write_row;
  logic [OctetBits-1:0] write_octet;
  logic [DataBits-1:0]  write_data;
  cm_relay #(
    .Width(5 + SlotBits + RowBits)
  ) u_told (
    .clk_i,
    .data_i({valid1_i, turned1_i, down1_i, fresh1_i, turned1_i && ours1, slot1_i, row1_i}),
    .data_o({valid2, turned2, down2, fresh2, ours2, slot2, row2})
  );
  cm_relay #(
    .Width(1 + DataBits + RowBits + OctetBits)
  ) u_write (
    .clk_i,
    .data_i({write_i && write_ours, write_row_i, OctetBits'(write_octet_i), write_data_i}),
    .data_o({write, write_row, write_octet, write_data})
  );

  logic                valid3_q, valid4_q, down3_q;
  logic [SlotBits-1:0] slot3_q, slot4_q;
  logic [Cells-1:0]    hit3_q, hit4_q;
  always_ff @(posedge clk_i) begin
    {valid3_q, down3_q, slot3_q} <= {valid2, down2, slot2};
    {valid4_q, slot4_q}          <= {valid3_q, slot3_q};
    for (int unsigned k = 0; k < Cells; k++) hit3_q[k] <= ours2 && row2[CellBits-1:0] == CellBits'(k);
    hit4_q <= hit3_q;
  end
  for (genvar o = 0; o < Octets; o++) begin : gen_octet
    cm_flip_octet #(
      .Rows    (Rows),
      .Replicas(Replicas),
      .SumBits (SumBits),
      .PairBits(PairBits)
    ) u_octet (
      .clk_i,
      .write_i     (write && write_octet == OctetBits'(o)),
      .write_row_i (write_row),
      .write_data_i(write_data),
      .row2_i      (row2),
      .turned2_i   (turned2),
      .slot2_i     (slot2),
      .fresh2_i    (fresh2),
      .down3_i     (down3_q),
      .hit4_i      (hit4_q[8*o+:8]),
      .write4_i    (valid4_q),
      .slot4_i     (slot4_q),
      .value5_o    (value5_o[8*ValueBits*o+:8*ValueBits]),
      .spin5_o     (spin5_o[8*o+:8])
    );
  end
endmodule
`default_nettype wire
