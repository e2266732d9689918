// Slots dealt and best states captured in a burst.
#include <Vcapture.h>
#include <Vcapture_fast.h>
#include <Vsequencer.h>

#include <catch2/catch.hpp>
#include <map>

#include "bench.hpp"

namespace chainmail::test {

TEST_CASE("A burst has all its passes, more than 16 bits count", "[prim]") {
  Bench<Vsequencer> sequencer;
  sequencer->start_i = 0;
  sequencer->advance_i = 1;
  sequencer->replicas_i = 2;
  for (const std::uint32_t passes : {0U, 1U, 2U, 65'535U, 65'536U, 65'537U, 131'073U}) {
    sequencer->passes_i = passes;
    sequencer.reset();
    sequencer->start_i = 1;
    sequencer.edge();
    sequencer->start_i = 0;
    std::uint64_t slots = 0, firsts = 0, clocks = 0;
    const std::uint64_t wanted = passes == 0 ? 1 : passes;  // none is one that only measures
    while (sequencer->busy_o && clocks < 5 * wanted + 10) {
      if (sequencer->valid_o) {
        REQUIRE(sequencer->index_o == slots % 2);
        firsts += sequencer->first_o;
        ++slots;
      }
      ++clocks;
      sequencer.edge();
    }
    INFO(passes << " passes");
    CHECK(slots == 2 * wanted);
    CHECK(firsts == 2);
    CHECK(clocks == 5 * wanted);  // the depth the model is built with
  }
}

namespace {

// Lead: clocks from a replica to its energy.
template <class Model>
void check_capture(int lead) {
  constexpr unsigned kBits = 12, kReplicas = 8;
  struct Kept {
    bool found = false;
    std::int64_t best = 0, energy = 0;
    unsigned violations = 0;
  };
  Bench<Model> capture;
  capture->reading_i = capture->valid_i = 0;
  capture.edge();
  Engine engine(6);
  for (int burst = 0; burst < 200; ++burst) {
    std::map<unsigned, Kept> model;
    for (unsigned pass = 0; pass < 6; ++pass) {
      for (unsigned r = 0; r < kReplicas; ++r) {
        const std::int64_t choice[] = {-2048, 2047, -1, 0, 1, as_signed(engine(), kBits)};
        const std::int64_t energy = choice[engine() % 6];
        const auto violations = static_cast<unsigned>(engine() % 3 == 0 ? 2 * (engine() % 3) : 0);
        capture->valid_i = 1;
        capture->first_i = pass == 0;
        capture->replica_i = static_cast<unsigned char>(r);
        capture.edge();
        capture->valid_i = 0;
        for (int i = 1; i < lead; ++i) capture.edge();
        capture->energy_i = static_cast<unsigned>(energy) & 0xfff;
        capture->violations_i = static_cast<unsigned char>(violations);
        capture.edge();
        Kept& kept = model[r];
        const bool better = violations == 0 && (!kept.found || energy < kept.best);
        REQUIRE(bool(capture->better_o) == better);
        if (better) REQUIRE(capture->better_replica_o == r);
        if (better) kept.best = energy;
        kept.found |= better;
        kept.energy = energy;
        kept.violations = violations;
        capture.edge();
        capture.edge();
      }
    }
    capture->reading_i = 1;
    for (unsigned r = 0; r < kReplicas; ++r) {
      capture->read_address_i = static_cast<unsigned char>(r);
      capture.edge();
      REQUIRE(as_signed(capture->energy_o, kBits) == model[r].energy);
      REQUIRE(capture->violations_o == model[r].violations);
      REQUIRE(bool(capture->found_o) == model[r].found);
      if (model[r].found) REQUIRE(as_signed(capture->best_o, kBits) == model[r].best);
    }
    capture->reading_i = 0;
  }
}

}  // namespace

TEST_CASE("The first of equal energies stays the best, extremes included", "[prim]") {
  check_capture<Vcapture>(1);
  check_capture<Vcapture_fast>(2);
}

}  // namespace chainmail::test
