#include "run/cpu_benchmark.hpp"

#include <fmt/ostream.h>
#include <hwy/targets.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <ctime>
#include <functional>
#include <ostream>
#include <string>
#include <thread>

#include "device/cpu/scalar_reference.hpp"
#include "device/device.hpp"
#include "embedding/embedding.hpp"
#include "generate/generate.hpp"
#include "support/error.hpp"

namespace chainmail {
namespace {

struct Workload {
  std::string name;
  PhysicalModel model;
  std::size_t rows, columns;  // of the grid of replicas
  double penalty_max;
  std::array<double, 3> beta;  // hot, middle, cold
};

struct Speed {
  double least, median, most;  // updates per ns
};

double now(bool cpu_time) {
  if (!cpu_time) {
    const auto since = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double, std::nano>(since).count();
  }
  timespec t{};
  // The process's clock ticks only every 4 ms once a limit on CPU time is set (ulimit -t).
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e9 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec);
}

Speed measure(unsigned runs, double updates, bool cpu_time, const std::function<void()>& run) {
  run();  // settles spins, caches and clocks
  std::vector<double> speeds;
  for (unsigned k = 0; k < runs; ++k) {
    const double start = now(cpu_time);
    run();
    speeds.push_back(updates / (now(cpu_time) - start));
  }
  std::sort(speeds.begin(), speeds.end());
  return {speeds.front(), speeds[speeds.size() / 2], speeds.back()};
}

// A grid around one beta: every row its own beta (within 20 %), every column its own P.
std::vector<Parameters> grid_at(const Workload& w, double beta) {
  std::vector<Parameters> all;
  for (std::size_t i = 0; i < w.rows; ++i) {
    const double b = beta * (1.0 + 0.2 * static_cast<double>(i) / static_cast<double>(w.rows));
    for (std::size_t j = 0; j < w.columns; ++j) {
      const double p = w.penalty_max * static_cast<double>(j + 1) / static_cast<double>(w.columns);
      all.push_back({b, b * p});
    }
  }
  return all;
}

std::unique_ptr<Device> load(const Workload& w, const std::string& precision, unsigned threads,
                             std::size_t replicas) {
  auto device = make_device({"cpu", threads, precision});
  LoadOptions options;
  options.replicas = replicas;
  options.beta_min = w.beta.front();
  options.beta_max = 1.2 * w.beta.back();
  options.penalty_max = w.penalty_max;
  device->load(w.model, options);
  return device;
}

Speed device_speed(Device& device, const Workload& w, std::vector<Parameters> parameters,
                   std::uint64_t sweeps, unsigned runs, bool cpu_time) {
  for (Parameters& p : parameters) p = device.quantise(p);
  const double updates = static_cast<double>(w.model.f.size() * parameters.size() * sweeps);
  std::uint64_t burst = 0;
  return measure(runs, updates, cpu_time, [&] {
    device.submit(0, parameters, sweeps, burst++);
    device.wait(0);
  });
}

std::uint64_t sweeps_for(const Workload& w, double updates) {
  return std::max<std::uint64_t>(
      1, static_cast<std::uint64_t>(updates /
                                    static_cast<double>(w.model.f.size() * w.rows * w.columns)));
}

std::array<double, 3> scalar_rows(std::ostream& out, const Workload& w,
                                  const CpuBenchmarkOptions& options) {
  std::array<double, 3> medians{};
  fmt::print(out, "  {:<28} {:>7}", "scalar float", 1);
  for (std::size_t k = 0; k < 3; ++k) {
    ScalarReference reference(w.model, w.rows * w.columns, 1);
    const std::vector<Parameters> parameters = grid_at(w, w.beta[k]);
    const std::uint64_t sweeps = sweeps_for(w, options.updates / 40.0);  // it is so much slower
    const double updates = static_cast<double>(w.model.f.size() * parameters.size() * sweeps);
    const Speed s =
        measure(options.runs, updates, true, [&] { reference.run(parameters, sweeps); });
    if (reference.magnetisation() == -1) out << ' ';
    medians[k] = s.median;
    fmt::print(out, "  {:6.3f} [{:6.3f} ..{:6.3f}]      ", s.median, s.least, s.most);
  }
  out << '\n';
  return medians;
}

// Parts of "cpu, PATH (what was rounded), TARGET, THREADS".
std::string target_of(const Device& device) {
  const std::string text = device.describe();
  const std::size_t end = text.rfind(", ");
  const std::size_t start = text.rfind(", ", end - 1) + 2;
  return text.substr(start, end - start);
}

std::string path_of(const Device& device) {
  std::string text = device.describe();
  text = text.substr(text.find(", ") + 2);
  for (const std::string& end : {", " + target_of(device), std::string(" ("), std::string(" path")})
    text = text.substr(0, text.find(end));
  return text;
}

void device_rows(std::ostream& out, const Workload& w, const std::string& precision,
                 unsigned threads, const CpuBenchmarkOptions& options,
                 const std::array<double, 3>& scalar) {
  const auto device = load(w, precision, threads, w.rows * w.columns);
  const std::string label = path_of(*device) + ", " + target_of(*device);
  fmt::print(out, "  {:<28} {:>7}", label, threads);
  for (std::size_t k = 0; k < 3; ++k) {
    const Speed s = device_speed(*device, w, grid_at(w, w.beta[k]), sweeps_for(w, options.updates),
                                 options.runs, threads == 1);
    fmt::print(out, "  {:6.3f} [{:6.3f} ..{:6.3f}] {:4.0f}x", s.median, s.least, s.most,
               s.median / scalar[k]);
  }
  out << '\n';
}

void linearity(std::ostream& out, const Workload& w, const CpuBenchmarkOptions& options) {
  fmt::print(out, "\nCost against size, {}, one thread: ns per update (1 / updates per ns)\n",
             w.name);
  for (std::size_t replicas : {128, 256, 512, 1024}) {
    fmt::print(out, "  {:>5} replicas:", replicas);
    const auto device = load(w, "auto", 1, replicas);
    const std::vector<Parameters> parameters(replicas, {w.beta[1], w.beta[1] * w.penalty_max});
    const auto least =
        std::max<std::uint64_t>(1, static_cast<std::uint64_t>(options.updates / 4e6));
    for (std::uint64_t sweeps : {least, 4 * least, 16 * least}) {
      const Speed s = device_speed(*device, w, parameters, sweeps, options.runs, true);
      fmt::print(out, "  {:>4} sweeps {:.3f}", sweeps, 1.0 / s.median);
    }
    out << '\n';
  }
}

std::vector<Workload> workloads() {
  GenerateOptions wishart;
  wishart.n = 100;
  wishart.alpha = 0.75;
  const Problem dense = generate("wishart", wishart);
  GenerateOptions lattice;
  lattice.n = 10;
  std::vector<Workload> all;
  all.push_back({"Wishart N=100, 3 copies (packed)",
                 embed(dense, 3, Placement::packed).model,
                 20,
                 20,
                 1.5,
                 {1.0, 3.0, 10.0}});
  all.push_back({"Wishart N=100, 3 copies (alt)",
                 embed(dense, 3, Placement::alt).model,
                 20,
                 20,
                 1.5,
                 {1.0, 3.0, 10.0}});
  all.push_back({"Wishart N=100, dense",
                 embed(dense, 1, Placement::packed).model,
                 400,
                 1,
                 0.0,
                 {1.0, 3.0, 10.0}});
  all.push_back({"+-1 Edwards-Anderson 10^3",
                 embed(generate("ea3d", lattice), 1).model,
                 1024,
                 1,
                 0.0,
                 {0.2, 0.8, 3.0}});
  return all;
}

// Rows from 1 / u to 6 / u with u the root mean square field, as a ladder has them.
std::vector<Parameters> rows_across(std::size_t rows, double field) {
  std::vector<Parameters> all;
  for (std::size_t i = 0; i < rows; ++i) {
    const double place = static_cast<double>(i) / static_cast<double>(rows - 1);
    all.push_back({std::pow(6.0, place) / field, 0.0});
  }
  return all;
}

// Problems of the sizes people bring, on the path that is chosen for them.
struct Large {
  std::string kind;
  std::size_t n, degree, replicas;
  std::string name() const {
    return fmt::format("{} {}{}", kind, n, degree > 0 ? fmt::format(", degree {}", degree) : "");
  }
};

std::vector<Large> large_problems() {
  return {{"sk", 500, 0, 32},        {"sk", 1000, 0, 32},       {"sk", 2000, 0, 32},
          {"maxcut", 10000, 4, 512}, {"maxcut", 10000, 6, 512}, {"maxcut", 10000, 50, 512}};
}

void large_rows(std::ostream& out, const std::vector<Large>& problems,
                const CpuBenchmarkOptions& options, unsigned threads) {
  fmt::print(out, "\nLarge problems, rows from hot to cold: updates per ns (threads)\n");
  for (const Large& large : problems) {
    GenerateOptions made;
    made.n = large.n;
    if (large.degree > 0) made.degree = large.degree;
    const Workload w{
        large.name(), embed(generate(large.kind, made), 1).model, large.replicas, 1, 0.0, {}};
    const double neighbours = static_cast<double>(large.degree > 0 ? large.degree : large.n - 1);
    const double coupling = std::abs(w.model.f.couplings.front().value);
    const auto parameters = rows_across(large.replicas, coupling * std::sqrt(neighbours));
    fmt::print(out, "  {:<22} {:>4} replicas", w.name, large.replicas);
    for (unsigned t = 1; t <= threads; t = t < threads ? threads : t + 1) {
      auto device = make_device({"cpu", t});
      LoadOptions load;
      load.replicas = large.replicas;
      load.beta_min = parameters.front().beta;
      load.beta_max = parameters.back().beta;
      device->load(w.model, load);
      if (t == 1) fmt::print(out, "  {:<28}", path_of(*device));
      const Speed s = device_speed(*device, w, parameters, sweeps_for(w, options.updates / 2.0),
                                   options.runs, t == 1);
      fmt::print(out, "  {:6.3f} [{:6.3f} ..{:6.3f}] ({})", s.median, s.least, s.most, t);
    }
    out << '\n';
  }
}

}  // namespace

void run_cpu_benchmark(std::ostream& out, const CpuBenchmarkOptions& options) {
  const unsigned threads =
      options.threads > 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  std::vector<Workload> all = workloads();
  std::vector<Large> large = large_problems();
  std::string names;
  const auto wanted = [&](const std::string& name) {
    names += (names.empty() ? "" : "; ") + name;
    return name.find(options.only) != std::string::npos;
  };
  std::erase_if(all, [&](const Workload& w) { return !wanted(w.name); });
  std::erase_if(large, [&](const Large& l) { return !wanted(l.name()); });
  if (all.empty() && large.empty())
    throw UsageError("--only " + options.only +
                     ": expected a part of one of these names: " + names);
  fmt::print(
      out,
      "Attempted p-bit updates per ns: median [least .. most] of {} runs, ratio to scalar.\n"
      "Every lane has its own beta, P and noise; one thread by CPU time, more by the clock.\n",
      options.runs);
  for (const Workload& w : all) {
    fmt::print(out, "\n{}, {} replicas\n  {:<28} {:>7}", w.name, w.rows * w.columns, "path, target",
               "threads");
    for (double beta : w.beta) fmt::print(out, "  {:<28}", fmt::format("beta {}", beta));
    out << '\n';
    const std::array<double, 3> scalar = scalar_rows(out, w, options);
    device_rows(out, w, "auto", 1, options, scalar);
    if (threads > 1) device_rows(out, w, "auto", threads, options, scalar);
    device_rows(out, w, "float", 1, options, scalar);
#if HWY_ARCH_X86
    // What a processor without AVX-512 would run.
    if ((hwy::SupportedTargets() & HWY_AVX3_DL) != 0) {
      hwy::DisableTargets(HWY_AVX3 | HWY_AVX3_DL);
      device_rows(out, w, "auto", 1, options, scalar);
      hwy::DisableTargets(0);
    }
#endif
  }
  if (!all.empty()) linearity(out, all.front(), options);
  if (!large.empty()) large_rows(out, large, options, threads);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print(out, "\nPeak memory {:.1f} MiB\n", static_cast<double>(usage.ru_maxrss) / 1024.0);
}

}  // namespace chainmail
