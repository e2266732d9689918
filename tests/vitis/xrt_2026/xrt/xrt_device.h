#pragma once
#include <string>
#include "xrt/experimental/xrt_xclbin.h"
#include "xrt/xrt_uuid.h"
namespace xrt {
namespace info {
enum class device : unsigned int { bdf, name };
}  // namespace info
class device {
 public:
  device() = default;
  explicit device(unsigned int didx);
  explicit device(const std::string& bdf);
  template <info::device param>
  std::string get_info() const;
  [[deprecated("use register_xclbin and xrt::hw_context")]] uuid load_xclbin(const std::string& xclbin_fnm);
  [[deprecated("use register_xclbin and xrt::hw_context")]] uuid load_xclbin(const xclbin& xclbin);
  uuid register_xclbin(const xclbin& xclbin);
};
}  // namespace xrt
