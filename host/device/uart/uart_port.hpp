// A kernel behind a serial line as a kernel port: a call becomes a few numbered frames. A frame
// whose reply is lost is resent with the same number, and the board executes each number once, so
// that noise costs time, never a result.
#pragma once

#include <array>
#include <future>
#include <map>
#include <mutex>
#include <optional>

#include "device/burst_costs.hpp"
#include "device/device.hpp"
#include "device/kernel/kernel_port.hpp"
#include "device/uart/frame.hpp"
#include "device/uart/serial_line.hpp"
#include "topology/contract.hpp"
#include "topology/uart_link.hpp"

namespace chainmail {

class UartPort : public KernelPort {
 public:
  // Opens the line and a session with the board on it; throws DeviceError when there is no answer
  // within `timeout` seconds, or an unknown one. A frame without an answer is resent every `resend`
  // seconds.
  UartPort(const std::string& path, unsigned baud, double timeout, double resend);

  std::string describe() const override;
  const Topology& topology() const override { return topology_; }
  const BurstCosts* costs() const override { return costs_ ? &*costs_ : nullptr; }
  void start(std::size_t lane, const KernelCall& call) override;
  void finish(std::size_t lane) override;

  std::uint64_t frames_sent_again() const { return again_; }

 private:
  using Bytes = uart::Bytes;
  struct Reply {
    std::uint8_t code;
    Bytes payload;
  };
  void open_session();
  void run(const KernelCall& call);
  void load_tables(const KernelCall& call);
  void load_spins(const KernelCall& call);
  std::uint32_t burst(const KernelCall& call);
  void read_states(uart_link::Command command, const KernelCall& call,
                   std::span<std::uint64_t> states);
  // Sends a frame until it is answered. Of the replies only the one to this command and number,
  // whose payload begins with `echo`, counts.
  Reply ask(uart_link::Command command, std::uint32_t number, const Bytes& payload,
            std::size_t echo = 0);
  Reply change(uart_link::Command command, const Bytes& payload, std::size_t echo = 0);
  Bytes place(const KernelCall& call) const;
  [[noreturn]] void fail(const std::string& what) const;

  std::string name_;
  unsigned baud_;
  uart::SerialLine line_;
  uart::FrameDecoder decoder_;
  std::chrono::nanoseconds timeout_, resend_;
  Topology topology_;
  std::array<std::uint64_t, contract::kStatusWords / 2> status_{};  // from the board's greeting
  std::optional<BurstCosts> costs_;  // of a board that says its speed
  std::uint32_t number_ = 0;         // of the last change
  std::uint64_t again_ = 0;
  std::mutex busy_;
  std::map<std::size_t, std::future<void>> running_;
};

// "uart:PATH" or "uart:PATH:BAUD".
struct UartAddress {
  std::string path;
  unsigned baud;
};
bool is_uart_device(const std::string& name);
UartAddress uart_address(const std::string& name);  // throws UsageError
std::unique_ptr<Device> make_uart_device(const DeviceOptions& options);
// The board's rate unless it was built for another one (BAUD= of `make bitstream`).
inline constexpr unsigned kUartBaud = 3'000'000;

}  // namespace chainmail
