// Part of the preload library: calls that XRT's emulation shim writes to its device's socket are
// answered here, out of the memory the device shares, when that memory suffices (shared_calls.cpp).
// A copy or a register read then takes a microsecond instead of waking two sleeping processes. The
// device sends the memory's descriptor with its first response; until then, and for all other
// calls, everything goes over the socket as without this library.
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include "xrt/preload.hpp"
#include "xrt/shared_calls.hpp"
#include "xrt/unit_port.hpp"

namespace chainmail::emu {

thread_local bool in_a_hurry = false;
thread_local std::chrono::steady_clock::time_point last_call{};

namespace {

ssize_t real_write(int fd, const void* data, std::size_t size) {
  static auto* const function = real_function<ssize_t(int, const void*, std::size_t)>("write");
  return function(fd, data, size);
}

ssize_t real_read(int fd, void* data, std::size_t size) {
  static auto* const function = real_function<ssize_t(int, void*, std::size_t)>("read");
  return function(fd, data, size);
}

// The line to a device that shares its memory. The shim makes one call at a time, under its own
// mutex, so nothing here needs one.
class Line {
 public:
  static constexpr int no_socket = -2;
  bool is(int fd) const { return fd == socket_.load(std::memory_order_relaxed); }

  // As the system calls of the same names.
  ssize_t write(const char* data, std::size_t size);
  ssize_t read(char* data, std::size_t size);

  // Reads from what may be the socket of a device, and checks whether a descriptor comes with it.
  ssize_t read_first(int socket, void* data, std::size_t size);

 private:
  bool answer(const CallHeader& header);
  bool forward();

  std::atomic<int> socket_ = no_socket;
  std::unique_ptr<SharedDevice> device_;
  std::string call_;      // header and payload, as far as they have come
  std::string response_;  // our response, and how much of it the shim has read
  std::size_t read_ = 0;
};

ssize_t Line::write(const char* data, std::size_t size) {
  call_.append(data, size);
  if (call_.size() < call_header) return static_cast<ssize_t>(size);
  bool sent = false;
  try {
    const CallHeader header = parse_call_header(call_.data());
    if (call_.size() < call_header + header.size) return static_cast<ssize_t>(size);
    sent = answer(header) || forward();
    // After a close the number may belong to another file; the response comes as usual.
    if (header.api == Api::close_device) socket_ = no_socket;
  } catch (const std::exception&) {
    // The device meets the same fault, and reports it.
    sent = forward();
  }
  call_.clear();
  last_call = std::chrono::steady_clock::now();
  return sent ? static_cast<ssize_t>(size) : -1;
}

ssize_t Line::read(char* data, std::size_t size) {
  if (read_ == response_.size() && size > 0) return real_read(socket_, data, size);
  const std::size_t taken = response_.copy(data, size, read_);
  read_ += taken;
  return static_cast<ssize_t>(taken);
}

const std::string& busy_response() {
  static const auto* const response = new std::string([] {
    const std::uint32_t value = control::start;
    return number_and_bytes(1, {reinterpret_cast<const char*>(&value), sizeof value});
  }());
  return *response;
}

bool Line::answer(const CallHeader& header) {
  const auto payload = shared_answer(*device_, header.api,
                                     std::string_view(call_).substr(call_header), &lock_waiters);
  if (!payload) return false;
  response_ = framed_response(*payload);
  read_ = 0;
  // After a run's end the next start is urgent; a poll in vain or a copy is not.
  if (header.api == Api::read_registers)
    in_a_hurry = *payload != busy_response();
  else if (header.api == Api::host_to_device || header.api == Api::device_to_host)
    in_a_hurry = false;
  return true;
}

bool Line::forward() {
  in_a_hurry = false;
  for (std::string_view rest = call_; !rest.empty();) {
    const ssize_t sent = real_write(socket_, rest.data(), rest.size());
    if (sent < 0 && errno != EINTR && errno != EAGAIN) return false;
    if (sent > 0) rest.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

ssize_t Line::read_first(int socket, void* data, std::size_t size) {
  if (size == 0) return 0;  // where recvmsg would wait
  iovec part{data, size};
  int carried = -1;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof carried)];
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  const ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (got < 0 && errno == ENOTSOCK) return real_read(socket, data, size);
  if (got < 0) return got;
  const cmsghdr* rights = CMSG_FIRSTHDR(&message);
  if (rights == nullptr || rights->cmsg_type != SCM_RIGHTS) return got;
  std::memcpy(&carried, CMSG_DATA(rights), sizeof carried);
  if (auto device = SharedDevice::attach(carried)) {
    device_ = std::move(device);
    socket_ = socket;
  }
  return got;
}

Line& line() {
  static auto* const only = new Line;  // never destroyed: XRT's threads may outlive main
  return *only;
}

}  // namespace

}  // namespace chainmail::emu

extern "C" ssize_t write(int fd, const void* data, std::size_t size) {
  auto& line = chainmail::emu::line();
  return line.is(fd) ? line.write(static_cast<const char*>(data), size)
                     : chainmail::emu::real_write(fd, data, size);
}

extern "C" ssize_t read(int fd, void* data, std::size_t size) {
  auto& line = chainmail::emu::line();
  if (line.is(fd)) return line.read(static_cast<char*>(data), size);
  if (line.is(chainmail::emu::Line::no_socket) &&
      chainmail::emu::is_shim(__builtin_return_address(0)))
    return line.read_first(fd, data, size);
  return chainmail::emu::real_read(fd, data, size);
}
