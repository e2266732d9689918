// run_rtl: a problem on the Verilated kernel, without XRT or a host driver around it; prints what
// it found and the clocks it took. Waveforms with --wave from a build that has them (make wave).
#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <iostream>
#include <limits>

#include "device/kernel/kernel_device.hpp"
#include "generate/generate.hpp"
#include "problem/files.hpp"
#include "rtl_port.hpp"
#include "run/selftest.hpp"
#include "support/error.hpp"
#include "topology/rtl_package.hpp"

namespace chainmail::sim {
namespace {

namespace po = boost::program_options;

struct Options {
  std::string topology = "8x3", file, wave;
  std::size_t replicas = 64, bursts = 4;
  std::uint64_t sweeps = 50, seed = 1;
  unsigned latency = 25;
  double beta_min = 0.2, beta_max = 5.0, penalty = 1.5, stall = 0.0;
};

Options parse(int argc, char** argv) {
  Options o;
  po::options_description description("run_rtl [options]");
  auto add = description.add_options();
  add("help", "this list");
  add("topology", po::value(&o.topology)->default_value(o.topology), "which kernel");
  add("problem", po::value(&o.file), "problem file (default: one that fills it)");
  add("replicas", po::value(&o.replicas)->default_value(o.replicas), "R, hot to cold");
  add("bursts", po::value(&o.bursts)->default_value(o.bursts), "calls of the kernel");
  add("sweeps", po::value(&o.sweeps)->default_value(o.sweeps), "sweeps of a burst");
  add("seed", po::value(&o.seed)->default_value(o.seed), "of problem and noise");
  add("beta-min", po::value(&o.beta_min)->default_value(o.beta_min), "of the hottest replica");
  add("beta-max", po::value(&o.beta_max)->default_value(o.beta_max), "of the coldest replica");
  add("penalty", po::value(&o.penalty)->default_value(o.penalty), "P of the chains");
  add("latency", po::value(&o.latency)->default_value(o.latency), "of the memory, in clocks");
  add("stall", po::value(&o.stall)->default_value(o.stall), "how often the memory stalls, 0 to 1");
  add("wave", po::value(&o.wave), "write waveforms (VCD) to this file");
  po::variables_map map;
  po::store(po::parse_command_line(argc, argv, description), map);
  po::notify(map);
  if (map.count("help") != 0) throw UsageError((std::cout << description, ""));
  return o;
}

Problem problem_of(const Options& o, const Topology& topology) {
  if (!o.file.empty()) return read_problem(o.file);
  if (topology.options.wired()) {
    return sample_problem(topology, topology.options.logical, o.seed);
  }
  GenerateOptions g;
  g.n = topology.options.logical;
  g.seed = o.seed;
  return generate("wishart", g);
}

// The first burst measures, so it has a pass more than it has sweeps.
void tell_rows(RtlPort& port, const Options& o, std::size_t rows, std::uint64_t sweeping,
               std::uint64_t reading) {
  const Topology& t = port.topology();
  const std::uint64_t passed = (o.bursts * o.sweeps + 1) * rows;
  const std::size_t lanes = t.options.lanes;
  const std::uint64_t slots = passed * ((o.replicas + lanes - 1) / lanes);
  const auto clocks = static_cast<double>(sweeping);
  const auto beats = static_cast<double>(port.kernel().image_memory().statistics().read_beats);
  fmt::print("rows             {} passed, {:.2f} clocks each; {} of all clocks read words\n",
             passed, static_cast<double>(sweeping - reading) / static_cast<double>(passed),
             reading);
  fmt::print("row image        {:.2f} bytes per clock, {:.4f} times the image per pass\n",
             32.0 * beats / clocks,
             (beats - 1.0) / static_cast<double>(passed * (t.row_beats() + 1)));
  fmt::print("without a slot   {:.2f} % of the clocks\n",
             100.0 * (1.0 - static_cast<double>(slots) / clocks));
}

void run(const Options& o) {
  auto owned = std::make_unique<RtlPort>(o.topology);
  RtlPort& port = *owned;
  if (!o.wave.empty()) port.kernel().trace(o.wave);
  AxiBehaviour behaviour =
      o.stall > 0 ? AxiBehaviour::stalling(o.stall, o.seed) : AxiBehaviour::kind();
  behaviour.latency = o.latency;
  port.kernel().memory().behave(behaviour);
  behaviour.reorder = false;  // rows have one ID
  if (&port.kernel().image_memory() != &port.kernel().memory())
    port.kernel().image_memory().behave(behaviour);
  const Topology& topology = port.topology();
  const Problem problem = problem_of(o, topology);
  KernelDevice device(std::move(owned));

  LoadOptions load;
  load.replicas = o.replicas;
  load.seed = o.seed;
  load.beta_min = o.beta_min;
  load.beta_max = o.beta_max;
  load.penalty_max = o.penalty;
  device.load(embed(problem, topology).model, load);
  std::vector<Parameters> ladder;
  for (std::size_t r = 0; r < o.replicas; ++r) {
    const double place =
        o.replicas > 1 ? static_cast<double>(r) / static_cast<double>(o.replicas - 1) : 1.0;
    const double beta = o.beta_min + (o.beta_max - o.beta_min) * place;
    ladder.push_back(device.quantise({beta, beta * o.penalty}));
  }

  double best = std::numeric_limits<double>::infinity();
  std::uint64_t calls = 0, sweeping = 0;
  const std::uint64_t loaded = port.kernel().memory().statistics().reading;
  for (std::size_t b = 0; b < o.bursts; ++b) {
    device.submit(0, ladder, o.sweeps, b);
    const BurstResult& result = device.wait(0);
    best = std::min(best, *std::min_element(result.best_f.begin(), result.best_f.end()));
    calls += port.call_clocks();
    sweeping += port.sweep_clocks();
  }
  const double updates =
      static_cast<double>(o.bursts * o.sweeps * o.replicas) * static_cast<double>(topology.pbits());
  fmt::print("kernel           {}\n", port.describe());
  fmt::print("problem          {} spins{}\n", problem.size(),
             problem.known_optimum ? fmt::format(", optimum {:.6g}", *problem.known_optimum) : "");
  fmt::print("best feasible f  {:.6g}\n", best);
  fmt::print("clocks           {} in {} bursts, {} from start to the last sweep's end\n", calls,
             o.bursts, sweeping);
  const std::uint64_t reading = port.kernel().memory().statistics().reading - loaded;
  if (topology.options.rows()) {
    tell_rows(port, o, problem.size(), sweeping, reading);
  } else {
    const std::uint64_t depth = rtl_timing(topology).depth;
    const std::uint64_t slots = std::max<std::uint64_t>(o.replicas, depth) * o.sweeps;
    fmt::print(
        "a burst          {} clocks = {} for max(R, {}) * sweeps + {} of reading + {} (ring depth "
        "{})\n",
        sweeping / o.bursts, slots, depth, reading / o.bursts,
        (sweeping - reading) / o.bursts - slots, depth);
  }
  fmt::print("updates          {:.4g}, {:.4g} a clock\n", updates,
             updates / static_cast<double>(calls));
}

}  // namespace
}  // namespace chainmail::sim

int main(int argc, char** argv) {
  try {
    chainmail::sim::run(chainmail::sim::parse(argc, argv));
    return 0;
  } catch (const chainmail::UsageError& error) {
    if (error.what()[0] != '\0') std::cerr << "run_rtl: " << error.what() << "\n";
    return error.what()[0] != '\0' ? 2 : 0;
  } catch (const std::exception& error) {
    std::cerr << "run_rtl: " << error.what() << "\n";
    return 1;
  }
}
