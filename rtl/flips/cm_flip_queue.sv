// Which replica passes next: first all of a burst's replicas in the order of places, then in the
// order in which they come back. So the order is that of rounds, however long a pass takes
// (docs/flips.md). A replica that does not come back has finished.
`default_nettype none
module cm_flip_queue #(
  parameter int unsigned Replicas = 32,
  parameter int unsigned Width    = 8,  // of what travels with a replica
  // Derived, named for the ports.
  localparam int unsigned SlotBits  = (Replicas > 1) ? $clog2(Replicas) : 1,
  localparam int unsigned CountBits = $clog2(Replicas + 1)
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,
  input  wire logic                 start_i,  // none is in flight
  input  wire logic [SlotBits-1:0]  first_i,
  input  wire logic [CountBits-1:0] replicas_i,
  output logic                      opening_o,  // the replica begins,
  output logic      [SlotBits-1:0]  slot_o,     // and which
  output logic                      valid_o,    // a replica passes
  output logic      [Width-1:0]     data_o,     // what came back with it, unless it has just begun
  input  wire logic                 back_i,
  input  wire logic [Width-1:0]     data_i
);
  logic                 opening_q, take, any_q;
  logic [SlotBits-1:0]  slot_q, write_q, read_q;
  logic [CountBits-1:0] left_q, level_q;  // to begin; in the queue
  (* ram_style = "distributed" *) logic [Width-1:0] queue [Replicas];
  assign take = !opening_q && any_q;
  function automatic logic [SlotBits-1:0] next(input logic [SlotBits-1:0] at);
    next = (32'(at) == Replicas - 1) ? '0 : at + 1'b1;
  endfunction
  always_ff @(posedge clk_i) begin
    if (back_i) queue[write_q] <= data_i;
    if (!rst_ni) begin
      opening_q <= 1'b0;
      write_q   <= '0;
      read_q    <= '0;
      level_q   <= '0;
      any_q     <= 1'b0;
    end else begin
      if (start_i) opening_q <= 1'b1;
      else if (left_q == CountBits'(1)) opening_q <= 1'b0;
      if (back_i) write_q <= next(write_q);
      if (take) read_q <= next(read_q);
      if (back_i != take) level_q <= back_i ? level_q + 1'b1 : level_q - 1'b1;
      any_q <= back_i || (any_q && !(take && level_q == CountBits'(1)));
    end
  end
  always_ff @(posedge clk_i) begin
    if (start_i) begin
      slot_q <= first_i;
      left_q <= replicas_i;
    end else if (opening_q) begin
      slot_q <= slot_q + 1'b1;
      left_q <= left_q - 1'b1;
    end
  end
  assign opening_o = opening_q;
  assign slot_o    = slot_q;
  assign valid_o   = opening_q || any_q;
  assign data_o    = queue[read_q];
`ifdef FORMAL
`include "cm_flip_queue_proof.svh"
`endif
endmodule
`default_nettype wire
