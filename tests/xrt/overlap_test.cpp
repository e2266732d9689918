// Host and device at work at the same time. On a board a burst of 400 replicas x 50 sweeps takes
// about 80 us at 250 MHz. The host's part (results decoded, a round of swaps, parameters encoded)
// was measured in the solver's own code: 27 us with one set of swaps a round, 46 us with all four.
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <thread>

#include "support.hpp"

using namespace chainmail;
using test::AdderLane;

namespace {

using Clock = std::chrono::steady_clock;
using Microseconds = std::chrono::duration<double, std::micro>;

constexpr double burst_us = 80, host_us = 40;

struct Usage {
  double all = 1;          // share of time the device had nothing to do, first start to last end
  double best_window = 1;  // the same of those `window` bursts in a row that have least
};
constexpr std::size_t window = 40;  // 3.5 ms in true time

void work_for(Microseconds time) {
  const auto end = Clock::now() + time;
  while (Clock::now() < end) {
  }
}

// `factor` stretches time: burst and host work last that much longer.
Usage run_bursts(std::uint32_t grids, double factor, std::uint32_t bursts) {
  const test::PrivateTmp tmp;
  const std::string usage = tmp.file("usage");
  setenv("CHAINMAIL_EMU_KERNEL_US", std::to_string(std::lround(burst_us * factor)).c_str(), 1);
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
      work_for(Microseconds(host_us * factor));
      if (i + grids < bursts) lane.start(content);
    }
  }
  unsetenv("CHAINMAIL_EMU_KERNEL_US");
  unsetenv("CHAINMAIL_EMU_USAGE");
  std::ifstream file(usage);
  const auto record = nlohmann::json::parse(file);
  REQUIRE(record.at("runs") == bursts);
  Usage result;
  result.all = 1.0 - record.at("busy_ns").get<double>() / record.at("span_ns").get<double>();
  const auto idle = record.at("idle_ns").at(0).get<std::vector<double>>();
  for (auto first = idle.begin(); idle.end() - first >= static_cast<long>(window); ++first) {
    const double sum = std::accumulate(first, first + window, 0.0);
    result.best_window =
        std::min(result.best_window, sum / (sum + 1e3 * burst_us * factor * window));
  }
  return result;
}

// Whether two threads that only read the clock are undisturbed for a moment: by other programs and,
// on a virtual machine, by its host.
bool machine_is_quiet() {
  const auto longest_hole = [] {
    Microseconds longest{0};
    const auto begun = Clock::now();
    for (auto last = begun; last - begun < std::chrono::milliseconds(20);) {
      const auto now = Clock::now();
      longest = std::max<Microseconds>(longest, now - last);
      last = now;
    }
    return longest;
  };
  Microseconds other{0};
  std::thread second([&] { other = longest_hole(); });
  const Microseconds own = longest_hole();
  second.join();
  return std::max(own, other) < Microseconds(200);
}

}  // namespace

// A driver that lets host and device take turns would leave the device idle for a third of any
// time. Other work on the machine lengthens the gaps, so an attempt that fails is repeated in
// slower time.
TEST_CASE("two grids in flight keep the device busy, however slow the machine", "[xrt]") {
  double factor = 25;
  const Usage one = run_bursts(1, factor, 80);
  Usage two = run_bursts(2, factor, 80);
  for (int attempt = 0; attempt < 6 && two.all >= 0.1; ++attempt) {
    factor *= 2;
    two = run_bursts(2, factor, 80);
  }
  WARN("device idle " << 100 * one.all << " % with one grid, " << 100 * two.all
                      << " % with two, time stretched by " << factor);
  CHECK(one.all > 0.25);
  CHECK(two.all < 0.1);
}

// At a board's own pace. What else happens on the machine shows in every burst, so the best few
// milliseconds of several attempts count, and only attempts on a quiet machine against the driver:
// on a machine that is never quiet, only the test above counts.
TEST_CASE("two grids in flight keep the device busy in true time", "[xrt]") {
  Usage best;
  int quiet = 0, attempts = 0;
  for (int looked = 0; best.best_window >= 0.1 && quiet < 8 && looked < 24; ++looked) {
    const bool quiet_before = machine_is_quiet();
    if (!quiet_before && attempts >= 3) continue;
    const Usage usage = run_bursts(2, 1, 400);
    best.all = std::min(best.all, usage.all);
    best.best_window = std::min(best.best_window, usage.best_window);
    if (quiet_before && machine_is_quiet()) ++quiet;
    ++attempts;
  }
  WARN("device idle " << 100 * best.best_window << " % in the best " << window << " bursts, "
                      << 100 * best.all << " % in the best 400; " << quiet << " of " << attempts
                      << " attempts on a quiet machine");
  CHECK((best.best_window < 0.1 || quiet < 8));
}
