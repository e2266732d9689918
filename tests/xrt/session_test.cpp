// The driver through the real libxrt_coreutil to a real device process and back.
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numeric>

#include "../quiet_clock.hpp"
#include "support.hpp"

using namespace chainmail;
using test::AdderLane;

namespace {

std::vector<std::uint32_t> counted_from(std::uint32_t first, std::size_t size) {
  std::vector<std::uint32_t> values(size);
  std::iota(values.begin(), values.end(), first);
  return values;
}

}  // namespace

TEST_CASE("the worker holds the real XRT", "[xrt]") {
  CHECK(
      std::system(("ldd " + test::built("chainmail-xrt") + " | grep -q 'libxrt_coreutil.so.2 => /'")
                      .c_str()) == 0);
}

TEST_CASE("buffers and kernels work through XRT", "[xrt]") {
  const test::PrivateTmp tmp;
  pid_t worker = 0, device = 0;
  {
    XrtSession session(test::adder_session(test::adder_xclbin(tmp)));
    worker = session.worker_process();
    device = test::device_process(worker);
    REQUIRE(device > 0);
    CHECK(session.units() == 1);
    CHECK(session.board().find("u55c") != std::string::npos);

    // Larger than XRT's packets, so that a copy takes several messages.
    AdderLane lane(session, 0, 0, 100'000);
    lane.start(counted_from(7, 100'000));
    CHECK(lane.wait() == counted_from(8, 100'000));

    const auto content = counted_from(1, 1000);
    session.write(lane.source, std::as_bytes(std::span(content)));
    const auto back = session.read(lane.source, 4000);
    CHECK(std::equal(back.begin(), back.end(), std::as_bytes(std::span(content)).begin()));
  }
  CHECK(test::group_is_gone(worker));
  CHECK_FALSE(std::filesystem::exists("/proc/" + std::to_string(device)));
  CHECK(tmp.leftovers().empty());
}

TEST_CASE("several lanes on two compute units do not mix", "[xrt]") {
  const test::PrivateTmp tmp;
  XrtSession session(test::adder_session(test::adder_xclbin(tmp, 2)));
  REQUIRE(session.units() == 2);
  std::vector<AdderLane> lanes;
  for (std::uint32_t i = 0; i < 6; ++i) lanes.emplace_back(session, i % 2, i, 500);
  for (std::uint32_t round = 0; round < 20; ++round) {
    for (AdderLane& lane : lanes) lane.start(counted_from(1000 * lane.run + round, 500));
    // Waiting in another order than they were started.
    for (auto lane = lanes.rbegin(); lane != lanes.rend(); ++lane)
      REQUIRE(lane->wait() == counted_from(1000 * lane->run + round + 1, 500));
  }
}

// Copies go through memory that the device shares, so they need not wake it; a host without it (no
// preload library, or one of another build) uses the socket for everything.
TEST_CASE("copies do without the device where its memory is shared", "[xrt]") {
  const bool shared = GENERATE(true, false);
  const test::PrivateTmp tmp;
  if (!shared) setenv("CHAINMAIL_EMU_SOCKET_ONLY", "1", 1);
  XrtSession session(test::adder_session(test::adder_xclbin(tmp, 2), 2.0));
  unsetenv("CHAINMAIL_EMU_SOCKET_ONLY");
  AdderLane one(session, 0, 0, 500), two(session, 1, 1, 500), three(session, 0, 2, 500);
  for (std::uint32_t round = 0; round < 20; ++round) {
    for (AdderLane* lane : {&one, &two, &three})
      lane->start(counted_from(1000 * lane->run + round, 500));
    for (AdderLane* lane : {&two, &three, &one})
      REQUIRE(lane->wait() == counted_from(1000 * lane->run + round + 1, 500));
  }
  REQUIRE(kill(test::device_process(session.worker_process()), SIGSTOP) == 0);
  const auto content = counted_from(5, 500);
  const auto copy = [&] {
    session.write(one.source, std::as_bytes(std::span(content)));
    const auto back = session.read(one.source, 2000);
    CHECK(std::equal(back.begin(), back.end(), std::as_bytes(std::span(content)).begin()));
  };
  if (shared) {
    copy();
    REQUIRE(kill(test::device_process(session.worker_process()), SIGCONT) == 0);
  } else {
    CHECK(test::device_error(copy).find("no answer within 2 s while writing a buffer") !=
          std::string::npos);
  }
}

TEST_CASE("sessions run side by side", "[xrt]") {
  const test::PrivateTmp tmp;
  const std::string xclbin = test::adder_xclbin(tmp);
  XrtSession one(test::adder_session(xclbin)), two(test::adder_session(xclbin));
  AdderLane first(one, 0, 0, 100), second(two, 0, 0, 100);
  for (std::uint32_t i = 0; i < 20; ++i) {
    first.start(counted_from(i, 100));
    second.start(counted_from(1000 + i, 100));
    REQUIRE(first.wait() == counted_from(i + 1, 100));
    REQUIRE(second.wait() == counted_from(1001 + i, 100));
  }
}

// The best of several counts, and only time in which nobody waited for the machine.
TEST_CASE("a session starts in less than a second, a launch takes less than two milliseconds",
          "[xrt]") {
  const test::PrivateTmp tmp;
  const std::string xclbin = test::adder_xclbin(tmp);
  constexpr std::uint32_t launches = 101;
  double start_up = 1e9, launch = 1e9;
  for (int attempt = 0; attempt < 5 && (start_up > 1000 || launch > 2); ++attempt) {
    const test::QuietClock opening;
    XrtSession session(test::adder_session(xclbin));
    start_up = std::min(start_up, 1000 * opening.seconds());
    AdderLane lane(session, 0, 0, 400);
    const test::QuietClock launching;
    for (std::uint32_t i = 0; i < launches; ++i) {
      lane.start(counted_from(i, 400));
      lane.wait();
    }
    launch = std::min(launch, 1000 * launching.seconds() / launches);
  }
  WARN("start-up " << start_up << " ms, a launch with its copies " << launch << " ms (mean)");
  CHECK(start_up < 1000);
  CHECK(launch < 2);
}

namespace {

std::size_t open_files(pid_t process) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry :
       std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/fd"))
    ++count;
  return count;
}

std::size_t resident_kib(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  std::string word;
  std::size_t value = 0;
  while (status >> word)
    if (word == "VmRSS:") status >> value;
  return value;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t growth_kib = 300 * 1024;  // the sanitizer keeps what was freed, up to 256 MiB
#else
constexpr std::size_t growth_kib =
    1024;  // in thousands of launches: less than a leaked message each
#endif

// Memory may be taken once, by first use; it must not go on growing.
void check_no_growth(int launches) {
  const test::PrivateTmp tmp;
  XrtSession session(test::adder_session(test::adder_xclbin(tmp)));
  AdderLane one(session, 0, 0, 400), two(session, 0, 1, 400);
  const pid_t worker = session.worker_process();
  const pid_t device = test::device_process(worker);
  REQUIRE(device > 0);
  const std::vector<pid_t> processes = {worker, device, getpid()};
  std::vector<std::size_t> files, memory;
  const std::vector<std::uint32_t> content(400, 1);
  for (int i = 0; i < launches; ++i) {
    if (i == launches / 4)
      for (const pid_t process : processes) {
        files.push_back(open_files(process));
        memory.push_back(resident_kib(process));
      }
    one.start(content);
    two.start(content);
    one.wait();
    two.wait();
  }
  for (std::size_t i = 0; i < processes.size(); ++i) {
    CHECK(open_files(processes[i]) == files[i]);
    CHECK(resident_kib(processes[i]) <= memory[i] + growth_kib);
  }
}

}  // namespace

TEST_CASE("a thousand bursts leave no trace", "[xrt]") {
  check_no_growth(500);
}
TEST_CASE("ten thousand bursts leave no trace", "[.long][xrt]") {
  check_no_growth(5000);
}
