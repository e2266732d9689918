// The speed of the cpu device, measured: attempted p-bit updates per nanosecond on the workloads
// that matter, next to a plain scalar implementation.
#pragma once

#include <iosfwd>
#include <string>

namespace chainmail {

struct CpuBenchmarkOptions {
  unsigned threads = 0;  // of the many-threaded rows; 0: one per core
  unsigned runs = 7;     // each figure is the median of this many
  double updates = 4e7;  // approximately, per run: 20 ms on the fast paths
  std::string only;      // only workloads whose names contain this; empty: all
};

// Prints a table. Single-threaded rows are timed by the CPU time they used, which a busy machine
// disturbs less; rows with more threads by wall-clock time. UsageError when `only` is part of no
// name.
void run_cpu_benchmark(std::ostream& out, const CpuBenchmarkOptions& options = {});

}  // namespace chainmail
