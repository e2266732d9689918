// Decodes the image word by word: rows in use, f and g of the state with all spins down, a product's
// weight, and the writes for cells, lanes and forms (docs/flips.md). Writes leave two clocks after their word.
`default_nettype none
module cm_flip_image #(
  parameter int unsigned Rows       = 256,
  parameter int unsigned Lanes      = 16,
  parameter int unsigned FieldBits  = 18,
  parameter int unsigned EnergyBits = 29,
  parameter logic [31:0] Mark       = '0,
  parameter bit          Products   = 1'b0,
  parameter int unsigned Forms      = 0,
  parameter int unsigned GBits      = 2,
  // Derived, named for the ports.
  localparam int unsigned RowBits   = $clog2(Rows),
  localparam int unsigned Chunks    = Rows / Lanes,
  localparam int unsigned ChunkBits = (Chunks > 1) ? $clog2(Chunks) : 1,
  localparam int unsigned DataBits  = Products ? 72 : 64,
  localparam int unsigned FormPorts = (Forms > 0) ? Forms : 1
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,
  input  wire logic                  start_i,
  input  wire logic                  valid_i,
  input  wire logic [63:0]           word_i,
  output logic                       bad_o,         // there is no image
  output logic      [ChunkBits-1:0]  last_chunk_o,  // that has a row in use
  output logic      [EnergyBits-1:0] all_down_o,    // f
  output logic      [GBits-1:0]      broken_o,      // g of that state
  output logic      [3:0]            shift_o,       // of a product's weight
  output logic      [RowBits-1:0]    row_o,
  output logic                       coupling_write_o,
  output logic      [RowBits-4:0]    octet_o,
  output logic      [DataBits-1:0]   couplings_o,   // pairs, J
  output logic      [Lanes-1:0]      base_write_o,
  output logic      [ChunkBits-1:0]  base_chunk_o,
  output logic      [FieldBits+3:0]  base_o,        // of a group: last, first, member; clamp, base
  output logic      [FormPorts-1:0]  form_write_o,  // of the row, by bank
  output logic      [63:0]           form_o
);
  localparam int unsigned LaneBits = $clog2(Lanes);
  localparam int unsigned UnitBits = (RowBits > 6) ? 3 : RowBits - 3;  // octets of 64 columns
  typedef enum logic [2:0] {
    StRows,
    StEnergy,
    StBase,
    StForms,
    StPairs,
    StCouplings
  } state_e;
  state_e                state_q;
  logic [RowBits-1:0]    row_q, write_row_q;
  logic [RowBits-4:0]    octet_q, write_octet_q;
  logic                  valid_q, ours_q, count_q, coupling_write_q;
  logic [31:0]           less_q;  // rows in use, less one
  logic [EnergyBits-1:0] all_down_q;
  logic [63:0]           word_q;
  logic [DataBits-1:0]   write_word_q;
  logic [3:0]            shift_q;
  logic [GBits-1:0]      broken_q;
  logic [Lanes-1:0]      base_write_q;
  logic [FormPorts-1:0]  form_q, form_write_q;  // one of them
  always_ff @(posedge clk_i) begin
    if (!rst_ni || start_i) begin
      state_q          <= StRows;
      valid_q          <= 1'b0;
      ours_q           <= 1'b0;
      coupling_write_q <= 1'b0;
      base_write_q     <= '0;
      form_write_q     <= '0;
      row_q            <= '0;
      octet_q          <= '0;
    end else begin
      valid_q          <= valid_i;
      coupling_write_q <= valid_q && state_q == StCouplings;
      for (int unsigned l = 0; l < Lanes; l++) begin
        base_write_q[l] <= valid_q && state_q == StBase && row_q[LaneBits-1:0] == LaneBits'(l);
      end
      form_write_q <= form_q & {FormPorts{valid_q && state_q == StForms}};
      if (valid_q) begin
        form_q <= (state_q == StForms) ? form_q << 1 : FormPorts'(1);
        unique case (state_q)
          StRows: begin
            state_q <= StEnergy;
            ours_q  <= word_q[63:32] == Mark;
          end
          StEnergy: state_q <= StBase;
          StBase: state_q <= (Forms > 0) ? StForms : Products ? StPairs : StCouplings;
          StForms: if (form_q[FormPorts-1]) state_q <= Products ? StPairs : StCouplings;
          StPairs: state_q <= StCouplings;
          StCouplings: begin
            octet_q <= octet_q + 1'b1;
            if (Products && (&octet_q[UnitBits-1:0])) state_q <= StPairs;
            if (&octet_q) begin
              state_q <= StBase;
              row_q   <= row_q + 1'b1;
            end
          end
          default: state_q <= StRows;
        endcase
      end
    end
  end
  always_ff @(posedge clk_i) begin
    word_q        <= word_i;
    write_word_q[63:0] <= word_q;
    write_row_q   <= row_q;
    write_octet_q <= octet_q;
    if (valid_q && state_q == StRows) less_q <= word_q[31:0] - 1'b1;
    if (valid_q && state_q == StEnergy) {shift_q, all_down_q} <= {word_q[35:32], word_q[EnergyBits-1:0]};
    count_q <= less_q < 32'(Rows);
  end
  assign bad_o            = !(ours_q && count_q);
  assign last_chunk_o     = ChunkBits'(less_q >> LaneBits);
  assign all_down_o       = all_down_q;
  assign broken_o         = broken_q;
  assign shift_o          = shift_q;
  assign row_o            = write_row_q;
  assign coupling_write_o = coupling_write_q;
  assign octet_o          = write_octet_q;
  assign couplings_o      = write_word_q;
  assign base_write_o     = base_write_q;
  assign base_chunk_o     = ChunkBits'(write_row_q >> LaneBits);
  assign base_o           = {write_word_q[35:32], write_word_q[FieldBits-1:0]};
  assign form_write_o     = form_write_q;
  assign form_o           = write_word_q[63:0];

  if (Forms > 0) begin : gen_broken
    always_ff @(posedge clk_i) if (valid_q && state_q == StEnergy) broken_q <= word_q[36+:GBits];
  end else begin : gen_unbroken
    assign broken_q = '0;
  end

  // Pairs of up to 64 columns come before their couplings, a bit each.
  if (Products) begin : gen_pairs
    logic [63:0] pairs_q;
    always_ff @(posedge clk_i) begin
      if (valid_q && state_q == StPairs) pairs_q <= word_q;
      write_word_q[71:64] <= pairs_q[8*octet_q[UnitBits-1:0]+:8];
    end
  end

  logic unused_rows;
  assign unused_rows = ^less_q;
endmodule
`default_nettype wire
