#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "device/group/channel.hpp"
#include "support/error.hpp"

namespace chainmail {
namespace {

using Clock = std::chrono::steady_clock;

class SocketChannel final : public Channel {
 public:
  explicit SocketChannel(int socket) : socket_(socket) {}
  ~SocketChannel() override { ::close(socket_); }
  SocketChannel(const SocketChannel&) = delete;
  SocketChannel& operator=(const SocketChannel&) = delete;

  void send(Message message, double seconds) override {
    const Clock::time_point from = Clock::now();
    std::uint64_t size = message.size();
    put(std::as_bytes(std::span(&size, 1)), from, seconds);
    put(message, from, seconds);
  }
  Message receive(double seconds) override {
    const Clock::time_point from = Clock::now();
    std::uint64_t size = 0;
    get(std::as_writable_bytes(std::span(&size, 1)), from, seconds);
    return received(size, [&](std::span<std::byte> piece) { get(piece, from, seconds); });
  }
  bool ready() override {
    pollfd look{socket_, POLLIN, 0};
    return ::poll(&look, 1, 0) > 0;
  }

 private:
  [[noreturn]] static void gone() {
    throw DeviceError("the connection to the other process is gone");
  }
  // Until the socket can be used, or time is up.
  void await(short event, Clock::time_point from, double seconds) const {
    for (;;) {
      const double left = seconds - std::chrono::duration<double>(Clock::now() - from).count();
      pollfd look{socket_, event, 0};
      const int wait = seconds < 0.0 ? -1 : static_cast<int>(std::ceil(1e3 * std::max(0.0, left)));
      const int ready = ::poll(&look, 1, wait);
      if (ready > 0) return;
      if (ready == 0) throw DeviceError("no answer from the other process in time");
    }
  }
  void put(std::span<const std::byte> bytes, Clock::time_point from, double seconds) const {
    while (!bytes.empty()) {
      await(POLLOUT, from, seconds);
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (sent <= 0) gone();
      bytes = bytes.subspan(static_cast<std::size_t>(sent));
    }
  }
  void get(std::span<std::byte> bytes, Clock::time_point from, double seconds) const {
    while (!bytes.empty()) {
      await(POLLIN, from, seconds);
      const ssize_t got = ::recv(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT);
      if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (got <= 0) gone();
      bytes = bytes.subspan(static_cast<std::size_t>(got));
    }
  }

  int socket_;
};

}  // namespace

std::unique_ptr<Channel> make_socket_channel(int socket) {
  return std::make_unique<SocketChannel>(socket);
}

}  // namespace chainmail
