// Everything the kernel writes to memory: results, states, best states, the status block. One job
// at a time. Words are read ahead into a queue, as many as it has room for, so a word leaves every
// clock and no path runs from the bus to the memories' addresses within a clock.
//
//   clock 0   row_o, index_o: a word is asked for
//         1   the memories answer (A below, later where Answer says so)
//       A+1   what belongs to this kind of word is chosen
//       A+2   the word enters the queue
`default_nettype none
module cm_store_unit #(
  parameter int unsigned StateWords    = 5,
  parameter int unsigned AddressBits   = 10,  // of a replica
  parameter int unsigned EnergyBits    = 26,
  parameter int unsigned ViolationBits = 9,
  parameter int unsigned Answer        = 1,   // clocks until the memories answer
  localparam int unsigned WordBits     = (StateWords > 1) ? $clog2(StateWords) : 1
) (
  input  wire logic                     clk_i,
  input  wire logic                     rst_ni,

  input  wire logic                     start_i,
  input  wire cm_pkg::store_e           kind_i,     // stable during the job
  input  wire logic [63:0]              address_i,  // a multiple of eight
  input  wire logic [23:0]              beats_i,
  input  wire logic [AddressBits-1:0]   first_i,
  output logic                          busy_o,
  output logic                          error_o,    // of the last job

  output logic      [AddressBits-1:0]   row_o,      // the memories answer Answer clocks later
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
  localparam int unsigned IndexBits   = (WordBits > 3) ? WordBits : 3;
  localparam int unsigned Queue       = 8;  // words: the clocks above, and those until a place is free
  localparam int unsigned CreditBits  = $clog2(Queue + 1);

  logic        busy_q, cmd_valid_q, cmd_ready, valid, ready, taken;
  logic [1:0]  error;
  logic [63:0] word, queued;

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
    .data_i      (queued),
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

  // ---- clock 0: which word, and is there room for it? -----------------------------------------------
  logic                   any_q, ask, last_word;  // any: words remain to be requested
  logic [23:0]            left_q;
  logic [AddressBits-1:0] row_q;
  logic [IndexBits-1:0]   index_q;
  logic [CreditBits-1:0]  credit_q;
  logic                   room_q;  // credit_q is not zero
  logic                   taken_q;
  assign ask     = any_q && room_q;
  assign row_o   = row_q;
  assign index_o = index_q[WordBits-1:0];
  always_comb begin
    unique case (kind_i)
      cm_pkg::StoreResults: last_word = index_q[0];
      cm_pkg::StoreStatus:  last_word = 1'b0;
      default:              last_word = index_q == IndexBits'(StateWords - 1);
    endcase
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      any_q <= 1'b0;
    end else if (start_i) begin
      any_q <= beats_i != '0;
    end else if (ask && left_q == 24'd1) begin
      any_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    taken_q <= taken && !start_i;
    if (start_i) begin
      left_q   <= beats_i;
      row_q    <= first_i;
      index_q  <= '0;
      credit_q <= CreditBits'(Queue);
      room_q   <= 1'b1;
    end else begin
      if (ask) begin
        left_q  <= left_q - 1'b1;
        index_q <= last_word ? '0 : index_q + 1'b1;
        if (last_word) row_q <= row_q + 1'b1;
      end
      if (ask != taken_q) credit_q <= ask ? credit_q - 1'b1 : credit_q + 1'b1;
      room_q <= taken_q || (room_q && !(ask && credit_q == CreditBits'(1)));
    end
  end

  // ---- clocks 1 and 2: its value ----------------------------------------------------------------------
  logic                 asked1_q, asked2_q, asked3_q, found2_q;
  logic [2:0]           index1_q, index2_q;
  logic [63:0]          result2_q, state2_q, word3_q;
  // The request of Answer - 1 clocks ago; of the index only what status and results need.
  logic                 asked;
  logic [2:0]           index;
  if (Answer == 1) begin : gen_at_once
    assign asked = ask;
    assign index = index_q[2:0];
  end else begin : gen_later
    logic [Answer-1:1]       asked_q;
    logic [(Answer-1)*3-1:0] indices_q;
    always_ff @(posedge clk_i) begin
      asked_q   <= (asked_q << 1) | (Answer - 1)'(ask);
      indices_q <= (indices_q << 3) | ((Answer - 1) * 3)'(index_q[2:0]);
      if (!rst_ni || start_i) asked_q <= '0;
    end
    assign asked = asked_q[Answer-1];
    assign index = indices_q[(Answer-2)*3+:3];
  end
  always_ff @(posedge clk_i) begin
    // Words of a failed job are dropped.
    asked1_q <= rst_ni && !start_i && asked;
    asked2_q <= rst_ni && !start_i && asked1_q;
    asked3_q <= rst_ni && !start_i && asked2_q;
  end
  always_comb begin
    word = '0;
    unique case (kind_i)
      cm_pkg::StoreResults: word = result2_q;
      cm_pkg::StoreStates:  word = state2_q;
      cm_pkg::StoreBest:    if (found2_q) word = state2_q;
      cm_pkg::StoreStatus:  word = status_i[{index2_q, 6'd0}+:64];
    endcase
  end
  always_ff @(posedge clk_i) begin
    index1_q <= index;
    index2_q <= index1_q;
    found2_q <= found_i;
    state2_q <= (kind_i == cm_pkg::StoreBest) ? best_word_i : state_word_i;
    if (index1_q[0]) result2_q <= 64'(violations_i);
    else begin
      result2_q[31:0]  <= 32'($signed(energy_i));
      result2_q[63:32] <= found_i ? 32'($signed(best_i)) : topology_pkg::NoBest;
    end
    word3_q <= word;
  end

  // ---- clock 3: the queue -------------------------------------------------------------------------------
  logic unused_room;  // counted by credit_q
  cm_sync_fifo #(
    .Width(64),
    .Depth(Queue)
  ) u_queue (
    .clk_i,
    .rst_ni,
    .clear_i    (start_i),
    .in_valid_i (asked3_q),
    .in_ready_o (unused_room),
    .in_data_i  (word3_q),
    .out_valid_o(valid),
    .out_ready_i(ready),
    .out_data_o (queued)
  );
  assign taken = valid && ready;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q      <= 1'b0;
      cmd_valid_q <= 1'b0;
    end else if (start_i) begin
      busy_q      <= 1'b1;
      cmd_valid_q <= 1'b1;
    end else begin
      if (cmd_ready) cmd_valid_q <= 1'b0;
      // The master is ready again when the last response is in: by then no word is left, or it has
      // failed.
      if (!cmd_valid_q && cmd_ready) busy_q <= 1'b0;
    end
  end
  assign busy_o  = busy_q;
  assign error_o = error != 2'b00;

`ifdef CM_ASSERT
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!start_i || !busy_q) else $error("a store while one runs");
      assert (!asked3_q || start_i || unused_room) else $error("more words asked for than the queue holds");
    end
  end
`endif
endmodule
`default_nettype wire
