// What the tests of the serial link share: a simulated board served in a thread, and the HLS kernel
// of the same topology as the reference.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "../rtl/random_burst.hpp"
#include "board/board_server.hpp"
#include "device/kernel/kernel_device.hpp"
#include "device/uart/uart_port.hpp"
#include "topology/contract.hpp"

namespace chainmail::test {

inline constexpr const char* kBoardTopology = "5x2-t9-b17-w2-r16";
inline constexpr std::uint32_t kEverything =
    contract::kLoadTables | contract::kLoadSpins | contract::kStoreSpins | contract::kStoreBest;

class ServedBoard {
 public:
  explicit ServedBoard(const std::string& board, sim::LineNoise noise = {})
      : server_(sim::BoardCore::make(board), std::move(noise)),
        thread_([this] { server_.serve(stop_, true); }) {}
  ~ServedBoard() { stop(); }
  const sim::BoardUse& stop() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
    return server_.use();
  }
  ServedBoard(const ServedBoard&) = delete;
  ServedBoard& operator=(const ServedBoard&) = delete;
  const std::string& path() const { return server_.path(); }
  // A long timeout, for busy machines; quick to resend, for lossy lines.
  std::unique_ptr<UartPort> open(double timeout = 60, double resend = 0.2) const {
    return std::make_unique<UartPort>(path(), kUartBaud, timeout, resend);
  }

 private:
  sim::BoardServer server_;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

}  // namespace chainmail::test
