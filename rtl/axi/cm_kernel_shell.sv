// What every kernel has in common: the register slave, the steps of a call, loads and stores over
// AXI4, the status block. The core holds the states: it gets tables, states and parameters word by
// word, seeds and runs the burst on request, and supplies the words to be stored. Registers,
// buffers and the order of the steps: docs/kernel.md. Ports that a Vitis kernel passes on unchanged
// have its names.
`default_nettype none
module cm_kernel_shell #(
  parameter int unsigned  MaxReplicas   = 1024,
  parameter int unsigned  StateWords    = 5,
  parameter int unsigned  EnergyBits    = 26,
  parameter int unsigned  ViolationBits = 9,
  parameter logic [511:0] StatusBlock   = '0,  // with code 0 and no clocks
  // Words of the image, which the shell then reads into table_*. 0: the core reads it itself, at
  // image_o, also during bursts.
  parameter int unsigned  ImageWords    = 1,
  parameter int unsigned  ImageAlign    = 8,   // bytes, a power of two
  parameter int unsigned  Answer        = 1,   // clocks from row_o until the core answers
  localparam int unsigned AddressBits   = (MaxReplicas > 1) ? $clog2(MaxReplicas) : 1,
  localparam int unsigned IndexBits     = $clog2(MaxReplicas + 1),
  localparam int unsigned WordBits      = (StateWords > 1) ? $clog2(StateWords) : 1
) (
  input  wire logic                     ap_clk,
  input  wire logic                     ap_rst_n,
  // Vitis requires this name; Verilator only warns that it renames it in its C++.
  // verilator lint_off SYMRSVDWORD
  output logic                          interrupt,
  // verilator lint_on SYMRSVDWORD

  input  wire logic                     s_axi_control_awvalid,
  output logic                          s_axi_control_awready,
  input  wire logic [11:0]              s_axi_control_awaddr,
  input  wire logic                     s_axi_control_wvalid,
  output logic                          s_axi_control_wready,
  input  wire logic [31:0]              s_axi_control_wdata,
  input  wire logic [3:0]               s_axi_control_wstrb,
  output logic                          s_axi_control_bvalid,
  input  wire logic                     s_axi_control_bready,
  output logic      [1:0]               s_axi_control_bresp,
  input  wire logic                     s_axi_control_arvalid,
  output logic                          s_axi_control_arready,
  input  wire logic [11:0]              s_axi_control_araddr,
  output logic                          s_axi_control_rvalid,
  input  wire logic                     s_axi_control_rready,
  output logic      [31:0]              s_axi_control_rdata,
  output logic      [1:0]               s_axi_control_rresp,

  output logic                          m_axi_gmem_awvalid,
  input  wire logic                     m_axi_gmem_awready,
  output logic      [63:0]              m_axi_gmem_awaddr,
  output logic      [1:0]               m_axi_gmem_awid,
  output logic      [7:0]               m_axi_gmem_awlen,
  output logic      [2:0]               m_axi_gmem_awsize,
  output logic      [1:0]               m_axi_gmem_awburst,
  output logic                          m_axi_gmem_wvalid,
  input  wire logic                     m_axi_gmem_wready,
  output logic      [63:0]              m_axi_gmem_wdata,
  output logic      [7:0]               m_axi_gmem_wstrb,
  output logic                          m_axi_gmem_wlast,
  input  wire logic                     m_axi_gmem_bvalid,
  output logic                          m_axi_gmem_bready,
  input  wire logic [1:0]               m_axi_gmem_bid,
  input  wire logic [1:0]               m_axi_gmem_bresp,
  output logic                          m_axi_gmem_arvalid,
  input  wire logic                     m_axi_gmem_arready,
  output logic      [63:0]              m_axi_gmem_araddr,
  output logic      [1:0]               m_axi_gmem_arid,
  output logic      [7:0]               m_axi_gmem_arlen,
  output logic      [2:0]               m_axi_gmem_arsize,
  output logic      [1:0]               m_axi_gmem_arburst,
  input  wire logic                     m_axi_gmem_rvalid,
  output logic                          m_axi_gmem_rready,
  input  wire logic [1:0]               m_axi_gmem_rid,
  input  wire logic [63:0]              m_axi_gmem_rdata,
  input  wire logic [1:0]               m_axi_gmem_rresp,
  input  wire logic                     m_axi_gmem_rlast,

  // ---- the call: these stay from its first start to its end -------------------------------------------
  output logic      [AddressBits-1:0]   first_o,
  output logic      [IndexBits-1:0]     replicas_o,
  output logic      [31:0]              sweeps_o,
  output logic      [63:0]              seed_o,
  output logic      [63:0]              image_o,  // where the image begins

  // ---- the image --------------------------------------------------------------------------------------
  output logic                          tables_start_o,  // one clock
  input  wire logic                     tables_busy_i,   // from the next clock on; does not wait for a failed read
  input  wire logic                     tables_error_i,  // where the core reads: the last read, also a burst's
  input  wire logic                     bad_image_i,     // the last image was not of this topology, or there is none
  output logic                          table_valid_o,   // a word is in load_word_o
  input  wire logic                     table_ready_i,

  // ---- states and parameters: a word a clock, no waiting ------------------------------------------------
  output logic                          parameters_start_o,   // one clock, before the first of them
  output logic                          parameters_failed_o,  // one clock: there will be no burst
  output logic                          state_load_o,
  output logic                          parameter_load_o,
  output logic      [AddressBits-1:0]   load_replica_o,
  output logic      [WordBits-1:0]      load_index_o,
  output logic      [63:0]              load_word_o,

  // ---- the burst --------------------------------------------------------------------------------------
  output logic                          seed_start_o,  // one clock, beside the loads
  input  wire logic                     seed_busy_i,   // the burst starts when it is over
  output logic                          burst_start_o,  // one clock
  input  wire logic                     burst_busy_i,   // from the next clock on; no call begins while it is high

  // ---- what is stored: no burst runs --------------------------------------------------------------------
  output logic                          reading_o,
  output logic      [AddressBits-1:0]   row_o,
  output logic      [WordBits-1:0]      index_o,
  input  wire logic [EnergyBits-1:0]    energy_i,
  input  wire logic [ViolationBits-1:0] violations_i,
  input  wire logic                     found_i,  // there is a best state
  input  wire logic [EnergyBits-1:0]    best_i,
  input  wire logic [63:0]              state_word_i,
  input  wire logic [63:0]              best_word_i
);
  localparam bit OwnImage = ImageWords == 0;
  if (MaxReplicas * StateWords >= (1 << 24) || ImageWords >= (1 << 24)) begin : gen_too_large
    $fatal(1, "cm_kernel_shell: a buffer of this topology exceeds 2^24 words");
  end

  // ---- control registers ----------------------------------------------------------------------------
  localparam int unsigned ArgWords = topology_pkg::ArgWords;
  logic                   start, done;
  logic [32*ArgWords-1:0] args;
  logic [511:0]           status;
  logic [63:0]            ptr_tables, ptr_parameters, ptr_spins, ptr_best, ptr_results, ptr_status;
  logic [31:0]            arg_first, arg_replicas, arg_flags;

  cm_axi_lite_control #(
    .AddrWidth  (12),
    .ArgWords   (ArgWords),
    .ArgBase    (topology_pkg::ArgBase),
    .StatusBase (topology_pkg::StatusMirror),
    .StatusWords(topology_pkg::StatusWords),
    .ArgMask    (topology_pkg::ArgMask)
  ) u_control (
    .clk_i      (ap_clk),
    .rst_ni     (ap_rst_n),
    .awvalid_i  (s_axi_control_awvalid),
    .awready_o  (s_axi_control_awready),
    .awaddr_i   (s_axi_control_awaddr),
    .wvalid_i   (s_axi_control_wvalid),
    .wready_o   (s_axi_control_wready),
    .wdata_i    (s_axi_control_wdata),
    .wstrb_i    (s_axi_control_wstrb),
    .bvalid_o   (s_axi_control_bvalid),
    .bready_i   (s_axi_control_bready),
    .bresp_o    (s_axi_control_bresp),
    .arvalid_i  (s_axi_control_arvalid),
    .arready_o  (s_axi_control_arready),
    .araddr_i   (s_axi_control_araddr),
    .rvalid_o   (s_axi_control_rvalid),
    .rready_i   (s_axi_control_rready),
    .rdata_o    (s_axi_control_rdata),
    .rresp_o    (s_axi_control_rresp),
    .interrupt_o(interrupt),
    .start_o    (start),
    .done_i     (done),
    .args_o     (args),
    .status_i   (status)
  );
  assign ptr_tables     = args[32*topology_pkg::ArgTables+:64];
  assign ptr_parameters = args[32*topology_pkg::ArgParameters+:64];
  assign ptr_spins      = args[32*topology_pkg::ArgSpins+:64];
  assign ptr_best       = args[32*topology_pkg::ArgBest+:64];
  assign ptr_results    = args[32*topology_pkg::ArgResults+:64];
  assign ptr_status     = args[32*topology_pkg::ArgStatus+:64];
  assign arg_first      = args[32*topology_pkg::ArgFirst+:32];
  assign arg_replicas   = args[32*topology_pkg::ArgReplicas+:32];
  assign arg_flags      = args[32*topology_pkg::ArgFlags+:32];
  assign sweeps_o       = args[32*topology_pkg::ArgSweeps+:32];
  assign seed_o         = args[32*topology_pkg::ArgSeed+:64];
  assign first_o        = AddressBits'(arg_first);
  assign replicas_o     = IndexBits'(arg_replicas);
  assign image_o        = ptr_tables;
  for (genvar i = 0; i < ArgWords; i++) begin : gen_hole
    if (!topology_pkg::ArgMask[i]) begin : gen_unused
      logic unused_word;
      assign unused_word = ^args[32*i+:32];
    end
  end

  // ---- the call -----------------------------------------------------------------------------------
  logic [2:0]  code, step;  // a step_e
  // verilator coverage_off
  logic [47:0] clocks;  // see burst_control
  // verilator coverage_on
  logic        load_start, load_busy, load_error, words_busy, words_error, is_words;
  logic        store_start, store_busy, store_error;

  logic [7:0] misaligned;  // by step; a burst uses no buffer unless the core reads it
  always_comb begin
    misaligned                               = '0;
    misaligned[topology_pkg::StepTables]     = ptr_tables[$clog2(ImageAlign)-1:0] != '0;
    misaligned[topology_pkg::StepSpins]      = ptr_spins[2:0] != '0;
    misaligned[topology_pkg::StepParameters] = ptr_parameters[2:0] != '0;
    misaligned[topology_pkg::StepBurst]      = OwnImage && misaligned[topology_pkg::StepTables];
    misaligned[topology_pkg::StepResults]    = ptr_results[2:0] != '0;
    misaligned[topology_pkg::StepStoreSpins] = ptr_spins[2:0] != '0;
    misaligned[topology_pkg::StepStoreBest]  = ptr_best[2:0] != '0;
    misaligned[topology_pkg::StepStatus]     = ptr_status[2:0] != '0;
  end

  cm_burst_control #(
    .MaxReplicas(MaxReplicas)
  ) u_burst_control (
    .clk_i        (ap_clk),
    .rst_ni       (ap_rst_n),
    .start_i      (start),
    .done_o       (done),
    .first_i      (arg_first),
    .replicas_i   (arg_replicas),
    .flags_i      (arg_flags),
    .misaligned_i (misaligned),
    .code_o       (code),
    .clocks_o     (clocks),
    .step_o       (step),
    .load_start_o (load_start),
    .load_busy_i  (load_busy),
    .load_error_i (load_error),
    .tables_busy_i(!OwnImage && tables_busy_i),
    .bad_image_i,
    .seed_start_o,
    .seed_busy_i,
    .burst_start_o,
    .burst_busy_i,
    .store_start_o(store_start),
    .store_busy_i (store_busy),
    .store_error_i(store_error)
  );

  always_comb begin
    status                                  = StatusBlock;
    status[32*topology_pkg::WordCode+:32]   = 32'(code);
    status[32*topology_pkg::WordClocks+:64] = 64'(clocks);
  end

  // Words of R states, by shifted additions: a multiplier would cost a DSP slice. There is time for
  // it: no load begins before the arguments are checked.
  logic [23:0] state_beats, state_beats_q;
  always_ff @(posedge ap_clk) state_beats_q <= state_beats;
  always_comb begin
    state_beats = '0;
    for (int unsigned b = 0; b < 16; b++) begin
      if ((StateWords >> b) % 2 == 1) state_beats = state_beats + (24'(arg_replicas) << b);
    end
  end

  // ---- from memory --------------------------------------------------------------------------------
  logic [63:0]   load_address;
  logic [23:0]   load_beats;
  cm_pkg::load_e load_kind;
  always_comb begin
    load_kind    = cm_pkg::LoadTables;
    load_address = ptr_tables;
    load_beats   = 24'(ImageWords);
    if (step == topology_pkg::StepSpins || (OwnImage && step != topology_pkg::StepParameters)) begin
      load_kind    = cm_pkg::LoadStates;
      load_address = ptr_spins;
      load_beats   = state_beats_q;
    end
    if (step == topology_pkg::StepParameters) begin
      load_kind    = cm_pkg::LoadParameters;
      load_address = ptr_parameters;
      load_beats   = 24'(arg_replicas);
    end
  end
  assign is_words = !OwnImage || step == topology_pkg::StepSpins || step == topology_pkg::StepParameters;
  cm_load_unit #(
    .StateWords (StateWords),
    .AddressBits(AddressBits)
  ) u_load (
    .clk_i            (ap_clk),
    .rst_ni           (ap_rst_n),
    .start_i          (load_start && is_words),
    .kind_i           (load_kind),
    .address_i        (load_address),
    .beats_i          (load_beats),
    .first_i          (first_o),
    .busy_o           (words_busy),
    .error_o          (words_error),
    .table_valid_o,
    .table_ready_i,
    .state_write_o    (state_load_o),
    .parameter_write_o(parameter_load_o),
    .replica_o        (load_replica_o),
    .index_o          (load_index_o),
    .word_o           (load_word_o),
    .arvalid_o        (m_axi_gmem_arvalid),
    .arready_i        (m_axi_gmem_arready),
    .araddr_o         (m_axi_gmem_araddr),
    .arlen_o          (m_axi_gmem_arlen),
    .rvalid_i         (m_axi_gmem_rvalid),
    .rready_o         (m_axi_gmem_rready),
    .rdata_i          (m_axi_gmem_rdata),
    .rresp_i          (m_axi_gmem_rresp),
    .rlast_i          (m_axi_gmem_rlast)
  );
  // One ID for all reads: their data must come in order.
  assign m_axi_gmem_arid    = 2'd0;
  assign m_axi_gmem_arsize  = 3'd3;
  assign m_axi_gmem_arburst = 2'b01;

  assign load_busy           = is_words ? words_busy : tables_busy_i;
  assign load_error          = is_words ? words_error : tables_error_i;
  assign tables_start_o      = load_start && step == topology_pkg::StepTables;
  assign parameters_start_o  = load_start && step == topology_pkg::StepParameters;
  assign parameters_failed_o = words_error && !words_busy && step == topology_pkg::StepParameters;

  // ---- to memory ----------------------------------------------------------------------------------
  cm_pkg::store_e store_kind;
  logic [63:0]    store_address;
  logic [23:0]    store_beats;
  logic [1:0]     awid_q;
  always_comb begin
    store_kind    = cm_pkg::StoreStatus;
    store_address = ptr_status;
    store_beats   = 24'(topology_pkg::StatusWords / 2);
    if (step == topology_pkg::StepResults) begin
      store_kind    = cm_pkg::StoreResults;
      store_address = ptr_results;
      store_beats   = 24'(arg_replicas) << 1;
    end
    if (step == topology_pkg::StepStoreSpins) begin
      store_kind    = cm_pkg::StoreStates;
      store_address = ptr_spins;
      store_beats   = state_beats_q;
    end
    if (step == topology_pkg::StepStoreBest) begin
      store_kind    = cm_pkg::StoreBest;
      store_address = ptr_best;
      store_beats   = state_beats_q;
    end
  end
  assign reading_o = store_start || store_busy;
  cm_store_unit #(
    .StateWords   (StateWords),
    .AddressBits  (AddressBits),
    .EnergyBits   (EnergyBits),
    .ViolationBits(ViolationBits),
    .Answer       (Answer)
  ) u_store (
    .clk_i       (ap_clk),
    .rst_ni      (ap_rst_n),
    .start_i     (store_start),
    .kind_i      (store_kind),
    .address_i   (store_address),
    .beats_i     (store_beats),
    .first_i     (first_o),
    .busy_o      (store_busy),
    .error_o     (store_error),
    .row_o,
    .index_o,
    .energy_i,
    .violations_i,
    .found_i,
    .best_i,
    .state_word_i,
    .best_word_i,
    .status_i    (status),
    .awvalid_o   (m_axi_gmem_awvalid),
    .awready_i   (m_axi_gmem_awready),
    .awaddr_o    (m_axi_gmem_awaddr),
    .awlen_o     (m_axi_gmem_awlen),
    .wvalid_o    (m_axi_gmem_wvalid),
    .wready_i    (m_axi_gmem_wready),
    .wdata_o     (m_axi_gmem_wdata),
    .wstrb_o     (m_axi_gmem_wstrb),
    .wlast_o     (m_axi_gmem_wlast),
    .bvalid_i    (m_axi_gmem_bvalid),
    .bready_o    (m_axi_gmem_bready),
    .bresp_i     (m_axi_gmem_bresp)
  );
  // Bursts of a job write different words, so their responses may come in any order: an ID each.
  always_ff @(posedge ap_clk) begin
    if (!ap_rst_n) awid_q <= '0;
    else if (m_axi_gmem_awvalid && m_axi_gmem_awready) awid_q <= awid_q + 1'b1;
  end
  assign m_axi_gmem_awid    = awid_q;
  assign m_axi_gmem_awsize  = 3'd3;
  assign m_axi_gmem_awburst = 2'b01;

  // Responses are counted, not distinguished.
  logic unused_ids;
  assign unused_ids = ^{m_axi_gmem_bid, m_axi_gmem_rid};
  if (!OwnImage) begin : gen_no_error
    logic unused_error;
    assign unused_error = tables_error_i;
  end

`ifdef CM_ASSERT
  always_ff @(posedge ap_clk) begin
    if (ap_rst_n) begin
      assert (!(state_load_o || parameter_load_o) ||
              (load_replica_o >= first_o && 33'(load_replica_o) < 33'(arg_first) + 33'(arg_replicas)))
        else $error("a word of a replica that the call does not have");
      assert (!(tables_start_o || parameters_start_o || burst_start_o) || !reading_o) else $error("loads beside stores");
    end
  end
`endif
endmodule
`default_nettype wire
