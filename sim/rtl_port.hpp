// The Verilated kernel as a KernelPort: KernelDevice runs on it as on a board, in one process and
// clock by clock. Buffers are copied to the simulated memory, each at a base of its own.
#pragma once

#include <map>
#include <memory>

#include "device/kernel/kernel_port.hpp"
#include "rtl_kernel.hpp"

namespace chainmail::sim {

class RtlPort : public KernelPort {
 public:
  explicit RtlPort(const std::string& topology) : RtlPort(topology, topology) {}
  // A model under another name, e.g. one with a fault built in.
  RtlPort(const std::string& topology, const std::string& core);

  std::string describe() const override;
  const Topology& topology() const override { return topology_; }
  void start(std::size_t lane, const KernelCall& call) override;
  void finish(std::size_t lane) override;

  // A call in parts, for tests that intervene: place buffers and arguments, start, and fetch the
  // buffers.
  void prepare(const KernelCall& call);
  void start_prepared();
  void collect(const KernelCall& call);
  // Starts a call and resets the kernel `clocks` later, whatever it is doing.
  void interrupt_call(const KernelCall& call, std::uint64_t clocks);

  RtlKernel& kernel() { return kernel_; }
  // Where finish() puts a buffer; it is there during the call only.
  enum Buffer { tables, parameters, spins, best, results, status };
  std::uint64_t base(Buffer buffer) const;
  void move_buffers(std::uint64_t first_base) { first_base_ = first_base; }
  // Clocks of the last call from start to the end of the last sweep, as the kernel counted them,
  // and from start to done.
  std::uint64_t sweep_clocks() const { return sweep_clocks_; }
  std::uint64_t call_clocks() const { return call_clocks_; }

 private:
  AxiMemory& memory_of(Buffer buffer);
  void place_buffers(const KernelCall& call);
  void fetch_buffers(const KernelCall& call);
  void release_buffers(const KernelCall& call);
  void write_arguments(const KernelCall& call);

  Topology topology_;
  RtlKernel kernel_;
  std::map<std::size_t, KernelCall> waiting_;
  // Beyond 4 GiB and just below a page's end, so that 64-bit addresses and page crossings matter.
  std::uint64_t first_base_ = 0x12'3400'0fe8;
  std::uint64_t sweep_clocks_ = 0, call_clocks_ = 0;
};

}  // namespace chainmail::sim
