// Joins one Verilated model to KernelCore. Compiled once for each topology with CORE_MODEL set to
// the model's class and CORE_NAME to the topology's name; CORE_ROWS for the row kernel; CORE_TRACE
// and CORE_COVERAGE when it records those.
#include <verilated.h>
#if CORE_TRACE
#include <verilated_vcd_c.h>
#endif
#if CORE_COVERAGE
#include <verilated_cov.h>

#include <atomic>
#include <cstdlib>
#endif

#include "kernel_core.hpp"
#include "support/error.hpp"

#define CORE_QUOTE_(x) #x
#define CORE_QUOTE(x) CORE_QUOTE_(x)
#include CORE_QUOTE(CORE_MODEL.h)

namespace chainmail::sim {
namespace {

// Verilator holds a bus in the smallest integer that fits, or in an array of 32-bit words.
template <class Word>
void to_bytes(const Word& bus, Beat& bytes) {
  for (unsigned i = 0; i < sizeof(Word); ++i)
    bytes[i] = static_cast<std::uint8_t>(static_cast<std::uint64_t>(bus) >> (8 * i));
}
template <std::size_t words>
void to_bytes(const VlWide<words>& bus, Beat& bytes) {
  for (unsigned i = 0; i < 4 * words; ++i)
    bytes[i] = static_cast<std::uint8_t>(bus[i / 4] >> (8 * (i % 4)));
}
template <class Word>
void from_bytes(const Beat& bytes, Word& bus) {
  std::uint64_t word = 0;
  for (unsigned i = 0; i < sizeof(Word); ++i) word |= std::uint64_t{bytes[i]} << (8 * i);
  bus = static_cast<Word>(word);
}
template <std::size_t words>
void from_bytes(const Beat& bytes, VlWide<words>& bus) {
  for (unsigned w = 0; w < words; ++w) {
    bus[w] = 0;
    for (unsigned b = 0; b < 4; ++b) bus[w] |= EData{bytes[4 * w + b]} << (8 * b);
  }
}

class VerilatedCore final : public KernelCore {
 public:
  VerilatedCore() : model_(&context_) {
#if CORE_TRACE
    context_.traceEverOn(true);
#endif
    model_.ap_clk = 0;
    model_.eval();
  }
  ~VerilatedCore() override {
    model_.final();
    // Verilator 5.006 removes a model's scopes from the latest context, which may be gone.
    Verilated::threadContextp(&context_);
    write_coverage();
  }
  VerilatedCore(const VerilatedCore&) = delete;
  VerilatedCore& operator=(const VerilatedCore&) = delete;

  unsigned beat_bytes() const override {
    return sizeof(model_.m_axi_gmem_rdata);
  }
  unsigned row_beat_bytes() const override {
#if CORE_ROWS
    return sizeof(model_.m_axi_rows_rdata);
#else
    return 0;
#endif
  }

  void settle(const CoreInputs& in, CoreOutputs& out) override {
    model_.ap_clk = 0;
    drive(in);
    model_.eval();
    dump();
    sample(out);
  }

  void edge() override {
    model_.ap_clk = 1;
    model_.eval();
    dump();
  }

  void trace(const std::string& path) override {
#if CORE_TRACE
    model_.trace(&waves_, 99);
    waves_.open(path.c_str());
#else
    throw DeviceError("this simulator records no waveforms (" + path + "): use `make wave`");
#endif
  }

 private:
  void drive(const CoreInputs& in) {
    model_.ap_rst_n = in.reset_n;
    const ControlRequest& c = in.control;
    model_.s_axi_control_awvalid = c.write_address_valid;
    model_.s_axi_control_awaddr = static_cast<SData>(c.write_address);
    model_.s_axi_control_wvalid = c.write_valid;
    model_.s_axi_control_wdata = c.write_data;
    model_.s_axi_control_wstrb = static_cast<CData>(c.strobe);
    model_.s_axi_control_bready = c.response_ready;
    model_.s_axi_control_arvalid = c.read_address_valid;
    model_.s_axi_control_araddr = static_cast<SData>(c.read_address);
    model_.s_axi_control_rready = c.read_ready;
    const AxiReply& m = in.memory;
    model_.m_axi_gmem_arready = m.read_address_ready;
    model_.m_axi_gmem_rvalid = m.read_valid;
    model_.m_axi_gmem_rlast = m.read_last;
    model_.m_axi_gmem_rid = static_cast<CData>(m.read_id);
    model_.m_axi_gmem_rresp = static_cast<CData>(m.read_response);
    if (m.read_valid) from_bytes(m.read_data, model_.m_axi_gmem_rdata);
    model_.m_axi_gmem_awready = m.write_address_ready;
    model_.m_axi_gmem_wready = m.write_ready;
    model_.m_axi_gmem_bvalid = m.response_valid;
    model_.m_axi_gmem_bid = static_cast<CData>(m.response_id);
    model_.m_axi_gmem_bresp = static_cast<CData>(m.response);
#if CORE_ROWS
    const AxiReply& r = in.rows;
    model_.m_axi_rows_arready = r.read_address_ready;
    model_.m_axi_rows_rvalid = r.read_valid;
    model_.m_axi_rows_rlast = r.read_last;
    model_.m_axi_rows_rresp = static_cast<CData>(r.read_response);
    if (r.read_valid) from_bytes(r.read_data, model_.m_axi_rows_rdata);
#endif
  }

  void sample(CoreOutputs& out) {
    out.interrupt = model_.__SYM__interrupt;  // Verilator's name for "interrupt"
    ControlReply& c = out.control;
    c.write_address_ready = model_.s_axi_control_awready;
    c.write_ready = model_.s_axi_control_wready;
    c.response_valid = model_.s_axi_control_bvalid;
    c.read_address_ready = model_.s_axi_control_arready;
    c.read_valid = model_.s_axi_control_rvalid;
    c.read_data = model_.s_axi_control_rdata;
#if CORE_ROWS
    out.rows.read = {.valid = model_.m_axi_rows_arvalid != 0,
                     .address = model_.m_axi_rows_araddr,
                     .id = 0,
                     .length = model_.m_axi_rows_arlen,
                     .size = model_.m_axi_rows_arsize,
                     .burst = model_.m_axi_rows_arburst};
    out.rows.read_ready = model_.m_axi_rows_rready;
#endif
    AxiRequest& m = out.memory;
    m.read = {.valid = model_.m_axi_gmem_arvalid != 0,
              .address = model_.m_axi_gmem_araddr,
              .id = model_.m_axi_gmem_arid,
              .length = model_.m_axi_gmem_arlen,
              .size = model_.m_axi_gmem_arsize,
              .burst = model_.m_axi_gmem_arburst};
    m.write = {.valid = model_.m_axi_gmem_awvalid != 0,
               .address = model_.m_axi_gmem_awaddr,
               .id = model_.m_axi_gmem_awid,
               .length = model_.m_axi_gmem_awlen,
               .size = model_.m_axi_gmem_awsize,
               .burst = model_.m_axi_gmem_awburst};
    m.read_ready = model_.m_axi_gmem_rready;
    m.response_ready = model_.m_axi_gmem_bready;
    m.data.valid = model_.m_axi_gmem_wvalid;
    if (!m.data.valid) return;
    m.data.last = model_.m_axi_gmem_wlast;
    m.data.strobe = model_.m_axi_gmem_wstrb;
    to_bytes(model_.m_axi_gmem_wdata, m.data.data);
  }

  void dump() {
#if CORE_TRACE
    if (waves_.isOpen()) waves_.dump(++time_);
#endif
  }

  // One file per model, into the folder the environment names.
  void write_coverage() {
#if CORE_COVERAGE
    static std::atomic<unsigned> number = 0;
    const char* folder = std::getenv("CHAINMAIL_COVERAGE");
    if (folder == nullptr) return;
    const std::string path =
        std::string(folder) + "/" + CORE_QUOTE(CORE_NAME) + "-" + std::to_string(number++) + ".dat";
    context_.coveragep()->write(path.c_str());
#endif
  }

  VerilatedContext context_;  // of its own, so that models of one program do not share time
  CORE_MODEL model_;
#if CORE_TRACE
  VerilatedVcdC waves_;
  std::uint64_t time_ = 0;
#endif
};

[[maybe_unused]] const bool entered =
    KernelCore::enter(CORE_QUOTE(CORE_NAME), [] { return std::make_unique<VerilatedCore>(); });

}  // namespace
}  // namespace chainmail::sim
