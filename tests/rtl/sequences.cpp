// Random sequences of calls: loads, bursts, stores, refusals, images of others, errors on the bus
// and resets, in any order, with stalls that change from call to call. The native kernel takes the
// calls that the contract lets succeed or refuse; every buffer must be the same. What the contract
// leaves undefined (after a reset, an error, a load of tables) is not compared until it is defined
// again.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "kernel_pair.hpp"

namespace chainmail::test {
namespace {

using namespace contract;
using sim::RtlPort;

class Sequence {
 public:
  Sequence(const std::string& topology, std::uint64_t seed)
      : pair_(topology),
        t_(pair_.topology()),
        most_(static_cast<std::uint32_t>(std::min<std::size_t>(t_.options.max_replicas, 40))),
        engine_(seed),
        spins_(most_, false),
        best_(most_, false) {}

  void step(unsigned number) {
    what_ = fmt::format("call {}", number);
    stall();
    switch (engine_() % 16) {
      case 0:
      case 1:
        return reset();
      case 2:
      case 3:
        return fail();
      case 4:
      case 5:
        return refused();
      case 6:
        return t_.options.dense() ? wrong_image() : good();
      default:
        return good();
    }
  }

 private:
  // A call that uses nothing undefined.
  Buffers next_call() {
    const auto first = static_cast<std::uint32_t>(engine_() % most_);
    const auto replicas = static_cast<std::uint32_t>(1 + engine_() % (most_ - first));
    auto flags = static_cast<std::uint32_t>(engine_() % 64) & ~kDescribe;
    if (engine_() % 16 == 0) flags = kDescribe;
    const bool burst = (flags & kNoBurst) == 0;
    bool spins = true, best = true;
    for (std::uint32_t r = first; r < first + replicas; ++r) {
      spins &= spins_[r];
      best &= best_[r];
    }
    if (burst && !tables_) flags |= kLoadTables;
    if ((burst || (flags & kStoreSpins) != 0) && !spins) flags |= kLoadSpins;
    const bool kept = best && (flags & kLoadTables) == 0;
    if (!burst && !kept) flags &= ~kStoreBest;
    Buffers b =
        random_buffers(t_, replicas, static_cast<std::uint32_t>(engine_() % 4), flags, engine_());
    b.first = first;
    // The row kernel reads its image in every burst: the one it knows.
    if ((flags & kLoadTables) == 0 && !image_.empty()) b.tables = image_;
    return b;
  }

  void good() {
    Buffers b = next_call();
    compare(b);
    if ((b.flags & kDescribe) != 0) return;
    if ((b.flags & kLoadTables) != 0) {
      tables_ = true;
      image_ = b.tables;
      std::fill(best_.begin(), best_.end(), false);
    }
    for (std::uint32_t r = b.first; r < b.first + b.replicas; ++r) {
      if ((b.flags & kLoadSpins) != 0) spins_[r] = true;
      if ((b.flags & kNoBurst) == 0) best_[r] = true;
    }
  }

  void refused() {
    Buffers b = next_call();
    b.flags &= ~kDescribe;
    const auto max = static_cast<std::uint32_t>(t_.options.max_replicas);
    switch (engine_() % 4) {
      case 0:
        b.flags |= 0x40U << engine_() % 26;
        return compare(b);
      case 1:
        b.replicas = 0;
        return compare(b);
      case 2:
        b.first = max + static_cast<std::uint32_t>(engine_() % 3) - b.replicas + 1;
        return compare(b);
      default:
        return misaligned(b);
    }
  }

  // A buffer that the call uses begins within a word; of the row kernel's image within a beat.
  void misaligned(Buffers& b) {
    std::vector<RtlPort::Buffer> used{RtlPort::status};
    const bool burst = (b.flags & kNoBurst) == 0, rows = t_.options.rows();
    if ((b.flags & kLoadTables) != 0 || (rows && burst)) used.push_back(RtlPort::tables);
    if ((b.flags & (kLoadSpins | kStoreSpins)) != 0) used.push_back(RtlPort::spins);
    if ((b.flags & kStoreBest) != 0) used.push_back(RtlPort::best);
    if (burst) used.insert(used.end(), {RtlPort::parameters, RtlPort::results});
    const RtlPort::Buffer buffer = used[engine_() % used.size()];
    const std::uint64_t bits = rows && buffer == RtlPort::tables ? 5 : 3;
    RtlPort& port = pair_.rtl();
    const Buffers before = b;
    port.prepare(b.call());
    port.kernel().write_register(
        kArguments[buffer].offset,
        static_cast<std::uint32_t>(port.base(buffer) + (std::uint64_t{1} << engine_() % bits)));
    port.start_prepared();
    port.kernel().run_until_done(1'000'000);
    port.collect(b.call());
    INFO(what_ << ": misaligned buffer " << buffer << ", flags " << b.flags);
    CHECK(code() == kBadPointer);
    CHECK(b.spins == before.spins);
    CHECK(b.best == before.best);
    CHECK(b.results == before.results);
  }

  void wrong_image() {
    Buffers b = next_call();
    b.flags = (b.flags & ~kDescribe) | kLoadTables;
    const std::uint64_t n = t_.pbits();
    if (engine_() % 2 == 0) {
      b.tables[0] ^= std::uint64_t{1} << (32 + engine_() % 32);
    } else {
      const std::uint64_t rows[] = {0, n + 1, 0x1'0000, 0x1'0001, 0x8000'0001};
      b.tables[0] = b.tables[0] >> 32 << 32 | rows[engine_() % 5];
    }
    compare(b);
    CHECK(code() == kBadImage);
    // Loads and stores need no image, bursts do.
    Buffers after = next_call();
    after.flags =
        (after.flags & ~(kDescribe | kLoadTables)) ^ (engine_() % 2 == 0 ? +kNoBurst : 0U);
    if ((after.flags & (kNoBurst | kStoreBest)) == (kNoBurst | kStoreBest))
      after.flags &= ~kStoreBest;
    if ((after.flags & kStoreSpins) != 0) after.flags |= kLoadSpins;
    compare(after);
    CHECK(code() == ((after.flags & kNoBurst) == 0 ? kBadImage : kOk));
    if ((after.flags & kNoBurst) != 0 && (after.flags & kLoadSpins) != 0) {
      for (std::uint32_t r = after.first; r < after.first + after.replicas; ++r) spins_[r] = true;
    }
    tables_ = false;
    image_.clear();
  }

  // An error somewhere in a buffer that the call reads or writes.
  void fail() {
    Buffers b = next_call();
    b.flags &= ~kDescribe;
    const bool burst = (b.flags & kNoBurst) == 0;
    struct Place {
      RtlPort::Buffer buffer;
      bool read;
      std::size_t from, words;
    };
    std::vector<Place> used{{RtlPort::status, false, 0, b.status.size()}};
    // Of a row image a load reads the head, a burst the rest.
    const bool load = (b.flags & kLoadTables) != 0, rows = t_.options.rows();
    const std::size_t head = rows ? rows_contract::kBeatWords : b.tables.size();
    if (load) used.push_back({RtlPort::tables, true, 0, head});
    if (rows && burst) used.push_back({RtlPort::tables, true, head, b.tables.size() - head});
    if ((b.flags & kLoadSpins) != 0) used.push_back({RtlPort::spins, true, 0, b.spins.size()});
    if ((b.flags & kStoreSpins) != 0) used.push_back({RtlPort::spins, false, 0, b.spins.size()});
    if ((b.flags & kStoreBest) != 0) used.push_back({RtlPort::best, false, 0, b.best.size()});
    if (burst) {
      used.push_back({RtlPort::parameters, true, 0, b.parameters.size()});
      used.push_back({RtlPort::results, false, 0, b.results.size()});
    }
    const Place place = used[engine_() % used.size()];
    const std::uint64_t address =
        pair_.rtl().base(place.buffer) + 8 * (place.from + engine_() % place.words);
    const auto response =
        engine_() % 2 == 0 ? sim::Response::slave_error : sim::Response::decode_error;
    sim::AxiMemory& memory =
        place.buffer == RtlPort::tables ? pair_.kernel().image_memory() : pair_.kernel().memory();
    place.read ? memory.fail_reads(address, 8, response) : memory.fail_writes(address, 8, response);
    run(pair_.rtl(), b);
    INFO(what_ << ": an error in buffer " << place.buffer << ", flags " << b.flags);
    CHECK(code() == (place.read ? kReadError : kWriteError));
    memory.heal();
    forget();
  }

  void reset() {
    Buffers b = next_call();
    // Most of a call's clocks are its burst's; half of the resets come before.
    pair_.rtl().interrupt_call(b.call(), engine_() % (engine_() % 2 == 0 ? 200 : 4000));
    INFO(what_ << ": reset");
    CHECK((pair_.kernel().read_register(kControl) & 0xf) == 4);
    forget();
    if (!t_.options.dense() || engine_() % 2 == 0) return;
    // Without an image there is no burst.
    Buffers none = random_buffers(t_, 1, 1, kLoadSpins, engine_());
    run(pair_.rtl(), none);
    CHECK(code() == kBadImage);
  }

  void forget() {
    tables_ = false;
    image_.clear();
    std::fill(spins_.begin(), spins_.end(), false);
    std::fill(best_.begin(), best_.end(), false);
  }

  void stall() {
    const double often = std::array{0.0, 0.0, 0.2, 0.5}[engine_() % 4];
    sim::AxiBehaviour words =
        often > 0 ? sim::AxiBehaviour::stalling(often, engine_()) : sim::AxiBehaviour::kind();
    words.shy = engine_() % 4 == 0;
    pair_.kernel().memory().behave(words);
    if (!t_.options.rows()) return;
    sim::AxiBehaviour rows =
        often > 0 ? sim::AxiBehaviour::stalling(often, engine_()) : sim::AxiBehaviour::kind();
    rows.reorder = false;  // one ID
    pair_.kernel().image_memory().behave(rows);
  }

  void compare(const Buffers& b) {
    INFO(what_ << ": first " << b.first << ", replicas " << b.replicas << ", sweeps " << b.sweeps
               << ", flags " << b.flags);
    CHECK_THAT(pair_.compare(b), Catch::Equals(""));
  }
  std::uint32_t code() { return pair_.kernel().read_register(kStatusMirror + 4 * kWordCode); }

  KernelPair pair_;
  const Topology& t_;
  std::uint32_t most_;
  Engine engine_;
  bool tables_ = false;
  std::vector<std::uint64_t> image_;
  std::vector<bool> spins_, best_;  // what is defined, by place
  std::string what_;
};

void play(const std::string& topology, std::uint64_t seed, unsigned calls) {
  INFO(topology << ", seed " << seed);
  Sequence sequence(topology, seed);
  for (unsigned i = 0; i < calls; ++i) sequence.step(i);
}

}  // namespace

#define PLAY(name, calls)                                                                \
  TEST_CASE("Any sequence of calls, errors and resets: " name, "[sequence][" name "]") { \
    for (std::uint64_t seed = 1; seed <= 8; ++seed) play(name, seed, calls);             \
  }                                                                                      \
  TEST_CASE("Many sequences of calls, errors and resets: " name, "[.sequences]") {       \
    for (std::uint64_t seed = 100; seed < 120; ++seed) play(name, seed, 10 * calls);     \
  }
PLAY("5x2", 60)
PLAY("16x1", 30)
PLAY("16-rows", 40)
PLAY("40-rows-l2", 25)
PLAY("16-rows-l4-b17-w2-r24-f4-m4-p-g", 40)
PLAY("16-flips-r5-b17", 40)
PLAY("64-flips", 20)
PLAY("16-flips-r5-b17-p", 40)
PLAY("16-flips-r5-f4-m4-p", 40)
PLAY("64-flips-f4-p-g", 20)

}  // namespace chainmail::test
