// Keeps the outcome of every replica: f and g after its last sweep, the lowest f it had with g = 0
// in this burst, and says when a state is a new best. Ties keep the earlier state.
//
// A replica comes back only after the depth of the ring, so its outcome is written long before it
// is read again: read, compare and write need no forwarding.
`default_nettype none
module cm_best_capture #(
  parameter int unsigned EnergyBits    = 26,
  parameter int unsigned ViolationBits = 9,
  parameter int unsigned Replicas      = 1024,
  localparam int unsigned AddressBits  = (Replicas > 1) ? $clog2(Replicas) : 1
) (
  input  wire logic                     clk_i,
  input  wire logic                     valid_i,
  input  wire logic                     first_i,  // the replica's first pass of the burst
  input  wire logic [AddressBits-1:0]   replica_i,
  // One clock later:
  input  wire logic [EnergyBits-1:0]    energy_i,
  input  wire logic [ViolationBits-1:0] violations_i,
  // Two clocks after the replica:
  output logic                          better_o,
  output logic      [AddressBits-1:0]   better_replica_o,

  // The bus reads when no burst runs.
  input  wire logic                     reading_i,
  input  wire logic [AddressBits-1:0]   read_address_i,
  output logic      [EnergyBits-1:0]    energy_o,  // one clock after the address
  output logic      [ViolationBits-1:0] violations_o,
  output logic                          found_o,
  output logic      [EnergyBits-1:0]    best_o
);
  localparam int unsigned Width = 2 * EnergyBits + ViolationBits + 1;

  logic                     valid_q, first_q, write_q, better_d, better_q, found_d;
  logic [AddressBits-1:0]   replica_q, write_address_q;
  logic [Width-1:0]         outcome_d, outcome_q, outcome;
  logic                     had;

  cm_ram_1r1w #(
    .Width(Width),
    .Depth(Replicas)
  ) u_ram (
    .clk_i,
    .write_i        (write_q),
    .write_address_i(write_address_q),
    .write_data_i   (outcome_q),
    .read_address_i (reading_i ? read_address_i : replica_i),
    .read_data_o    (outcome)
  );
  assign {found_o, best_o, violations_o, energy_o} = outcome;

  assign had       = found_o && !first_q;
  assign better_d  = violations_i == '0 && (!had || $signed(energy_i) < $signed(best_o));
  assign found_d   = had || better_d;
  assign outcome_d = {found_d, better_d ? energy_i : best_o, violations_i, energy_i};

  always_ff @(posedge clk_i) begin
    valid_q         <= valid_i;
    first_q         <= first_i;
    replica_q       <= replica_i;
    write_q         <= valid_q;
    write_address_q <= replica_q;
    outcome_q       <= outcome_d;
    better_q        <= valid_q && better_d;
  end
  assign better_o         = better_q;
  assign better_replica_o = write_address_q;
endmodule
`default_nettype wire
