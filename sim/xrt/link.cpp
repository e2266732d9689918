#include "xrt/link.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace chainmail::emu {

namespace {

// A call's header is itself a message of two fixed-width fields: size (1) and api (2); a
// response's has the size only.
constexpr std::size_t call_header = 14, response_header = 9;
constexpr char size_key = 0x09, api_key = 0x15;

int connect_to(const std::string& path, std::chrono::milliseconds patience) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    throw std::runtime_error("socket path too long: " + path);
  path.copy(address.sun_path, path.size());
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (;;) {
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) throw std::system_error(errno, std::generic_category(), "socket");
    if (connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return fd;
    const int reason = errno;
    close(fd);
    if (std::chrono::steady_clock::now() > deadline)
      throw std::system_error(reason, std::generic_category(), path);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // the shim opens it in its own time
  }
}

bool receive_all(int fd, char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t got = recv(fd, data, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    data += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

void send_all(int fd, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t sent = send(fd, data, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) throw std::system_error(errno, std::generic_category(), "emulation socket");
    data += sent;
    size -= static_cast<std::size_t>(sent);
  }
}

}  // namespace

Link::Link(const std::string& user, const std::string& socket_id) {
  const std::string folder = "/tmp/" + user + "/";
  calls_ = connect_to(folder + socket_id, std::chrono::seconds(30));
  device_to_host_ = connect_to(folder + "D2X_unix_sock_" + socket_id, std::chrono::seconds(30));
}

Link::~Link() {
  close(calls_);
  if (device_to_host_ >= 0) close(device_to_host_);
}

std::optional<Call> Link::next() {
  char header[call_header];
  if (!receive_all(calls_, header, sizeof header)) return std::nullopt;
  if (header[0] != size_key || header[9] != api_key)
    throw std::runtime_error("emulation call with an unknown header");
  std::uint64_t size = 0;
  Call call;
  std::memcpy(&size, header + 1, sizeof size);
  std::memcpy(&call.api, header + 10, sizeof call.api);
  call.payload.resize(size);
  if (!receive_all(calls_, call.payload.data(), size)) return std::nullopt;
  return call;
}

void Link::respond(const std::string& payload) {
  std::string message(response_header, '\0');
  const std::uint64_t size = payload.size();
  message[0] = size_key;
  std::memcpy(message.data() + 1, &size, sizeof size);
  message += payload;
  send_all(calls_, message.data(), message.size());
}

void Link::release_listener() {
  char goodbye[call_header] = {size_key};
  goodbye[9] = api_key;
  goodbye[10] = 1;
  send_all(device_to_host_, goodbye, sizeof goodbye);
}

}  // namespace chainmail::emu
