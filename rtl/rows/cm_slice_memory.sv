// States of a lane's replicas, stored twice: one copy is read a whole state per clock, the other a
// bus word. Writes are eight spins (a replica that passes a row) or a word.
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
  output logic      [Pbits-1:0]       state_o,  // one clock after the address
  input  wire logic [AddressBits-1:0] word_address_i,
  input  wire logic [WordBits-1:0]    word_index_i,
  input  wire logic                   word_zero_i,  // answers zero
  output logic      [63:0]            word_o    // one clock after its address, too; zero past the last spin
);
  logic [8*Slices-1:0]    state_q;
  logic [AddressBits-1:0] address;
  logic [WordBits-1:0]    index;
  logic [63:0]            data, word_q;
  logic                   last_q;
  logic [7:0]             enable;  // of a word's slices
  logic [Words-1:0]       hit;
  assign address = load_i ? load_address_i : write_address_i;
  assign index   = load_i ? load_index_i : WordBits'(write_slice_i >> 3);
  assign data    = load_i ? load_word_i : {8{spins_i}};
  for (genvar s = 0; s < 8; s++) begin : gen_enable
    assign enable[s] = load_i || (write_i && write_slice_i[2:0] == 3'(s));
  end

  // A memory for each word.
  for (genvar w = 0; w < Words; w++) begin : gen_word
    assign hit[w] = index == WordBits'(w);
    localparam int unsigned Own = (Slices - 8 * w < 8) ? Slices - 8 * w : 8;  // slices
    (* ram_style = "block" *) logic [8*Own-1:0] memory [Slots];
    always_ff @(posedge clk_i) begin
      for (int unsigned s = 0; s < Own; s++) begin
        if (enable[s] && hit[w]) memory[address][8*s+:8] <= data[8*s+:8];
      end
      state_q[64*w+:8*Own] <= memory[read_address_i];
    end
  end

  (* ram_style = "block" *) logic [63:0] words [1 << (WordBits + AddressBits)];
  always_ff @(posedge clk_i) begin
    for (int unsigned s = 0; s < 8; s++) begin
      if (enable[s]) words[{index, address}][8*s+:8] <= data[8*s+:8];
    end
    if (word_zero_i) word_q <= '0;
    else word_q <= words[{word_index_i, word_address_i}];
    last_q <= word_index_i == WordBits'(Words - 1);
  end
  localparam logic [63:0] Last = (Pbits % 64 == 0) ? '1 : (64'd1 << (Pbits % 64)) - 64'd1;
  assign word_o  = word_q & (last_q ? Last : '1);
  assign state_o = state_q[Pbits-1:0];
  logic unused_bits;  // past the last spin: whatever the host wrote there
  assign unused_bits = ^state_q;
endmodule
`default_nettype wire
