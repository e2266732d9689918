// One kernel on one XRT device, emulated or real. XRT itself runs in a worker process: a device
// that hangs, dies or takes its library down with it ends in a DeviceError here, and a program
// without libxrt still runs everything else.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/xrt/packet.hpp"

namespace chainmail {

struct SessionOptions {
  std::string label = "xrt";  // what messages call the device: sw_emu, hw_emu, xrt:0000:65:00.1
  bool emulated = false;
  std::string board = "0";  // index or PCIe address
  std::string xclbin;
  std::string kernel;
  std::chrono::milliseconds timeout{10'000};            // for any one answer of the device
  std::string worker;                                   // program; empty: next to this one
  std::map<std::string, std::string> environment = {};  // more for the worker
};

struct XrtBuffer {
  std::uint32_t id = 0;
  std::uint64_t size = 0;
};

// An argument of the kernel in call order: a buffer from some byte on, or a scalar of 4 or 8 bytes.
struct XrtArgument {
  std::optional<XrtBuffer> buffer;
  std::uint64_t scalar = 0;
  std::uint32_t scalar_bytes = 4;
  std::uint64_t offset = 0;  // in the buffer
};

// One call of the kernel with the copies around it, so that a burst is one message each way.
struct XrtLaunch {
  struct Write {
    XrtBuffer buffer;
    std::span<const std::byte> content;
    std::uint64_t offset = 0;
  };
  struct Read {
    XrtBuffer buffer;
    std::uint64_t size = 0;
    std::uint64_t offset = 0;
  };
  std::uint32_t run = 0;   // the caller's number for it; one launch per number at a time
  std::uint32_t unit = 0;  // compute unit
  std::vector<XrtArgument> arguments;
  std::vector<Write> writes;  // before the start; each costs a card tens of microseconds
  std::vector<Read> reads;    // after the end
};

// Each compute unit may have its own thread: start() and wait() are thread-safe.
class XrtSession {
 public:
  // Starts the worker and loads the xclbin. All functions throw DeviceError, in one line; after
  // that the session is over: no process, socket or folder of it is left.
  explicit XrtSession(const SessionOptions& options);
  ~XrtSession();
  XrtSession(const XrtSession&) = delete;
  XrtSession& operator=(const XrtSession&) = delete;

  const std::string& board() const { return board_; }
  std::uint32_t units() const { return units_; }

  // A buffer in the memory that `unit` reaches by its kernel argument number `argument`.
  XrtBuffer allocate(std::uint32_t unit, std::uint32_t argument, std::uint64_t size);
  void write(const XrtBuffer& buffer, std::span<const std::byte> content);
  std::vector<std::byte> read(const XrtBuffer& buffer, std::uint64_t size);

  void start(const XrtLaunch& launch);
  // The bytes of the launch's reads, one after the other.
  std::vector<std::byte> wait(std::uint32_t run);

  // The processes of this session, the worker first (tests look after them).
  int worker_process() const;

 private:
  using Clock = std::chrono::steady_clock;
  using Lock = std::unique_lock<std::mutex>;
  struct Process;
  xrt_worker::Packet ask(xrt_worker::PacketWriter& question, xrt_worker::Kind answer,
                         const char* doing);
  void send(Lock& lock, xrt_worker::PacketWriter& packet, Clock::time_point deadline,
            const char* doing);
  // Until `there`: one thread at a time reads the worker's packets, for all that wait.
  void await(Lock& lock, const std::function<bool()>& there,
             const std::function<Clock::time_point()>& deadline, const char* doing);
  void take(Lock& lock, xrt_worker::Packet packet);
  [[noreturn]] void fail(Lock& lock, const std::string& what);

  SessionOptions options_;
  std::unique_ptr<Process> process_;
  std::string board_;
  std::uint32_t units_ = 0;

  mutable std::mutex mutex_;  // of everything below
  std::condition_variable changed_;
  bool reading_ = false;  // a thread is in receive()
  std::string failure_;   // set once the session is over
  std::optional<xrt_worker::Packet> answer_;
  std::map<std::uint32_t, std::vector<std::byte>> finished_;
  std::map<std::uint32_t, Clock::time_point> started_;
  Clock::time_point last_end_{};
};

// A line for each board XRT knows on this machine; throws DeviceError when XRT cannot be used.
std::vector<std::string> list_xrt_boards(const std::string& worker = {});

}  // namespace chainmail
