// Host and device at work at the same time. On a board a burst of 400 replicas x 50 sweeps takes
// about 80 us at 250 MHz, and the host's part (swaps, copies, calls) is of the same order. A launch
// through emulation sockets takes far longer than one over PCIe, so time is stretched by as much:
// burst and thinking are multiples of what a launch takes here and now.
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <thread>

#include "support.hpp"

using namespace chainmail;
using test::AdderLane;

namespace {

constexpr int burst_us = 80, think_us = 40, bursts = 80;
constexpr double launch_us = 2.5;  // taken for a board: a few posted writes and one read over PCIe

// How much longer a launch takes here, on average: what else the machine does is part of it.
double stretch() {
  using Clock = std::chrono::steady_clock;
  constexpr int launches = 200;
  const test::PrivateTmp tmp;
  XrtSession session(test::adder_session(test::adder_xclbin(tmp)));
  AdderLane lane(session, 0, 0, 400);
  const std::vector<std::uint32_t> content(400, 3);
  const auto begun = Clock::now();
  for (int i = 0; i < launches; ++i) {
    lane.start(content);
    lane.wait();
  }
  const std::chrono::duration<double, std::micro> taken = Clock::now() - begun;
  return taken.count() / launches / launch_us;
}

// The share of time the device had nothing to do.
double idle_share(std::uint32_t grids, double factor) {
  const test::PrivateTmp tmp;
  const std::string usage = tmp.file("usage");
  setenv("CHAINMAIL_EMU_KERNEL_US", std::to_string(static_cast<int>(burst_us * factor)).c_str(), 1);
  setenv("CHAINMAIL_EMU_USAGE", usage.c_str(), 1);
  {
    XrtSession session(test::adder_session(test::adder_xclbin(tmp)));
    std::vector<AdderLane> lanes;
    for (std::uint32_t i = 0; i < grids; ++i) lanes.emplace_back(session, 0, i, 400);
    const std::vector<std::uint32_t> content(400, 3);
    for (AdderLane& lane : lanes) lane.start(content);
    for (std::uint32_t i = 0; i < bursts; ++i) {
      AdderLane& lane = lanes[i % grids];
      lane.wait();
      std::this_thread::sleep_for(std::chrono::duration<double, std::micro>(think_us * factor));
      if (i + grids < bursts) lane.start(content);
    }
  }
  unsetenv("CHAINMAIL_EMU_KERNEL_US");
  unsetenv("CHAINMAIL_EMU_USAGE");
  std::ifstream file(usage);
  const auto record = nlohmann::json::parse(file);
  REQUIRE(record.at("runs") == bursts);
  return 1.0 - record.at("busy_ns").get<double>() / record.at("span_ns").get<double>();
}

}  // namespace

// Other work on the machine lengthens the gaps, so an attempt that fails is repeated in slower
// time. A driver that lets host and device take turns would leave the device idle for a third of
// any time.
TEST_CASE("two grids in flight keep the device busy", "[xrt]") {
  double factor = stretch();
  const double one = idle_share(1, factor);
  double two = idle_share(2, factor);
  for (int attempt = 1; attempt < 6 && two >= 0.1; ++attempt) {
    factor *= 2;
    two = idle_share(2, factor);
  }
  WARN("device idle " << 100 * one << " % with one grid, " << 100 * two << " % with two, time "
                      << factor << " times slower");
  CHECK(one > 0.3);
  CHECK(two < 0.1);
}
