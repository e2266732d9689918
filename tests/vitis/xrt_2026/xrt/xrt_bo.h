#pragma once
#include <cstddef>
#include <cstdint>
#include "xrt/xrt_device.h"
enum xclBOSyncDirection { XCL_BO_SYNC_BO_TO_DEVICE = 0, XCL_BO_SYNC_BO_FROM_DEVICE };
namespace xrt {
using memory_group = uint32_t;
class bo {
 public:
  enum class flags : uint32_t { normal = 0, host_only = 1u << 29 };
  bo() = default;
  bo(const device& device, size_t sz, flags flags, memory_group grp);
  bo(const bo& parent, size_t size, size_t offset);
  void sync(xclBOSyncDirection dir, size_t sz, size_t offset);
  template <typename MapType>
  MapType map();
};
}  // namespace xrt
