// The arithmetic of a p-bit, module by module, against plain integers: counts, thresholds,
// decisions and energies, at random and at the edges where a carry or a sign decides.
#include <Vdecision_any.h>
#include <Vdecision_none.h>
#include <Vdecision_one.h>
#include <Vdecision_two.h>
#include <Vdecision_wide.h>
#include <Venergy.h>
#include <Vpopcount.h>
#include <Vthreshold.h>

#include <catch2/catch.hpp>
#include <vector>

#include "bench.hpp"
#include "topology/threshold.hpp"

namespace chainmail::test {

TEST_CASE("Ones are counted, three clocks later", "[prim]") {
  Bench<Vpopcount> popcount;
  Engine engine(1);
  std::vector<std::uint64_t> words{0, ~std::uint64_t{0}};
  for (unsigned i = 0; i < 33; ++i) {
    words.push_back(std::uint64_t{1} << i);
    words.push_back(~(std::uint64_t{1} << i));
  }
  for (int i = 0; i < 5000; ++i) {
    const std::uint64_t word = engine(), mask = engine();
    words.push_back(i % 2 == 0 ? word : word & mask);
  }
  for (std::size_t i = 0; i < words.size() + 3; ++i) {
    if (i >= 3) {
      const std::uint64_t word = words[i - 3] & 0x1'ffff'ffff;
      REQUIRE(int(popcount->count_o) == std::popcount(word));
    }
    popcount->bits_i = i < words.size() ? words[i] & 0x1'ffff'ffff : 0;
    popcount.edge();
  }
}

TEST_CASE("The threshold is the contract's for every octave, place and dither", "[prim]") {
  Bench<Vthreshold> module;
  Engine engine(2);
  for (unsigned octave = 0; octave <= threshold::kOctaveBits; ++octave) {
    for (unsigned rest = 0; rest < 128; ++rest) {
      for (unsigned sign : {0U, 1U}) {
        const unsigned lead = octave == threshold::kOctaveBits ? 0 : 1U << (30 - octave);
        const unsigned below = lead == 0 ? 0 : static_cast<unsigned>(engine()) & (lead - 1) & ~127U;
        const unsigned word = sign << 31 | lead | below | rest;
        module->word_i = word;
        module->previous_i = static_cast<unsigned>(engine());
        module.edge();
        module->word_i = static_cast<unsigned>(engine());
        module->previous_i = word;
        module.edge();
        const unsigned place = rest >> 3;
        INFO("octave " << octave << ", rest " << rest);
        REQUIRE(unsigned(module->magnitude_o) ==
                256 * octave + threshold::kBase[threshold::row_of(octave)][place] +
                    threshold::kDither[(octave == 0 ? 4 : 0) + place / 4][rest & 7]);
        REQUIRE(unsigned(module->sign_o) == sign);
      }
    }
  }
}

namespace {

struct Draw {
  std::int64_t field;                      // 17 bits, signed
  std::uint32_t beta, penalty, magnitude;  // 24, 16 and 13 bits
  unsigned sign, links, count;
};

// The rule of docs/kernel.md: y + (sign ? ~mag : mag) >= 0.
bool expected(const Draw& d) {
  const auto spin = [&](unsigned i) { return (d.links >> i & 1) != 0 ? 1 : -1; };
  const std::int64_t chain = d.count == 0 ? 0 : d.count == 1 ? spin(0) : spin(0) + spin(1);
  const std::int64_t y = d.beta * d.field + d.penalty * chain * (1 << 15);
  const std::int64_t magnitude = std::int64_t{d.magnitude} << 15;
  return y + (d.sign != 0 ? ~magnitude : magnitude) >= 0;
}

// Draws whose sum is exactly zero, one unit above or below it, by field and by chain; then the
// ends of every range; then anything.
std::vector<Draw> draws(unsigned count) {
  std::vector<Draw> all;
  const auto both = [&](Draw d) {
    for (unsigned sign : {0U, 1U}) {
      for (unsigned links = 0; links < 4; ++links) {
        d.sign = sign;
        d.links = links;
        d.count = count;
        all.push_back(d);
      }
    }
  };
  for (std::uint32_t magnitude : {0U, 1U, 2U, 255U, 4096U, 8191U}) {
    const auto m = static_cast<std::int64_t>(magnitude);
    for (std::int64_t off : {-1, 0, 1}) {
      both({m, (1U << 15) + static_cast<std::uint32_t>(off + 1) - 1, 0, magnitude, 0, 0, 0});
      both({-m, (1U << 15) + static_cast<std::uint32_t>(off + 1) - 1, 0, magnitude, 0, 0, 0});
      both({off, 1, magnitude, magnitude, 0, 0, 0});
      both({off, 1, magnitude / 2, magnitude, 0, 0, 0});
      both({off, 0x7fff, magnitude, magnitude, 0, 0, 0});
      both({off, 0x8000, magnitude, magnitude, 0, 0, 0});
    }
  }
  for (std::int64_t field : {-65536, -65535, -1, 0, 1, 65535}) {
    for (std::uint32_t beta : {0U, 1U, 0xff'ffffU}) {
      for (std::uint32_t penalty : {0U, 1U, 0xffffU}) {
        for (std::uint32_t magnitude : {0U, 8191U})
          both({field, beta, penalty, magnitude, 0, 0, 0});
      }
    }
  }
  Engine engine(3);
  for (int i = 0; i < 20000; ++i) {
    both({as_signed(engine(), 17) >> engine() % 17,
          static_cast<std::uint32_t>(engine() & 0xff'ffff) >> engine() % 24,
          static_cast<std::uint32_t>(engine() & 0xffff) >> engine() % 16,
          static_cast<std::uint32_t>(engine() & 0x1fff), 0, 0, 0});
  }
  return all;
}

template <class Model>
void check_draws(unsigned count) {
  Bench<Model> decision;
  for (const Draw& d : draws(count)) {
    decision->count_i = static_cast<unsigned char>(d.count);
    decision->links_i = static_cast<unsigned char>(d.links);
    decision->beta_i = d.beta;
    decision->penalty_i = static_cast<unsigned short>(d.penalty);
    decision->field_i = static_cast<unsigned>(d.field) & 0x1'ffff;
    decision->sign_i = static_cast<unsigned char>(d.sign);
    decision->magnitude_i = static_cast<unsigned short>(d.magnitude);
    decision.edge();
    INFO("field " << d.field << ", beta " << d.beta << ", penalty " << d.penalty << ", T "
                  << d.magnitude << ", sign " << d.sign << ", links " << d.links);
    REQUIRE(bool(decision->drawn_o) == expected(d));
    decision->keep_i = 1;  // whatever was drawn, the old spin stays
    for (const bool old : {false, true}) {
      decision->old_i = old;
      decision.settle();
      REQUIRE(bool(decision->drawn_o) == old);
    }
    decision->keep_i = 0;
  }
}

}  // namespace

TEST_CASE("Decisions are exact, with the whole adder", "[prim]") {
  check_draws<Vdecision_wide>(2);
}
TEST_CASE("Decisions are exact, with the adder above the low bits", "[prim]") {
  check_draws<Vdecision_none>(0);
  check_draws<Vdecision_one>(1);
  check_draws<Vdecision_two>(2);
}
TEST_CASE("Decisions are exact where p-bits of any links share an engine", "[prim]") {
  for (unsigned count : {0U, 1U, 2U}) check_draws<Vdecision_any>(count);
}

TEST_CASE("Energies of a colour add up, at their extremes too", "[prim]") {
  constexpr unsigned kMembers = 5, kBits = 9, kSumBits = 12, kLevels = 3;
  Bench<Venergy> sum;
  Engine engine(4);
  for (int i = 0; i < 20000; ++i) {
    std::int64_t total = 0;
    std::uint64_t packed = 0;
    const auto spins = static_cast<unsigned>(engine() % 32);
    for (unsigned m = 0; m < kMembers; ++m) {
      // Often the ends of the range, so that sums reach theirs.
      const std::uint64_t kind = i % 4 == 0 ? 0 : engine() % 4;
      const std::int64_t early = kind == 0   ? ((spins >> m & 1) != 0 ? 255 : -255)
                                 : kind == 1 ? -256
                                             : as_signed(engine(), kBits);
      packed |= (static_cast<std::uint64_t>(early) & 0x1ff) << (kBits * m);
      total += (spins >> m & 1) != 0 ? early : -early;
    }
    sum->spins_i = static_cast<unsigned char>(spins);
    sum->early_i = packed;
    for (unsigned level = 0; level < kLevels; ++level) sum.edge();
    const std::int64_t value = as_signed(sum->value_o, kSumBits);
    REQUIRE((sum->spin_o ? value : -value) == total);
  }
}

}  // namespace chainmail::test
