// Spins of all replicas: read and written a chunk at a time by passes, a word at a time by the bus. The chunks of a
// word lie in memories side by side.
`default_nettype none
module cm_flip_states #(
  parameter int unsigned Rows     = 256,
  parameter int unsigned Lanes    = 16,
  parameter int unsigned Replicas = 32,
  // Derived, named for the ports.
  localparam int unsigned Chunks    = Rows / Lanes,
  localparam int unsigned ChunkBits = (Chunks > 1) ? $clog2(Chunks) : 1,
  localparam int unsigned Words     = (Rows + 63) / 64,
  localparam int unsigned WordBits  = (Words > 1) ? $clog2(Words) : 1,
  localparam int unsigned SlotBits  = (Replicas > 1) ? $clog2(Replicas) : 1
) (
  input  wire logic                 clk_i,
  input  wire logic                 load_i,  // a word
  input  wire logic [SlotBits-1:0]  load_slot_i,
  input  wire logic [WordBits-1:0]  load_index_i,
  input  wire logic [63:0]          load_word_i,
  input  wire logic                 write_i,  // a chunk; never with a load
  input  wire logic [SlotBits-1:0]  write_slot_i,
  input  wire logic [ChunkBits-1:0] write_chunk_i,
  input  wire logic [Lanes-1:0]     write_spins_i,
  input  wire logic                 reading_i,  // the bus reads
  input  wire logic [SlotBits-1:0]  row_i,
  input  wire logic [WordBits-1:0]  index_i,
  output logic      [63:0]          word_o,  // a clock later
  input  wire logic [SlotBits-1:0]  slot_i,
  input  wire logic [ChunkBits-1:0] chunk_i,
  output logic      [Lanes-1:0]     spins_o  // two clocks later
);
  localparam int unsigned Banks    = ((Rows < 64) ? Rows : 64) / Lanes;
  localparam int unsigned BankBits = (Banks > 1) ? $clog2(Banks) : 1;
  localparam int unsigned Shift    = $clog2(Banks);
  localparam int unsigned Depth    = (1 << WordBits) * Replicas;
  localparam int unsigned DepthBits = $clog2(Depth);
  // The word's number, then the replica's: a chunk's word is its upper bits.
  logic [DepthBits-1:0]   load_address, write_address, read_address;
  logic [BankBits-1:0]    write_bank, bank_q;
  logic [Banks*Lanes-1:0] words;
  logic [Lanes-1:0]       spins_d, spins_q;
  function automatic logic [DepthBits-1:0] place(input logic [SlotBits-1:0] slot, input logic [WordBits-1:0] word);
    place = DepthBits'({slot, word});
  endfunction
  assign load_address  = place(load_slot_i, load_index_i);
  assign write_address = place(write_slot_i, WordBits'(write_chunk_i >> Shift));
  assign read_address  = reading_i ? place(row_i, index_i) : place(slot_i, WordBits'(chunk_i >> Shift));
  assign write_bank    = (Banks > 1) ? BankBits'(write_chunk_i) : '0;
  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    cm_ram_1r1w #(
      .Width(Lanes),
      .Depth(Depth)
    ) u_ram (
      .clk_i,
      .write_i        (load_i || (write_i && write_bank == BankBits'(b))),
      .write_address_i(write_i ? write_address : load_address),
      .write_data_i   (write_i ? write_spins_i : load_word_i[Lanes*b+:Lanes]),
      .read_address_i (read_address),
      .read_data_o    (words[Lanes*b+:Lanes])
    );
  end
  cm_select #(
    .Inputs(Banks),
    .Width (Lanes)
  ) u_chunk (
    .data_i  (words),
    .select_i(bank_q),
    .data_o  (spins_d)
  );
  always_ff @(posedge clk_i) begin
    bank_q  <= (Banks > 1) ? BankBits'(chunk_i) : '0;
    spins_q <= spins_d;
  end
  assign word_o  = 64'(words);
  assign spins_o = spins_q;
  if (Rows < 64) begin : gen_short_word
    logic unused_bits;
    assign unused_bits = ^load_word_i;
  end
endmodule
`default_nettype wire
