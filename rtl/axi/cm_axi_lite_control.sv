// The AXI4-Lite slave of a Vitis kernel: start/done handshake, interrupt and argument registers.
//
//   0x00 control  bit 0 start (write 1, reads 1 while running), 1 done and 3 ready (cleared by
//                 being read, and done also by continue), 2 idle, 4 continue
//   0x04 global interrupt enable   0x08 interrupt enable   0x0c interrupt status (write 1 toggles)
//   0x10 ... arguments, one 32-bit word each; StatusBase ... read-only words from the kernel
//
// Reading clears done, as ap_ctrl_hs requires; so does writing continue, for drivers that treat the
// kernel as ap_ctrl_chain. Words that do not exist read 0 and ignore writes.
`default_nettype none
module cm_axi_lite_control #(
  parameter int unsigned AddrWidth   = 12,
  parameter int unsigned ArgBase     = 'h10,
  parameter int unsigned ArgWords    = 8,
  parameter int unsigned StatusBase  = 'h100,
  parameter int unsigned StatusWords = 4,
  // Bit i: argument word i exists. Vitis leaves a hole after each argument.
  parameter bit [ArgWords-1:0] ArgMask = '1
) (
  input  wire logic                      clk_i,
  input  wire logic                      rst_ni,

  input  wire logic                      awvalid_i,
  output logic                           awready_o,
  input  wire logic [AddrWidth-1:0]      awaddr_i,
  input  wire logic                      wvalid_i,
  output logic                           wready_o,
  input  wire logic [31:0]               wdata_i,
  input  wire logic [3:0]                wstrb_i,
  output logic                           bvalid_o,
  input  wire logic                      bready_i,
  output logic      [1:0]                bresp_o,
  input  wire logic                      arvalid_i,
  output logic                           arready_o,
  input  wire logic [AddrWidth-1:0]      araddr_i,
  output logic                           rvalid_o,
  input  wire logic                      rready_i,
  output logic      [31:0]               rdata_o,
  output logic      [1:0]                rresp_o,

  output logic                           interrupt_o,
  output logic                           start_o,  // one clock; done_i answers it
  input  wire logic                      done_i,   // one clock
  output logic      [32*ArgWords-1:0]    args_o,   // from start_o on, for the whole call
  input  wire logic [32*StatusWords-1:0] status_i
);
  localparam int unsigned WordWidth = AddrWidth - 2;
  localparam logic [WordWidth-1:0] WordControl = 0, WordGie = 1, WordIer = 2, WordIsr = 3;
  if (StatusBase < ArgBase + 4 * ArgWords || StatusBase + 4 * StatusWords > (1 << AddrWidth)) begin
    : gen_bad_map
    $fatal(1, "cm_axi_lite_control: status words overlap the arguments or leave the address range");
  end

  // ---- write channel: address and data arrive in any order ------------------------------------
  logic                 aw_held_q, w_held_q, bvalid_q, write;
  logic [WordWidth-1:0] waddr_q;
  logic [31:0]          wdata_q;
  logic [3:0]           wstrb_q;

  assign awready_o = !aw_held_q;
  assign wready_o  = !w_held_q;
  assign bvalid_o  = bvalid_q;
  assign bresp_o   = 2'b00;
  assign write     = aw_held_q && w_held_q && !bvalid_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      aw_held_q <= 1'b0;
      w_held_q  <= 1'b0;
      bvalid_q  <= 1'b0;
    end else begin
      if (awvalid_i && awready_o) aw_held_q <= 1'b1;
      else if (write) aw_held_q <= 1'b0;
      if (wvalid_i && wready_o) w_held_q <= 1'b1;
      else if (write) w_held_q <= 1'b0;
      if (write) bvalid_q <= 1'b1;
      else if (bready_i) bvalid_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (awvalid_i && awready_o) waddr_q <= awaddr_i[AddrWidth-1:2];
    if (wvalid_i && wready_o) begin
      wdata_q <= wdata_i;
      wstrb_q <= wstrb_i;
    end
  end

  // ---- read channel: a clock for the address, one for the word -----------------------------------
  // Each half of the word gets the address through its own relay.
  logic                 read_q, rvalid_q;
  logic [WordWidth-1:0] raddr;
  logic [2*WordWidth-1:0] raddrs;
  logic [31:0]          rdata_q, rdata_d;

  assign arready_o = !rvalid_q && !read_q;
  assign rvalid_o  = rvalid_q;
  assign rdata_o   = rdata_q;
  assign rresp_o   = 2'b00;
  assign raddr     = raddrs[WordWidth-1:0];
  for (genvar h = 0; h < 2; h++) begin : gen_raddr
    cm_relay #(
      .Width(WordWidth)
    ) u_raddr (
      .clk_i,
      .data_i(araddr_i[AddrWidth-1:2]),
      .data_o(raddrs[h*WordWidth+:WordWidth])
    );
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      read_q   <= 1'b0;
      rvalid_q <= 1'b0;
    end else begin
      read_q <= arvalid_i && arready_o;
      if (read_q) rvalid_q <= 1'b1;
      else if (rready_i) rvalid_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (read_q) rdata_q <= rdata_d;
  end

  // ---- control and interrupt ------------------------------------------------------------------
  logic       write_control, read_control, start;
  logic       running_q, start_q, copied_q, done_q, ready_q, gie_q;
  logic [1:0] ier_q, isr_q, isr_toggle;  // bit 0 done, bit 1 ready

  assign write_control = write && waddr_q == WordControl && wstrb_q[0];
  assign read_control  = read_q && raddr == WordControl;
  assign start         = write_control && wdata_q[0] && !running_q;
  assign start_o       = copied_q;
  assign isr_toggle    = (write && wstrb_q[0] && waddr_q == WordIsr) ? wdata_q[1:0] : 2'b00;
  assign interrupt_o   = gie_q && isr_q != 2'b00;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      running_q <= 1'b0;
      start_q   <= 1'b0;
      copied_q  <= 1'b0;
      done_q    <= 1'b0;
      ready_q   <= 1'b0;
    end else begin
      start_q  <= start;
      copied_q <= start_q;
      if (start) running_q <= 1'b1;
      else if (done_i) running_q <= 1'b0;
      // A new event survives the read that clears the old one.
      if (done_i) done_q <= 1'b1;
      else if (read_control || start || (write_control && wdata_q[4])) done_q <= 1'b0;
      if (done_i) ready_q <= 1'b1;
      else if (read_control || start) ready_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      gie_q <= 1'b0;
      ier_q <= 2'b00;
      isr_q <= 2'b00;
    end else begin
      if (write && wstrb_q[0] && waddr_q == WordGie) gie_q <= wdata_q[0];
      if (write && wstrb_q[0] && waddr_q == WordIer) ier_q <= wdata_q[1:0];
      isr_q <= (isr_q ^ isr_toggle) | (done_i ? ier_q : 2'b00);
    end
  end

  // ---- arguments: the call keeps those of its start, what is written meanwhile is the next one's --
  // They are copied a clock after the start, before the next write can come: it waits for the
  // answer to this one. A relay per few words limits the fan-out of the enable.
  localparam int unsigned CopyWords = 7;
  logic [32*ArgWords-1:0] args, called_q;
  for (genvar g = 0; g < ArgWords; g += CopyWords) begin : gen_copy
    localparam int unsigned Words = (ArgWords - g < CopyWords) ? ArgWords - g : CopyWords;
    logic copy;
    cm_relay u_copy (
      .clk_i,
      .data_i(start),
      .data_o(copy)
    );
    always_ff @(posedge clk_i) begin
      if (copy) called_q[32*g+:32*Words] <= args[32*g+:32*Words];
    end
  end
  assign args_o = called_q;
  for (genvar i = 0; i < ArgWords; i++) begin : gen_arg
    if (ArgMask[i]) begin : gen_word
      logic [31:0] word_q;
      always_ff @(posedge clk_i) begin
        if (write && waddr_q == WordWidth'(ArgBase / 4 + i)) begin
          for (int unsigned b = 0; b < 4; b++) begin
            if (wstrb_q[b]) word_q[8*b+:8] <= wdata_q[8*b+:8];
          end
        end
      end
      assign args[32*i+:32] = word_q;
    end else begin : gen_hole
      assign args[32*i+:32] = '0;
    end
  end

  logic [15:0] low;  // of the control words, which are this wide
  always_comb begin
    low = '0;
    if (raddr == WordControl) low[3:0] = {ready_q, !running_q, done_q, running_q};
    if (raddr == WordGie) low[0] = gie_q;
    if (raddr == WordIer) low[1:0] = ier_q;
    if (raddr == WordIsr) low[1:0] = isr_q;
  end
  for (genvar h = 0; h < 2; h++) begin : gen_rdata
    logic [WordWidth-1:0] at;
    logic [15:0]          half;
    assign at = raddrs[h*WordWidth+:WordWidth];
    always_comb begin
      half = (h == 0) ? low : '0;
      for (int unsigned i = 0; i < ArgWords; i++) begin
        if (at == WordWidth'(ArgBase / 4 + i)) half = args[32*i+16*h+:16];
      end
      for (int unsigned i = 0; i < StatusWords; i++) begin
        if (at == WordWidth'(StatusBase / 4 + i)) half = status_i[32*i+16*h+:16];
      end
    end
    assign rdata_d[16*h+:16] = half;
  end

  // The two lowest address bits name a byte of a word: AXI4-Lite slaves of words ignore them.
  logic unused_byte_address;
  assign unused_byte_address = ^{awaddr_i[1:0], araddr_i[1:0]};

`ifdef CM_ASSERT
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!done_i || running_q) else $error("done without a start");
    end
  end
`endif
`ifdef FORMAL
  `include "cm_axi_lite_control_proof.svh"
`endif
endmodule
`default_nettype wire
