// A kernel and its memory behind two windows of a host: registers over AXI4-Lite, memory over AXI4.
// For boards without Vitis; driver: host/device/bar. CM_KERNEL names the kernel, pbit_burst or pbit_flips.
//
//   registers 0x000  the kernel's (docs/kernel.md)
//             0x1000 what this is: mark, version, bytes of memory, clock in MHz; elsewhere reads are 0
//   memory    its bytes, from 0: the addresses that the kernel has
`default_nettype none
`ifndef CM_KERNEL
`define CM_KERNEL pbit_burst
`endif
module cm_bar_kernel #(
  parameter int unsigned ClockMHz  = 250,
  parameter int unsigned HostBytes = 64,  // of a beat of the host's bus
  parameter int unsigned IdWidth   = 16   // of the host's bus
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,

  input  wire logic                   s_lite_awvalid,
  output logic                        s_lite_awready,
  input  wire logic [31:0]            s_lite_awaddr,
  input  wire logic                   s_lite_wvalid,
  output logic                        s_lite_wready,
  input  wire logic [31:0]            s_lite_wdata,
  input  wire logic [3:0]             s_lite_wstrb,
  output logic                        s_lite_bvalid,
  input  wire logic                   s_lite_bready,
  output logic      [1:0]             s_lite_bresp,
  input  wire logic                   s_lite_arvalid,
  output logic                        s_lite_arready,
  input  wire logic [31:0]            s_lite_araddr,
  output logic                        s_lite_rvalid,
  input  wire logic                   s_lite_rready,
  output logic      [31:0]            s_lite_rdata,
  output logic      [1:0]             s_lite_rresp,

  input  wire logic                   s_mem_awvalid,
  output logic                        s_mem_awready,
  input  wire logic [IdWidth-1:0]     s_mem_awid,
  input  wire logic [63:0]            s_mem_awaddr,
  input  wire logic                   s_mem_wvalid,
  output logic                        s_mem_wready,
  input  wire logic [8*HostBytes-1:0] s_mem_wdata,
  input  wire logic [HostBytes-1:0]   s_mem_wstrb,
  input  wire logic                   s_mem_wlast,
  output logic                        s_mem_bvalid,
  input  wire logic                   s_mem_bready,
  output logic      [IdWidth-1:0]     s_mem_bid,
  output logic      [1:0]             s_mem_bresp,
  input  wire logic                   s_mem_arvalid,
  output logic                        s_mem_arready,
  input  wire logic [IdWidth-1:0]     s_mem_arid,
  input  wire logic [63:0]            s_mem_araddr,
  input  wire logic [7:0]             s_mem_arlen,
  output logic                        s_mem_rvalid,
  input  wire logic                   s_mem_rready,
  output logic      [IdWidth-1:0]     s_mem_rid,
  output logic      [8*HostBytes-1:0] s_mem_rdata,
  output logic      [1:0]             s_mem_rresp,
  output logic                        s_mem_rlast
);
  localparam int unsigned Rows    = cm_bar_pkg::MemoryBytes / 64;
  localparam int unsigned RowBits = $clog2(Rows);

  // ---- registers: what is not the kernel's is sent to its last word, which reads 0 --------------------
  localparam logic [11:0] Nowhere = 12'hffc;
  logic        write_own, read_own, mark_q;
  logic [11:0] write_address, read_address;
  logic [31:0] kernel_rdata, mark_word_q;
  assign write_own     = s_lite_awaddr[31:12] == '0;
  assign read_own      = s_lite_araddr[31:12] == '0;
  assign write_address = write_own ? s_lite_awaddr[11:0] : Nowhere;
  assign read_address  = read_own ? s_lite_araddr[11:0] : Nowhere;
  assign s_lite_rdata  = mark_q ? mark_word_q : kernel_rdata;
  always_ff @(posedge clk_i) begin  // the kernel takes one read at a time
    if (s_lite_arvalid && s_lite_arready) begin
      mark_q <= s_lite_araddr[31:4] == 28'(cm_bar_pkg::MarkBase / 16);
      unique case (s_lite_araddr[3:2])
        2'd0: mark_word_q <= cm_bar_pkg::Mark;
        2'd1: mark_word_q <= cm_bar_pkg::Version;
        2'd2: mark_word_q <= cm_bar_pkg::MemoryBytes;
        2'd3: mark_word_q <= ClockMHz;
      endcase
    end
  end

  // ---- the kernel --------------------------------------------------------------------------------------
  logic        awvalid, awready, wvalid, wready, wlast, bvalid, bready;
  logic        arvalid, arready, rvalid, rready, rlast, unused_interrupt;
  logic [63:0] awaddr, araddr, wdata, rdata;
  logic [7:0]  awlen, arlen, wstrb;
  logic [2:0]  awsize, arsize;
  logic [1:0]  awid, arid, bid, rid, bresp, rresp, awburst, arburst;
  `CM_KERNEL u_kernel (
    .ap_clk               (clk_i),
    .ap_rst_n             (rst_ni),
    .interrupt            (unused_interrupt),
    .s_axi_control_awvalid(s_lite_awvalid),
    .s_axi_control_awready(s_lite_awready),
    .s_axi_control_awaddr (write_address),
    .s_axi_control_wvalid (s_lite_wvalid),
    .s_axi_control_wready (s_lite_wready),
    .s_axi_control_wdata  (s_lite_wdata),
    .s_axi_control_wstrb  (s_lite_wstrb),
    .s_axi_control_bvalid (s_lite_bvalid),
    .s_axi_control_bready (s_lite_bready),
    .s_axi_control_bresp  (s_lite_bresp),
    .s_axi_control_arvalid(s_lite_arvalid),
    .s_axi_control_arready(s_lite_arready),
    .s_axi_control_araddr (read_address),
    .s_axi_control_rvalid (s_lite_rvalid),
    .s_axi_control_rready (s_lite_rready),
    .s_axi_control_rdata  (kernel_rdata),
    .s_axi_control_rresp  (s_lite_rresp),
    .m_axi_gmem_awvalid   (awvalid),
    .m_axi_gmem_awready   (awready),
    .m_axi_gmem_awaddr    (awaddr),
    .m_axi_gmem_awid      (awid),
    .m_axi_gmem_awlen     (awlen),
    .m_axi_gmem_awsize    (awsize),
    .m_axi_gmem_awburst   (awburst),
    .m_axi_gmem_wvalid    (wvalid),
    .m_axi_gmem_wready    (wready),
    .m_axi_gmem_wdata     (wdata),
    .m_axi_gmem_wstrb     (wstrb),
    .m_axi_gmem_wlast     (wlast),
    .m_axi_gmem_bvalid    (bvalid),
    .m_axi_gmem_bready    (bready),
    .m_axi_gmem_bid       (bid),
    .m_axi_gmem_bresp     (bresp),
    .m_axi_gmem_arvalid   (arvalid),
    .m_axi_gmem_arready   (arready),
    .m_axi_gmem_araddr    (araddr),
    .m_axi_gmem_arid      (arid),
    .m_axi_gmem_arlen     (arlen),
    .m_axi_gmem_arsize    (arsize),
    .m_axi_gmem_arburst   (arburst),
    .m_axi_gmem_rvalid    (rvalid),
    .m_axi_gmem_rready    (rready),
    .m_axi_gmem_rid       (rid),
    .m_axi_gmem_rdata     (rdata),
    .m_axi_gmem_rresp     (rresp),
    .m_axi_gmem_rlast     (rlast)
  );

  // ---- the memory --------------------------------------------------------------------------------------
  logic               host_write, host_read, host_valid, kernel_write, kernel_written;
  logic               kernel_read, kernel_taken, kernel_valid;
  logic [RowBits-1:0] host_write_row, host_read_row, kernel_write_row, kernel_read_row;
  logic [63:0]        host_strobe, kernel_strobe;
  logic [511:0]       host_data, kernel_data, row;
  cm_bar_write #(
    .DataBytes(HostBytes),
    .IdWidth  (IdWidth),
    .Rows     (Rows)
  ) u_host_writes (
    .clk_i,
    .rst_ni,
    .awvalid_i (s_mem_awvalid),
    .awready_o (s_mem_awready),
    .awid_i    (s_mem_awid),
    .awaddr_i  (s_mem_awaddr),
    .wvalid_i  (s_mem_wvalid),
    .wready_o  (s_mem_wready),
    .wdata_i   (s_mem_wdata),
    .wstrb_i   (s_mem_wstrb),
    .wlast_i   (s_mem_wlast),
    .bvalid_o  (s_mem_bvalid),
    .bready_i  (s_mem_bready),
    .bid_o     (s_mem_bid),
    .bresp_o   (s_mem_bresp),
    .write_o   (host_write),
    .row_o     (host_write_row),
    .strobe_o  (host_strobe),
    .data_o    (host_data),
    .taken_i   (1'b1)
  );
  cm_bar_read #(
    .DataBytes(HostBytes),
    .IdWidth  (IdWidth),
    .Rows     (Rows)
  ) u_host_reads (
    .clk_i,
    .rst_ni,
    .arvalid_i (s_mem_arvalid),
    .arready_o (s_mem_arready),
    .arid_i    (s_mem_arid),
    .araddr_i  (s_mem_araddr),
    .arlen_i   (s_mem_arlen),
    .rvalid_o  (s_mem_rvalid),
    .rready_i  (s_mem_rready),
    .rid_o     (s_mem_rid),
    .rdata_o   (s_mem_rdata),
    .rresp_o   (s_mem_rresp),
    .rlast_o   (s_mem_rlast),
    .read_o    (host_read),
    .row_o     (host_read_row),
    .taken_i   (1'b1),
    .valid_i   (host_valid),
    .row_i     (row)
  );
  cm_bar_write #(
    .DataBytes(8),
    .IdWidth  (2),
    .Rows     (Rows)
  ) u_kernel_writes (
    .clk_i,
    .rst_ni,
    .awvalid_i (awvalid),
    .awready_o (awready),
    .awid_i    (awid),
    .awaddr_i  (awaddr),
    .wvalid_i  (wvalid),
    .wready_o  (wready),
    .wdata_i   (wdata),
    .wstrb_i   (wstrb),
    .wlast_i   (wlast),
    .bvalid_o  (bvalid),
    .bready_i  (bready),
    .bid_o     (bid),
    .bresp_o   (bresp),
    .write_o   (kernel_write),
    .row_o     (kernel_write_row),
    .strobe_o  (kernel_strobe),
    .data_o    (kernel_data),
    .taken_i   (kernel_written)
  );
  cm_bar_read #(
    .DataBytes(8),
    .IdWidth  (2),
    .Rows     (Rows)
  ) u_kernel_reads (
    .clk_i,
    .rst_ni,
    .arvalid_i (arvalid),
    .arready_o (arready),
    .arid_i    (arid),
    .araddr_i  (araddr),
    .arlen_i   (arlen),
    .rvalid_o  (rvalid),
    .rready_i  (rready),
    .rid_o     (rid),
    .rdata_o   (rdata),
    .rresp_o   (rresp),
    .rlast_o   (rlast),
    .read_o    (kernel_read),
    .row_o     (kernel_read_row),
    .taken_i   (kernel_taken),
    .valid_i   (kernel_valid),
    .row_i     (row)
  );
  cm_bar_memory #(
    .Rows(Rows)
  ) u_memory (
    .clk_i,
    .rst_ni,
    .host_write_i      (host_write),
    .host_write_row_i  (host_write_row),
    .host_strobe_i     (host_strobe),
    .host_data_i       (host_data),
    .kernel_write_i    (kernel_write),
    .kernel_written_o  (kernel_written),
    .kernel_write_row_i(kernel_write_row),
    .kernel_strobe_i   (kernel_strobe),
    .kernel_data_i     (kernel_data),
    .host_read_i       (host_read),
    .host_read_row_i   (host_read_row),
    .host_valid_o      (host_valid),
    .kernel_read_i     (kernel_read),
    .kernel_taken_o    (kernel_taken),
    .kernel_read_row_i (kernel_read_row),
    .kernel_valid_o    (kernel_valid),
    .row_o             (row)
  );

  // Both buses are used as AXI4 has them by default: full beats, addresses that increase; the end of a
  // write is WLAST.
  logic unused;
  assign unused = ^{awlen, awsize, arsize, awburst, arburst};
endmodule
`default_nettype wire
