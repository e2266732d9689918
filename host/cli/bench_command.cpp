#include <iostream>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "run/cpu_benchmark.hpp"

namespace chainmail {

int bench_command(const Arguments& arguments) {
  CpuBenchmarkOptions options;
  std::uint64_t threads = options.threads, runs = options.runs;
  OptionTable table("bench [options]",
                    "Measures the CPU sampler: attempted p-bit updates per nanosecond.");
  table.count("threads", threads, 0, 1024, "threads of the many-threaded rows, 0: one per core")
      .count("runs", runs, 1, 1000, "each figure is the median of this many")
      .number("updates", options.updates, 1, 1e12, "attempted updates per run, approximately")
      .text("only", options.only, "measure only workloads whose names contain this");
  if (!table.parse(arguments)) return 0;
  options.threads = static_cast<unsigned>(threads);
  options.runs = static_cast<unsigned>(runs);
  run_cpu_benchmark(std::cout, options);
  return 0;
}

}  // namespace chainmail
