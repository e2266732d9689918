#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "device/device.hpp"
#include "device/kernel/native_kernel.hpp"
#include "device/xrt/xrt_device.hpp"

namespace chainmail {

int devices_command(const Arguments& arguments) {
  OptionTable table("devices", "Lists what can run a problem on this machine, for --device.");
  if (!table.parse(arguments)) return 0;
  fmt::print("{}\n", make_device({})->describe());
  for (const NativeKernel& kernel : native_kernels()) {
    fmt::print("hls:{}: the HLS kernel as a function of this program\n", kernel.topology);
  }
  for (const std::string& line : list_xrt_devices()) fmt::print("{}\n", line);
  fmt::print("uart:PATH[:BAUD]: an iCE40 board on a serial port, as in uart:/dev/ttyUSB1\n");
  return 0;
}

}  // namespace chainmail
