// Best states of a lane's replicas: written whole, read one bus word at a time. Each word has its
// own memory, which answers zero when not addressed, so that no multiplexer is needed to select
// one.
`default_nettype none
module cm_best_states #(
  parameter int unsigned Pbits = 256,
  parameter int unsigned Slots = 64,
  // Derived, named for the ports.
  localparam int unsigned Words       = (Pbits + 63) / 64,
  localparam int unsigned WordBits    = (Words > 1) ? $clog2(Words) : 1,
  localparam int unsigned AddressBits = (Slots > 1) ? $clog2(Slots) : 1
) (
  input  wire logic                   clk_i,
  input  wire logic                   write_i,
  input  wire logic [AddressBits-1:0] write_address_i,
  input  wire logic [Pbits-1:0]       state_i,
  input  wire logic [AddressBits-1:0] read_address_i,
  input  wire logic [WordBits-1:0]    read_index_i,
  input  wire logic                   zero_i,  // answers zero
  output logic      [63:0]            word_o  // one clock after the address, zero past the last p-bit
);
  logic [64*Words-1:0] words;
  for (genvar w = 0; w < Words; w++) begin : gen_word
    localparam int unsigned Own = (Pbits - 64 * w < 64) ? Pbits - 64 * w : 64;  // p-bits
    (* ram_style = "block" *) logic [Own-1:0] memory [Slots];
    logic [Own-1:0] word_q;
    always_ff @(posedge clk_i) begin
      if (write_i) memory[write_address_i] <= state_i[64*w+:Own];
      if (zero_i || read_index_i != WordBits'(w)) word_q <= '0;
      else word_q <= memory[read_address_i];
    end
    assign words[64*w+:64] = 64'(word_q);
  end
  always_comb begin
    word_o = '0;
    for (int unsigned w = 0; w < Words; w++) word_o = word_o | words[64*w+:64];
  end
endmodule
`default_nettype wire
