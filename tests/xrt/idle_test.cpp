// How much of its time a card would be idle: the real solver, driver, worker and XRT against
// emulated compute units, with a card's latencies (XRT#8687: 50 to 100 us a launch, XRT#6590: 19 to
// 32 us a small copy). Time is stretched, so that the machine's own delays are negligible: bursts,
// latencies and the host's part of a round all last `factor` times longer.
#include <catch2/catch.hpp>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <thread>

#include "device/burst_costs.hpp"
#include "device/device.hpp"
#include "device/xrt/board_facts.hpp"
#include "embedding/embedding.hpp"
#include "run/flight.hpp"
#include "run/selftest.hpp"
#include "solve/solver.hpp"
#include "support.hpp"
#include "support/error.hpp"
#include "topology/topology.hpp"

using namespace chainmail;

namespace {

// Of 400 replicas x 50 sweeps at 250 MHz; host work as measured with all four sets of swaps
// (docs/lab/overlap.md).
struct Pace {
  double burst_us = 80, launch_us = 60, sync_us = 25, host_us = 46;
};

// Adds the host's part of a round, as a sleep.
class PacedDevice : public Device {
 public:
  PacedDevice(Device& inner, double host_us) : inner_(inner), host_(std::lround(host_us * 1000)) {}
  std::string describe() const override { return inner_.describe(); }
  std::string sampler() const override { return inner_.sampler(); }
  const Topology* topology() const override { return inner_.topology(); }
  std::size_t driver_of(std::size_t grid) const override { return inner_.driver_of(grid); }
  void load(const PhysicalModel& model, const LoadOptions& options) override {
    inner_.load(model, options);
  }
  Parameters quantise(const Parameters& wanted) const override { return inner_.quantise(wanted); }
  void write_spins(std::size_t grid, std::size_t replica, std::span<const Spin> spins) override {
    inner_.write_spins(grid, replica, spins);
  }
  std::vector<Spin> read_spins(std::size_t grid, std::size_t replica, Which which) override {
    return inner_.read_spins(grid, replica, which);
  }
  void submit(std::size_t grid, std::span<const Parameters> parameters, std::uint64_t sweeps,
              std::uint64_t burst_number) override {
    inner_.submit(grid, parameters, sweeps, burst_number);
  }
  const BurstResult& wait(std::size_t grid) override {
    const BurstResult& result = inner_.wait(grid);
    std::this_thread::sleep_for(host_);
    return result;
  }

 private:
  Device& inner_;
  std::chrono::nanoseconds host_;
};

// Share of the time that the compute units had nothing to do, without the first and last runs.
double idle_share(const std::string& file, double burst_ns) {
  std::ifstream stream(file);
  const auto record = nlohmann::json::parse(stream);
  double idle = 0, busy = 0;
  for (const auto& unit : record.at("idle_ns")) {
    const auto times = unit.get<std::vector<double>>();
    REQUIRE(times.size() > 30);
    const auto first = times.begin() + 10, last = times.end() - 8;
    idle += std::accumulate(first, last, 0.0);
    busy += burst_ns * static_cast<double>(last - first);
  }
  return idle / (idle + busy);
}

const char* units_file(std::size_t units) {
  switch (units) {
    case 1:
      return "emu/5x2.sw_emu.xclbin";
    case 2:
      return "emu/5x2.sw_emu.two_units.xclbin";
    default:
      return "emu/5x2.sw_emu.four_units.xclbin";
  }
}

double measure(std::size_t units, std::size_t grids, double factor, std::uint64_t rounds,
               const Pace& pace = {}) {
  const test::PrivateTmp tmp;
  const std::string usage = tmp.file("usage");
  const auto set = [&](const char* name, double us) {
    setenv(name, std::to_string(std::lround(us * factor)).c_str(), 1);
  };
  set("CHAINMAIL_EMU_KERNEL_US", pace.burst_us);
  set("CHAINMAIL_EMU_LAUNCH_US", pace.launch_us);
  set("CHAINMAIL_EMU_SYNC_US", pace.sync_us);
  setenv("CHAINMAIL_EMU_USAGE", usage.c_str(), 1);
  {
    DeviceOptions options;
    options.name = "sw_emu:5x2";
    options.xclbin = test::built(units_file(units));
    const auto device = make_device(options);
    PacedDevice paced(*device, pace.host_us * factor);
    Problem problem;
    problem.objective = Quadratic(5);
    for (std::uint32_t i = 0; i < 5; ++i)
      for (std::uint32_t j = i + 1; j < 5; ++j) problem.objective.couplings.push_back({i, j, 1});
    const Embedding embedding = embed(problem, *device->topology());
    Ladder ladder;
    ladder.beta = {0.2, 1.0};
    ladder.penalty = {0.5, 1.0};
    SolveOptions solve_options;
    solve_options.sweeps_per_swap = 2;
    solve_options.sweeps = 2 * rounds;
    solve_options.trials = solve_options.in_flight = grids;
    const std::atomic<bool> stop = false;
    solve(problem, embedding, ladder, paced, solve_options, stop);
  }
  for (const char* name : {"CHAINMAIL_EMU_KERNEL_US", "CHAINMAIL_EMU_LAUNCH_US",
                           "CHAINMAIL_EMU_SYNC_US", "CHAINMAIL_EMU_USAGE"})
    unsetenv(name);
  return idle_share(usage, 1000 * pace.burst_us * factor);
}

}  // namespace

// The shares that defaults are chosen by, against what the emulated card measures. Other work on
// the machine lengthens the gaps, so an attempt that fails is repeated in slower time.
TEST_CASE("two units with three grids each wait less than 15 % at a card's latencies", "[xrt]") {
  const BurstCosts costs{60, 25, 250e6, 2};
  const std::size_t replicas = replicas_in_flight(costs, 1024, 50);
  const Flight flight = choose_flight(costs, 1024, replicas, 50);
  CHECK(flight.grids == 3);
  CHECK(flight.idle < 0.1);
  Pace pace;
  pace.burst_us = 1e6 * static_cast<double>(replicas) * 50 / costs.clock_hz;
  pace.host_us = 0.115 * static_cast<double>(replicas);
  const char* stretch = std::getenv("FACTOR");
  double factor = stretch == nullptr ? 40 : std::atof(stretch);
  double idle = measure(2, 6, factor, 50, pace);
  for (int attempt = 0; attempt < 4 && idle >= 0.15; ++attempt) {
    factor *= 2.5;
    idle = measure(2, 6, factor, 50, pace);
  }
  WARN("2 units, 6 grids of " << replicas << " replicas: idle " << 100 * idle << " %, projected "
                              << 100 * flight.idle << " %, time stretched by " << factor);
  CHECK(idle < 0.15);
  // One grid a unit: the projection holds there too, within what the machine adds.
  CHECK(projected_idle(costs, 1, replicas, 50) > 0.6);
}

TEST_CASE("a plan fills a card and says how long it waits", "[xrt]") {
  const test::PrivateTmp tmp;
  DeviceOptions options;
  options.name = "sw_emu:5x2";
  options.latency = "launch=60us,sync=25us";
  options.xclbin = test::built("emu/5x2.sw_emu.two_units.xclbin");
  const auto device = make_device(options);
  REQUIRE(device->costs() != nullptr);
  CHECK(device->costs()->units == 2);
  CHECK(device->costs()->launch_us == 60);
  CHECK_THROWS_WITH(parse_latency("launch=60"), Catch::Contains("expected launch=60us,sync=25us"));
  CHECK_THROWS_WITH(parse_latency("u9"), Catch::Contains("u55c"));
  CHECK(parse_latency("sync=0.1ms").sync_us == 100);
  CHECK(parse_latency("u55c").launch_us == 60);
  options.name = "hls:5x2";
  CHECK_THROWS_AS(make_device(options), UsageError);
}

// Trials of different units are served by threads of their own; results do not depend on it, nor on
// latencies. The native kernel's one unit is the reference.
TEST_CASE("threads and latencies change no result", "[xrt]") {
  const test::PrivateTmp tmp;
  const auto energies = [](const DeviceOptions& options) {
    const auto device = make_device(options);
    Problem problem;
    problem.objective = Quadratic(5);
    for (std::uint32_t i = 0; i < 5; ++i)
      for (std::uint32_t j = i + 1; j < 5; ++j)
        problem.objective.couplings.push_back({i, j, static_cast<double>((3 * i + j) % 5) - 2.5});
    const Embedding embedding = embed(problem, *device->topology());
    Ladder ladder;
    ladder.beta = {0.2, 0.5, 1.0};
    ladder.penalty = {0.5, 1.0};
    SolveOptions solve_options;
    solve_options.sweeps_per_swap = 5;
    solve_options.sweeps = 100;
    solve_options.trials = 7;
    solve_options.in_flight = 5;
    const std::atomic<bool> stop = false;
    const Result result = solve(problem, embedding, ladder, *device, solve_options, stop);
    std::vector<double> all{result.mean_answer_energy, result.answer_feasible_rate,
                            static_cast<double>(result.round_trips)};
    for (const TrialResult& trial : result.per_trial) {
      all.push_back(trial.energy);
      all.push_back(static_cast<double>(trial.found_at_sweep));
    }
    for (const auto& row : result.acceptance_beta) all.insert(all.end(), row.begin(), row.end());
    return all;
  };
  DeviceOptions native;
  native.name = "hls:5x2";
  const std::vector<double> expected = energies(native);
  for (const std::size_t units : {1, 2, 4}) {
    for (const std::string latency : {"", "launch=60us,sync=25us"}) {
      DeviceOptions options;
      options.name = "sw_emu:5x2";
      options.xclbin = test::built(units_file(units));
      options.latency = latency;
      INFO(units << " units " << latency);
      CHECK(energies(options) == expected);
    }
  }
}

TEST_CASE("any host program meets a card's latencies", "[xrt]") {
  const std::string command = "timeout -k 5 60 " + test::built("chainmail-emu") + " " +
                              test::built("ordinary_host") + " " +
                              test::built("emu/5x2.sw_emu.xclbin");
  const auto seconds = [&](const std::string& environment) {
    const auto start = std::chrono::steady_clock::now();
    CHECK(std::system((environment + command + " > /dev/null").c_str()) == 0);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  CHECK(seconds("CHAINMAIL_EMU_LAUNCH_US=1500000 CHAINMAIL_EMU_SYNC_US=500000 ") > 2.0);
}

TEST_CASE("the self-test passes on emulated cards", "[xrt]") {
  const test::PrivateTmp tmp;
  for (const char* name : {"sw_emu:5x2", "hw_emu:16x2"}) {
    DeviceOptions options;
    options.name = name;
    if (options.name == "sw_emu:5x2") {
      options.xclbin = test::built(units_file(2));
      options.latency = "u55c";
    }
    const auto device = make_device(options);
    CHECK(selftest_digest(*device) == known_answer(device->topology()->name));
  }
}

TEST_CASE("a card's idle time by compute units and grids", "[.idle]") {
  const char* factor = std::getenv("FACTOR");
  for (const std::size_t units : {1, 2, 4}) {
    std::cout << units << " units:";
    for (std::size_t grids = units; grids <= 8 * units && grids <= 16; grids += units)
      std::cout << "  " << grids << " grids "
                << std::lround(
                       100 * measure(units, grids, factor == nullptr ? 25 : std::atof(factor), 60))
                << " %" << std::flush;
    std::cout << "\n";
  }
}

TEST_CASE("a card's idle time with one trial a unit and with what solve keeps in flight",
          "[.idle]") {
  const char* factor = std::getenv("FACTOR");
  const double stretch = factor == nullptr ? 25 : std::atof(factor);
  for (const std::size_t units : {1, 2, 4}) {
    const BurstCosts costs{60, 25, 250e6, units};
    const std::size_t replicas = replicas_in_flight(costs, 1024, 50);
    const Flight flight = choose_flight(costs, 1024, replicas, 50);
    Pace pace;
    pace.burst_us = 1e6 * static_cast<double>(replicas) * 50 / costs.clock_hz;
    pace.host_us = 0.115 * static_cast<double>(replicas);
    const double alone = measure(units, units, stretch, 60, pace);
    const double filled = measure(units, flight.grids * units, stretch, 60, pace);
    std::cout << units << " units, " << replicas << " replicas: one grid "
              << std::lround(100 * alone) << " %, " << flight.grids << " grids "
              << std::round(1000 * filled) / 10 << " %, projected "
              << std::round(1000 * flight.idle) / 10 << " %\n";
  }
}
