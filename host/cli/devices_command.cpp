#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "device/device.hpp"

namespace chainmail {

int devices_command(const Arguments& arguments) {
  OptionTable table("devices", "Lists what can run a problem on this machine, for --device.");
  if (!table.parse(arguments)) return 0;
  fmt::print("{}\n", make_device({})->describe());
  return 0;
}

}  // namespace chainmail
