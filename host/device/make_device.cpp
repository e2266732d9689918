#include <memory>

#include "device/cpu/cpu_device.hpp"
#include "device/device.hpp"
#include "device/kernel/kernel_device.hpp"
#include "support/error.hpp"

namespace chainmail {

std::unique_ptr<Device> make_device(const DeviceOptions& options) {
  if (options.name == "cpu") return make_cpu_device(options);
  if (options.name.rfind("hls", 0) == 0) return make_hls_device(options.name);
  throw UsageError("--device " + options.name + ": expected cpu or hls:TOPOLOGY");
}

}  // namespace chainmail
