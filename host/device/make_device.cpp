#include <memory>

#include "device/cpu/cpu_device.hpp"
#include "device/device.hpp"
#include "support/error.hpp"

namespace chainmail {

std::unique_ptr<Device> make_device(const DeviceOptions& options) {
  if (options.name == "cpu") return make_cpu_device(options);
  throw UsageError("--device " + options.name + ": expected cpu");
}

}  // namespace chainmail
