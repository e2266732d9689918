// A line that corrupts, drops, duplicates, delays: the outcome is the right result or an error.
// Every wrong bit would show, because each call starts from the last one's spins and the HLS kernel
// runs in parallel.
#include <catch2/catch.hpp>
#include <fstream>
#include <functional>

#include "../temporary_folder.hpp"
#include "device/uart/uart_port.hpp"
#include "support.hpp"
#include "support/error.hpp"
#include "support/random.hpp"

namespace chainmail::test {
namespace {

using namespace contract;
using Bytes = std::vector<std::uint8_t>;
using Catch::Contains;

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : seed_(seed) {}
  std::uint64_t next() { return hash_of(seed_, {count_++}); }
  bool chance(double p) { return static_cast<double>(next() >> 11) * 0x1p-53 < p; }

 private:
  std::uint64_t seed_, count_ = 0;
};

// Bursts that build on each other, on the board and on the HLS kernel.
void run_through(const sim::LineNoise& noise, int bursts, const std::string& board = "icebreaker") {
  const ServedBoard served(board, noise);
  const auto port = served.open();
  const auto golden = open_native_port(port->topology().name);
  Buffers b = random_buffers(port->topology(), 16, 7, kEverything, 77);
  for (int burst = 0; burst < bursts; ++burst) {
    Buffers expected = b, actual = b;
    run(*golden, expected);
    run(*port, actual);
    INFO("burst " << burst);
    REQUIRE_THAT(difference(expected, actual), Catch::Equals(""));
    b.flags = burst % 3 == 0 ? 0U : kStoreSpins | kStoreBest;
    b.seed = mix64(b.seed);
  }
  CHECK(port->frames_sent_again() > 0);  // noise occurred
}

std::function<Bytes(Bytes)> corrupting(std::uint64_t seed, double p) {
  return [dice = Dice(seed), p](Bytes bytes) mutable {
    for (std::uint8_t& byte : bytes)
      if (dice.chance(p)) byte ^= static_cast<std::uint8_t>(1U << dice.next() % 8);
    return bytes;
  };
}

std::function<Bytes(Bytes)> dropping(std::uint64_t seed, double p) {
  return [dice = Dice(seed), p](const Bytes& bytes) mutable {
    Bytes kept;
    for (const std::uint8_t byte : bytes)
      if (!dice.chance(p)) kept.push_back(byte);
    return kept;
  };
}

// Whole frames come twice or an old one comes again later; garbage in between.
std::function<Bytes(Bytes)> repeating(std::uint64_t seed) {
  return [dice = Dice(seed), old = std::vector<Bytes>{}, first = true](const Bytes& bytes) mutable {
    Bytes line;
    const auto put = [&line](const Bytes& more) {
      line.insert(line.end(), more.begin(), more.end());
    };
    if (dice.chance(0.3)) put({0x7e, 0x12, 0x34, 0x7d});
    // Not the greeting: coming late it ends the session, which is another test.
    if (!old.empty() && dice.chance(0.5)) put(old[dice.next() % old.size()]);
    put(bytes);
    if (!first && dice.chance(0.3)) put(bytes);
    if (!first) old.push_back(bytes);
    first = false;
    return line;
  };
}

}  // namespace

TEST_CASE("Flipped bits on the line cost time, never a result", "[uart]") {
  run_through({corrupting(1, 0.004), corrupting(2, 0.004), {}}, 8);
}

TEST_CASE("A ULX3S on a noisy line: time is lost, never a result", "[uart]") {
  run_through({corrupting(8, 0.002), dropping(9, 0.002), {}}, 8, "ulx3s-25f");
}

TEST_CASE("Dropped bytes and cut frames cost time, never a result", "[uart]") {
  run_through({dropping(3, 0.004), dropping(4, 0.004), {}}, 8);
}

TEST_CASE("Glitches of a clock on the board's pin cost time, never a result", "[uart]") {
  Dice dice(5);
  run_through({{}, {}, [dice](bool level) mutable { return level != dice.chance(4e-4); }}, 8);
}

TEST_CASE("Doubled and late frames are carried out once", "[uart]") {
  // A burst is requested again whenever its reply is lost, so some are requested twice.
  run_through({repeating(6), dropping(7, 0.002), {}}, 10);
}

TEST_CASE("A reply that was lost is asked for again without a second run", "[uart]") {
  // Every other reply is dropped.
  const auto every_other = [swallow = false, flags = 0](const Bytes& bytes) mutable {
    Bytes kept;
    for (const std::uint8_t byte : bytes) {
      if (!swallow) kept.push_back(byte);
      // A frame has two flags; at the second one the choice changes.
      if (byte == uart_link::kFlag && ++flags % 2 == 0) swallow = !swallow;
    }
    return kept;
  };
  run_through({{}, every_other, {}}, 5);
}

TEST_CASE("A board that says nothing is an error within the time given", "[uart]") {
  const ServedBoard served("icebreaker", {[](const Bytes&) { return Bytes{}; }, {}, {}});
  CHECK_THROWS_WITH(served.open(0.5, 0.1), Contains("no answer within 0.5 s"));
  CHECK_THROWS_AS(served.open(0.3, 0.1), DeviceError);
}

TEST_CASE("A board that falls silent during a run is an error", "[uart]") {
  std::atomic<bool> cut = false;
  const ServedBoard served("icebreaker",
                           {{}, [&cut](const Bytes& b) { return cut ? Bytes{} : b; }, {}});
  const auto port = served.open(1.0, 0.2);
  Buffers b = random_buffers(port->topology(), 4, 1, kEverything, 1);
  run(*port, b);
  cut = true;
  CHECK_THROWS_WITH(run(*port, b), Contains("no answer within 1 s"));
}

TEST_CASE("A ULX3S that is unplugged during a burst is an error at once", "[uart]") {
  auto served = std::make_unique<ServedBoard>("ulx3s-25f");
  const auto port = served->open();
  Buffers b = random_buffers(port->topology(), 64, 1'000'000, kEverything, 1);
  port->start(0, b.call());
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const auto start = uart::Clock::now();
  served.reset();
  CHECK_THROWS_WITH(port->finish(0), Contains("the line was lost"));
  CHECK(uart::Clock::now() - start < std::chrono::seconds(5));
}

TEST_CASE("A board that another session has taken is an error", "[uart]") {
  Bytes intruder;  // put in front of what comes next
  const ServedBoard served("icebreaker", {[&intruder](const Bytes& bytes) {
                                            Bytes line = std::exchange(intruder, {});
                                            line.insert(line.end(), bytes.begin(), bytes.end());
                                            return line;
                                          },
                                          {},
                                          {}});
  const auto port = served.open();
  Buffers b = random_buffers(port->topology(), 4, 1, kEverything, 1);
  run(*port, b);
  intruder = uart::encode_frame(Bytes{uart_link::kOpen, 1, 2, 3, 4});
  CHECK_THROWS_WITH(run(*port, b), Contains("out of step"));
}

}  // namespace chainmail::test

namespace chainmail::test {

TEST_CASE("ports named by their place have colons in their names", "[uart]") {
  const TemporaryFolder folder;
  const std::string by_path = folder.file("pci-0000:00:14.0-usb-0:1:1.0-port0");
  const auto address = [](const std::string& rest) { return uart_address("uart:" + rest); };
  CHECK(address(by_path).path == by_path);
  CHECK(address(by_path).baud == kUartBaud);
  CHECK(address(by_path + ":115200").path == by_path);
  CHECK(address(by_path + ":115200").baud == 115200);
  // An existing path is a path, even if it ends in digits.
  const std::string digits = folder.file("pci-0000:00");
  std::ofstream(digits) << "here";
  CHECK(address(digits).path == digits);
  CHECK(address(digits + ":9600").baud == 9600);
  CHECK(address("/dev/ttyUSB1").path == "/dev/ttyUSB1");
  CHECK_THROWS_AS(address(""), UsageError);
  CHECK_THROWS_AS(address(":9600"), UsageError);
  CHECK_THROWS_AS(address("/dev/ttyUSB1:"), UsageError);
  CHECK_THROWS_AS(address("/dev/ttyUSB1:123456789"), UsageError);
  CHECK_THROWS_AS(address("/dev/null:fast"), UsageError);
}

}  // namespace chainmail::test
