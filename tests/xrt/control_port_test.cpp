// A compute unit's control port, host side and device side in one process: what XRT's scheduler
// relies on.
#include <catch2/catch.hpp>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "xrt/compute_unit.hpp"
#include "xrt/control_port.hpp"

using namespace chainmail::emu;
using namespace std::chrono_literals;

namespace {

// What happens to a kernel, and a run that ends on request.
struct Seen {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::uint32_t, std::uint32_t> registers;
  int runs = 0;
  bool may_end = true;
};

class FakeKernel : public UnitPort {
 public:
  explicit FakeKernel(Seen& seen) : seen_(seen) {}
  std::uint32_t read(std::uint32_t offset) override {
    const std::lock_guard lock(seen_.mutex);
    return offset == control::address ? control::idle | control::done : seen_.registers[offset];
  }
  void write(std::uint32_t offset, std::uint32_t value) override {
    const std::lock_guard lock(seen_.mutex);
    seen_.registers[offset] = value;
  }
  void run() override {
    std::unique_lock lock(seen_.mutex);
    ++seen_.runs;
    seen_.changed.wait(lock, [this] { return seen_.may_end; });
  }

 private:
  Seen& seen_;
};

// Units live as long as their program: their threads are never joined.
struct Bench {
  explicit Bench(std::chrono::nanoseconds least) : device(least) {}
  SharedDevice device;
  Seen seen;
};
Bench& lasting_bench(std::chrono::nanoseconds least) {
  static auto& all = *new std::vector<std::unique_ptr<Bench>>;
  return *all.emplace_back(std::make_unique<Bench>(least));
}

// The device's side of a unit.
ComputeUnit& add_unit(Bench& bench, SharedUnit& shared) {
  static auto& all = *new std::vector<std::unique_ptr<ComputeUnit>>;
  all.push_back(std::make_unique<ComputeUnit>(std::make_unique<FakeKernel>(bench.seen), shared));
  shared.present = true;
  return *all.back();
}

std::string words(const std::vector<std::uint32_t>& values) {
  return {reinterpret_cast<const char*>(values.data()), 4 * values.size()};
}

// Polls as XRT does; the number of "busy" answers, or -1 when the end never comes.
int poll_to_end(ControlPort& port, std::uint32_t& last) {
  for (int busy = 0; busy < 1'000'000; ++busy) {
    last = port.read(control::address).value_or(0);
    if (last != control::start) return busy;
  }
  return -1;
}

}  // namespace

TEST_CASE("a run is started, polled and ended through its control port", "[xrt]") {
  Bench& bench = lasting_bench(0ns);
  Seen& seen = bench.seen;
  SharedUnit& shared = bench.device.unit(3);
  ControlPort port(shared, 0ns, nullptr);
  CHECK_FALSE(port.write(0x10, words({1})));  // not there yet
  ComputeUnit& unit = add_unit(bench, shared);

  CHECK_FALSE(port.read(control::address));  // never started: the kernel knows
  REQUIRE(port.write(0x10, words({7, 8})));
  CHECK(seen.registers.empty());  // posted only
  unit.take_writes();
  CHECK(seen.registers == std::map<std::uint32_t, std::uint32_t>{{0x10, 7}, {0x14, 8}});

  seen.may_end = false;
  REQUIRE(port.write(0, words({control::start, 0, 0, 0, 9})));
  for (int i = 0; i < 100; ++i) REQUIRE(port.read(control::address) == control::start);
  CHECK_FALSE(port.write(0x10, words({1})));  // during a run the device must be asked
  CHECK_FALSE(port.read(0x10));
  {
    const std::lock_guard lock(seen.mutex);
    seen.may_end = true;
  }
  seen.changed.notify_all();
  std::uint32_t last = 0;
  REQUIRE(poll_to_end(port, last) >= 0);
  CHECK(last == (control::idle | control::done));
  CHECK_FALSE(port.read(control::address));  // reported once
  CHECK(seen.registers[0x10] == 9);
  CHECK(seen.runs == 1);

  // ap_continue starts nothing.
  REQUIRE(port.write(0, words({1u << 4})));
  CHECK(shared.started == 1);
  // More register writes than there is room for, without a start that would take them.
  std::size_t accepted = 0;
  while (accepted < 10'000 && port.write(0x20, words({static_cast<std::uint32_t>(accepted)})))
    ++accepted;
  CHECK(accepted == shared.writes.size());
  unit.take_writes();
  CHECK(seen.registers[0x20] == accepted - 1);
  CHECK(port.write(0x20, words({0})));

  for (int run = 0; run < 1000; ++run) {
    REQUIRE(port.write(0, words({control::start, 0, 0, 0, static_cast<std::uint32_t>(run)})));
    REQUIRE(poll_to_end(port, last) >= 0);
    REQUIRE(seen.registers[0x10] == static_cast<std::uint32_t>(run));
  }
  CHECK(seen.runs == 1001);
}

TEST_CASE("a run lasts at least as long as the device says, and is recorded so", "[xrt]") {
  Bench& bench = lasting_bench(2ms);
  SharedUnit& shared = bench.device.unit(0);
  add_unit(bench, shared);
  ControlPort port(shared, bench.device.least_duration(), nullptr);
  for (int run = 0; run < 5; ++run) {
    const auto begun = std::chrono::steady_clock::now();
    REQUIRE(port.write(0, words({control::start})));
    std::uint32_t last = 0;
    REQUIRE(poll_to_end(port, last) >= 0);
    CHECK(std::chrono::steady_clock::now() - begun >= 2ms);
    std::this_thread::sleep_for(3ms);
  }
  CHECK(shared.busy == std::chrono::nanoseconds(10ms).count());
  for (std::size_t run = 1; run < 5; ++run)
    CHECK(shared.idle[run] >= std::chrono::nanoseconds(3ms).count());
  CHECK(shared.last_end - shared.first_start >= std::chrono::nanoseconds(22ms).count());
}

TEST_CASE("a held poll lets go when somebody else wants the line", "[xrt]") {
  Bench& bench = lasting_bench(300us);
  SharedUnit& shared = bench.device.unit(0);
  add_unit(bench, shared);
  const auto busy_answers = [&](std::atomic<int>& wanted) {
    ControlPort port(shared, bench.device.least_duration(), &wanted);
    REQUIRE(port.write(0, words({control::start})));
    std::uint32_t last = 0;
    return poll_to_end(port, last);
  };
  std::atomic<int> nobody = 0, somebody = 1;
  CHECK(busy_answers(somebody) > busy_answers(nobody));
}
