// The engine as Yosys has synthesised it, cell by cell, against its RTL: same inputs, same outputs
// in every clock. Whole boards: make gate-level.
#include <verilated.h>

#include <catch2/catch.hpp>

#include "Vengine_gates.h"
#include "Vengine_rtl.h"
#include "support/random.hpp"

namespace chainmail::test {
namespace {

// Everything at random but the phase, which counts; loads and seeding are rare, bursts long.
template <class Engine>
void drive(Engine& engine, std::uint64_t clock) {
  const std::uint64_t a = hash_of(7, {clock, 1}), b = hash_of(7, {clock, 2}),
                      c = hash_of(7, {clock / 5, 3});
  const bool loading = clock < 2000 || clock % 4096 < 64;
  engine.phase_i = static_cast<CData>(clock % 5);
  engine.table_write_i = loading ? static_cast<CData>(1U << (a % 5)) : CData{0};
  engine.clamp_write_i = loading && a % 7 == 0 ? static_cast<CData>(1U << (a >> 8) % 5) : CData{0};
  engine.load_address_i = static_cast<CData>(a >> 16 & 3);
  engine.load_data_i = static_cast<SData>(a >> 20 & 0x1ff);
  engine.seed_clear_i = clock < 5;
  engine.seed_step_i = loading;
  engine.seed_absorb_i = static_cast<CData>(loading ? c & 0x1f : 0);
  engine.seed_byte_i = static_cast<CData>(c >> 8);
  engine.valid_i = (c >> 16 & 7) != 0;
  engine.measure_i = (c >> 20 & 0x3f) == 0;
  engine.neighbours_i = static_cast<SData>(c >> 26 & 0x3ff);
  engine.links_i = static_cast<SData>(c >> 36 & 0x3ff);
  engine.old_i = static_cast<CData>(c >> 46 & 0x1f);
  engine.beta_i = static_cast<IData>(b & 0x1ffff) >> (b >> 40 & 15);
  engine.penalty_i = static_cast<SData>((b >> 20 & 0xffff) >> (b >> 44 & 15));
  engine.clk_i = 0;
  engine.eval();
  engine.clk_i = 1;
  engine.eval();
}

}  // namespace

TEST_CASE("The synthesised engine equals its RTL in every clock", "[uart]") {
  VerilatedContext context;
  Vengine_rtl rtl(&context, "rtl");
  Vengine_gates gates(&context, "gates");
  std::uint64_t differing = 0, ups = 0;
  constexpr std::uint64_t kClocks = 50'000;
  for (std::uint64_t clock = 0; clock < kClocks; ++clock) {
    drive(rtl, clock);
    drive(gates, clock);
    differing += rtl.spin_o != gates.spin_o || rtl.field_o != gates.field_o ? 1 : 0;
    ups += rtl.spin_o;
  }
  CHECK(differing == 0);
  // Both decisions occurred often.
  CHECK(ups > kClocks / 4);
  CHECK(ups < 3 * kClocks / 4);
  rtl.final();
  gates.final();
}

}  // namespace chainmail::test
