// The XRT worker: a process that holds one XRT session for the driver and does what the packets on
// its socket say. It is a separate program so that libxrt, its threads, its exits and its endless
// loops stay out of the solver.
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
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
  // Memory is allocated as bytes arrive, not because a header claims so.
  constexpr std::size_t piece = std::size_t{1} << 20U;
  for (std::size_t got = 0; got < header.size; got = packet.body.size()) {
    packet.body.resize(std::min<std::size_t>(header.size, got + piece));
    if (!receive_all(packet.body.data() + got, packet.body.size() - got)) return false;
  }
  return true;
}

std::mutex sending;  // packets of several threads

void send(PacketWriter packet) {
  const std::lock_guard lock(sending);
  std::string_view rest = packet.seal();
  while (!rest.empty()) {
    const ssize_t sent = ::send(worker_socket, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return;  // the guardian sees to it
    rest.remove_prefix(static_cast<std::size_t>(sent));
  }
}

// Reports why to the driver, then ends without XRT's destructors, which may wait for the device.
[[noreturn]] void give_up(const std::exception& error) {
  std::string line = error.what();
  line = line.substr(0, line.find('\n'));
  std::fflush(nullptr);
  keep_coverage();  // now: the driver ends us as soon as it has read the fault
  send(PacketWriter(Kind::fault).put(std::string_view(line)));
  _exit(1);
}

// Work that a thread of its own does in the order it came.
template <class Task>
class Queue {
 public:
  explicit Queue(std::function<void(const Task&)> work)
      : work_(std::move(work)), thread_([this] { serve(); }) {}
  ~Queue() {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
      tell();
    }
    thread_.join();
  }
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  // Quick, without a system call unless the thread sleeps.
  void add(Task task) {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    tell();
  }

 private:
  void tell() {
    any_ = true;
    if (asleep_) changed_.notify_one();
  }
  void serve() {
    try {
      while (take_turn()) {
      }
    } catch (const std::exception& error) {
      give_up(error);
    }
  }
  // False: it is time to go.
  bool take_turn() {
    EagerWait wait;
    while (!any_ && wait.again()) {
    }
    std::unique_lock lock(mutex_);
    asleep_ = true;
    while (!any_) changed_.wait(lock);
    asleep_ = false;
    if (closing_) return false;
    const Task task = std::move(tasks_.front());
    tasks_.pop_front();
    any_ = !tasks_.empty();
    lock.unlock();
    work_(task);
    return true;
  }

  std::function<void(const Task&)> work_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Task> tasks_;
  bool closing_ = false;
  std::atomic<bool> any_ = false, asleep_ = false;
  std::thread thread_;  // last: it uses the others
};

// A compute unit has a thread for each direction: one copies in and starts, one copies out after
// the end. A copy takes a card tens of microseconds, and the two directions do not disturb each
// other.
class Unit {
 public:
  Unit(Board& board, std::uint32_t unit)
      : launches_([&board, unit](const Packet& packet) {
          PacketReader in(packet);
          in.take<std::uint32_t>();  // the unit
          board.launch(unit, in);
        }),
        ends_([&board, unit](const std::uint32_t& run) {
          send(PacketWriter(Kind::finished)
                   .put(run)
                   .put(std::string_view(board.collect(unit, run))));
        }) {}

  void launch(Packet packet) { launches_.add(std::move(packet)); }
  // XRT starts the next run after it has reported an end.
  void ended(std::uint32_t run) { ends_.add(run); }

 private:
  Queue<Packet> launches_;
  Queue<std::uint32_t> ends_;
};

class Worker {
 public:
  // Returns when the driver says close.
  void serve() {
    for (;;) {
      pollfd packets{worker_socket, POLLIN, 0};
      if (eager_poll(&packets, 1, -1) < 0) continue;
      Packet packet;
      if (!receive(packet)) pause();  // the driver is gone: the guardian is about to end us
      if (packet.kind == Kind::close) {
        guardian_.disarm();
        units_.clear();
        board_.reset();
        return;
      }
      obey(packet);
    }
  }

 private:
  void obey(Packet& packet) {
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
        board_->write(id, 0, in.take_bytes());
        send(PacketWriter(Kind::written));
        break;
      }
      case Kind::read: {
        const auto id = in.take<std::uint32_t>();
        send(PacketWriter(Kind::content).put(board_->read(id, 0, in.take<std::uint64_t>())));
        break;
      }
      case Kind::launch:
        units_.at(in.take<std::uint32_t>())->launch(std::move(packet));
        break;
      default:
        throw std::runtime_error("the XRT worker was sent a packet it does not know");
    }
  }

  void open(PacketReader& in) {
    const std::string board(in.take_bytes()), xclbin(in.take_bytes()), kernel(in.take_bytes());
    board_ = std::make_unique<Board>(
        board, xclbin, kernel,
        [this](std::uint32_t unit, std::uint32_t run) { units_[unit]->ended(run); });
    for (std::uint32_t unit = 0; unit < board_->units(); ++unit)
      units_.push_back(std::make_unique<Unit>(*board_, unit));
    guardian_.arm();
    send(PacketWriter(Kind::opened).put(std::string_view(board_->name())).put(board_->units()));
  }

  Guardian guardian_{worker_socket};
  std::unique_ptr<Board> board_;
  std::vector<std::unique_ptr<Unit>> units_;
};

}  // namespace

}  // namespace chainmail::xrt_worker

int main() {
  using namespace chainmail::xrt_worker;
  unsetenv("LD_PRELOAD");         // meant for this process, not for those XRT starts
  std::signal(SIGPIPE, SIG_IGN);  // a dead device is reported, not fatal
  Worker worker;                  // outside the try: faults are reported before closing
  try {
    worker.serve();
    return 0;
  } catch (const std::exception& error) {
    give_up(error);
  }
}
