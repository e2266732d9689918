// The XRT worker: a process that holds one XRT session for the driver and does what the packets on
// its socket say. It is a program of its own so that libxrt, its threads, its exits and its endless
// loops stay out of the solver.
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "board.hpp"
#include "guardian.hpp"
#include "support/coverage.hpp"
#include "support/eager_wait.hpp"

namespace chainmail::xrt_worker {

namespace {

bool receive_all(char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t got = recv(worker_socket, data, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    data += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

bool receive(Packet& packet) {
  Header header;
  if (!receive_all(reinterpret_cast<char*>(&header), sizeof header)) return false;
  packet.kind = static_cast<Kind>(header.kind);
  packet.body.resize(header.size);
  return receive_all(packet.body.data(), header.size);
}

void send(PacketWriter packet) {
  std::string_view rest = packet.seal();
  while (!rest.empty()) {
    const ssize_t sent = ::send(worker_socket, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return;  // the guardian sees to it
    rest.remove_prefix(static_cast<std::size_t>(sent));
  }
}

// Numbers of ended runs, handed from XRT's threads to ours. XRT starts the next run after it has
// told us, so telling must be quick: without a system call unless ours sleeps.
class Ended {
 public:
  void add(std::uint32_t run) {
    const std::lock_guard lock(mutex_);
    runs_.push_back(run);
    any_ = true;
    if (asleep_) eventfd_write(event_, 1);
  }
  std::vector<std::uint32_t> take() {
    const std::lock_guard lock(mutex_);
    any_ = false;
    return std::exchange(runs_, {});
  }
  // Waits until there is one, or `socket` has something to read.
  void wait(int socket) {
    EagerWait wait;
    do {
      pollfd packets{socket, POLLIN, 0};
      if (any_ || poll(&packets, 1, 0) != 0) return;
    } while (wait.again());
    asleep_ = true;
    pollfd watched[2] = {{socket, POLLIN, 0}, {event_, POLLIN, 0}};
    if (!any_) poll(watched, 2, -1);
    asleep_ = false;
    eventfd_t ignored = 0;
    eventfd_read(event_, &ignored);
  }

 private:
  int event_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  std::mutex mutex_;
  std::vector<std::uint32_t> runs_;
  std::atomic<bool> any_ = false, asleep_ = false;
};

class Worker {
 public:
  // Returns when the driver says close.
  void serve() {
    for (;;) {
      ended_.wait(worker_socket);
      for (const std::uint32_t run : ended_.take())
        send(PacketWriter(Kind::finished).put(run).put(std::string_view(board_->collect(run))));
      pollfd packets{worker_socket, POLLIN, 0};
      if (poll(&packets, 1, 0) <= 0) continue;
      Packet packet;
      if (!receive(packet)) pause();  // the driver is gone: the guardian is about to end us
      if (packet.kind == Kind::close) {
        guardian_.disarm();
        board_.reset();
        return;
      }
      obey(packet);
    }
  }

 private:
  void obey(const Packet& packet) {
    PacketReader in(packet);
    switch (packet.kind) {
      case Kind::open:
        open(in);
        break;
      case Kind::list: {
        const std::vector<std::string> lines = list_boards();
        PacketWriter out(Kind::boards);
        out.put(static_cast<std::uint32_t>(lines.size()));
        for (const std::string& line : lines) out.put(std::string_view(line));
        send(out);
        break;
      }
      case Kind::allocate: {
        const auto unit = in.take<std::uint32_t>(), argument = in.take<std::uint32_t>();
        const auto id = board_->allocate(unit, argument, in.take<std::uint64_t>());
        send(PacketWriter(Kind::allocated).put(id));
        break;
      }
      case Kind::write: {
        const auto id = in.take<std::uint32_t>();
        board_->write(id, in.take_bytes());
        send(PacketWriter(Kind::written));
        break;
      }
      case Kind::read: {
        const auto id = in.take<std::uint32_t>();
        send(PacketWriter(Kind::content).put(board_->read(id, in.take<std::uint64_t>())));
        break;
      }
      case Kind::launch:
        board_->launch(in);
        break;
      default:
        throw std::runtime_error("the XRT worker was sent a packet it does not know");
    }
  }

  void open(PacketReader& in) {
    const std::string board(in.take_bytes()), xclbin(in.take_bytes()), kernel(in.take_bytes());
    board_ = std::make_unique<Board>(board, xclbin, kernel,
                                     [this](std::uint32_t run) { ended_.add(run); });
    guardian_.arm();
    send(PacketWriter(Kind::opened).put(std::string_view(board_->name())).put(board_->units()));
  }

  Guardian guardian_{worker_socket};
  Ended ended_;
  std::unique_ptr<Board> board_;
};

}  // namespace

}  // namespace chainmail::xrt_worker

int main() {
  using namespace chainmail::xrt_worker;
  unsetenv("LD_PRELOAD");         // meant for this process, not for those XRT starts
  std::signal(SIGPIPE, SIG_IGN);  // a dead device is reported, not died of
  Worker worker;                  // outside of the try: a fault is told before anything is closed
  try {
    worker.serve();
    return 0;
  } catch (const std::exception& error) {
    std::string line = error.what();
    line = line.substr(0, line.find('\n'));
    std::fflush(nullptr);
    chainmail::keep_coverage();  // now: the driver ends us as soon as it has read the fault
    send(PacketWriter(Kind::fault).put(std::string_view(line)));
    _exit(1);  // without XRT's destructors, which may wait for the device
  }
}
