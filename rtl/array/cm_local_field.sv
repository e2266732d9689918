// The local field of one p-bit by distributed arithmetic: the spins of AddressBits neighbours
// address a table of their signed sums in LUTRAM, an adder tree sums the tables. Two and a half
// times smaller than one weight register and one adder per coupling.
//
// Tables of neighbours in earlier colours come first: their sum alone is what the energy needs.
// There is no register between a table and the first adder: a LUTRAM read and one carry chain fit
// a clock, and a register there would be a fifth of all flip-flops of the kernel.
`default_nettype none
module cm_local_field #(
  parameter int unsigned TableBits   = 14,
  parameter int unsigned AddressBits = 5,
  parameter int unsigned Tables      = 7,
  parameter int unsigned EarlyTables = 7,
  parameter int unsigned FieldBits   = 17,
  parameter int unsigned Levels      = 3   // latency in clocks
) (
  input  wire logic                          clk_i,
  // Load: writes go to the tables whose bit is set, in every clock it is set.
  input  wire logic [Tables-1:0]             write_i,
  input  wire logic [AddressBits-1:0]        write_address_i,
  input  wire logic [TableBits-1:0]          write_data_i,

  input  wire logic [Tables*AddressBits-1:0] neighbours_i,
  output logic      [FieldBits-1:0]          field_o,  // all tables
  output logic      [FieldBits-1:0]          early_o   // the early ones; 0 if there are none
);
  localparam int unsigned LateTables = Tables - EarlyTables;

  logic [Tables*TableBits-1:0] sums;
  for (genvar t = 0; t < Tables; t++) begin : gen_table
    logic [TableBits-1:0] table_q [1 << AddressBits];
    always_ff @(posedge clk_i) begin
      if (write_i[t]) table_q[write_address_i] <= write_data_i;
    end
    assign sums[t*TableBits+:TableBits] = table_q[neighbours_i[t*AddressBits+:AddressBits]];
  end

  if (EarlyTables == 0 || LateTables == 0) begin : gen_one_side
    cm_adder_tree #(
      .Inputs  (Tables),
      .Width   (TableBits),
      .OutWidth(FieldBits),
      .Levels  (Levels)
    ) u_tree (
      .clk_i,
      .values_i(sums),
      .sum_o   (field_o)
    );
    if (EarlyTables == 0) begin : gen_late
      assign early_o = '0;
    end else begin : gen_early
      assign early_o = field_o;
    end
  end else begin : gen_two_sides
    logic [FieldBits-1:0] early, late, field_q, early_q;
    cm_adder_tree #(
      .Inputs  (EarlyTables),
      .Width   (TableBits),
      .OutWidth(FieldBits),
      .Levels  (Levels - 1)
    ) u_early_tree (
      .clk_i,
      .values_i(sums[EarlyTables*TableBits-1:0]),
      .sum_o   (early)
    );
    cm_adder_tree #(
      .Inputs  (LateTables),
      .Width   (TableBits),
      .OutWidth(FieldBits),
      .Levels  (Levels - 1)
    ) u_late_tree (
      .clk_i,
      .values_i(sums[Tables*TableBits-1:EarlyTables*TableBits]),
      .sum_o   (late)
    );
    always_ff @(posedge clk_i) begin
      field_q <= early + late;
      early_q <= early;
    end
    assign field_o = field_q;
    assign early_o = early_q;
  end
endmodule
`default_nettype wire
