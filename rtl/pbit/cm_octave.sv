// The octave of a random word: the leading zeros of its 24 bits below the sign, 24 when all are zero.
`default_nettype none
module cm_octave (
  input  wire logic [23:0] bits_i,
  output logic      [4:0]  octave_o
);
  logic [5:0]  quad;      // quad g has a one, counted from the top
  logic [11:0] position;  // leading zeros within each quad
  for (genvar g = 0; g < 6; g++) begin : gen_quad
    logic [3:0] bits;
    assign bits             = bits_i[20-4*g+:4];
    assign quad[g]          = bits != 4'd0;
    assign position[2*g+:2] = bits[3] ? 2'd0 : bits[2] ? 2'd1 : bits[1] ? 2'd2 : 2'd3;
  end
  always_comb begin
    octave_o = 5'd24;
    for (int g = 5; g >= 0; g--) begin
      if (quad[g]) octave_o = {3'(g), position[2*g+:2]};
    end
  end
endmodule
`default_nettype wire
