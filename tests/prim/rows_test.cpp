// The row kernel's stream and sequencer alone: counts that a whole kernel takes too long to reach,
// and the state after an error, a stop or an abort.
#include <Vrow_sequencer.h>
#include <Vrow_stream.h>

#include <array>
#include <catch2/catch.hpp>
#include <deque>
#include <vector>

#include "bench.hpp"

namespace chainmail::test {
namespace {

constexpr std::uint32_t kMark = 0xcafe1234;  // sim/prim.mk
constexpr std::uint64_t kBase = 0x12'3400'0fe0;

// The stream before a memory in which every beat holds its own address; the head's is given.
class Stream {
 public:
  Stream() {
    module->base_i = kBase;
    module->head_start_i = module->rows_start_i = module->burst_start_i = module->stop_i = 0;
    module->rvalid_i = module->rresp_i = module->rlast_i = module->beat_ready_i = 0;
    module->arready_i = 1;
    module.reset();
  }
  // One clock; a beat that is taken is kept.
  void clock(bool take) {
    const bool any = !asked.empty();
    module->rvalid_i = any;
    if (any) {
      const auto [address, last] = asked.front();
      const std::uint64_t word = address == kBase ? head : address;
      module->rdata_i[0] = static_cast<std::uint32_t>(word);
      module->rdata_i[1] = static_cast<std::uint32_t>(word >> 32);
      module->rresp_i = address == failing ? 2 : 0;
      module->rlast_i = last;
    }
    module->beat_ready_i = take;
    module.settle();
    if (take && module->beat_valid_o) {
      taken.push_back(module->beat_o[0] | std::uint64_t{module->beat_o[1]} << 32);
    }
    if (any && module->rready_o) asked.pop_front();
    if (module->arvalid_o) {
      for (unsigned i = 0; i <= module->arlen_o; ++i) {
        asked.push_back({module->araddr_o + 32ull * i, i == module->arlen_o});
      }
    }
    module.edge();
    module->head_start_i = module->rows_start_i = module->burst_start_i = module->stop_i = 0;
  }
  // Until it is idle; false if that never happens.
  bool finish(bool take, std::uint64_t limit = 1000) {
    clock(take);
    for (std::uint64_t i = 0; i < limit; ++i) {
      if (!module->busy_o) return true;
      clock(take);
    }
    return false;
  }
  void read_head(std::uint32_t mark, std::uint32_t rows) {
    head = rows | std::uint64_t{mark} << 32;
    module->head_start_i = 1;
    REQUIRE(finish(false));
    for (int i = 0; i < 4; ++i) clock(false);
  }
  // Of `rows` rows with two beats each, so many times.
  static std::vector<std::uint64_t> beats(unsigned rows, unsigned passes) {
    std::vector<std::uint64_t> all;
    for (unsigned i = 0; i < 2 * rows * passes; ++i)
      all.push_back(kBase + 32 + 32 * (i % (2 * rows)));
    return all;
  }

  Bench<Vrow_stream> module;
  struct Beat {
    std::uint64_t address;
    bool last;
  };
  std::deque<Beat> asked;
  std::vector<std::uint64_t> taken;
  std::uint64_t head = 0, failing = 0;
};

}  // namespace

TEST_CASE("An image is good where mark and rows are, in every bit, and none is after a reset",
          "[prim]") {
  Stream stream;
  CHECK(stream.module->bad_image_o);
  for (std::uint32_t rows : {1U, 4U}) {
    stream.read_head(kMark, rows);
    CHECK(!stream.module->bad_image_o);
    CHECK(stream.module->rows_o == rows);
    stream.module.reset();
    CHECK(stream.module->bad_image_o);
  }
  for (unsigned bit = 0; bit < 32; ++bit) {
    INFO("bit " << bit);
    stream.read_head(kMark ^ (1U << bit), 1);
    CHECK(stream.module->bad_image_o);
    stream.read_head(kMark, 2);
    CHECK(!stream.module->bad_image_o);
    if (bit > 2) {
      stream.read_head(kMark, 2 | 1U << bit);
      CHECK(stream.module->bad_image_o);
    }
  }
  for (std::uint32_t rows : {0U, 5U}) {
    stream.read_head(kMark, rows);
    CHECK(stream.module->bad_image_o);
  }
}

TEST_CASE("Rows are read once a pass, more than 16 bits of passes count", "[prim]") {
  Stream stream;
  stream.read_head(kMark, 1);
  for (const std::uint32_t left : {0U, 1U, 5U, 65'536U}) {
    stream.taken.clear();
    stream.module->rows_start_i = 1;
    stream.clock(true);
    for (int i = 0; i < 30; ++i) stream.clock(true);  // the first pass needs no burst
    CHECK(stream.taken.size() == 2);
    stream.module->burst_start_i = 1;
    stream.module->left_i = left;
    REQUIRE(stream.finish(true, 40ull * (left + 1)));
    for (int i = 0; i < 10; ++i) stream.clock(true);
    CHECK(stream.taken.size() == 2 * (std::size_t{left} + 1));
  }
}

TEST_CASE("After an error or a stop the stream comes to rest and the next one begins afresh",
          "[prim]") {
  for (unsigned failing = 0; failing <= 8; ++failing) {  // 8: none, it is stopped
    for (unsigned wait : {0U, 3U, 40U}) {
      INFO("beat " << failing << ", after " << wait << " clocks");
      Stream stream;
      stream.read_head(kMark, 4);
      stream.failing = failing < 8 ? kBase + 32 + 32 * failing : 0;
      stream.module->rows_start_i = 1;
      stream.clock(false);  // no beat is taken: the queue is full
      for (unsigned i = 0; i < wait; ++i) stream.clock(false);
      stream.module->stop_i = failing == 8;
      stream.module->burst_start_i = failing < 8;
      stream.module->left_i = 3;
      // A queue of four: an error behind it is met when somebody takes the first beats.
      REQUIRE(stream.finish(failing < 8 && failing > 3));
      CHECK(bool(stream.module->error_o) == (failing < 8));
      CHECK(stream.asked.empty());
      stream.failing = 0;
      stream.taken.clear();
      for (int i = 0; i < 4; ++i) stream.clock(true);
      CHECK(stream.taken.empty());
      stream.module->rows_start_i = 1;
      stream.clock(true);
      stream.module->burst_start_i = 1;
      stream.module->left_i = 1;
      REQUIRE(stream.finish(true));
      for (int i = 0; i < 10; ++i) stream.clock(true);
      CHECK(stream.taken == Stream::beats(4, 2));
      CHECK(!stream.module->error_o);
    }
  }
}

namespace {

using Trace = std::vector<std::array<unsigned, 10>>;  // what is said of every slot

class Sequencer {
 public:
  Sequencer() {
    module->abort_i = module->start_i = 0;
    module->full_i = 3;
    module.reset();
  }
  void begin(unsigned slots, unsigned rows, bool only, bool measure, std::uint64_t left) {
    module->slots_i = static_cast<unsigned char>(slots);
    module->rows_i = static_cast<unsigned char>(rows);
    module->only_i = only;
    module->measure_i = measure;
    module->left_i = left;
    for (int i = 0; i < 3; ++i) module.edge();
    module->start_i = 1;
    module.edge();
    module->start_i = 0;
  }
  void clock(Trace& trace) {
    auto& m = *module.operator->();
    if (m.valid_o) {
      trace.push_back({m.slot_o, m.first_slot_o, m.last_slot_o, m.row_o, m.bank_o, m.measuring_o,
                       m.fresh_o, unsigned(m.whole_o) | unsigned(m.takes_best_o) << 1, m.first_o,
                       m.flush_o});
    }
    module.edge();
  }
  Trace all() {
    Trace trace;
    for (int i = 0; i < 2000 && module->busy_o; ++i) clock(trace);
    return trace;
  }
  Bench<Vrow_sequencer> module;
};

}  // namespace

TEST_CASE("A row burst has all its passes, more than 16 bits count", "[prim]") {
  Sequencer sequencer;
  for (const std::uint64_t left : {0U, 3U, 65'535U, 65'536U}) {
    sequencer.begin(2, 1, false, false, left);
    std::uint64_t slots = 0, flushes = 0;
    for (std::uint64_t i = 0; i < 10 * (left + 4) && sequencer.module->busy_o; ++i) {
      if (sequencer.module->valid_o) ++(sequencer.module->flush_o ? flushes : slots);
      sequencer.module.edge();
    }
    CHECK(!sequencer.module->busy_o);
    CHECK(slots == 2 * (left + 1));
    CHECK(flushes == 2);
  }
}

TEST_CASE("A burst after an aborted one is as the first after a reset", "[prim]") {
  for (unsigned rows : {1U, 2U, 5U}) {
    for (unsigned slots : {1U, 3U, 7U}) {
      Sequencer fresh;
      fresh.begin(slots, rows, false, true, 1);
      const Trace expected = fresh.all();
      REQUIRE(expected.size() == slots * (2 * rows + 1));
      for (unsigned at = 1; at < 60; ++at) {
        Sequencer again;
        again.begin(slots, 5, false, false, 4);
        Trace dropped;
        for (unsigned i = 0; i < at; ++i) again.clock(dropped);
        again.module->abort_i = 1;
        again.module.edge();
        again.module->abort_i = 0;
        CHECK(!again.module->busy_o);
        again.begin(slots, rows, false, true, 1);
        INFO(rows << " rows, " << slots << " slots, aborted after " << at);
        CHECK(again.all() == expected);
      }
    }
  }
}

}  // namespace chainmail::test
