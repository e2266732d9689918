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
#include <utility>

namespace chainmail::emu {

namespace {

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
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // the shim may not be ready
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

void send_all(int fd, const char* data, std::size_t size, int carried = -1) {
  while (size > 0) {
    iovec part{const_cast<char*>(data), size};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof carried)] = {};
    if (carried >= 0) {
      message.msg_control = control;
      message.msg_controllen = sizeof control;
      cmsghdr* rights = CMSG_FIRSTHDR(&message);
      rights->cmsg_level = SOL_SOCKET;
      rights->cmsg_type = SCM_RIGHTS;
      rights->cmsg_len = CMSG_LEN(sizeof carried);
      std::memcpy(CMSG_DATA(rights), &carried, sizeof carried);
    }
    const ssize_t sent = sendmsg(fd, &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) throw std::system_error(errno, std::generic_category(), "emulation socket");
    carried = -1;
    data += sent;
    size -= static_cast<std::size_t>(sent);
  }
}

}  // namespace

Link::Link(const std::string& user, const std::string& socket_id, int descriptor)
    : carried_(descriptor) {
  const std::string folder = "/tmp/" + user + "/";
  calls_ = connect_to(folder + socket_id, std::chrono::seconds(30));
  device_to_host_ = connect_to(folder + "D2X_unix_sock_" + socket_id, std::chrono::seconds(30));
}

Link::~Link() {
  close(calls_);
  if (device_to_host_ >= 0) close(device_to_host_);
}

std::optional<Call> Link::next() {
  char bytes[call_header];
  if (!receive_all(calls_, bytes, sizeof bytes)) return std::nullopt;
  const CallHeader header = parse_call_header(bytes);
  Call call{header.api, std::string(header.size, '\0')};
  if (!receive_all(calls_, call.payload.data(), header.size)) return std::nullopt;
  return call;
}

void Link::respond(const std::string& payload) {
  const std::string message = framed_response(payload);
  send_all(calls_, message.data(), message.size(), std::exchange(carried_, -1));
}

void Link::release_listener() {
  const std::string goodbye = framed_call(0, Api::close_device);
  send_all(device_to_host_, goodbye.data(), goodbye.size());
}

}  // namespace chainmail::emu
