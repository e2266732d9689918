#include <memory>

#include "device/cpu/cpu_device.hpp"
#include "device/device.hpp"
#include "device/kernel/kernel_device.hpp"
#include "device/uart/uart_port.hpp"
#include "device/xrt/xrt_device.hpp"
#include "support/error.hpp"

namespace chainmail {

std::unique_ptr<Device> make_device(const DeviceOptions& options) {
  if (options.name != "cpu" && options.moves != "single") {
    throw UsageError("--moves " + options.moves +
                     " needs --device cpu: the hardware updates single p-bits");
  }
  if (!options.latency.empty() && !is_xrt_device(options.name)) {
    throw UsageError("--emulate-latency needs --device sw_emu or hw_emu");
  }
  if (options.name == "cpu") return make_cpu_device(options);
  if (options.name.rfind("hls", 0) == 0) return make_hls_device(options.name);
  if (is_xrt_device(options.name)) return make_xrt_device(options);
  if (is_uart_device(options.name)) return make_uart_device(options);
  throw UsageError("--device " + options.name +
                   ": expected cpu, hls:TOPOLOGY, sw_emu[:TOPOLOGY], hw_emu[:TOPOLOGY], "
                   "xrt[:BOARD] or uart:PATH[:BAUD]");
}

}  // namespace chainmail
