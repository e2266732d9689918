// Linear forms of one lane: residuals of its replicas in banks, one for each form a row may have.
// The change of the violations if the row's spin flips is summed over the banks; when it flips, the
// new residuals are written.
//   phi(r) is max(0, r) for an inequality, |r| for an equation. With n the new and r the old residual:
//   same sign r - n (or its negative, or 0); n above, r below zero n + r (or n); else the negatives.
// So one adder gives the size of the difference, and the sign of r travels with it through the
// tree.
`default_nettype none
module cm_row_forms #(
  parameter int unsigned Forms      = 4,
  parameter int unsigned Slots      = 64,
  parameter int unsigned Residuals  = 16,  // of a bank and slot, a power of two
  parameter int unsigned Bits       = 24,
  parameter int unsigned WriteAt    = 8,   // clocks after the read
  localparam int unsigned SlotBits   = (Slots > 1) ? $clog2(Slots) : 1,
  localparam int unsigned NumberBits = (Residuals > 1) ? $clog2(Residuals) : 1,
  localparam int unsigned Levels     = (Forms > 2) ? 2 : 1,
  localparam int unsigned SumBits    = Bits + Levels
) (
  input  wire logic                        clk_i,
  // Clock 0: the read; the shared schedule delays the rest.
  input  wire logic [SlotBits-1:0]         slot_i,
  input  wire logic [Forms*NumberBits-1:0] number_i,
  input  wire logic [Forms-1:0]            first_i,     // reads as zero
  input  wire logic                        old_i,       // needed a clock later
  input  wire logic [Forms-1:0]            equality_i,  // and two
  // Clock 1:
  input  wire logic [Forms*Bits-1:0]       up_i,      // steps by the old spin
  input  wire logic [Forms*Bits-1:0]       down_i,
  // Clock 3 + Levels:
  output logic      [SumBits-1:0]          change_o,
  output logic                             negative_o,  // it counts negatively
  // Clock WriteAt:
  input  wire logic [Forms-1:0]            write_i,
  input  wire logic [SlotBits-1:0]         write_slot_i,
  input  wire logic [Forms*NumberBits-1:0] write_number_i
);
  localparam int unsigned Words = Residuals << SlotBits;

  // Signals with a large fan-out, in registers of their own.
  logic             old;
  logic [Forms-1:0] equality, equality2_q;
  cm_relay #(
    .Width(Forms + 1)
  ) u_relay (
    .clk_i,
    .data_i({old_i, equality_i}),
    .data_o({old, equality})
  );
  always_ff @(posedge clk_i) equality2_q <= equality;

  logic [Forms*Bits-1:0] size_q;
  logic [Forms-1:0]      negative_q;
  for (genvar k = 0; k < Forms; k++) begin : gen_bank
    (* ram_style = "block" *) logic [Bits-1:0] memory [Words];
    logic [SlotBits+NumberBits-1:0] read_address, write_address;
    logic [Bits-1:0] kept_q, step, next, next_q, kept2_q, written, size;
    logic [Bits:0]   total, sum;
    logic            below, below_before_q, alike, use_next, use_kept, subtract;
    assign read_address  = {slot_i, number_i[NumberBits*k+:NumberBits]};
    assign write_address = {write_slot_i, write_number_i[NumberBits*k+:NumberBits]};
    always_ff @(posedge clk_i) begin
      if (write_i[k]) memory[write_address[$clog2(Words)-1:0]] <= written;
      if (first_i[k]) kept_q <= '0;
      else kept_q <= memory[read_address[$clog2(Words)-1:0]];
    end

    assign step  = old ? up_i[Bits*k+:Bits] : down_i[Bits*k+:Bits];
    // Both sums are written as in cm_add_subtract; instances of it would keep the selection out of
    // the adders' LUTs.
    assign total = {kept_q, 1'b0} - ~{step, 1'b0};
    assign next  = total[Bits:1];
    cm_delay_line #(
      .Width(Bits),
      .Depth(WriteAt - 2)
    ) u_written (
      .clk_i,
      .advance_i(1'b1),
      .data_i   (next_q),
      .data_o   (written)
    );

    assign below    = next_q[Bits-1];
    assign alike    = below == below_before_q;
    assign subtract = alike;
    assign use_next = equality2_q[k] || !below;
    assign use_kept = equality[k] || !kept_q[Bits-1];
    assign sum      = {kept2_q, 1'b0} - ~{(next_q & {Bits{use_next}}) ^ {Bits{subtract}}, subtract};
    assign size     = sum[Bits:1];
    always_ff @(posedge clk_i) begin
      next_q               <= next;
      below_before_q       <= kept_q[Bits-1];
      if (!use_kept) kept2_q <= '0;
      else kept2_q <= kept_q;
      size_q[Bits*k+:Bits] <= size;
      negative_q[k]        <= !below_before_q;
    end
    logic unused_bits;
    assign unused_bits = ^{read_address, write_address, total[0], sum[0]};
  end

  cm_signed_tree #(
    .Inputs  (Forms),
    .Width   (Bits),
    .OutWidth(SumBits),
    .Levels  (Levels)
  ) u_tree (
    .clk_i,
    .values_i  (size_q),
    .negative_i(negative_q),
    .sum_o     (change_o),
    .negative_o(negative_o)
  );
endmodule
`default_nettype wire
