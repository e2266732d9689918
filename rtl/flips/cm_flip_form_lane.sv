// The forms of the rows that one lane draws: reads the residuals of a row's forms from the lane's own
// copy, and sums by how much its spin, up instead of down, violates them more. Clocks of a pass.
//   phi(r) is max(0, r) for an inequality, |r| for an equation. With n the residual if the spin flips
//   and r as it is: same sign r - n (or its negative, or 0); n above, r below zero n + r (or n); else
//   the negatives. So one adder gives the size of the difference, and its sign travels through the
//   tree. It is no larger than a coefficient, so its low bits suffice.
`default_nettype none
module cm_flip_form_lane #(
  parameter int unsigned Forms           = 4,
  parameter int unsigned Chunks          = 8,
  parameter int unsigned Replicas        = 32,
  parameter int unsigned NumberBits      = 4,   // of a residual in its bank
  parameter int unsigned CoefficientBits = 16,
  parameter int unsigned ResidualBits    = 24,
  parameter int unsigned PullBits        = 18,
  // Derived, named for the ports.
  localparam int unsigned ChunkBits = (Chunks > 1) ? $clog2(Chunks) : 1,
  localparam int unsigned SlotBits  = (Replicas > 1) ? $clog2(Replicas) : 1,
  localparam int unsigned ItemBits  = CoefficientBits + NumberBits + 1
) (
  input  wire logic                           clk_i,
  // Of the image, by bank: equality, number, coefficient.
  input  wire logic [Forms-1:0]               item_write_i,
  input  wire logic [ChunkBits-1:0]           item_chunk_i,
  input  wire logic [ItemBits-1:0]            item_i,
  input  wire logic [ChunkBits-1:0]           chunk1_i,
  input  wire logic [SlotBits-1:0]            slot1_i,
  input  wire logic                           up3_i,
  output logic      [PullBits-1:0]            change8_o,
  output logic                                negative8_o,  // it counts negatively
  // New residuals.
  input  wire logic [Forms-1:0]               write_i,
  input  wire logic [SlotBits-1:0]            write_slot_i,
  input  wire logic [Forms*NumberBits-1:0]    write_number_i,
  input  wire logic [Forms*ResidualBits-1:0]  write_data_i
);
  // verilator no_inline_module
  localparam int unsigned Depth       = 1 << (SlotBits + NumberBits);
  localparam int unsigned AddressBits = SlotBits + NumberBits;

  logic [ChunkBits-1:0]            chunk2, item_chunk;
  logic [SlotBits-1:0]             slot2, slot3_q, write_slot;
  logic [Forms-1:0]                write, item_write;
  logic [ItemBits-1:0]             item;
  logic [Forms*NumberBits-1:0]     write_number;
  logic [Forms*ResidualBits-1:0]   write_data;
  logic                            up4, up5_q;
  cm_relay #(
    .Width(ChunkBits + SlotBits + 1)
  ) u_told (
    .clk_i,
    .data_i({chunk1_i, slot1_i, up3_i}),
    .data_o({chunk2, slot2, up4})
  );
  cm_relay #(
    .Width(Forms + ChunkBits + ItemBits)
  ) u_item (
    .clk_i,
    .data_i({item_write_i, item_chunk_i, item_i}),
    .data_o({item_write, item_chunk, item})
  );
  cm_relay #(
    .Width(Forms + SlotBits + Forms * (NumberBits + ResidualBits))
  ) u_write (
    .clk_i,
    .data_i({write_i, write_slot_i, write_number_i, write_data_i}),
    .data_o({write, write_slot, write_number, write_data})
  );
  always_ff @(posedge clk_i) begin
    slot3_q <= slot2;
    up5_q   <= up4;
  end

  logic [Forms*PullBits-1:0] size6_q;
  logic [Forms-1:0]          negative6_q;
  for (genvar k = 0; k < Forms; k++) begin : gen_bank
    (* ram_style = "distributed" *) logic [ItemBits-1:0] items [Chunks];
    logic [ItemBits-1:0]        item3_q;
    logic [CoefficientBits-1:0] a4_q;
    logic [ResidualBits-1:0]    now4, next4, now5_q, next5_q;
    logic                       equality4_q, equality5_q, alike, use_next, use_now;
    logic [PullBits:0]          sum;
    always_ff @(posedge clk_i) begin
      if (item_write[k]) items[item_chunk] <= item;
      item3_q     <= items[chunk2];
      a4_q        <= item3_q[CoefficientBits-1:0];
      equality4_q <= item3_q[ItemBits-1];
      equality5_q <= equality4_q;
    end
    cm_ram_1r1w #(
      .Width(ResidualBits),
      .Depth(Depth)
    ) u_residuals (
      .clk_i,
      .write_i        (write[k]),
      .write_address_i(AddressBits'({write_slot, write_number[NumberBits*k+:NumberBits]})),
      .write_data_i   (write_data[ResidualBits*k+:ResidualBits]),
      .read_address_i (AddressBits'({slot3_q, item3_q[CoefficientBits+:NumberBits]})),
      .read_data_o    (now4)
    );
    cm_add_subtract #(
      .Width(ResidualBits)
    ) u_next (
      .a_i       (now4),
      .b_i       (ResidualBits'($signed(a4_q))),
      .subtract_i(up4),
      .result_o  (next4)
    );
    assign alike    = next5_q[ResidualBits-1] == now5_q[ResidualBits-1];
    assign use_next = equality5_q || !next5_q[ResidualBits-1];
    assign use_now  = equality5_q || !now5_q[ResidualBits-1];
    // As in cm_add_subtract; an instance of it would keep the selection out of the adder's LUTs.
    assign sum = {now5_q[PullBits-1:0] & {PullBits{use_now}}, 1'b0} -
                 ~{(next5_q[PullBits-1:0] & {PullBits{use_next}}) ^ {PullBits{alike}}, alike};
    always_ff @(posedge clk_i) begin
      now5_q                           <= now4;
      next5_q                          <= next4;
      size6_q[PullBits*k+:PullBits]    <= sum[PullBits:1];
      negative6_q[k]                   <= !now5_q[ResidualBits-1] ^ up5_q;
    end
    logic unused_bits;
    assign unused_bits = ^{now5_q, next5_q, sum[0]};
  end
  cm_signed_tree #(
    .Inputs  (Forms),
    .Width   (PullBits),
    .OutWidth(PullBits),
    .Levels  (2)
  ) u_tree (
    .clk_i,
    .values_i  (size6_q),
    .negative_i(negative6_q),
    .sum_o     (change8_o),
    .negative_o(negative8_o)
  );
endmodule
`default_nettype wire
