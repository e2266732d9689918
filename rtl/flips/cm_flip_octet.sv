// Eight cells: for every replica the sum of J over neighbours that are up (modulo 2^17), with
// products the number of partners that are up, and the spin of eight rows; and their eight bytes and
// bits of every row of J and K. Clocks of a pass as in
// cm_flips_core: 2 the group's broadcast, 3 J's row, 4 J and the sums in registers, 5 the new sums,
// which are written a clock later.
`default_nettype none
module cm_flip_octet #(
  parameter int unsigned Rows     = 256,
  parameter int unsigned Replicas = 32,
  parameter int unsigned SumBits  = 17,
  parameter int unsigned PairBits = 0,  // of a number of partners; 0: no products
  // Derived, named for the ports.
  localparam int unsigned RowBits  = $clog2(Rows),
  localparam int unsigned SlotBits = (Replicas > 1) ? $clog2(Replicas) : 1,
  localparam int unsigned ValueBits = SumBits + PairBits,
  localparam int unsigned DataBits  = (PairBits > 0) ? 72 : 64
) (
  input  wire logic                 clk_i,
  input  wire logic                 write_i,  // of J and K
  input  wire logic [RowBits-1:0]   write_row_i,
  input  wire logic [DataBits-1:0]  write_data_i,
  input  wire logic [RowBits-1:0]   row2_i,
  input  wire logic                 turned2_i,  // J counts
  input  wire logic [SlotBits-1:0]  slot2_i,
  input  wire logic                 fresh2_i,   // all spins are down
  input  wire logic                 down3_i,
  input  wire logic [7:0]           hit4_i,     // the row that flipped, if it is one of these
  input  wire logic                 write4_i,
  input  wire logic [SlotBits-1:0]  slot4_i,
  output logic      [8*ValueBits-1:0] value5_o,  // partners, sum
  output logic      [7:0]           spin5_o
);
  // verilator no_inline_module
  localparam int unsigned CellBits = ValueBits + 1;
  logic                turned3, fresh3, down4, write5;
  logic [SlotBits-1:0] slot3, slot5;
  cm_relay #(
    .Width(4 + 2 * SlotBits)
  ) u_told (
    .clk_i,
    .data_i({turned2_i, fresh2_i, down3_i, write4_i, slot2_i, slot4_i}),
    .data_o({turned3, fresh3, down4, write5, slot3, slot5})
  );

  // ---- J: large ones in UltraRAM, whose words are wide enough, too -----------------------------------
  logic [DataBits-1:0] row3_q, row4_q;
  if (Rows < 1024) begin : gen_block_ram
    (* ram_style = "block" *) logic [DataBits-1:0] memory [Rows];
    always_ff @(posedge clk_i) begin
      if (write_i) memory[write_row_i] <= write_data_i;
      row3_q <= memory[row2_i];
    end
  end else begin : gen_ultra_ram
    (* ram_style = "huge" *) logic [DataBits-1:0] memory [Rows];
    always_ff @(posedge clk_i) begin
      if (write_i) memory[write_row_i] <= write_data_i;
      row3_q <= memory[row2_i];
    end
  end
  always_ff @(posedge clk_i) begin
    if (!turned3) row4_q <= '0;  // the RAM's output register has this reset
    else row4_q <= row3_q;
  end

  // ---- cells: in LUTs, or where there are many replicas in block RAM, which is read a clock earlier --------
  logic [8*CellBits-1:0] cell4_q, cell5_d, cell5_q;
  if (Replicas <= 64) begin : gen_lut_ram
    (* ram_style = "distributed" *) logic [8*CellBits-1:0] memory [Replicas];
    always_ff @(posedge clk_i) begin
      if (write5) memory[slot5] <= cell5_q;
      if (fresh3) cell4_q <= '0;
      else cell4_q <= memory[slot3];
    end
  end else begin : gen_cell_block
    (* ram_style = "block" *) logic [8*CellBits-1:0] memory [Replicas];
    logic [8*CellBits-1:0] read_q;
    always_ff @(posedge clk_i) begin
      if (write5) memory[slot5] <= cell5_q;
      read_q <= memory[slot2_i];
      if (fresh3) cell4_q <= '0;
      else cell4_q <= read_q;
    end
    logic unused_slot;
    assign unused_slot = ^slot3;
  end
  for (genvar k = 0; k < 8; k++) begin : gen_cell
    logic [SumBits-1:0] sum;
    cm_add_subtract #(
      .Width(SumBits)
    ) u_add (
      .a_i       (cell4_q[CellBits*k+:SumBits]),
      .b_i       (SumBits'($signed(row4_q[8*k+:8]))),
      .subtract_i(down4),
      .result_o  (sum)
    );
    assign cell5_d[CellBits*k+:SumBits]      = sum;
    assign cell5_d[CellBits*k+ValueBits]     = cell4_q[CellBits*k+ValueBits] ^ hit4_i[k];
    assign value5_o[ValueBits*k+:ValueBits]  = cell5_q[CellBits*k+:ValueBits];
    assign spin5_o[k]                        = cell5_q[CellBits*k+ValueBits];
    if (PairBits > 0) begin : gen_partners
      cm_add_subtract #(
        .Width(PairBits)
      ) u_count (
        .a_i       (cell4_q[CellBits*k+SumBits+:PairBits]),
        .b_i       (PairBits'(row4_q[64+k])),
        .subtract_i(down4),
        .result_o  (cell5_d[CellBits*k+SumBits+:PairBits])
      );
    end
  end
  always_ff @(posedge clk_i) cell5_q <= cell5_d;
endmodule
`default_nettype wire
