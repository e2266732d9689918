#include <iostream>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "run/cpu_benchmark.hpp"

namespace chainmail {

int bench_command(const Arguments& arguments) {
  std::uint64_t threads = 0, runs = 7;
  OptionTable table("bench [options]",
                    "Measures the CPU sampler: attempted p-bit updates per nanosecond.");
  table.count("threads", threads, 0, 1024, "threads of the many-threaded rows, 0: one per core")
      .count("runs", runs, 1, 1000, "each figure is the median of so many");
  if (!table.parse(arguments)) return 0;
  run_cpu_benchmark(std::cout, {static_cast<unsigned>(threads), static_cast<unsigned>(runs)});
  return 0;
}

}  // namespace chainmail
