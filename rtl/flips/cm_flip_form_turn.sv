// New residuals, for every lane's copy: those of the row that flips, and before a load, when all
// spins are down, those that forms begin with. Clocks of a pass, with what is late (cm_flips_core).
`default_nettype none
module cm_flip_form_turn #(
  parameter int unsigned Forms           = 4,
  parameter int unsigned Rows            = 128,
  parameter int unsigned Replicas        = 32,
  parameter int unsigned Residuals       = 16,  // of a bank
  parameter int unsigned NumberBits      = 4,
  parameter int unsigned CoefficientBits = 16,
  parameter int unsigned ResidualBits    = 24,
  // Derived, named for the ports.
  localparam int unsigned RowBits   = $clog2(Rows),
  localparam int unsigned SlotBits  = (Replicas > 1) ? $clog2(Replicas) : 1,
  localparam int unsigned CountBits = $clog2(Replicas + 1)
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  // Of the image, by bank.
  input  wire logic [Forms-1:0]              item_write_i,
  input  wire logic [RowBits-1:0]            item_row_i,
  input  wire logic                          item_first_i,  // no earlier row has this form
  input  wire logic [CoefficientBits-1:0]    item_a_i,
  input  wire logic [NumberBits-1:0]         item_number_i,
  input  wire logic [ResidualBits-1:0]       item_start_i,
  // Before a load:
  input  wire logic                          start_i,
  input  wire logic [SlotBits-1:0]           first_i,
  input  wire logic [CountBits-1:0]          replicas_i,
  output logic                               starting_o,
  // The row that flips:
  input  wire logic                          turns12_i,
  input  wire logic                          down12_i,
  input  wire logic [SlotBits-1:0]           slot12_i,
  input  wire logic [RowBits-1:0]            row12_i,
  output logic      [Forms-1:0]              write16_o,
  output logic      [SlotBits-1:0]           slot16_o,
  output logic      [Forms*NumberBits-1:0]   number16_o,
  output logic      [Forms*ResidualBits-1:0] data16_o
);
  localparam int unsigned AddressBits = SlotBits + NumberBits;

  // ---- all residuals of all replicas, one of each bank per clock -------------------------------------
  logic                  starting_q, starting15_q;
  logic [SlotBits-1:0]   start_slot_q, start_slot15_q;
  logic [CountBits-1:0]  start_left_q;
  logic [NumberBits-1:0] start_number_q, start_number15_q;
  logic                  start_wraps;
  assign start_wraps = start_number_q == NumberBits'(Residuals - 1);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) starting_q <= 1'b0;
    else if (start_i) starting_q <= 1'b1;
    else if (start_wraps && start_left_q == CountBits'(1)) starting_q <= 1'b0;
    if (start_i) begin
      start_slot_q   <= first_i;
      start_left_q   <= replicas_i;
      start_number_q <= '0;
    end else if (starting_q) begin
      start_number_q <= start_wraps ? '0 : start_number_q + 1'b1;
      if (start_wraps) start_slot_q <= start_slot_q + 1'b1;
      if (start_wraps) start_left_q <= start_left_q - 1'b1;
    end
    starting15_q     <= starting_q && rst_ni;
    start_slot15_q   <= start_slot_q;
    start_number15_q <= start_number_q;
  end
  assign starting_o = starting_q;

  logic                turns13_q, turns14_q, turns15_q, down13_q, down14_q, down15_q;
  logic [SlotBits-1:0] slot13_q, slot14_q, slot15_q, slot16_q;
  always_ff @(posedge clk_i) begin
    {turns15_q, turns14_q, turns13_q} <= {turns14_q, turns13_q, turns12_i && rst_ni};
    {down15_q, down14_q, down13_q}    <= {down14_q, down13_q, down12_i};
    {slot15_q, slot14_q, slot13_q}    <= {slot14_q, slot13_q, slot12_i};
    slot16_q                          <= starting15_q ? start_slot15_q : slot15_q;
  end
  assign slot16_o = slot16_q;

  for (genvar k = 0; k < Forms; k++) begin : gen_bank
    (* ram_style = "distributed" *) logic [ResidualBits-1:0] starts [Residuals];
    logic [CoefficientBits-1:0] a13, a14_q, a15_q;
    logic [NumberBits-1:0]      number13, number14_q, number15_q, number16_q;
    logic [ResidualBits-1:0]    start15_q, now15, next15, data16_q, start16_q;
    logic                       write16_q;
    cm_ram_1r1w #(
      .Width(NumberBits + CoefficientBits),
      .Depth(Rows)
    ) u_items (
      .clk_i,
      .write_i        (item_write_i[k]),
      .write_address_i(item_row_i),
      .write_data_i   ({item_number_i, item_a_i}),
      .read_address_i (row12_i),
      .read_data_o    ({number13, a13})
    );
    cm_ram_1r1w #(
      .Width(ResidualBits),
      .Depth(1 << AddressBits)
    ) u_residuals (
      .clk_i,
      .write_i        (write16_q),
      .write_address_i(AddressBits'({slot16_q, number16_q})),
      .write_data_i   (data16_q | start16_q),
      .read_address_i (AddressBits'({slot14_q, number14_q})),
      .read_data_o    (now15)
    );
    cm_add_subtract #(
      .Width(ResidualBits)
    ) u_next (
      .a_i       (now15),
      .b_i       (ResidualBits'($signed(a15_q))),
      .subtract_i(down15_q),
      .result_o  (next15)
    );
    always_ff @(posedge clk_i) begin
      if (item_write_i[k] && item_first_i && item_a_i != '0) starts[item_number_i] <= item_start_i;
      start15_q  <= starts[start_number_q];
      {a15_q, a14_q}           <= {a14_q, a13};
      {number15_q, number14_q} <= {number14_q, number13};
      write16_q  <= starting15_q || (turns15_q && a15_q != '0);
      number16_q <= starting15_q ? start_number15_q : number15_q;
      // One of them is zero: no logic after the carry chain.
      if (starting15_q) data16_q <= '0;
      else data16_q <= next15;
      start16_q  <= start15_q & {ResidualBits{starting15_q}};
    end
    assign write16_o[k]                              = write16_q;
    assign number16_o[NumberBits*k+:NumberBits]      = number16_q;
    assign data16_o[ResidualBits*k+:ResidualBits]    = data16_q | start16_q;
  end
endmodule
`default_nettype wire
