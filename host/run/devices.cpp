#include "run/devices.hpp"

#include "device/bar/bar_device.hpp"
#include "device/device.hpp"
#include "device/kernel/native_kernel.hpp"
#include "device/xrt/xrt_device.hpp"

namespace chainmail {

std::vector<std::string> list_devices() {
  std::vector<std::string> lines{make_device({})->describe()};
  for (const NativeKernel& kernel : native_kernels()) {
    lines.push_back("hls:" + kernel.topology + ": the HLS kernel as a function of this program");
  }
  for (const std::string& line : list_xrt_devices()) lines.push_back(line);
  lines.emplace_back(
      "uart:PATH[:BAUD]: an iCE40 or ECP5 board on a serial port, as in uart:/dev/ttyUSB1");
  for (const std::string& line : list_bar_devices()) lines.push_back(line);
  return lines;
}

}  // namespace chainmail
