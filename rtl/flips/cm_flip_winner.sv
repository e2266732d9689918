// One-hot groups: of the members that have passed, each replica keeps the one with the largest key,
// and what is needed to set it up after the last. Clocks of a pass.
`default_nettype none
module cm_flip_winner #(
  parameter int unsigned Replicas = 32,
  parameter int unsigned RowBits  = 7,
  parameter int unsigned KeyBits  = 44,
  parameter int unsigned Width    = 36,  // of D and F
  // Derived, named for the ports.
  localparam int unsigned SlotBits = (Replicas > 1) ? $clog2(Replicas) : 1
) (
  input  wire logic                clk_i,
  input  wire logic [SlotBits-1:0] slot1_i,
  output logic      [RowBits-1:0]  row1_o,
  input  wire logic [SlotBits-1:0] slot11_i,
  output logic      [RowBits-1:0]  row12_o,
  output logic      [Width-1:0]    data12_o,
  // A member passes.
  input  wire logic                member12_i,
  input  wire logic                begins12_i,
  input  wire logic [KeyBits-1:0]  key12_i,
  input  wire logic [RowBits-1:0]  row12_i,
  input  wire logic [Width-1:0]    data12_i,
  input  wire logic [SlotBits-1:0] slot14_i
);
  (* ram_style = "distributed" *) logic [RowBits-1:0]               rows [Replicas];
  (* ram_style = "distributed" *) logic [KeyBits+RowBits+Width-1:0] kept [Replicas];
  logic               member13_q, begins13_q, wins14_q;
  logic [KeyBits-1:0] key12_q, kept13_q, key13_q, key14_q;
  logic [RowBits-1:0] row12_q, row13_q, row14_q;
  logic [Width-1:0]   data12_q, data13_q, data14_q;
  always_ff @(posedge clk_i) begin
    {key12_q, row12_q, data12_q} <= kept[slot11_i];
    kept13_q                     <= key12_q;
    member13_q                   <= member12_i;
    begins13_q                   <= begins12_i;
    {key13_q, row13_q, data13_q} <= {key12_i, row12_i, data12_i};
    wins14_q                     <= member13_q && (begins13_q || $signed(key13_q) > $signed(kept13_q));
    {key14_q, row14_q, data14_q} <= {key13_q, row13_q, data13_q};
    if (wins14_q) begin
      rows[slot14_i] <= row14_q;
      kept[slot14_i] <= {key14_q, row14_q, data14_q};
    end
  end
  assign row1_o   = rows[slot1_i];
  assign row12_o  = row12_q;
  assign data12_o = data12_q;
endmodule
`default_nettype wire
