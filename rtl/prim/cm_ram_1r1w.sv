// A memory with one write and one read port; the read takes one clock. A word read in the clock in
// which it is written has its old value. It goes to block RAM, however small: on the iCE40 the
// alternative is flip-flops.
`default_nettype none
module cm_ram_1r1w #(
  parameter int unsigned Width = 64,
  parameter int unsigned Depth = 1024,
  localparam int unsigned AddressBits = (Depth > 1) ? $clog2(Depth) : 1
) (
  input  wire logic                   clk_i,
  input  wire logic                   write_i,
  input  wire logic [AddressBits-1:0] write_address_i,
  input  wire logic [Width-1:0]       write_data_i,
  input  wire logic [AddressBits-1:0] read_address_i,
  output logic      [Width-1:0]       read_data_o
);
  (* ram_style = "block" *) logic [Width-1:0] memory [Depth];
  logic [Width-1:0] data_q;
  always_ff @(posedge clk_i) begin
    if (write_i) memory[write_address_i] <= write_data_i;
    data_q <= memory[read_address_i];
  end
  assign read_data_o = data_q;
endmodule
`default_nettype wire
