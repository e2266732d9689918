// The flip kernel as Vitis knows it: an AXI4-Lite slave for control, one AXI4 master for all
// buffers. Registers, buffers and numbers: docs/kernel.md, docs/flips.md. The topology comes from
// topology_pkg, which the host generates (`write_topology rtl NAME`).
`default_nettype none
module pbit_flips #(
  // 1 where the tool packs multiply and add into one DSP slice (Vivado); see cm_multiply_add.sv.
  parameter bit WideAdd = 1'b1
) (
  input  wire logic        ap_clk,
  input  wire logic        ap_rst_n,
  // Vitis requires this name; Verilator only warns that it renames it in its C++.
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
  input  wire logic        m_axi_gmem_rlast
);
  localparam int unsigned MaxReplicas = topology_pkg::MaxReplicas;
  localparam int unsigned StateWords  = topology_pkg::StateWords;
  localparam int unsigned EnergyBits  = topology_pkg::EnergyBits;
  localparam int unsigned GBits       = topology_pkg::ViolationBits;
  localparam int unsigned SlotBits    = topology_pkg::SlotBits;
  localparam int unsigned CountBits   = $clog2(MaxReplicas + 1);
  localparam int unsigned WordBits    = (StateWords > 1) ? $clog2(StateWords) : 1;

  logic [SlotBits-1:0]   first, load_replica, store_row;
  logic [CountBits-1:0]  replicas;
  logic [WordBits-1:0]   load_index, store_index;
  logic [31:0]           sweeps;
  logic [63:0]           seed, load_word, state_word, best_word;
  logic                  tables_start, table_valid, bad_image, parameters_start;
  logic                  state_load, parameter_load, seed_start, seed_busy, burst_start, burst_busy;
  logic                  reading, found;
  logic [EnergyBits-1:0] last_energy, best_energy;
  logic [GBits-1:0]      violations;
  logic [63:0]           unused_image;
  logic                  unused_failed;
  cm_kernel_shell #(
    .MaxReplicas  (MaxReplicas),
    .StateWords   (StateWords),
    .EnergyBits   (EnergyBits),
    .ViolationBits(GBits),
    .StatusBlock  (topology_pkg::StatusBlock),
    .ImageWords   (topology_pkg::ImageWords)
  ) u_shell (
    .ap_clk,
    .ap_rst_n,
    .interrupt,
    .s_axi_control_awvalid,
    .s_axi_control_awready,
    .s_axi_control_awaddr,
    .s_axi_control_wvalid,
    .s_axi_control_wready,
    .s_axi_control_wdata,
    .s_axi_control_wstrb,
    .s_axi_control_bvalid,
    .s_axi_control_bready,
    .s_axi_control_bresp,
    .s_axi_control_arvalid,
    .s_axi_control_arready,
    .s_axi_control_araddr,
    .s_axi_control_rvalid,
    .s_axi_control_rready,
    .s_axi_control_rdata,
    .s_axi_control_rresp,
    .m_axi_gmem_awvalid,
    .m_axi_gmem_awready,
    .m_axi_gmem_awaddr,
    .m_axi_gmem_awid,
    .m_axi_gmem_awlen,
    .m_axi_gmem_awsize,
    .m_axi_gmem_awburst,
    .m_axi_gmem_wvalid,
    .m_axi_gmem_wready,
    .m_axi_gmem_wdata,
    .m_axi_gmem_wstrb,
    .m_axi_gmem_wlast,
    .m_axi_gmem_bvalid,
    .m_axi_gmem_bready,
    .m_axi_gmem_bid,
    .m_axi_gmem_bresp,
    .m_axi_gmem_arvalid,
    .m_axi_gmem_arready,
    .m_axi_gmem_araddr,
    .m_axi_gmem_arid,
    .m_axi_gmem_arlen,
    .m_axi_gmem_arsize,
    .m_axi_gmem_arburst,
    .m_axi_gmem_rvalid,
    .m_axi_gmem_rready,
    .m_axi_gmem_rid,
    .m_axi_gmem_rdata,
    .m_axi_gmem_rresp,
    .m_axi_gmem_rlast,
    .first_o            (first),
    .replicas_o         (replicas),
    .sweeps_o           (sweeps),
    .seed_o             (seed),
    .image_o            (unused_image),
    .tables_start_o     (tables_start),
    .tables_busy_i      (1'b0),
    .tables_error_i     (1'b0),
    .bad_image_i        (bad_image),
    .table_valid_o      (table_valid),
    .table_ready_i      (1'b1),
    .parameters_start_o (parameters_start),
    .parameters_failed_o(unused_failed),
    .state_load_o       (state_load),
    .parameter_load_o   (parameter_load),
    .load_replica_o     (load_replica),
    .load_index_o       (load_index),
    .load_word_o        (load_word),
    .seed_start_o       (seed_start),
    .seed_busy_i        (seed_busy),
    .burst_start_o      (burst_start),
    .burst_busy_i       (burst_busy),
    .reading_o          (reading),
    .row_o              (store_row),
    .index_o            (store_index),
    .energy_i           (last_energy),
    .violations_i       (violations),
    .found_i            (found),
    .best_i             (best_energy),
    .state_word_i       (state_word),
    .best_word_i        (best_word)
  );

  cm_flips_core #(
    .WideAdd(WideAdd)
  ) u_core (
    .clk_i             (ap_clk),
    .rst_ni            (ap_rst_n),
    .first_i           (first),
    .replicas_i        (replicas),
    .sweeps_i          (sweeps),
    .tables_start_i    (tables_start),
    .table_valid_i     (table_valid),
    .bad_image_o       (bad_image),
    .parameters_start_i(parameters_start),
    .state_load_i      (state_load),
    .parameter_load_i  (parameter_load),
    .load_replica_i    (load_replica),
    .load_index_i      (load_index),
    .load_word_i       (load_word),
    .seed_start_i      (seed_start),
    .seed_i            (seed),
    .seed_busy_o       (seed_busy),
    .burst_start_i     (burst_start),
    .burst_busy_o      (burst_busy),
    .reading_i         (reading),
    .row_i             (store_row),
    .index_i           (store_index),
    .energy_o          (last_energy),
    .violations_o      (violations),
    .found_o           (found),
    .best_o            (best_energy),
    .state_word_o      (state_word),
    .best_word_o       (best_word)
  );
endmodule
`default_nettype wire
