// The states of all replicas: a whole state is written and read in one clock, and the memory bus
// reaches it in words of 64 spins, one block RAM column each. A loaded word passes a register
// first, and each column has its own copy of the control.
`default_nettype none
module cm_ring_memory #(
  parameter int unsigned Pbits    = 300,
  parameter int unsigned Replicas = 1024,
  parameter bit          HasLoad  = 1'b1,  // the bus writes as well as reads
  // Derived, named for the ports.
  localparam int unsigned Words       = (Pbits + 63) / 64,
  localparam int unsigned WordBits    = (Words > 1) ? $clog2(Words) : 1,
  localparam int unsigned AddressBits = (Replicas > 1) ? $clog2(Replicas) : 1
) (
  input  wire logic                   clk_i,
  input  wire logic                   write_i,
  input  wire logic [AddressBits-1:0] write_address_i,
  input  wire logic [Pbits-1:0]       state_i,
  input  wire logic                   load_i,  // writes load_word_i; never together with write_i
  input  wire logic [AddressBits-1:0] load_address_i,
  input  wire logic [WordBits-1:0]    load_index_i,
  input  wire logic [63:0]            load_word_i,
  input  wire logic [AddressBits-1:0] read_address_i,
  output logic      [Pbits-1:0]       state_o,  // one clock after the address
  input  wire logic [WordBits-1:0]    word_index_i,  // with the address
  output logic      [63:0]            word_o    // word of state_o, zero past the last p-bit
);
  logic [AddressBits-1:0] load_address_q;
  logic [63:0]            load_word_q;
  logic [WordBits-1:0]    word_index_q;
  always_ff @(posedge clk_i) begin
    load_address_q <= load_address_i;
    load_word_q    <= load_word_i;
    word_index_q   <= word_index_i;
  end
  for (genvar w = 0; w < Words; w++) begin : gen_word
    localparam int unsigned Width = (Pbits - 64 * w < 64) ? Pbits - 64 * w : 64;
    logic                   write;
    logic [AddressBits-1:0] address;
    logic [Width-1:0]       data;
    if (HasLoad) begin : gen_load
      logic here;
      cm_relay u_here (
        .clk_i,
        .data_i(load_i && load_index_i == WordBits'(w)),
        .data_o(here)
      );
      assign write   = write_i || here;
      assign address = here ? load_address_q : write_address_i;
      assign data    = here ? load_word_q[Width-1:0] : state_i[64*w+:Width];
    end else begin : gen_no_load
      assign write   = write_i;
      assign address = write_address_i;
      assign data    = state_i[64*w+:Width];
    end
    cm_ram_1r1w #(
      .Width(Width),
      .Depth(Replicas)
    ) u_ram (
      .clk_i,
      .write_i        (write),
      .write_address_i(address),
      .write_data_i   (data),
      .read_address_i,
      .read_data_o    (state_o[64*w+:Width])
    );
  end

  logic [64*Words-1:0] padded;
  assign padded = (64 * Words)'(state_o);
  always_comb begin
    word_o = padded[63:0];
    for (int unsigned w = 1; w < Words; w++) begin
      if (word_index_q == WordBits'(w)) word_o = padded[64*w+:64];
    end
  end

  if (!HasLoad || Words == 1 || Pbits % 64 != 0) begin : gen_unused
    logic unused_load;
    assign unused_load = ^{load_i, load_address_q, load_index_i, load_word_q, word_index_q};
  end
endmodule
`default_nettype wire
