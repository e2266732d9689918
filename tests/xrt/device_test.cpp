// The kernel behind XRT as a Device: bit for bit what the native HLS kernel gives, on one compute
// unit or two, with several grids in flight.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "device/device.hpp"
#include "device/xrt/xrt_device.hpp"
#include "run/selftest.hpp"
#include "support.hpp"
#include "support/random.hpp"
#include "topology/topology.hpp"

using namespace chainmail;
using Catch::Contains;

namespace {

// Couplings in halves on the topology's own meetings, so that nothing is rounded.
PhysicalModel random_model(const Topology& topology, std::uint64_t seed) {
  Problem problem;
  const auto n = static_cast<std::uint32_t>(topology.options.logical);
  problem.objective = Quadratic(n);
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = i + 1; j < n; ++j)
      problem.objective.couplings.push_back(
          {i, j, static_cast<double>(hash_of(seed, {i, j}) % 21) - 10.5});
  return embed(problem, topology).model;
}

struct Trajectory {
  std::vector<double> f, g, best_f;
  std::vector<Spin> spins, best;
  bool operator==(const Trajectory&) const = default;
};

// Some bursts on every grid, all grids in flight at once, parameters changing in between.
std::vector<Trajectory> run(Device& device, const PhysicalModel& model, std::size_t grids,
                            std::size_t replicas) {
  device.load(model, {grids, replicas, 77, 0.01, 0.3, 2.0});
  std::vector<Trajectory> result(grids);
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  for (std::uint64_t burst = 0; burst < 5; ++burst) {
    for (std::size_t grid = 0; grid < grids; ++grid) {
      std::vector<Parameters> parameters;
      for (std::size_t r = 0; r < replicas; ++r) {
        const double beta = 0.02 + 0.02 * static_cast<double>((r + burst) % replicas);
        parameters.push_back(device.quantise({beta, 1.5 * beta}));
      }
      device.submit(grid, parameters, 7 + burst, burst);
    }
    for (std::size_t grid = 0; grid < grids; ++grid) {
      const BurstResult& r = device.wait(grid);
      append(result[grid].f, r.f);
      append(result[grid].g, r.g);
      append(result[grid].best_f, r.best_f);
    }
  }
  for (std::size_t grid = 0; grid < grids; ++grid)
    for (std::size_t r = 0; r < replicas; ++r) {
      append(result[grid].spins, device.read_spins(grid, r, Which::current));
      append(result[grid].best, device.read_spins(grid, r, Which::best));
    }
  return result;
}

DeviceOptions named(const std::string& name, const std::string& xclbin = {}) {
  DeviceOptions options;
  options.name = name;
  options.xclbin = xclbin;
  return options;
}

std::vector<Trajectory> native_run(const std::string& topology, std::size_t grids) {
  const auto device = make_device(named("hls:" + topology));
  return run(*device, random_model(*device->topology(), 5), grids, 6);
}

}  // namespace

TEST_CASE("sw_emu gives the native kernel's bits", "[xrt][device]") {
  const test::PrivateTmp tmp;
  {
    const auto device = make_device(named("sw_emu:5x2"));
    CHECK_THAT(device->describe(), Contains("sw_emu:5x2") && Contains("10 p-bits"));
    CHECK(run(*device, random_model(*device->topology(), 5), 3, 6) == native_run("5x2", 3));
  }
  CHECK(tmp.leftovers().empty());
}

TEST_CASE("two compute units give the bits of one", "[xrt][device]") {
  const auto device =
      make_device(named("sw_emu:5x2", test::built("emu/5x2.sw_emu.two_units.xclbin")));
  CHECK_THAT(device->describe(), Contains("2 compute units"));
  CHECK(device->sampler() == "kernel 5x2");  // a run may be resumed on one unit
  CHECK(run(*device, random_model(*device->topology(), 5), 5, 6) == native_run("5x2", 5));
  CHECK(device->notes().empty());  // nothing was rounded
  // Each grid has its own place, on whichever unit it is.
  const auto pattern = [](std::size_t grid) {
    std::vector<Spin> spins(10, 1);
    spins[grid] = spins[grid + 5] = -1;
    return spins;
  };
  for (std::size_t grid = 0; grid < 5; ++grid) device->write_spins(grid, 2, pattern(grid));
  for (std::size_t grid = 0; grid < 5; ++grid)
    CHECK(device->read_spins(grid, 2, Which::current) == pattern(grid));
}

TEST_CASE("a kernel tells its topology, or is refused", "[xrt][device]") {
  const std::string xclbin = test::built("emu/5x2.sw_emu.xclbin");
  const auto device = make_device(named("sw_emu", xclbin));
  REQUIRE(device->topology() != nullptr);
  CHECK(device->topology()->name == "5x2");

  const std::string message =
      test::device_error([&] { make_device(named("sw_emu:16x2", xclbin)); });
  char ours[17], theirs[17];
  std::snprintf(ours, sizeof ours, "%016llx",
                static_cast<unsigned long long>(topology_from_name("16x2").hash));
  std::snprintf(theirs, sizeof theirs, "%016llx",
                static_cast<unsigned long long>(topology_from_name("5x2").hash));
  CHECK_THAT(message, Contains(ours) && Contains(theirs));
}

TEST_CASE("a kernel wired for a graph finds its edges beside its xclbin", "[xrt][device]") {
  const std::string graph = "graph-6-84c9a448";
  const auto digest = [](const DeviceOptions& options) {
    return selftest_digest(*make_device(options));
  };
  const std::uint64_t expected = digest(named("hls:" + graph));
  CHECK(digest(named("sw_emu:" + graph)) == expected);
  CHECK(digest(named("hw_emu:" + graph)) == expected);
  // As on a card, where the kernel tells what it is.
  const test::PrivateTmp tmp;
  const std::string xclbin = tmp.file("mine.xclbin"), edges = tmp.file("mine.edges");
  std::filesystem::copy_file(test::built("emu/" + graph + ".sw_emu.xclbin"), xclbin);
  CHECK_THAT(test::device_error([&] { make_device(named("sw_emu", xclbin)); }),
             Contains("wired for a graph of 6 spins; its list of edges must be in " + edges));
  std::filesystem::copy_file(test::built("emu/" + graph + ".sw_emu.edges"), edges);
  CHECK(digest(named("sw_emu", xclbin)) == expected);
  CHECK_THAT(test::device_error([] { make_device(named("sw_emu:graph-6-00000000")); }),
             Contains("emu/graph-6-00000000.sw_emu.xclbin not found"));
  // It is never chosen for its size.
  DeviceOptions options = named("sw_emu");
  options.spins = 6;
  options.copies = 1;
  CHECK(make_device(options)->topology()->name == "16x1");
}

TEST_CASE("an emulator is chosen by the problem's size", "[xrt][device]") {
  DeviceOptions options = named("sw_emu");
  options.spins = 12;
  options.copies = 2;
  CHECK(make_device(options)->topology()->name == "16x2");
  options.spins = 1000;
  CHECK_THROWS_WITH(make_device(options), Contains("no emulated topology holds 1000 spins"));
}

TEST_CASE("devices are listed and boards need an xclbin", "[xrt][device]") {
  const auto lines = list_xrt_devices();
  CHECK(std::any_of(lines.begin(), lines.end(),
                    [](const std::string& line) { return line.starts_with("sw_emu:5x2"); }));
  CHECK(std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
    return line.starts_with("xrt: no board found");
  }));
  CHECK_THROWS_WITH(make_device(named("xrt")), Contains("--xclbin"));
  // No board here: XRT says so, in one line.
  const std::string message = test::device_error(
      [] { make_device(named("xrt:0000:65:00.1", test::built("emu/5x2.sw_emu.xclbin"))); });
  CHECK_THAT(message, Contains("xrt:0000:65:00.1: XRT cannot open device 0000:65:00.1"));
}

TEST_CASE("any other XRT host program can use the emulated board", "[xrt][device]") {
  const test::PrivateTmp tmp;
  const std::string program = tmp.file("host"), output = tmp.file("output");
  std::filesystem::copy_file(test::built("ordinary_host"), program);
  const std::string command = test::built("chainmail-emu") + " " + program + " " +
                              test::built("emu/5x2.sw_emu.xclbin") + " > " + output + " 2>&1";
  CHECK(std::system(command.c_str()) == 0);
  std::ifstream file(output);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  CHECK_THAT(text, Contains("status 54494250 p-bits 10"));
  CHECK(tmp.leftovers().empty());
  CHECK_FALSE(std::filesystem::exists(tmp.file(".run")));
}
