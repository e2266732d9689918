// Keeps the outcome of every replica: f and g after its last sweep, the lowest f it had with g = 0
// in this burst, and says when a state is a new best. Ties keep the earlier state.
//
// A replica comes back only after the depth of the ring, so its outcome is written long before it
// is read again: read, compare and write need no forwarding. With Lead = 2 what is read passes a register
// before it is compared.
`default_nettype none
module cm_best_capture #(
  parameter int unsigned EnergyBits    = 26,
  parameter int unsigned ViolationBits = 9,
  parameter int unsigned Replicas      = 1024,
  parameter int unsigned Lead          = 1,  // clocks from a replica to its energy: 1, or 2 for a faster clock
  localparam int unsigned AddressBits  = (Replicas > 1) ? $clog2(Replicas) : 1
) (
  input  wire logic                     clk_i,
  input  wire logic                     valid_i,
  input  wire logic                     first_i,  // the replica's first pass of the burst
  input  wire logic [AddressBits-1:0]   replica_i,
  // Lead clocks later:
  input  wire logic [EnergyBits-1:0]    energy_i,
  input  wire logic [ViolationBits-1:0] violations_i,
  // A clock after the energy:
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

  if (Lead != 1 && Lead != 2) begin : gen_bad_lead
    $fatal(1, "cm_best_capture: Lead must be 1 or 2");
  end

  logic                     valid, first, found, write_q, better_d, better_q, had, had_q;
  logic [AddressBits-1:0]   replica, write_address_q;
  logic [Width-1:0]         outcome;
  logic [EnergyBits-1:0]    best, best_q, energy_q;
  logic [ViolationBits-1:0] violations_q;

  cm_ram_1r1w #(
    .Width(Width),
    .Depth(Replicas)
  ) u_ram (
    .clk_i,
    .write_i        (write_q),
    .write_address_i(write_address_q),
    .write_data_i   ({had_q || better_q, better_q ? energy_q : best_q, violations_q, energy_q}),
    .read_address_i (reading_i ? read_address_i : replica_i),
    .read_data_o    (outcome)
  );
  assign {found_o, best_o, violations_o, energy_o} = outcome;

  cm_delay_line #(
    .Width(AddressBits + 2),
    .Depth(Lead)
  ) u_replica (
    .clk_i,
    .advance_i(1'b1),
    .data_i   ({valid_i, first_i, replica_i}),
    .data_o   ({valid, first, replica})
  );
  cm_delay_line #(
    .Width(EnergyBits + 1),
    .Depth(Lead - 1)
  ) u_kept (
    .clk_i,
    .advance_i(1'b1),
    .data_i   ({found_o, best_o}),
    .data_o   ({found, best})
  );
  assign had      = found && !first;
  assign better_d = violations_i == '0 && (!had || $signed(energy_i) < $signed(best));

  always_ff @(posedge clk_i) begin
    write_q         <= valid;
    write_address_q <= replica;
    had_q           <= had;
    best_q          <= best;
    energy_q        <= energy_i;
    violations_q    <= violations_i;
    better_q        <= valid && better_d;
  end
  assign better_o         = better_q;
  assign better_replica_o = write_address_q;
endmodule
`default_nettype wire
