// Turns the words of the load image into table writes, one entry per clock. The token that selects
// a table moves on one clock before the first entry of the next table is on the bus, so a table is
// written in every clock in which it has the token: writing an entry twice does no harm, and no
// table needs its own write enable.
`default_nettype none
module cm_table_loader #(
  parameter int unsigned Pbits       = 300,
  parameter int unsigned Tables      = 7,   // in a p-bit's record
  parameter int unsigned AddressBits = 5,
  parameter int unsigned TableBits   = 14,
  parameter int unsigned WordBits    = 64   // 64: the load image; 16: one entry a word
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,
  input  wire logic                   start_i,  // discards an unfinished load
  output logic                        busy_o,

  input  wire logic                   word_valid_i,
  output logic                        word_ready_o,
  input  wire logic [WordBits-1:0]    word_i,

  output logic                        token_clear_o,
  output logic                        token_next_o,
  output logic                        token_o,  // enters the chain with the first token_next_o
  output logic      [AddressBits-1:0] address_o,
  output logic      [TableBits-1:0]   data_o
);
  localparam int unsigned Entries = 1 << AddressBits;
  localparam int unsigned PbitWidth = $clog2(Pbits + 1);
  localparam int unsigned TableWidth = $clog2(Tables + 1);

  logic                   busy_q, first_q;
  logic [PbitWidth-1:0]   pbit_q;   // records left
  logic [TableWidth-1:0]  table_q;  // Tables stands for the control word
  logic [AddressBits-1:0] entry_q;
  logic                   control, last_entry, last_of_word, step;
  logic [15:0]            value;

  assign control      = table_q == TableWidth'(Tables);
  assign last_entry   = control || entry_q == AddressBits'(Entries - 1);
  // Four entries per word; smaller tables leave the rest of the word unused.
  if (WordBits == 16) begin : gen_entries
    assign last_of_word = 1'b1;
    assign value        = word_i;
  end else if (AddressBits >= 2) begin : gen_quads
    assign last_of_word = last_entry || entry_q[1:0] == 2'd3;
    assign value        = control ? word_i[15:0] : word_i[{entry_q[1:0], 4'd0}+:16];
  end else begin : gen_pairs
    assign last_of_word = last_entry;
    assign value        = (entry_q[0] && !control) ? word_i[31:16] : word_i[15:0];
  end
  assign step         = busy_q && pbit_q != '0 && word_valid_i;
  assign word_ready_o = step && last_of_word;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      pbit_q  <= '0;
      table_q <= '0;
      entry_q <= '0;
    end else if (start_i) begin
      busy_q  <= 1'b1;
      pbit_q  <= PbitWidth'(Pbits);
      table_q <= '0;
      entry_q <= '0;
    end else if (step) begin
      entry_q <= last_entry ? '0 : entry_q + 1'b1;
      if (last_entry) table_q <= control ? '0 : table_q + 1'b1;
      if (control) pbit_q <= pbit_q - 1'b1;
    end else if (pbit_q == '0) begin
      busy_q <= 1'b0;
    end
  end

  // The token moves with the first entry of a table, and once more after the last record.
  logic                   next_q, token_q, clear_q;
  logic [AddressBits-1:0] address_q, address2_q;
  logic [TableBits-1:0]   data_q, data2_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      next_q  <= 1'b0;
      token_q <= 1'b0;
      first_q <= 1'b0;
      clear_q <= 1'b1;
    end else begin
      clear_q <= start_i;
      next_q  <= (step && entry_q == '0) || (busy_q && pbit_q == '0);
      token_q <= step && first_q;
      if (start_i) first_q <= 1'b1;
      else if (step) first_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (step) begin
      address_q <= entry_q;
      data_q    <= value[TableBits-1:0];
    end
    address2_q <= address_q;
    data2_q    <= data_q;
  end

  assign busy_o        = busy_q || next_q;
  assign token_clear_o = clear_q;
  assign token_next_o  = next_q;
  assign token_o       = token_q;
  assign address_o     = address2_q;
  assign data_o        = data2_q;

  if (TableBits < 16) begin : gen_unused
    logic unused_bits;
    assign unused_bits = ^value[15:TableBits];
  end
  if (AddressBits < 2 && WordBits == 64) begin : gen_unused_word
    logic unused_word;
    assign unused_word = ^word_i[63:32];
  end
endmodule
`default_nettype wire
