// Joins one Verilated cl_chainmail to ClCore. Compiled once for each topology with CL_MODEL set to
// the model's class and CL_NAME to the topology's name.
#include <verilated.h>

#include "bar/cl_core.hpp"

#define CL_QUOTE_(x) #x
#define CL_QUOTE(x) CL_QUOTE_(x)
#include CL_QUOTE(CL_MODEL.h)

namespace chainmail::sim {
namespace {

class VerilatedCl final : public ClCore {
 public:
  VerilatedCl() : model_(&context_) {
    model_.clk_main_a0 = 0;
    model_.eval();
  }
  ~VerilatedCl() override { model_.final(); }
  VerilatedCl(const VerilatedCl&) = delete;
  VerilatedCl& operator=(const VerilatedCl&) = delete;

  void settle(const ClInputs& in, ClOutputs& out) override {
    model_.clk_main_a0 = 0;
    model_.rst_main_n = in.reset_n;
    const ControlRequest& c = in.ocl;
    model_.ocl_cl_awvalid = c.write_address_valid;
    model_.ocl_cl_awaddr = c.write_address;
    model_.ocl_cl_wvalid = c.write_valid;
    model_.ocl_cl_wdata = c.write_data;
    model_.ocl_cl_wstrb = static_cast<CData>(c.strobe);
    model_.ocl_cl_bready = c.response_ready;
    model_.ocl_cl_arvalid = c.read_address_valid;
    model_.ocl_cl_araddr = c.read_address;
    model_.ocl_cl_rready = c.read_ready;
    drive(in.pcis);
    model_.eval();
    out.id = model_.cl_sh_id0;
    ControlReply& r = out.ocl;
    r.write_address_ready = model_.cl_ocl_awready;
    r.write_ready = model_.cl_ocl_wready;
    r.response_valid = model_.cl_ocl_bvalid;
    r.read_address_ready = model_.cl_ocl_arready;
    r.read_valid = model_.cl_ocl_rvalid;
    r.read_data = model_.cl_ocl_rdata;
    sample(out.pcis);
  }
  void edge() override {
    model_.clk_main_a0 = 1;
    model_.eval();
  }

 private:
  void drive(const AxiRequest& m) {
    model_.sh_cl_dma_pcis_awvalid = m.write.valid;
    model_.sh_cl_dma_pcis_awaddr = m.write.address;
    model_.sh_cl_dma_pcis_awid = static_cast<SData>(m.write.id);
    model_.sh_cl_dma_pcis_awlen = static_cast<CData>(m.write.length);
    model_.sh_cl_dma_pcis_awsize = static_cast<CData>(m.write.size);
    model_.sh_cl_dma_pcis_awburst = static_cast<CData>(m.write.burst);
    model_.sh_cl_dma_pcis_wvalid = m.data.valid;
    model_.sh_cl_dma_pcis_wstrb = m.data.strobe;
    model_.sh_cl_dma_pcis_wlast = m.data.last;
    for (unsigned w = 0; w < 16; ++w) {
      EData word = 0;
      for (unsigned b = 0; b < 4; ++b) word |= EData{m.data.data[4 * w + b]} << (8 * b);
      model_.sh_cl_dma_pcis_wdata[w] = word;
    }
    model_.sh_cl_dma_pcis_bready = m.response_ready;
    model_.sh_cl_dma_pcis_arvalid = m.read.valid;
    model_.sh_cl_dma_pcis_araddr = m.read.address;
    model_.sh_cl_dma_pcis_arid = static_cast<SData>(m.read.id);
    model_.sh_cl_dma_pcis_arlen = static_cast<CData>(m.read.length);
    model_.sh_cl_dma_pcis_arsize = static_cast<CData>(m.read.size);
    model_.sh_cl_dma_pcis_arburst = static_cast<CData>(m.read.burst);
    model_.sh_cl_dma_pcis_rready = m.read_ready;
  }
  void sample(AxiReply& r) {
    r.write_address_ready = model_.cl_sh_dma_pcis_awready;
    r.write_ready = model_.cl_sh_dma_pcis_wready;
    r.response_valid = model_.cl_sh_dma_pcis_bvalid;
    r.response_id = model_.cl_sh_dma_pcis_bid;
    r.response = static_cast<Response>(model_.cl_sh_dma_pcis_bresp);
    r.read_address_ready = model_.cl_sh_dma_pcis_arready;
    r.read_valid = model_.cl_sh_dma_pcis_rvalid;
    r.read_id = model_.cl_sh_dma_pcis_rid;
    r.read_response = static_cast<Response>(model_.cl_sh_dma_pcis_rresp);
    r.read_last = model_.cl_sh_dma_pcis_rlast;
    if (!r.read_valid) return;
    for (unsigned i = 0; i < kMaxBeatBytes; ++i)
      r.read_data[i] =
          static_cast<std::uint8_t>(model_.cl_sh_dma_pcis_rdata[i / 4] >> (8 * (i % 4)));
  }

  VerilatedContext context_;
  CL_MODEL model_;
};

[[maybe_unused]] const bool entered =
    ClCore::enter(CL_QUOTE(CL_NAME), [] { return std::make_unique<VerilatedCl>(); });

}  // namespace
}  // namespace chainmail::sim
