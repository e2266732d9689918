// The burst splitter: every start around a page's end, every length up to several bursts.
#include <Vsplitter.h>

#include <catch2/catch.hpp>

#include "bench.hpp"

namespace chainmail::test {
namespace {

constexpr std::uint64_t kBeat = 8, kPage = 4096, kMost = 64;

// Gives a transfer to the splitter and checks its bursts, which are taken after `wait` clocks each.
void check(Bench<Vsplitter>& splitter, std::uint64_t start, std::uint64_t beats, unsigned wait) {
  INFO("start " << start << ", beats " << beats);
  splitter.settle();
  REQUIRE(splitter->cmd_ready_o);
  splitter->cmd_valid_i = 1;
  splitter->cmd_addr_i = start;
  splitter->cmd_beats_i = static_cast<unsigned>(beats);
  splitter.edge();
  splitter->cmd_valid_i = 0;
  std::uint64_t at = start;
  const std::uint64_t end = start + beats * kBeat;
  while (at != end) {
    splitter.settle();
    // A burst is worked out in two clocks.
    for (unsigned i = 0; i < 2; ++i) {
      REQUIRE(!splitter->burst_valid_o);
      splitter.edge();
    }
    splitter.settle();
    REQUIRE(splitter->burst_valid_o);
    REQUIRE(!splitter->cmd_ready_o);
    REQUIRE(splitter->burst_addr_o == at);
    const std::uint64_t length = splitter->burst_len_o + std::uint64_t{1};
    const std::uint64_t past = at + length * kBeat;
    REQUIRE(length <= kMost);
    REQUIRE(past - at <= end - at);
    REQUIRE(at / kPage == (past - 1) / kPage);
    // As few bursts as the rules allow: one ends only at a page's end, at the limit or at the end.
    REQUIRE((past % kPage == 0 || length == kMost || past == end));
    splitter->burst_ready_i = 0;
    for (unsigned i = 0; i < wait; ++i) {
      splitter.edge();
      REQUIRE(splitter->burst_addr_o == at);
      REQUIRE(splitter->burst_len_o + std::uint64_t{1} == length);
    }
    splitter->burst_ready_i = 1;
    splitter.edge();
    at = past;
  }
  splitter.settle();
  REQUIRE(!splitter->burst_valid_o);
}

}  // namespace

TEST_CASE("Bursts cover a transfer exactly and stay in their pages", "[prim]") {
  Bench<Vsplitter> splitter;
  splitter->clear_i = splitter->cmd_valid_i = 0;
  splitter->burst_ready_i = 1;
  splitter.reset();
  const std::uint64_t page = 0x7'ffff'f000;  // its end carries into the upper half of the address
  for (std::uint64_t before = 0; before <= 70; ++before) {
    for (std::uint64_t beats = 0; beats <= 140; ++beats) {
      check(splitter, page + kPage - before * kBeat, beats, beats % 3 == 0 ? 2 : 0);
    }
  }
  check(splitter, 0, 3 * 512 + 1, 0);
  check(splitter, page + 8, 20000, 1);
}

TEST_CASE("A cleared transfer is forgotten at once", "[prim]") {
  Bench<Vsplitter> splitter;
  splitter->clear_i = splitter->cmd_valid_i = splitter->burst_ready_i = 0;
  splitter.reset();
  splitter->cmd_valid_i = 1;
  splitter->cmd_addr_i = 64;
  splitter->cmd_beats_i = 500;
  splitter.edge();
  splitter->cmd_valid_i = 0;
  splitter.edge();
  splitter.edge();
  splitter.settle();
  CHECK(splitter->burst_valid_o);
  splitter->burst_ready_i = 1;
  splitter->clear_i = 1;  // together with a burst that is taken
  splitter.edge();
  splitter->clear_i = 0;
  splitter.settle();
  CHECK(!splitter->burst_valid_o);
  check(splitter, 0xff8, 2, 0);
}

}  // namespace chainmail::test
