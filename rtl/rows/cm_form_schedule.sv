// What is broadcast to the lanes' residual banks: the row's entries, each at the clock at which it
// is wanted. An entry names its residual and its coefficient a. A residual is read, and at its pass's
// end written, under the same number and slot; its replica returns after Depth clocks, so that what is
// read has been written.
//
// A pass adds a step to a residual, chosen by the old spin: a flip would add -a if it is up and a
// if it is down. While measuring it adds a if the spin is up, else nothing; the first time a
// residual is met it starts at r0: it is read as zero and r0 is part of the step.
`default_nettype none
module cm_form_schedule #(
  parameter int unsigned Forms      = 4,
  parameter int unsigned NumberBits = 4,   // of a residual
  parameter int unsigned SlotBits   = 6,
  parameter int unsigned Bits       = 24,  // of a residual
  parameter int unsigned ReadAt     = 3,   // clocks, counted from entries_i's; at least 2
  parameter int unsigned WriteAt    = 10
) (
  input  wire logic                         clk_i,
  input  wire logic [SlotBits-1:0]          slot_i,
  input  wire logic                         measuring_i,
  input  wire logic [64*Forms-1:0]          entries_i,    // words of the row image

  output logic      [SlotBits-1:0]          read_slot_o,  // at ReadAt
  output logic      [Forms*NumberBits-1:0]  read_number_o,
  output logic      [Forms-1:0]             first_o,
  output logic      [Forms-1:0]             equality_o,
  output logic      [Forms*Bits-1:0]        step_up_o,    // at ReadAt + 1
  output logic      [Forms*Bits-1:0]        step_down_o,
  output logic      [SlotBits-1:0]          write_slot_o, // at WriteAt
  output logic      [Forms*NumberBits-1:0]  write_number_o,
  output logic      [Forms-1:0]             used_o
);
  logic [Forms*NumberBits-1:0] number, number_q;
  logic [Forms-1:0]            used, used_q, first_q, equality_q;
  logic [SlotBits-1:0]         slot_q;
  logic                        measuring_q;
  logic [Forms*Bits-1:0]       up2_q, down2_q;  // at clock 2
  for (genvar k = 0; k < Forms; k++) begin : gen_form
    logic [15:0]     a_q;
    logic [Bits-1:0] wide, start_q;
    logic            first, unused_bits;
    assign used[k]     = entries_i[64*k+:16] != '0;
    assign wide        = Bits'($signed(a_q));
    assign first       = used[k] && measuring_i && entries_i[64*k+29];
    assign number[NumberBits*k+:NumberBits] = entries_i[64*k+16+:NumberBits];
    assign unused_bits = ^entries_i[64*k+:64];
    always_ff @(posedge clk_i) begin
      a_q                   <= entries_i[64*k+:16];
      start_q               <= entries_i[64*k+32+:Bits] & {Bits{first}};
      first_q[k]            <= first;
      equality_q[k]         <= entries_i[64*k+28];
      up2_q[Bits*k+:Bits]   <= measuring_q ? start_q + wide : -wide;
      down2_q[Bits*k+:Bits] <= measuring_q ? start_q : wide;
    end
  end
  always_ff @(posedge clk_i) begin
    number_q    <= number;
    used_q      <= used;
    slot_q      <= slot_i;
    measuring_q <= measuring_i;
  end

  cm_delay_line #(
    .Width(SlotBits + Forms * (NumberBits + 2)),
    .Depth(ReadAt - 1)
  ) u_until_read (
    .clk_i,
    .advance_i(1'b1),
    .data_i   ({slot_q, number_q, first_q, equality_q}),
    .data_o   ({read_slot_o, read_number_o, first_o, equality_o})
  );
  cm_delay_line #(
    .Width(2 * Forms * Bits),
    .Depth(ReadAt - 1)
  ) u_until_step (
    .clk_i,
    .advance_i(1'b1),
    .data_i   ({up2_q, down2_q}),
    .data_o   ({step_up_o, step_down_o})
  );
  cm_delay_line #(
    .Width(SlotBits + Forms * (NumberBits + 1)),
    .Depth(WriteAt - 1)
  ) u_until_write (
    .clk_i,
    .advance_i(1'b1),
    .data_i   ({slot_q, number_q, used_q}),
    .data_o   ({write_slot_o, write_number_o, used_o})
  );

`ifdef FORMAL
  `include "cm_form_schedule_proof.svh"
`endif
endmodule
`default_nettype wire
