#include "device/uart/serial_line.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/serial.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "support/error.hpp"

namespace chainmail::uart {

namespace {

constexpr std::array<std::pair<unsigned, speed_t>, 13> kSpeeds{{{9600, B9600},
                                                                {19200, B19200},
                                                                {38400, B38400},
                                                                {57600, B57600},
                                                                {115200, B115200},
                                                                {230400, B230400},
                                                                {460800, B460800},
                                                                {921600, B921600},
                                                                {1000000, B1000000},
                                                                {1500000, B1500000},
                                                                {2000000, B2000000},
                                                                {3000000, B3000000},
                                                                {4000000, B4000000}}};

speed_t speed_of(unsigned baud) {
  std::string known;
  for (const auto& [rate, speed] : kSpeeds) {
    if (rate == baud) return speed;
    known += (known.empty() ? "" : ", ") + std::to_string(rate);
  }
  throw UsageError(fmt::format("{} baud: expected one of {}", baud, known));
}

// USB chips gather what they receive, an FTDI's for 16 ms, unless asked not to; a port that has no
// such setting needs none.
void ask_for_low_latency(int file) {
  serial_struct settings{};
  if (ioctl(file, TIOCGSERIAL, &settings) != 0) return;
  settings.flags |= ASYNC_LOW_LATENCY;
  ioctl(file, TIOCSSERIAL, &settings);
}

}  // namespace

SerialLine::SerialLine(const std::string& path, unsigned baud) : path_(path) {
  const speed_t speed = speed_of(baud);
  file_ = open(path.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (file_ < 0) fail(std::strerror(errno));
  try {
    termios settings{};
    if (tcgetattr(file_, &settings) != 0) fail("not a serial port");
    if (flock(file_, LOCK_EX | LOCK_NB) != 0) fail("in use by another program");
    cfmakeraw(&settings);
    settings.c_cflag |= CLOCAL | CREAD;
    settings.c_cflag &= ~static_cast<tcflag_t>(CSTOPB | CRTSCTS);
    settings.c_cc[VMIN] = 0;
    settings.c_cc[VTIME] = 0;
    if (cfsetspeed(&settings, speed) != 0 || tcsetattr(file_, TCSANOW, &settings) != 0) {
      fail(fmt::format("cannot be set to {} baud: {}", baud, std::strerror(errno)));
    }
    ask_for_low_latency(file_);
    discard_input();
  } catch (...) {
    close(file_);
    throw;
  }
}

SerialLine::~SerialLine() {
  close(file_);
}

void SerialLine::fail(const std::string& what) const {
  throw DeviceError("uart:" + path_ + ": " + what);
}

bool SerialLine::wait_for(short events, Clock::time_point deadline) const {
  while (true) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left < 0) return false;
    pollfd waiting{file_, events, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(std::min<long long>(left + 1, 1000)));
    if (ready < 0 && errno != EINTR) fail(std::strerror(errno));
    if (ready > 0) return true;
  }
}

void SerialLine::write(std::span<const std::uint8_t> bytes, Clock::time_point deadline) {
  while (!bytes.empty()) {
    if (!wait_for(POLLOUT, deadline)) fail("accepts no bytes");
    const ssize_t count = ::write(file_, bytes.data(), bytes.size());
    if (count < 0 && errno != EAGAIN && errno != EINTR) fail("the line was lost");
    if (count > 0) bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

std::vector<std::uint8_t> SerialLine::read(Clock::time_point deadline) {
  std::vector<std::uint8_t> bytes(4096);
  while (wait_for(POLLIN, deadline)) {
    const ssize_t count = ::read(file_, bytes.data(), bytes.size());
    if (count > 0) {
      bytes.resize(static_cast<std::size_t>(count));
      return bytes;
    }
    // Ready and nothing to read: the other end has hung up.
    if (count == 0 || (errno != EAGAIN && errno != EINTR)) fail("the line was lost");
  }
  return {};
}

void SerialLine::discard_input() {
  tcflush(file_, TCIFLUSH);
}

}  // namespace chainmail::uart
