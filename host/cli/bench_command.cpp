#include <iostream>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "device/cpu/benchmark.hpp"

namespace chainmail {

int bench_command(const Arguments& arguments) {
  OptionTable table("bench", "Measures the CPU sampler: attempted p-bit updates per nanosecond.");
  if (!table.parse(arguments)) return 0;
  run_cpu_benchmark(std::cout);
  return 0;
}

}  // namespace chainmail
