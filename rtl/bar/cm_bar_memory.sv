// On-chip memory that host and kernel share: rows of 64 bytes, each byte a block RAM of its own, so
// that strobes need no read. The host comes first in every clock: its bus may time out (AWS: 8 us).
`default_nettype none
module cm_bar_memory #(
  parameter int unsigned Rows = 64,  // a power of two, at least a page
  localparam int unsigned RowBits = $clog2(Rows)
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,

  input  wire logic               host_write_i,
  input  wire logic [RowBits-1:0] host_write_row_i,
  input  wire logic [63:0]        host_strobe_i,
  input  wire logic [511:0]       host_data_i,
  input  wire logic               kernel_write_i,
  output logic                    kernel_written_o,  // now, if it wants to
  input  wire logic [RowBits-1:0] kernel_write_row_i,
  input  wire logic [63:0]        kernel_strobe_i,
  input  wire logic [511:0]       kernel_data_i,

  input  wire logic               host_read_i,
  input  wire logic [RowBits-1:0] host_read_row_i,
  output logic                    host_valid_o,
  input  wire logic               kernel_read_i,
  output logic                    kernel_taken_o,  // now, if it wants to
  input  wire logic [RowBits-1:0] kernel_read_row_i,
  output logic                    kernel_valid_o,
  output logic      [511:0]       row_o
);
  if (Rows < 64 || (1 << RowBits) != Rows) begin : gen_bad_rows
    $fatal(1, "cm_bar_memory: Rows must be a power of two, at least 64");
  end
  assign kernel_written_o = !host_write_i;
  assign kernel_taken_o   = !host_read_i;

  logic [RowBits-1:0] write_row_q, read_row_q;
  logic [63:0]        strobe_q;
  logic [511:0]       data_q, read, row_q;
  logic [2:0]         host_q, kernel_q;  // reads on their way
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      strobe_q <= '0;
      host_q   <= '0;
      kernel_q <= '0;
    end else begin
      strobe_q <= host_write_i ? host_strobe_i : kernel_strobe_i & {64{kernel_write_i}};
      host_q   <= {host_q[1:0], host_read_i};
      kernel_q <= {kernel_q[1:0], kernel_read_i && !host_read_i};
    end
  end
  always_ff @(posedge clk_i) begin
    write_row_q <= host_write_i ? host_write_row_i : kernel_write_row_i;
    data_q      <= host_write_i ? host_data_i : kernel_data_i;
    read_row_q  <= host_read_i ? host_read_row_i : kernel_read_row_i;
    row_q       <= read;
  end
  for (genvar b = 0; b < 64; b++) begin : gen_byte
    cm_ram_1r1w #(
      .Width(8),
      .Depth(Rows)
    ) u_ram (
      .clk_i,
      .write_i        (strobe_q[b]),
      .write_address_i(write_row_q),
      .write_data_i   (data_q[8*b+:8]),
      .read_address_i (read_row_q),
      .read_data_o    (read[8*b+:8])
    );
  end
  assign host_valid_o   = host_q[2];
  assign kernel_valid_o = kernel_q[2];
  assign row_o          = row_q;
endmodule
`default_nettype wire
