#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "run/devices.hpp"

namespace chainmail {

int devices_command(const Arguments& arguments) {
  OptionTable table("devices", "Lists what can run a problem on this machine, for --device.");
  if (!table.parse(arguments)) return 0;
  for (const std::string& line : list_devices()) fmt::print("{}\n", line);
  return 0;
}

}  // namespace chainmail
