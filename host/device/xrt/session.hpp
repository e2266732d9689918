// One kernel on one XRT device, emulated or real. XRT itself runs in a worker process: a device
// that hangs, dies or takes its library down with it ends in a DeviceError here, and a program
// without libxrt still runs everything else.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
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
  std::chrono::milliseconds timeout{10'000};  // for any one answer of the device
  std::string worker;                         // program; empty: beside this one
};

struct XrtBuffer {
  std::uint32_t id = 0;
  std::uint64_t size = 0;
};

// An argument of the kernel in call order: a buffer, or a scalar of 4 or 8 bytes.
struct XrtArgument {
  std::optional<XrtBuffer> buffer;
  std::uint64_t scalar = 0;
  std::uint32_t scalar_bytes = 4;
};

// One call of the kernel with the copies around it, so that a burst is one message each way.
struct XrtLaunch {
  struct Write {
    XrtBuffer buffer;
    std::span<const std::byte> content;
  };
  struct Read {
    XrtBuffer buffer;
    std::uint64_t size = 0;
  };
  std::uint32_t run = 0;   // the caller's number for it; one launch a number at a time
  std::uint32_t unit = 0;  // compute unit
  std::vector<XrtArgument> arguments;
  std::vector<Write> writes;  // before the start, from the buffers' beginnings
  std::vector<Read> reads;    // after the end
};

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
  struct Process;
  xrt_worker::Packet ask(xrt_worker::PacketWriter& question, xrt_worker::Kind answer,
                         const char* doing);
  void send(xrt_worker::PacketWriter& packet, std::chrono::steady_clock::time_point deadline,
            const char* doing);
  xrt_worker::Packet receive(std::chrono::steady_clock::time_point deadline, const char* doing);
  void take_finished(const xrt_worker::Packet& packet);
  [[noreturn]] void fail(const std::string& what);

  SessionOptions options_;
  std::unique_ptr<Process> process_;
  std::string failure_;  // set once the session is over
  std::string board_;
  std::uint32_t units_ = 0;
  std::map<std::uint32_t, std::vector<std::byte>> finished_;
  std::map<std::uint32_t, std::chrono::steady_clock::time_point> started_;
  std::chrono::steady_clock::time_point last_end_{};
};

// A line for each board XRT knows on this machine; throws DeviceError when XRT cannot be used.
std::vector<std::string> list_xrt_boards(const std::string& worker = {});

}  // namespace chainmail
