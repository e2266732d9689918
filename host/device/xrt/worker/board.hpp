// A kernel on an XRT device: this folder is the only code of the project that calls XRT, and it
// uses only the native C++ API, so that it builds against Debian's 2.13 and current releases.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <xrt/xrt_bo.h>
#include <xrt/xrt_device.h>
#include <xrt/xrt_kernel.h>
#include <xrt/xrt_uuid.h>

#include "device/xrt/packet.hpp"
#include "kernels.hpp"

namespace chainmail::xrt_worker {

// A line for each board of this machine: index, PCIe address, name.
std::vector<std::string> list_boards();

class Board {
 public:
  using EndHandler = std::function<void(std::uint32_t unit, std::uint32_t run)>;
  // `board` is an index or a PCIe address. `on_end` is called from one of XRT's threads when the
  // kernel of a launch has ended, in whatever state.
  Board(const std::string& board, const std::string& xclbin, const std::string& kernel,
        EndHandler on_end);

  std::string name() const { return name_; }
  std::uint32_t units() const { return static_cast<std::uint32_t>(units_.size()); }

  std::uint32_t allocate(std::uint32_t unit, std::uint32_t argument, std::uint64_t size);
  void write(std::uint32_t buffer, std::uint64_t offset, std::string_view content);
  std::string_view read(std::uint32_t buffer, std::uint64_t offset, std::uint64_t size);

  // Each unit has a thread that launches and one that collects; all may run at once.
  void launch(std::uint32_t unit, PacketReader& packet);  // a launch packet, after the unit
  // After its end: the bytes of the launch's reads; throws when the run did not complete.
  std::string collect(std::uint32_t unit, std::uint32_t run);

 private:
  struct Buffer {
    xrt::bo object;
    char* host;  // mapped
    std::uint64_t size;
  };
  struct Read {
    std::uint32_t buffer;
    std::uint64_t offset, size;
  };
  // What its callback needs.
  struct End {
    const EndHandler* handler = nullptr;
    std::uint32_t unit = 0, run = 0;
  };
  struct Argument {
    std::uint64_t value = 0, offset = 0;
    bool operator==(const Argument&) const = default;
  };
  struct Run {
    xrt::run object;
    std::vector<Argument> arguments;  // as they were set last
    std::vector<Read> reads;
    End end;
  };
  struct Unit {
    xrt::kernel kernel;
    std::map<std::uint32_t, Run> runs;  // of `sharing_`; stable addresses: callbacks hold them
    // Views of buffers from some byte on, as arguments of the kernel.
    std::map<std::pair<std::uint64_t, std::uint64_t>, xrt::bo> views;
  };
  static void forward_end(const void*, ert_cmd_state, void* data);
  Buffer& buffer(std::uint64_t id, std::uint64_t end);
  const xrt::bo& view(Unit& unit, const Argument& argument);
  Run& prepared_run(std::uint32_t unit, std::uint32_t number);
  void set_arguments(Unit& unit, Run& run, PacketReader& packet);

  EndHandler on_end_;
  Kernels opened_;  // device, xclbin and one kernel per compute unit
  std::string name_;
  std::string kernel_name_;
  std::vector<Unit> units_;
  std::mutex sharing_;          // of buffers and runs, to find or add one
  std::deque<Buffer> buffers_;  // stable addresses
};

}  // namespace chainmail::xrt_worker
