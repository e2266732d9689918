#include "rtl_kernel.hpp"

#include <fmt/format.h>

#include "support/error.hpp"
#include "support/random.hpp"
#include "topology/contract.hpp"

namespace chainmail::sim {
namespace {
constexpr unsigned kResetClocks = 4;
constexpr unsigned kControlPatience = 10'000;  // clocks; a slave that takes longer has hung
constexpr std::uint32_t kDone = 2;
}  // namespace

RtlKernel::RtlKernel(const std::string& topology) : RtlKernel(KernelCore::make(topology)) {}

RtlKernel::RtlKernel(std::unique_ptr<KernelCore> core)
    : core_(std::move(core)), memory_(core_->beat_bytes()), rows_(core_->row_beat_bytes()) {
  reset();
}

void RtlKernel::reset() {
  inputs_.control = {};
  inputs_.reset_n = false;
  memory_.reset();
  rows_.reset();
  for (unsigned i = 0; i < kResetClocks; ++i) {
    inputs_.memory = inputs_.rows = {};
    core_->settle(inputs_, outputs_);
    // From the first edge in reset on nothing may be offered.
    const AxiRequest& m = outputs_.memory;
    const ControlReply& c = outputs_.control;
    if (i > 0 && (m.read.valid || outputs_.rows.read.valid || m.write.valid || m.data.valid ||
                  c.response_valid || c.read_valid || outputs_.interrupt)) {
      throw DeviceError("AXI: VALID or the interrupt during reset");
    }
    core_->edge();
  }
  inputs_.reset_n = true;
}

void RtlKernel::step() {
  inputs_.memory = memory_.reply();
  inputs_.rows = rows_.reply();
  core_->settle(inputs_, outputs_);
  memory_.clock(outputs_.memory);
  if (core_->row_beat_bytes() > 0) rows_.clock(outputs_.rows);
  core_->edge();
  ++clocks_;
}

void RtlKernel::clock(std::uint64_t clocks) {
  for (std::uint64_t i = 0; i < clocks; ++i) step();
}

void RtlKernel::hesitate(double probability, std::uint64_t seed) {
  hesitation_ = probability;
  random_ = seed;
}

bool RtlKernel::chance() {
  return hesitation_ > 0 && unit_interval(mix64(random_++)) < hesitation_;
}

void RtlKernel::write_register(std::uint32_t offset, std::uint32_t value, unsigned strobe) {
  ControlRequest& c = inputs_.control;
  c.write_address = offset;
  c.write_data = value;
  c.strobe = strobe;
  bool address_left = true, data_left = true, answered = false;
  for (unsigned i = 0; i < kControlPatience && !answered; ++i) {
    // VALID stays until it is accepted; only raising it may be delayed.
    c.write_address_valid = address_left && (c.write_address_valid || !chance());
    c.write_valid = data_left && (c.write_valid || !chance());
    c.response_ready = !chance() && (!shy_ || outputs_.control.response_valid);
    step();
    if (c.write_address_valid && outputs_.control.write_address_ready) address_left = false;
    if (c.write_valid && outputs_.control.write_ready) data_left = false;
    answered = c.response_ready && outputs_.control.response_valid;
  }
  c.write_address_valid = c.write_valid = c.response_ready = false;
  if (!answered) throw DeviceError(fmt::format("no answer to a write of register {:#x}", offset));
}

void RtlKernel::write_pointer(std::uint32_t offset, std::uint64_t address) {
  write_register(offset, static_cast<std::uint32_t>(address));
  write_register(offset + 4, static_cast<std::uint32_t>(address >> 32));
}

std::uint32_t RtlKernel::read_register(std::uint32_t offset) {
  ControlRequest& c = inputs_.control;
  c.read_address = offset;
  bool address_left = true, answered = false;
  for (unsigned i = 0; i < kControlPatience && !answered; ++i) {
    c.read_address_valid = address_left && (c.read_address_valid || !chance());
    c.read_ready = !chance() && (!shy_ || outputs_.control.read_valid);
    step();
    if (c.read_address_valid && outputs_.control.read_address_ready) address_left = false;
    answered = c.read_ready && outputs_.control.read_valid;
  }
  c.read_address_valid = c.read_ready = false;
  if (!answered) throw DeviceError(fmt::format("no answer to a read of register {:#x}", offset));
  return outputs_.control.read_data;
}

void RtlKernel::run_until_done(std::uint64_t limit) {
  // Reading the register costs the kernel nothing; a poll every few clocks keeps the count
  // accurate.
  for (const std::uint64_t start = clocks_; clocks_ - start < limit;)
    if (read_register(contract::kControl) & kDone) return;
  throw DeviceError(fmt::format("kernel not done after {} clocks", limit));
}

}  // namespace chainmail::sim
