// The custom logic of an AWS F2 instance (small shell): OCL (BAR0) is the register window, PCIS
// (BAR4) the memory. cl_ports.vh and the .inc file are the HDK's. Never built into an AFI.
// Everything else of the shell is tied off, as in the HDK's CL_TEMPLATE.
module cl_chainmail (
`include "cl_ports.vh"
);
`include "cl_id_defines.vh"

  // ---- reset: two registers, so that the tools may copy the last one ---------------------------------
  logic rst_main_n_early, rst_main_n_sync;
  always_ff @(posedge clk_main_a0) begin
    rst_main_n_early <= rst_main_n;
    rst_main_n_sync  <= rst_main_n_early;
  end

  cm_bar_kernel #(
    .ClockMHz (250),
    .HostBytes(64),
    .IdWidth  (16)
  ) u_kernel (
    .clk_i         (clk_main_a0),
    .rst_ni        (rst_main_n_sync),
    .s_lite_awvalid(ocl_cl_awvalid),
    .s_lite_awready(cl_ocl_awready),
    .s_lite_awaddr (ocl_cl_awaddr),
    .s_lite_wvalid (ocl_cl_wvalid),
    .s_lite_wready (cl_ocl_wready),
    .s_lite_wdata  (ocl_cl_wdata),
    .s_lite_wstrb  (ocl_cl_wstrb),
    .s_lite_bvalid (cl_ocl_bvalid),
    .s_lite_bready (ocl_cl_bready),
    .s_lite_bresp  (cl_ocl_bresp),
    .s_lite_arvalid(ocl_cl_arvalid),
    .s_lite_arready(cl_ocl_arready),
    .s_lite_araddr (ocl_cl_araddr),
    .s_lite_rvalid (cl_ocl_rvalid),
    .s_lite_rready (ocl_cl_rready),
    .s_lite_rdata  (cl_ocl_rdata),
    .s_lite_rresp  (cl_ocl_rresp),
    .s_mem_awvalid (sh_cl_dma_pcis_awvalid),
    .s_mem_awready (cl_sh_dma_pcis_awready),
    .s_mem_awid    (sh_cl_dma_pcis_awid),
    .s_mem_awaddr  (sh_cl_dma_pcis_awaddr),
    .s_mem_wvalid  (sh_cl_dma_pcis_wvalid),
    .s_mem_wready  (cl_sh_dma_pcis_wready),
    .s_mem_wdata   (sh_cl_dma_pcis_wdata),
    .s_mem_wstrb   (sh_cl_dma_pcis_wstrb),
    .s_mem_wlast   (sh_cl_dma_pcis_wlast),
    .s_mem_bvalid  (cl_sh_dma_pcis_bvalid),
    .s_mem_bready  (sh_cl_dma_pcis_bready),
    .s_mem_bid     (cl_sh_dma_pcis_bid),
    .s_mem_bresp   (cl_sh_dma_pcis_bresp),
    .s_mem_arvalid (sh_cl_dma_pcis_arvalid),
    .s_mem_arready (cl_sh_dma_pcis_arready),
    .s_mem_arid    (sh_cl_dma_pcis_arid),
    .s_mem_araddr  (sh_cl_dma_pcis_araddr),
    .s_mem_arlen   (sh_cl_dma_pcis_arlen),
    .s_mem_rvalid  (cl_sh_dma_pcis_rvalid),
    .s_mem_rready  (sh_cl_dma_pcis_rready),
    .s_mem_rid     (cl_sh_dma_pcis_rid),
    .s_mem_rdata   (cl_sh_dma_pcis_rdata),
    .s_mem_rresp   (cl_sh_dma_pcis_rresp),
    .s_mem_rlast   (cl_sh_dma_pcis_rlast)
  );
  assign cl_sh_dma_pcis_ruser = '0;

  // ---- the shell: ids, and a function-level reset that is over at once --------------------------------
  assign cl_sh_id0 = `CL_SH_ID0;
  assign cl_sh_id1 = `CL_SH_ID1;
  always_ff @(posedge clk_main_a0) begin
    if (!rst_main_n_sync) cl_sh_flr_done <= 1'b0;
    else cl_sh_flr_done <= sh_cl_flr_assert && !cl_sh_flr_done;
  end
  assign {cl_sh_status0, cl_sh_status1, cl_sh_status2, cl_sh_status_vled} = '0;
  assign {cl_sh_dma_wr_full, cl_sh_dma_rd_full}                           = '0;
  assign cl_sh_apppf_irq_req                                              = '0;
  assign tdo                                                              = 1'b0;

  // ---- not used: PCIM, SDA, HBM, the links between cards; DDR, whose pins need sh_ddr ------------------
  assign {cl_sh_pcim_awid, cl_sh_pcim_awaddr, cl_sh_pcim_awlen, cl_sh_pcim_awsize, cl_sh_pcim_awburst,
          cl_sh_pcim_awcache, cl_sh_pcim_awlock, cl_sh_pcim_awprot, cl_sh_pcim_awqos, cl_sh_pcim_awuser,
          cl_sh_pcim_awvalid} = '0;
  assign {cl_sh_pcim_wid, cl_sh_pcim_wdata, cl_sh_pcim_wstrb, cl_sh_pcim_wlast, cl_sh_pcim_wuser,
          cl_sh_pcim_wvalid, cl_sh_pcim_bready} = '0;
  assign {cl_sh_pcim_arid, cl_sh_pcim_araddr, cl_sh_pcim_arlen, cl_sh_pcim_arsize, cl_sh_pcim_arburst,
          cl_sh_pcim_arcache, cl_sh_pcim_arlock, cl_sh_pcim_arprot, cl_sh_pcim_arqos, cl_sh_pcim_aruser,
          cl_sh_pcim_arvalid, cl_sh_pcim_rready} = '0;
  assign {cl_sda_awready, cl_sda_wready, cl_sda_bresp, cl_sda_bvalid, cl_sda_arready, cl_sda_rdata,
          cl_sda_rresp, cl_sda_rvalid} = '0;
  assign {hbm_apb_paddr_1, hbm_apb_pprot_1, hbm_apb_psel_1, hbm_apb_penable_1, hbm_apb_pwrite_1,
          hbm_apb_pwdata_1, hbm_apb_pstrb_1, hbm_apb_pready_1, hbm_apb_prdata_1, hbm_apb_pslverr_1} = '0;
  assign {hbm_apb_paddr_0, hbm_apb_pprot_0, hbm_apb_psel_0, hbm_apb_penable_0, hbm_apb_pwrite_0,
          hbm_apb_pwdata_0, hbm_apb_pstrb_0, hbm_apb_pready_0, hbm_apb_prdata_0, hbm_apb_pslverr_0} = '0;
  assign {PCIE_EP_TXP, PCIE_EP_TXN, PCIE_RP_PERSTN, PCIE_RP_TXP, PCIE_RP_TXN} = '0;
`include "unused_ddr_template.inc"
endmodule
