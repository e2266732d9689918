// The boards against the HLS kernel, every bit, through the driver, the line and the RTL that is in
// the bitstreams.
#include <catch2/catch.hpp>

#include "support.hpp"

namespace chainmail::test {
namespace {

using namespace contract;

void compare_calls(const std::string& board) {
  const ServedBoard served(board);
  const auto port = served.open(120, 60);  // nothing is lost here, and machines may be busy
  const auto golden = open_native_port(port->topology().name);
  const auto most = static_cast<std::uint32_t>(port->topology().options.max_replicas);
  const auto compare = [&](const Buffers& input) {
    Buffers expected = input, actual = input;
    run(*golden, expected);
    run(*port, actual);
    return difference(expected, actual);
  };
  std::uint64_t seed = 300;
  for (const std::uint32_t replicas : {1U, 4U, 5U, most}) {
    for (const std::uint32_t sweeps : {0U, 1U, 2U, 50U}) {
      Buffers b = random_buffers(port->topology(), replicas, sweeps, kEverything, ++seed);
      b.first = (most - replicas) / 3;
      INFO(board << ", R = " << replicas << ", sweeps = " << sweeps);
      CHECK_THAT(compare(b), Catch::Equals(""));
    }
  }
  // Tables and spins stay on the board; a grid of 6 next to one of 10; then single states.
  Buffers grid = random_buffers(port->topology(), 10, 3, kLoadTables | kLoadSpins, 400);
  CHECK_THAT(compare(grid), Catch::Equals(""));
  grid.first = 10;
  grid.replicas = 6;
  grid.flags = kLoadSpins;
  CHECK_THAT(compare(grid), Catch::Equals(""));
  for (std::uint32_t burst = 0; burst < 4; ++burst) {
    grid.first = burst % 2 == 0 ? 0 : 10;
    grid.replicas = burst % 2 == 0 ? 10 : 6;
    grid.flags = burst < 2 ? 0U : kStoreSpins | kStoreBest;
    grid.seed += 0x9e37'79b9;
    CHECK_THAT(compare(grid), Catch::Equals(""));
  }
  for (const std::uint32_t place : {0U, 7U, most - 1}) {
    Buffers one = random_buffers(port->topology(), 1, 0, kNoBurst | kStoreSpins | kStoreBest, 5);
    one.first = place;
    CHECK_THAT(compare(one), Catch::Equals(""));
  }
  CHECK(port->frames_sent_again() == 0);
}

}  // namespace

TEST_CASE("The HX8K board gives the HLS kernel's bits", "[uart]") {
  compare_calls("hx8k");
}
TEST_CASE("The iCEBreaker gives the HLS kernel's bits", "[uart]") {
  compare_calls("icebreaker");
}
TEST_CASE("The ULX3S gives the HLS kernel's bits", "[uart]") {
  compare_calls("ulx3s-25f");
}
TEST_CASE("States of two words and frames of a kilobyte are the HLS kernel's", "[uart]") {
  compare_calls("wide");
}

TEST_CASE("Replicas beyond the ring are refused, and nothing is changed", "[uart]") {
  const ServedBoard served("icebreaker");
  const auto port = served.open();
  const auto golden = open_native_port(kBoardTopology);
  Buffers good = random_buffers(port->topology(), 16, 2, kEverything, 1);
  run(*port, good);
  Buffers bad = random_buffers(port->topology(), 16, 2, 0, 2);
  bad.first = 1;
  run(*port, bad);
  CHECK((bad.status[kWordCode / 2] & 0xffff'ffff) == kBadReplicas);
  Buffers again = random_buffers(port->topology(), 16, 0, kNoBurst | kStoreSpins, 3);
  run(*port, again);
  CHECK(again.spins == good.spins);
}

}  // namespace chainmail::test
