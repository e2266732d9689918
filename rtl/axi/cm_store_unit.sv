// Everything the kernel writes to memory: results, states, best states, the status block. One job
// at a time. Rows are read ahead (the memories' address is the next row, not this one), so a word
// leaves every clock.
`default_nettype none
module cm_store_unit #(
  parameter int unsigned StateWords    = 5,
  parameter int unsigned AddressBits   = 10,  // of a replica
  parameter int unsigned EnergyBits    = 26,
  parameter int unsigned ViolationBits = 9,
  localparam int unsigned WordBits     = (StateWords > 1) ? $clog2(StateWords) : 1
) (
  input  wire logic                     clk_i,
  input  wire logic                     rst_ni,

  input  wire logic                     start_i,
  input  wire cm_pkg::store_e           kind_i,     // stays during the job
  input  wire logic [63:0]              address_i,  // a multiple of eight
  input  wire logic [23:0]              beats_i,
  input  wire logic [AddressBits-1:0]   first_i,
  output logic                          busy_o,
  output logic                          error_o,    // of the last job

  output logic      [AddressBits-1:0]   row_o,      // the memories answer one clock later
  output logic      [WordBits-1:0]      index_o,
  input  wire logic [EnergyBits-1:0]    energy_i,
  input  wire logic [ViolationBits-1:0] violations_i,
  input  wire logic                     found_i,
  input  wire logic [EnergyBits-1:0]    best_i,
  input  wire logic [63:0]              state_word_i,
  input  wire logic [63:0]              best_word_i,
  input  wire logic [511:0]             status_i,

  output logic                          awvalid_o,
  input  wire logic                     awready_i,
  output logic      [63:0]              awaddr_o,
  output logic      [7:0]               awlen_o,
  output logic                          wvalid_o,
  input  wire logic                     wready_i,
  output logic      [63:0]              wdata_o,
  output logic      [7:0]               wstrb_o,
  output logic                          wlast_o,
  input  wire logic                     bvalid_i,
  output logic                          bready_o,
  input  wire logic [1:0]               bresp_i
);
  localparam int unsigned IndexBits = (WordBits > 3) ? WordBits : 3;

  logic        busy_q, cmd_valid_q, cmd_ready, valid, ready, taken, last_word;
  logic [1:0]  error;
  logic [63:0] word;
  logic [23:0] left_q;
  logic [AddressBits-1:0] row_q, row_d;
  logic [IndexBits-1:0]   index_q;

  cm_axi_write_master #(
    .DataWidth(64)
  ) u_master (
    .clk_i,
    .rst_ni,
    .cmd_valid_i (cmd_valid_q),
    .cmd_ready_o (cmd_ready),
    .cmd_addr_i  (address_i),
    .cmd_beats_i (beats_i),
    .error_o     (error),
    .data_valid_i(valid),
    .data_ready_o(ready),
    .data_i      (word),
    .awvalid_o,
    .awready_i,
    .awaddr_o,
    .awlen_o,
    .wvalid_o,
    .wready_i,
    .wdata_o,
    .wstrb_o,
    .wlast_o,
    .bvalid_i,
    .bready_o,
    .bresp_i
  );

  always_comb begin
    last_word = 1'b0;
    word      = '0;
    unique case (kind_i)
      cm_pkg::StoreResults: begin
        last_word = index_q[0];
        if (index_q[0]) word[31:0] = 32'(violations_i);
        else begin
          word[31:0]  = 32'($signed(energy_i));
          word[63:32] = found_i ? 32'($signed(best_i)) : topology_pkg::NoBest;
        end
      end
      cm_pkg::StoreStates: begin
        last_word = index_q == IndexBits'(StateWords - 1);
        word      = state_word_i;
      end
      cm_pkg::StoreBest: begin
        last_word = index_q == IndexBits'(StateWords - 1);
        if (found_i) word = best_word_i;
      end
      cm_pkg::StoreStatus: word = status_i[{index_q[2:0], 6'd0}+:64];
    endcase
  end

  assign valid   = left_q != '0 && !cmd_valid_q;
  assign taken   = valid && ready;
  assign row_o   = row_d;
  assign index_o = index_q[WordBits-1:0];
  always_comb begin
    row_d = row_q;
    if (start_i) row_d = first_i;
    else if (taken && last_word) row_d = row_q + 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q      <= 1'b0;
      cmd_valid_q <= 1'b0;
      left_q      <= '0;
      index_q     <= '0;
      row_q       <= '0;
    end else begin
      row_q <= row_d;
      if (start_i) begin
        busy_q      <= 1'b1;
        cmd_valid_q <= 1'b1;
        left_q      <= beats_i;
        index_q     <= '0;
      end else begin
        if (cmd_valid_q && cmd_ready) cmd_valid_q <= 1'b0;
        // The master is ready again when the last response is in, or after a failed transfer.
        if (!cmd_valid_q && cmd_ready && (left_q == '0 || error != 2'b00)) busy_q <= 1'b0;
        if (taken) begin
          left_q  <= left_q - 1'b1;
          index_q <= last_word ? '0 : index_q + 1'b1;
        end
      end
    end
  end
  assign busy_o  = busy_q;
  assign error_o = error != 2'b00;
endmodule
`default_nettype wire
