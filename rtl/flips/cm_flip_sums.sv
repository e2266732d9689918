// f and g of every replica: a spin that flips adds 2 s F with its old s to f, and D or -D to g. A load
// begins with those of all spins down.
`default_nettype none
module cm_flip_sums #(
  parameter int unsigned Replicas   = 32,
  parameter int unsigned FieldBits  = 18,
  parameter int unsigned PullBits   = 0,  // of D; 0: g is 0
  parameter int unsigned EnergyBits = 29,
  parameter int unsigned GBits      = 2,
  // Derived, named for the ports.
  localparam int unsigned SlotBits = (Replicas > 1) ? $clog2(Replicas) : 1
) (
  input  wire logic                          clk_i,
  input  wire logic [EnergyBits-1:0]         all_down_i,
  input  wire logic [GBits-1:0]              broken_i,
  input  wire logic                          fresh12_i,
  input  wire logic [SlotBits-1:0]           slot12_i,
  input  wire logic                          turns12_i,
  input  wire logic                          down12_i,
  input  wire logic [FieldBits+PullBits-1:0] data12_i,  // D, F
  input  wire logic                          write14_i,
  input  wire logic [SlotBits-1:0]           slot14_i,
  output logic      [EnergyBits-1:0]         f14_o,
  output logic      [GBits-1:0]              g14_o
);
  (* ram_style = "distributed" *) logic [EnergyBits-1:0] f_mem [Replicas];
  logic [FieldBits-1:0]  field13_q;
  logic                  down13_q;
  logic [EnergyBits-1:0] f13_q, f14_d, f14_q;
  always_ff @(posedge clk_i) begin
    field13_q <= data12_i[FieldBits-1:0] & {FieldBits{turns12_i}};
    down13_q  <= down12_i;
    f13_q     <= fresh12_i ? all_down_i : f_mem[slot12_i];
    f14_q     <= f14_d;
    if (write14_i) f_mem[slot14_i] <= f14_q;
  end
  cm_add_subtract #(
    .Width(EnergyBits)
  ) u_f (
    .a_i       (f13_q),
    .b_i       (EnergyBits'($signed({field13_q, 1'b0}))),
    .subtract_i(!down13_q),
    .result_o  (f14_d)
  );
  assign f14_o = f14_q;

  if (PullBits > 0) begin : gen_g
    (* ram_style = "distributed" *) logic [GBits-1:0] g_mem [Replicas];
    logic [PullBits-1:0] pull13_q;
    logic [GBits-1:0]    g13_q, g14_d, g14_q;
    always_ff @(posedge clk_i) begin
      pull13_q <= data12_i[FieldBits+PullBits-1:FieldBits] & {PullBits{turns12_i}};
      g13_q    <= fresh12_i ? broken_i : g_mem[slot12_i];
      g14_q    <= g14_d;
      if (write14_i) g_mem[slot14_i] <= g14_q;
    end
    cm_add_subtract #(
      .Width(GBits)
    ) u_g (
      .a_i       (g13_q),
      .b_i       (GBits'($signed(pull13_q))),
      .subtract_i(down13_q),
      .result_o  (g14_d)
    );
    assign g14_o = g14_q;
  end else begin : gen_no_g
    assign g14_o = '0;
    logic unused_broken;
    assign unused_broken = ^broken_i;
  end
endmodule
`default_nettype wire
