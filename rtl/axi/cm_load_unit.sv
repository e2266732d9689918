// Everything the kernel reads from memory: load image, states, parameters. One job at a time; the
// words of a job go to the table loader, the ring memory or the parameter memory. A queue of two
// words decouples them from the bus, whose READY would otherwise depend on the table loader's.
`default_nettype none
module cm_load_unit #(
  parameter int unsigned StateWords  = 5,
  parameter int unsigned AddressBits = 10,  // of a replica
  localparam int unsigned WordBits   = (StateWords > 1) ? $clog2(StateWords) : 1
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,

  input  wire logic                   start_i,
  input  wire cm_pkg::load_e          kind_i,
  input  wire logic [63:0]            address_i,  // a multiple of eight
  input  wire logic [23:0]            beats_i,
  input  wire logic [AddressBits-1:0] first_i,    // replica of the first word
  output logic                        busy_o,
  output logic                        error_o,    // of the last job

  output logic                        table_valid_o,
  input  wire logic                   table_ready_i,
  output logic                        state_write_o,
  output logic                        parameter_write_o,
  output logic      [AddressBits-1:0] replica_o,
  output logic      [WordBits-1:0]    index_o,
  output logic      [63:0]            word_o,

  output logic                        arvalid_o,
  input  wire logic                   arready_i,
  output logic      [63:0]            araddr_o,
  output logic      [7:0]             arlen_o,
  input  wire logic                   rvalid_i,
  output logic                        rready_o,
  input  wire logic [63:0]            rdata_i,
  input  wire logic [1:0]             rresp_i,
  input  wire logic                   rlast_i
);
  logic        busy_q, cmd_valid_q, cmd_ready, read_valid, read_ready, valid, ready, taken;
  logic [1:0]  error;
  logic [63:0] read_word;

  cm_axi_read_master #(
    .DataWidth(64)
  ) u_master (
    .clk_i,
    .rst_ni,
    .cmd_valid_i (cmd_valid_q),
    .cmd_ready_o (cmd_ready),
    .cmd_addr_i  (address_i),
    .cmd_beats_i (beats_i),
    .error_o     (error),
    .data_valid_o(read_valid),
    .data_ready_i(read_ready),
    .data_o      (read_word),
    .arvalid_o,
    .arready_i,
    .araddr_o,
    .arlen_o,
    .rvalid_i,
    .rready_o,
    .rdata_i,
    .rresp_i,
    .rlast_i
  );
  cm_sync_fifo #(
    .Width(64),
    .Depth(2)
  ) u_words (
    .clk_i,
    .rst_ni,
    .clear_i    (start_i),
    .in_valid_i (read_valid),
    .in_ready_o (read_ready),
    .in_data_i  (read_word),
    .out_valid_o(valid),
    .out_ready_i(ready),
    .out_data_o (word_o)
  );

  cm_pkg::load_e          kind_q;
  logic [AddressBits-1:0] replica_q;
  logic [WordBits-1:0]    index_q;
  logic                   last_word;
  assign ready             = kind_q != cm_pkg::LoadTables || table_ready_i;
  assign taken             = valid && ready;
  assign table_valid_o     = valid && kind_q == cm_pkg::LoadTables;
  assign state_write_o     = valid && kind_q == cm_pkg::LoadStates;
  assign parameter_write_o = valid && kind_q == cm_pkg::LoadParameters;
  assign replica_o         = replica_q;
  assign index_o           = index_q;
  assign last_word         = kind_q == cm_pkg::LoadParameters || index_q == WordBits'(StateWords - 1);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q      <= 1'b0;
      cmd_valid_q <= 1'b0;
      replica_q   <= '0;
      index_q     <= '0;
    end else if (start_i) begin
      busy_q      <= 1'b1;
      cmd_valid_q <= 1'b1;
      replica_q   <= first_i;
      index_q     <= '0;
    end else begin
      if (cmd_valid_q && cmd_ready) cmd_valid_q <= 1'b0;
      // Also wait until the last word has left the queue.
      if (!cmd_valid_q && cmd_ready && !valid) busy_q <= 1'b0;
      if (taken) begin
        index_q <= last_word ? '0 : index_q + 1'b1;
        if (last_word) replica_q <= replica_q + 1'b1;
      end
    end
  end
  always_ff @(posedge clk_i) if (start_i) kind_q <= kind_i;
  assign busy_o  = busy_q;
  assign error_o = error != 2'b00;

`ifdef CM_ASSERT
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!start_i || !busy_q) else $error("a load while one runs");
      assert ($onehot0({table_valid_o, state_write_o, parameter_write_o})) else $error("a word for two");
    end
  end
`endif
endmodule
`default_nettype wire
