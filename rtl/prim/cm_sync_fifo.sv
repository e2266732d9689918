// First-in first-out queue with valid/ready on both sides; the oldest word is always visible.
// Storage has an asynchronous read so that FPGA tools put it in LUTRAM. Both flags are registers:
// between two queues no path runs from one side's READY to the other's.
`default_nettype none
module cm_sync_fifo #(
  parameter int unsigned Width = 8,
  parameter int unsigned Depth = 4  // a power of two
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic             clear_i,  // drops everything stored
  input  wire logic             in_valid_i,
  output logic                  in_ready_o,
  input  wire logic [Width-1:0] in_data_i,
  output logic                  out_valid_o,
  input  wire logic             out_ready_i,
  output logic      [Width-1:0] out_data_o
);
  localparam int unsigned AddrWidth = $clog2(Depth);
  if (Depth < 2 || (1 << AddrWidth) != Depth) begin : gen_bad_depth
    $fatal(1, "cm_sync_fifo: Depth must be a power of two, at least 2");
  end

  (* ram_style = "distributed" *) logic [Width-1:0] storage [Depth];
  logic [AddrWidth-1:0] write_q, read_q;
  logic [AddrWidth:0]   level_q;
  logic                 valid_q, ready_q, push, pop;

  assign in_ready_o  = ready_q;
  assign out_valid_o = valid_q;
  assign out_data_o  = storage[read_q];
  assign push        = in_valid_i && ready_q;
  assign pop         = valid_q && out_ready_i;

  always_ff @(posedge clk_i) begin
    if (push) storage[write_q] <= in_data_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      write_q <= '0;
      read_q  <= '0;
      level_q <= '0;
      valid_q <= 1'b0;
      ready_q <= 1'b1;
    end else begin
      if (push) write_q <= write_q + 1'b1;
      if (pop) read_q <= read_q + 1'b1;
      if (push != pop) level_q <= push ? level_q + 1'b1 : level_q - 1'b1;
      valid_q <= push || (valid_q && !(pop && level_q == (AddrWidth + 1)'(1)));
      ready_q <= pop || (ready_q && !(push && level_q == (AddrWidth + 1)'(Depth - 1)));
    end
  end

`ifdef FORMAL
  `include "cm_sync_fifo_proof.svh"
`endif
endmodule
`default_nettype wire
