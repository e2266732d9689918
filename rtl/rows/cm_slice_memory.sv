// States of a lane's replicas. A whole state is read a clock; written are eight spins (a replica that
// passes a row) or a word of the bus.
`default_nettype none
module cm_slice_memory #(
  parameter int unsigned Pbits = 256,
  parameter int unsigned Slots = 64,
  parameter int unsigned SliceBits = 6,
  // Derived, named for the ports.
  localparam int unsigned Words       = (Pbits + 63) / 64,
  localparam int unsigned WordBits    = (Words > 1) ? $clog2(Words) : 1,
  localparam int unsigned Slices      = (Pbits + 7) / 8,
  localparam int unsigned AddressBits = (Slots > 1) ? $clog2(Slots) : 1
) (
  input  wire logic                   clk_i,
  input  wire logic                   write_i,
  input  wire logic [AddressBits-1:0] write_address_i,
  input  wire logic [SliceBits-1:0]   write_slice_i,
  input  wire logic [7:0]             spins_i,
  input  wire logic                   load_i,  // never together with write_i
  input  wire logic [AddressBits-1:0] load_address_i,
  input  wire logic [WordBits-1:0]    load_index_i,
  input  wire logic [63:0]            load_word_i,
  input  wire logic [AddressBits-1:0] read_address_i,
  output logic      [Pbits-1:0]       state_o  // one clock after the address
);
  logic [8*Slices-1:0]    state_q;
  logic [AddressBits-1:0] address;
  assign address = load_i ? load_address_i : write_address_i;
  // A memory for each word of the bus.
  for (genvar w = 0; w < Words; w++) begin : gen_word
    localparam int unsigned Own = (Slices - 8 * w < 8) ? Slices - 8 * w : 8;  // slices
    (* ram_style = "block" *) logic [8*Own-1:0] memory [Slots];
    logic [8*Own-1:0] data;
    logic [Own-1:0]   enable;
    for (genvar s = 0; s < Own; s++) begin : gen_slice
      assign data[8*s+:8] = load_i ? load_word_i[8*s+:8] : spins_i;
      assign enable[s]    = load_i ? load_index_i == WordBits'(w)
                                   : write_i && write_slice_i == SliceBits'(8 * w + s);
    end
    always_ff @(posedge clk_i) begin
      for (int unsigned s = 0; s < Own; s++) begin
        if (enable[s]) memory[address][8*s+:8] <= data[8*s+:8];
      end
      state_q[64*w+:8*Own] <= memory[read_address_i];
    end
  end
  assign state_o = state_q[Pbits-1:0];
  logic unused_bits;  // past the last spin: whatever the host wrote there
  assign unused_bits = ^{state_q, load_word_i};
endmodule
`default_nettype wire
