// A kernel on an XRT device: the only code of the project that calls XRT, and it uses the native
// C++ API alone, so that it builds against Debian's 2.13 and against today's releases.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <xrt/xrt_bo.h>
#include <xrt/xrt_device.h>
#include <xrt/xrt_kernel.h>
#include <xrt/xrt_uuid.h>

#include "device/xrt/packet.hpp"

namespace chainmail::xrt_worker {

// A line for each board of this machine: index, PCIe address, name.
std::vector<std::string> list_boards();

class Board {
 public:
  using EndHandler = std::function<void(std::uint32_t run)>;
  // `board` is an index or a PCIe address. `on_end` is called from a thread of XRT's, with the
  // number of a launch, when its kernel has come to an end of whatever kind.
  Board(const std::string& board, const std::string& xclbin, const std::string& kernel,
        EndHandler on_end);

  std::string name() const { return name_; }
  std::uint32_t units() const { return static_cast<std::uint32_t>(kernels_.size()); }

  std::uint32_t allocate(std::uint32_t unit, std::uint32_t argument, std::uint64_t size);
  void write(std::uint32_t buffer, std::string_view content);
  std::string_view read(std::uint32_t buffer, std::uint64_t size);

  void launch(PacketReader& packet);  // the body of a launch packet
  // After its end: the bytes of the launch's reads; throws when the run did not complete.
  std::string collect(std::uint32_t run);

 private:
  struct Buffer {
    xrt::bo object;
    char* host;  // mapped
    std::uint64_t size;
  };
  struct Run {
    xrt::run object;
    std::uint32_t unit = 0;
    std::vector<std::pair<std::uint32_t, std::uint64_t>> reads;  // buffer, size
    std::pair<const EndHandler*, std::uint32_t> end;             // what its callback needs
  };
  Buffer& buffer(std::uint32_t id, std::uint64_t size);
  Run& prepared_run(std::uint32_t number, std::uint32_t unit);

  EndHandler on_end_;
  xrt::device device_;
  xrt::uuid uuid_;
  std::string name_;
  std::string kernel_name_;
  std::vector<xrt::kernel> kernels_;  // one per compute unit
  std::vector<Buffer> buffers_;
  std::map<std::uint32_t, Run> runs_;  // stable addresses: callbacks hold them
};

}  // namespace chainmail::xrt_worker
