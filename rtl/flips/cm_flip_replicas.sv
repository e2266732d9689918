// What is known of every replica: whether the cells hold its spins, from a burst on until spins or
// image are loaded; and how many of the burst's sweeps it runs.
`default_nettype none
module cm_flip_replicas #(
  parameter int unsigned Replicas    = 32,
  parameter int unsigned LeftOutBit  = 48,  // of a word of parameters: sweeps it skips
  parameter int unsigned LeftOutBits = 16,
  // Derived, named for the ports.
  localparam int unsigned SlotBits = (Replicas > 1) ? $clog2(Replicas) : 1
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  input  wire logic                image_load_i,
  input  wire logic                parameters_start_i,
  input  wire logic                state_load_i,
  input  wire logic                parameter_load_i,
  input  wire logic [SlotBits-1:0] load_replica_i,
  input  wire logic [63:0]         load_word_i,
  input  wire logic [31:0]         sweeps_i,
  output logic                     all_known_o,  // those whose parameters were loaded
  input  wire logic [SlotBits-1:0] slot_i,
  output logic      [32:0]         left_o        // whether any, how many
);
  logic [Replicas-1:0] known_q, hit1;
  logic                all_known_q, forget1_q, load1_q;
  logic [SlotBits-1:0] place1_q;
  for (genvar r = 0; r < Replicas; r++) begin : gen_hit
    assign hit1[r] = place1_q == SlotBits'(r);
  end
  always_ff @(posedge clk_i) begin
    forget1_q <= state_load_i && rst_ni;
    load1_q   <= parameter_load_i && rst_ni;
    place1_q  <= load_replica_i;
    if (!rst_ni || image_load_i) known_q <= '0;
    else if (forget1_q || load1_q) known_q <= load1_q ? known_q | hit1 : known_q & ~hit1;
    if (parameters_start_i) all_known_q <= 1'b1;
    else if (load1_q && (known_q & hit1) == '0) all_known_q <= 1'b0;
  end
  assign all_known_o = all_known_q;

  (* ram_style = "distributed" *) logic [32:0] sweeps [Replicas];
  logic                load2_q, load3_q;
  logic [SlotBits-1:0] place2_q, place3_q;
  logic [32:0]         left1_q;
  logic [31:0]         left2_q, left3_q;
  logic                any3_q;
  always_ff @(posedge clk_i) begin
    {load3_q, load2_q}   <= {load2_q, load1_q};
    {place3_q, place2_q} <= {place2_q, place1_q};
    left1_q <= {1'b0, sweeps_i} - 33'(load_word_i[LeftOutBit+:LeftOutBits]);
    left2_q <= left1_q[31:0] & {32{!left1_q[32]}};
    left3_q <= left2_q;
    any3_q  <= left2_q != '0;
    if (load3_q) sweeps[place3_q] <= {any3_q, left3_q};
  end
  assign left_o = sweeps[slot_i];

  logic unused_word;
  assign unused_word = ^load_word_i;
endmodule
`default_nettype wire
