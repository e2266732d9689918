#include <fmt/format.h>

#include <cstdio>

#include "chainmail/content.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "run/predictions.hpp"
#include "run/selftest.hpp"
#include "support/error.hpp"
#include "support/printable.hpp"

namespace chainmail {

int selftest_command(const Arguments& arguments) {
  Options wanted;
  wanted.device = "sw_emu";
  bool compare = false;
  OptionTable table(
      "selftest [--device X] [options]",
      "Checks that a kernel works where it runs, the first thing to do with a new board: memory,\n"
      "bits against the HLS kernel's, the distribution of five spins against enumeration, speed.\n"
      "Exit code 0 if all is well, 3 if not.",
      "  chainmail selftest --device xrt:0000:65:00.1 --xclbin pbit_burst.xclbin\n"
      "  chainmail selftest --device hw_emu:16x2\n"
      "  chainmail selftest --device uart:/dev/ttyUSB0 --compare\n");
  for (const OptionInfo& info : option_table()) {
    const bool of_kernels = info.name == "device" || info.name == "xclbin" ||
                            info.name == "device_timeout" || info.name == "emulate_latency";
    if (of_kernels) table.option(info, wanted);
  }
  table.flag("compare", compare, "print measured beside predicted (docs/predictions.md)");
  if (!table.parse(arguments)) return 0;
  const DeviceOptions device = plan_options(wanted).device;
  const auto opened = make_device(device);
  const auto show = [](const SelftestCheck& check) {
    fmt::print("{:<4} {:<13} {}\n", check.passed ? "ok" : "FAIL", check.name,
               printable(check.finding));
    std::fflush(stdout);
  };
  const bool works = run_selftest(*opened, show);
  if (!works) throw DeviceError(device.name + ": this device does not work correctly");
  if (compare) {
    for (const SelftestCheck& line : compare_with_prediction(*opened)) show(line);
  }
  fmt::print("{} works\n", printable(device.name));
  return 0;
}

}  // namespace chainmail
