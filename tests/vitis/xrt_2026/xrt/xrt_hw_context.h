#pragma once
#include "xrt/xrt_device.h"
namespace xrt {
class hw_context {
 public:
  enum class access_mode : uint8_t { exclusive = 0, shared = 1 };
  hw_context() = default;
  hw_context(const device& device, const uuid& xclbin_id, access_mode mode);
};
}  // namespace xrt
