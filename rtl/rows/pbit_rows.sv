// The row kernel as Vitis knows it: an AXI4-Lite slave for control, a wide AXI4 master for the row
// image and one for all other buffers. Registers, buffers and numbers: docs/kernel.md, docs/rows.md.
// The topology is what topology_pkg says, which the host generates (`write_topology rtl NAME`).
`default_nettype none
module pbit_rows #(
  // 1 where the tool packs multiply and add into one DSP slice (Vivado); see cm_multiply_add.sv.
  parameter bit WideAdd = 1'b1
) (
  input  wire logic        ap_clk,
  input  wire logic        ap_rst_n,
  // Vitis wants this name; Verilator only says that it will rename it in its C++.
  // verilator lint_off SYMRSVDWORD
  output logic             interrupt,
  // verilator lint_on SYMRSVDWORD

  input  wire logic        s_axi_control_awvalid,
  output logic             s_axi_control_awready,
  input  wire logic [11:0] s_axi_control_awaddr,
  input  wire logic        s_axi_control_wvalid,
  output logic             s_axi_control_wready,
  input  wire logic [31:0] s_axi_control_wdata,
  input  wire logic [3:0]  s_axi_control_wstrb,
  output logic             s_axi_control_bvalid,
  input  wire logic        s_axi_control_bready,
  output logic      [1:0]  s_axi_control_bresp,
  input  wire logic        s_axi_control_arvalid,
  output logic             s_axi_control_arready,
  input  wire logic [11:0] s_axi_control_araddr,
  output logic             s_axi_control_rvalid,
  input  wire logic        s_axi_control_rready,
  output logic      [31:0] s_axi_control_rdata,
  output logic      [1:0]  s_axi_control_rresp,

  output logic             m_axi_gmem_awvalid,
  input  wire logic        m_axi_gmem_awready,
  output logic      [63:0] m_axi_gmem_awaddr,
  output logic      [1:0]  m_axi_gmem_awid,
  output logic      [7:0]  m_axi_gmem_awlen,
  output logic      [2:0]  m_axi_gmem_awsize,
  output logic      [1:0]  m_axi_gmem_awburst,
  output logic             m_axi_gmem_wvalid,
  input  wire logic        m_axi_gmem_wready,
  output logic      [63:0] m_axi_gmem_wdata,
  output logic      [7:0]  m_axi_gmem_wstrb,
  output logic             m_axi_gmem_wlast,
  input  wire logic        m_axi_gmem_bvalid,
  output logic             m_axi_gmem_bready,
  input  wire logic [1:0]  m_axi_gmem_bid,
  input  wire logic [1:0]  m_axi_gmem_bresp,
  output logic             m_axi_gmem_arvalid,
  input  wire logic        m_axi_gmem_arready,
  output logic      [63:0] m_axi_gmem_araddr,
  output logic      [1:0]  m_axi_gmem_arid,
  output logic      [7:0]  m_axi_gmem_arlen,
  output logic      [2:0]  m_axi_gmem_arsize,
  output logic      [1:0]  m_axi_gmem_arburst,
  input  wire logic        m_axi_gmem_rvalid,
  output logic             m_axi_gmem_rready,
  input  wire logic [1:0]  m_axi_gmem_rid,
  input  wire logic [63:0] m_axi_gmem_rdata,
  input  wire logic [1:0]  m_axi_gmem_rresp,
  input  wire logic        m_axi_gmem_rlast,

  output logic             m_axi_rows_arvalid,
  input  wire logic        m_axi_rows_arready,
  output logic      [63:0] m_axi_rows_araddr,
  output logic      [7:0]  m_axi_rows_arlen,
  output logic      [2:0]  m_axi_rows_arsize,
  output logic      [1:0]  m_axi_rows_arburst,
  input  wire logic        m_axi_rows_rvalid,
  output logic             m_axi_rows_rready,
  input  wire logic [255:0] m_axi_rows_rdata,
  input  wire logic [1:0]  m_axi_rows_rresp,
  input  wire logic        m_axi_rows_rlast
);
  localparam int unsigned MaxReplicas   = topology_pkg::MaxReplicas;
  localparam int unsigned StateWords    = topology_pkg::StateWords;
  localparam int unsigned EnergyBits    = topology_pkg::EnergyBits;
  localparam int unsigned AddressBits   = (MaxReplicas > 1) ? $clog2(MaxReplicas) : 1;
  localparam int unsigned IndexBits     = $clog2(MaxReplicas + 1);
  localparam int unsigned WordBits      = (StateWords > 1) ? $clog2(StateWords) : 1;
  localparam int unsigned RowBits       = $clog2(topology_pkg::Pbits + 1);
  localparam int unsigned GBits         = topology_pkg::ViolationBits;
  if (MaxReplicas * StateWords >= (1 << 24)) begin : gen_too_large
    $fatal(1, "pbit_rows: a buffer of this topology exceeds 2^24 words");
  end

  // ---- control registers ----------------------------------------------------------------------------
  localparam int unsigned ArgWords = topology_pkg::ArgWords;
  logic                   start, done;
  logic [32*ArgWords-1:0] args;
  logic [511:0]           status;
  logic [63:0]            ptr_tables, ptr_parameters, ptr_spins, ptr_best, ptr_results, ptr_status;
  logic [31:0]            arg_first, arg_replicas, arg_sweeps, arg_flags;
  logic [63:0]            arg_seed;

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
  assign arg_sweeps     = args[32*topology_pkg::ArgSweeps+:32];
  assign arg_flags      = args[32*topology_pkg::ArgFlags+:32];
  assign arg_seed       = args[32*topology_pkg::ArgSeed+:64];

  // ---- the call -----------------------------------------------------------------------------------
  logic [2:0]  code, step;  // a step_e
  // verilator coverage_off
  logic [47:0] clocks;  // see burst_control
  // verilator coverage_on
  logic        load_start, load_busy, load_error, words_busy, words_error, seed_start, seed_busy;
  logic        burst_start, burst_busy_q, core_busy, store_start, store_busy, store_error;
  logic        stream_busy, stream_error, head_seen, bad_image, is_words, forgetting;
  logic        head_start_q, rows_start_q, head_busy_q;

  logic [7:0] crooked;  // by step
  always_comb begin
    crooked                               = '0;
    crooked[topology_pkg::StepTables]     = ptr_tables[4:0] != '0;
    crooked[topology_pkg::StepSpins]      = ptr_spins[2:0] != '0;
    crooked[topology_pkg::StepParameters] = ptr_parameters[2:0] != '0;
    crooked[topology_pkg::StepBurst]      = ptr_tables[4:0] != '0;
    crooked[topology_pkg::StepResults]    = ptr_results[2:0] != '0;
    crooked[topology_pkg::StepStoreSpins] = ptr_spins[2:0] != '0;
    crooked[topology_pkg::StepStoreBest]  = ptr_best[2:0] != '0;
    crooked[topology_pkg::StepStatus]     = ptr_status[2:0] != '0;
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
    .crooked_i    (crooked),
    .code_o       (code),
    .clocks_o     (clocks),
    .step_o       (step),
    .load_start_o (load_start),
    .load_busy_i  (load_busy),
    .load_error_i (load_error),
    .tables_busy_i(1'b0),
    .bad_image_i  (bad_image),
    .seed_start_o (seed_start),
    .seed_busy_i  (seed_busy),
    .burst_start_o(burst_start),
    .burst_busy_i (burst_busy_q),
    .store_start_o(store_start),
    .store_busy_i (store_busy),
    .store_error_i(store_error)
  );

  always_comb begin
    status                                  = topology_pkg::StatusBlock;
    status[32*topology_pkg::WordCode+:32]   = 32'(code);
    status[32*topology_pkg::WordClocks+:64] = 64'(clocks);
  end

  // Words of R states, by shifted additions: a multiplier would cost a DSP slice.
  logic [23:0] state_beats;
  always_comb begin
    state_beats = '0;
    for (int unsigned b = 0; b < 16; b++) begin
      if ((StateWords >> b) % 2 == 1) state_beats = state_beats + (24'(arg_replicas) << b);
    end
  end

  // ---- from memory: words ---------------------------------------------------------------------------
  logic [AddressBits-1:0] first, load_replica;
  logic [WordBits-1:0]    load_index;
  logic [63:0]            load_word, load_address;
  logic [23:0]            load_beats;
  cm_pkg::load_e          load_kind;
  logic                   unused_table, state_load, parameter_load;
  assign first    = AddressBits'(arg_first);
  assign is_words = step == topology_pkg::StepSpins || step == topology_pkg::StepParameters;
  always_comb begin
    load_kind    = cm_pkg::LoadStates;
    load_address = ptr_spins;
    load_beats   = state_beats;
    if (step == topology_pkg::StepParameters) begin
      load_kind    = cm_pkg::LoadParameters;
      load_address = ptr_parameters;
      load_beats   = 24'(arg_replicas);
    end
  end
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
    .first_i          (first),
    .busy_o           (words_busy),
    .error_o          (words_error),
    .table_valid_o    (unused_table),
    .table_ready_i    (1'b1),
    .state_write_o    (state_load),
    .parameter_write_o(parameter_load),
    .replica_o        (load_replica),
    .index_o          (load_index),
    .word_o           (load_word),
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

  // ---- from memory: rows ------------------------------------------------------------------------------
  logic [RowBits-1:0] rows;
  logic [32:0]        passes_left;
  logic               passes_known, beat_valid, beat_ready;
  logic [255:0]       beat;
  cm_row_stream #(
    .RecordBeats(topology_pkg::HeadBeats + topology_pkg::RowBeats),
    .MaxRows    (topology_pkg::Pbits),
    .ImageMark  (topology_pkg::ImageMark)
  ) u_stream (
    .clk_i        (ap_clk),
    .rst_ni       (ap_rst_n),
    .base_i       (ptr_tables),
    .head_start_i (head_start_q),
    .rows_start_i (rows_start_q),
    .burst_start_i(passes_known),
    .left_i       (passes_left),
    .stop_i       (words_error && step == topology_pkg::StepParameters && !words_busy),
    .busy_o       (stream_busy),
    .error_o      (stream_error),
    .head_seen_o  (head_seen),
    .rows_o       (rows),
    .bad_image_o  (bad_image),
    .beat_valid_o (beat_valid),
    .beat_ready_i (beat_ready),
    .beat_o       (beat),
    .arvalid_o    (m_axi_rows_arvalid),
    .arready_i    (m_axi_rows_arready),
    .araddr_o     (m_axi_rows_araddr),
    .arlen_o      (m_axi_rows_arlen),
    .rvalid_i     (m_axi_rows_rvalid),
    .rready_o     (m_axi_rows_rready),
    .rdata_i      (m_axi_rows_rdata),
    .rresp_i      (m_axi_rows_rresp),
    .rlast_i      (m_axi_rows_rlast)
  );
  assign m_axi_rows_arsize  = 3'd5;
  assign m_axi_rows_arburst = 2'b01;
  assign load_busy  = is_words ? words_busy : head_busy_q;
  assign load_error = is_words ? words_error : stream_error;
  // A start is told a clock later, and so is that it is over.
  always_ff @(posedge ap_clk) begin
    head_start_q <= ap_rst_n && load_start && step == topology_pkg::StepTables;
    rows_start_q <= ap_rst_n && load_start && step == topology_pkg::StepParameters;
    head_busy_q  <= load_start || head_start_q || stream_busy || head_seen || forgetting;
    burst_busy_q <= burst_start || core_busy || stream_busy || forgetting;
  end

  // ---- lanes and outcome ----------------------------------------------------------------------------
  logic [AddressBits-1:0] store_row;
  logic [WordBits-1:0]    store_index;
  logic                   found;
  logic [EnergyBits-1:0]  last_energy, best_energy;
  logic [GBits-1:0]       last_violations;
  logic [63:0]            state_word, best_word;
  cm_rows_core #(
    .WideAdd(WideAdd)
  ) u_core (
    .clk_i             (ap_clk),
    .rst_ni            (ap_rst_n),
    .first_i           (first),
    .replicas_i        (IndexBits'(arg_replicas)),
    .sweeps_i          (arg_sweeps),
    .rows_i            (rows),
    .beat_valid_i      (beat_valid),
    .beat_ready_o      (beat_ready),
    .beat_i            (beat),
    .beat_error_i      (stream_error),
    .forget_i          (head_seen && !bad_image &&
                        step == topology_pkg::StepTables),
    .forgetting_o      (forgetting),
    .parameters_start_i(load_start && step == topology_pkg::StepParameters),
    .state_load_i      (state_load),
    .parameter_load_i  (parameter_load),
    .load_replica_i    (load_replica),
    .load_index_i      (load_index),
    .load_word_i       (load_word),
    .seed_start_i      (seed_start),
    .seed_i            (arg_seed),
    .seed_busy_o       (seed_busy),
    .burst_start_i     (burst_start),
    .burst_busy_o      (core_busy),
    .passes_known_o    (passes_known),
    .passes_left_o     (passes_left),
    .reading_i         (store_start || store_busy),
    .row_i             (store_row),
    .index_i           (store_index),
    .energy_o          (last_energy),
    .violations_o      (last_violations),
    .found_o           (found),
    .best_o            (best_energy),
    .state_word_o      (state_word),
    .best_word_o       (best_word)
  );

  // ---- to memory ----------------------------------------------------------------------------------
  cm_pkg::store_e store_kind;
  logic [63:0] store_address;
  logic [23:0] store_beats;
  logic [1:0]  awid_q;
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
      store_beats   = state_beats;
    end
    if (step == topology_pkg::StepStoreBest) begin
      store_kind    = cm_pkg::StoreBest;
      store_address = ptr_best;
      store_beats   = state_beats;
    end
  end
  cm_store_unit #(
    .StateWords   (StateWords),
    .AddressBits  (AddressBits),
    .EnergyBits   (EnergyBits),
    .ViolationBits(GBits),
    .Answer       (3)
  ) u_store (
    .clk_i       (ap_clk),
    .rst_ni      (ap_rst_n),
    .start_i     (store_start),
    .kind_i      (store_kind),
    .address_i   (store_address),
    .beats_i     (store_beats),
    .first_i     (first),
    .busy_o      (store_busy),
    .error_o     (store_error),
    .row_o       (store_row),
    .index_o     (store_index),
    .energy_i    (last_energy),
    .violations_i(last_violations),
    .found_i     (found),
    .best_i      (best_energy),
    .state_word_i(state_word),
    .best_word_i (best_word),
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

  // Responses are counted, not told apart.
  logic unused_inputs;
  assign unused_inputs = ^{m_axi_gmem_bid, m_axi_gmem_rid, args, unused_table};
endmodule
`default_nettype wire
