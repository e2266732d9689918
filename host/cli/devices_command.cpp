#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "run/devices.hpp"

namespace chainmail {

namespace {

// Of "hls:16x3: what it is" the class "hls" and "what it is"; other lines have no class.
struct Kernel {
  std::string device, about;
  bool operator==(const Kernel&) const = default;
};
Kernel kernel_of(const std::string& line) {
  const std::size_t colon = line.find(':'), end = line.find(": ");
  if (end == std::string::npos || colon == end) return {};
  return {line.substr(0, colon), line.substr(end + 2)};
}

}  // namespace

int devices_command(const Arguments& arguments) {
  bool kernels = false;
  OptionTable table("devices [--kernels]",
                    "Lists what can run a problem on this machine, for --device.");
  table.flag("kernels", kernels, "list every kernel with its topology, one per line");
  if (!table.parse(arguments)) return 0;
  const std::vector<std::string> lines = list_devices();
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const Kernel kernel = kernel_of(lines[k]);
    std::size_t alike = 1;
    while (!kernels && !kernel.device.empty() && k + alike < lines.size() &&
           kernel_of(lines[k + alike]) == kernel) {
      ++alike;
    }
    if (alike == 1) {
      fmt::print("{}\n", lines[k]);
    } else {
      fmt::print("{}:TOPOLOGY: {}; {} topologies, listed by 'chainmail devices --kernels'\n",
                 kernel.device, kernel.about, alike);
    }
    k += alike - 1;
  }
  return 0;
}

}  // namespace chainmail
