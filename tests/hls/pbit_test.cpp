// One p-bit by itself: exact mirror symmetry, and the field, chain and energy it computes.
#include <catch2/catch.hpp>

#include "../../hls/pbit.hpp"
#include "support/random.hpp"

namespace {

struct Inputs {
  entry_t table[kTables][kEntries];
  address_t address[kTables];
  ap_int<3> chain;
  Parameters parameters;
  random_t word;
};

Inputs random_inputs(chainmail::Engine& engine) {
  Inputs in;
  for (auto& table : in.table) {
    for (entry_t& entry : table) entry = static_cast<int>(engine() % 16383) - 8191;
  }
  for (address_t& address : in.address) address = engine() % kEntries;
  in.chain = static_cast<int>(engine() % 5) - 2;
  in.parameters.beta = engine() >> 40 >> engine() % 24;
  in.parameters.penalty = (engine() & 0xffff) >> engine() % 16;
  in.word = static_cast<unsigned>(engine());
  return in;
}

Update update(const Inputs& in, unsigned early, unsigned used, spin_t old_spin, spin_t keep) {
  return update_pbit(in.table, in.address, early, used, in.chain, in.parameters, in.word, old_spin,
                     keep);
}

}  // namespace

TEST_CASE("turning everything around turns the spin around, always", "[hls][pbit]") {
  chainmail::Engine engine(1);
  int up = 0;
  for (int i = 0; i < 20000; ++i) {
    const Inputs in = random_inputs(engine);
    Inputs mirrored = in;
    for (unsigned t = 0; t < kTables; ++t) {
      for (unsigned a = 0; a < kEntries; ++a) mirrored.table[t][a] = -in.table[t][a];
    }
    mirrored.chain = -in.chain;
    mirrored.word = in.word ^ random_t(0x80000000U);
    const Update a = update(in, 3, kTables, 0, 0), b = update(mirrored, 3, kTables, 0, 0);
    REQUIRE(a.spin != b.spin);
    REQUIRE(a.energy == b.energy);
    up += a.spin[0] ? 1 : 0;
  }
  CHECK(up > 8000);
  CHECK(up < 12000);
}

TEST_CASE("a kept p-bit reports the energy of its old spin", "[hls][pbit]") {
  chainmail::Engine engine(2);
  for (int i = 0; i < 2000; ++i) {
    const Inputs in = random_inputs(engine);
    const unsigned early = static_cast<unsigned>(engine() % (kTables + 1));
    int field = 0;
    for (unsigned t = 0; t < early; ++t) field += in.table[t][in.address[t]];
    for (int old_spin : {0, 1}) {
      const Update kept = update(in, early, kTables, old_spin, 1);
      REQUIRE(kept.spin == old_spin);
      REQUIRE(kept.energy == (old_spin != 0 ? -field : field));
    }
  }
}

TEST_CASE("tables out of use do not act", "[hls][pbit]") {
  chainmail::Engine engine(3);
  for (int i = 0; i < 2000; ++i) {
    const Inputs in = random_inputs(engine);
    Inputs zeroed = in;
    for (unsigned t = 4; t < kTables; ++t) {
      for (unsigned a = 0; a < kEntries; ++a) zeroed.table[t][a] = 0;
    }
    REQUIRE(update(in, 2, 4, 0, 0).spin == update(zeroed, 2, kTables, 0, 0).spin);
  }
}
