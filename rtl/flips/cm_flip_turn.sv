// The first of all lanes that flips: which one, its spin and what travels with it, at clock 12.
`default_nettype none
module cm_flip_turn #(
  parameter int unsigned Lanes = 16,
  parameter int unsigned Width = 18,  // of what travels with a lane
  // Derived, named for the ports.
  localparam int unsigned LaneBits = $clog2(Lanes)
) (
  input  wire logic                   clk_i,
  input  wire logic [Lanes-1:0]       drawn10_i,
  input  wire logic [Lanes-1:0]       spin10_i,
  input  wire logic [Lanes*Width-1:0] data10_i,
  output logic                        any12_o,
  output logic      [LaneBits-1:0]    lane12_o,
  output logic      [Width-1:0]       data12_o,
  output logic                        spin12_o
);
  localparam int unsigned Octets    = Lanes / 8;
  localparam int unsigned OctetBits = $clog2(Octets);
  logic [Octets-1:0]           any11, spins12;
  logic [3*Octets-1:0]         at11;
  logic [Lanes*Width-1:0]      data11_q;
  logic [Octets*Width-1:0]     datas12;
  logic [Octets*(Width+1)-1:0] all12;
  logic [OctetBits-1:0]        octet11, octet12_q;
  logic [2:0]                  lane11;
  logic [LaneBits-1:0]         lane12_q;
  logic                        any12_q;
  for (genvar o = 0; o < Octets; o++) begin : gen_octet
    cm_flip_first #(
      .Width(Width)
    ) u_first (
      .clk_i,
      .drawn10_i(drawn10_i[8*o+:8]),
      .spin10_i (spin10_i[8*o+:8]),
      .data11_i (data11_q[8*Width*o+:8*Width]),
      .any11_o  (any11[o]),
      .at11_o   (at11[3*o+:3]),
      .data12_o (datas12[Width*o+:Width]),
      .spin12_o (spins12[o])
    );
    assign all12[(Width+1)*o+:Width+1] = {spins12[o], datas12[Width*o+:Width]};
  end
  always_comb begin
    octet11 = '0;
    for (int o = Octets - 1; o >= 0; o--) if (any11[o]) octet11 = OctetBits'(o);
  end
  cm_select #(
    .Inputs(Octets),
    .Width (3)
  ) u_lane11 (
    .data_i  (at11),
    .select_i(octet11),
    .data_o  (lane11)
  );
  cm_select #(
    .Inputs(Octets),
    .Width (Width + 1)
  ) u_data12 (
    .data_i  (all12),
    .select_i(octet12_q),
    .data_o  ({spin12_o, data12_o})
  );
  always_ff @(posedge clk_i) begin
    data11_q  <= data10_i;
    any12_q   <= any11 != '0;
    octet12_q <= octet11;
    lane12_q  <= {octet11, lane11};
  end
  assign any12_o  = any12_q;
  assign lane12_o = lane12_q;
endmodule
`default_nettype wire
