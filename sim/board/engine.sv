// One shared p-bit engine with the parameters of the iCE40 topology, synthesised alone: the part of
// the gate-level check that is quick enough for every test run.
module engine #(
  localparam int unsigned Turns = 5
) (
  input  logic         clk_i,
  input  logic [2:0]   phase_i,
  input  logic [4:0]   table_write_i,
  input  logic [4:0]   clamp_write_i,
  input  logic [1:0]   load_address_i,
  input  logic [8:0]   load_data_i,
  input  logic         seed_clear_i,
  input  logic         seed_step_i,
  input  logic [4:0]   seed_absorb_i,
  input  logic [7:0]   seed_byte_i,
  input  logic         valid_i,
  input  logic         measure_i,
  input  logic [9:0]   neighbours_i,
  input  logic [9:0]   links_i,
  input  logic [4:0]   old_i,
  input  logic [16:0]  beta_i,
  input  logic [15:0]  penalty_i,
  output logic         spin_o,
  output logic [8:0]   field_o
);
  cm_shared_pbit #(
    .Turns      (Turns),
    .TableBits  (topology_pkg::TableBits),
    .AddressBits(topology_pkg::AddressBits),
    .FieldBits  (topology_pkg::FieldBits),
    .BetaBits   (topology_pkg::BetaBits),
    .PenaltyBits(topology_pkg::PenaltyBits),
    .RngWords   (topology_pkg::RngWords),
    .Links      (10'b01_01_01_01_01)
  ) u_engine (
    .clk_i,
    .phase_i,
    .table_write_i,
    .clamp_write_i,
    .load_address_i,
    .load_data_i,
    .seed_clear_i,
    .seed_step_i,
    .seed_absorb_i,
    .seed_byte_i,
    .valid_i,
    .measure_i,
    .neighbours_i,
    .links_i,
    .old_i,
    .beta_i,
    .penalty_i,
    .spin_o,
    .field_o
  );
endmodule
