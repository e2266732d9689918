// A serial port, opened raw and exclusively: bytes out, bytes in with a deadline.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace chainmail::uart {

using Clock = std::chrono::steady_clock;

class SerialLine {
 public:
  // Throws UsageError for a rate that termios does not know, DeviceError when the port cannot be
  // opened, is no terminal, or belongs to another program.
  SerialLine(const std::string& path, unsigned baud);
  ~SerialLine();
  SerialLine(const SerialLine&) = delete;
  SerialLine& operator=(const SerialLine&) = delete;

  // Both throw DeviceError when the port is lost.
  void write(std::span<const std::uint8_t> bytes, Clock::time_point deadline);
  // What has arrived; waits for the first byte, at most until the deadline (then empty).
  std::vector<std::uint8_t> read(Clock::time_point deadline);
  void discard_input();

 private:
  [[noreturn]] void fail(const std::string& what) const;
  bool wait_for(short events, Clock::time_point deadline) const;

  std::string path_;
  int file_ = -1;
};

}  // namespace chainmail::uart
