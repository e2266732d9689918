#include "board/board_server.hpp"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "support/error.hpp"

namespace chainmail::sim {

namespace {

constexpr unsigned kClocksAtOnce = 2000;
constexpr int kWaitMilliseconds = 5;

[[noreturn]] void fail(const std::string& what) {
  throw DeviceError("pseudo-terminal: " + what + ": " + std::strerror(errno));
}

}  // namespace

BoardServer::BoardServer(std::unique_ptr<BoardCore> core, LineNoise noise)
    : core_(std::move(core)), noise_(std::move(noise)), pins_(core_->clocks_per_bit()) {
  terminal_ = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (terminal_ < 0 || grantpt(terminal_) != 0 || unlockpt(terminal_) != 0) fail("open");
  std::array<char, 128> name{};
  if (ptsname_r(terminal_, name.data(), name.size()) != 0) fail("name");
  path_ = name.data();
  // Made raw before a client connects, so that nothing is echoed; our copy of the client's end is
  // closed, so that we notice when it connects and leaves.
  const int client = open(path_.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
  termios settings{};
  if (client < 0 || tcgetattr(client, &settings) != 0) fail("settings");
  cfmakeraw(&settings);
  const int set = tcsetattr(client, TCSANOW, &settings);
  close(client);
  if (set != 0) fail("settings");
}

BoardServer::~BoardServer() {
  close(terminal_);
}

// Bytes between terminal and pins; waits a little when there is nothing to simulate.
BoardServer::Client BoardServer::exchange() {
  const auto events = static_cast<short>(POLLIN | (unsent_.empty() ? 0 : POLLOUT));
  pollfd waiting{terminal_, events, 0};
  if (poll(&waiting, 1, idle() ? kWaitMilliseconds : 0) < 0 && errno != EINTR) fail("poll");
  if (waiting.revents & POLLIN) {
    std::vector<std::uint8_t> bytes(4096);
    const ssize_t count = read(terminal_, bytes.data(), bytes.size());
    bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    use_.bytes_in += bytes.size();
    if (!bytes.empty()) pins_.send(noise_.to_board ? noise_.to_board(bytes) : bytes);
  }
  std::vector<std::uint8_t> answer = pins_.received();
  use_.bytes_out += answer.size();
  if (noise_.to_host && !answer.empty()) answer = noise_.to_host(answer);
  unsent_.insert(unsent_.end(), answer.begin(), answer.end());
  if (!unsent_.empty()) {
    const ssize_t count = write(terminal_, unsent_.data(), unsent_.size());
    if (count > 0) unsent_.erase(unsent_.begin(), unsent_.begin() + count);
  }
  return waiting.revents & POLLHUP ? Client::absent : Client::present;
}

bool BoardServer::idle() const {
  return !pins_.sending() && !pins_.receiving() && !core_->busy();
}

void BoardServer::clock_board() {
  for (unsigned i = 0; i < kClocksAtOnce; ++i) {
    bool level = pins_.drive();
    if (noise_.level) level = noise_.level(level);
    tx_ = core_->clock(level);
    pins_.sample(tx_);
    const bool on_line = pins_.sending() || pins_.receiving();
    use_.on_line += on_line ? 1 : 0;
    use_.at_work += !on_line && core_->busy() ? 1 : 0;
  }
}

void BoardServer::serve(const std::atomic<bool>& stop, bool stay) {
  bool came = false, was_idle = true;
  while (!stop) {
    const Client client = exchange();
    if (client == Client::absent) {
      if (came && !stay) return;
      unsent_.clear();
      if (was_idle) usleep(1000 * kWaitMilliseconds);
    } else {
      came = true;
    }
    // A board takes some clocks to see the end of a frame, and to send the last bits of a reply.
    const bool is_idle = idle();
    if (!was_idle || !is_idle) clock_board();
    was_idle = is_idle;
  }
}

}  // namespace chainmail::sim
