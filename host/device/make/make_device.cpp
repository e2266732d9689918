#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "device/bar/bar_device.hpp"
#include "device/cpu/cpu_device.hpp"
#include "device/device.hpp"
#include "device/group/group_device.hpp"
#include "device/kernel/kernel_device.hpp"
#include "device/uart/uart_port.hpp"
#include "device/xrt/xrt_device.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

std::unique_ptr<Device> make_one(const DeviceOptions& options) {
  if (options.name != "cpu" && options.moves != "single") {
    throw UsageError("--moves " + options.moves +
                     " needs --device cpu: the hardware updates single p-bits");
  }
  if (!options.latency.empty() && !is_xrt_device(options.name)) {
    throw UsageError("--emulate-latency needs --device sw_emu or hw_emu");
  }
  if (options.name == "cpu") return make_cpu_device(options);
  if (options.name.rfind("hls", 0) == 0) return make_hls_device(options);
  if (is_xrt_device(options.name)) return make_xrt_device(options);
  if (is_uart_device(options.name)) return make_uart_device(options);
  if (is_bar_device(options.name)) return make_bar_device(options);
  throw UsageError(
      "--device " + options.name +
      ": expected cpu, hls:TOPOLOGY, sw_emu[:TOPOLOGY], hw_emu[:TOPOLOGY], xrt[:BOARD], "
      "uart:PATH[:BAUD], f2:SLOT or bar:REGISTERS+MEMORY, or several separated by commas");
}

std::vector<std::string> split(const std::string& names) {
  std::vector<std::string> all(1);
  for (char c : names) {
    if (c == ',') {
      all.emplace_back();
    } else {
      all.back() += c;
    }
  }
  return all;
}

}  // namespace

std::unique_ptr<Device> make_device(const DeviceOptions& options) {
  const std::vector<std::string> names = split(options.name);
  if (names.size() == 1 && options.tiles == 1) return make_one(options);
  std::vector<std::unique_ptr<Device>> members;
  for (const std::string& name : names) {
    DeviceOptions own = options;
    own.name = name;
    if (options.threads == 0) {
      own.threads =
          std::max(1U, std::thread::hardware_concurrency() / static_cast<unsigned>(names.size()));
    }
    members.push_back(make_one(own));
  }
  return make_group_device(std::move(members), {options.tiles, options.mixed});
}

}  // namespace chainmail
