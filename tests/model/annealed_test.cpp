// The ladder of a form model: an equation that is met only by luck does not drive the penalty up,
// and near misses are distinguished from what a larger penalty would fix.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <string>

#include "ladder/annealed.hpp"
#include "model/forms.hpp"
#include "model/model_files.hpp"
#include "support/random.hpp"

using namespace chainmail;

namespace {

// Profits of 60 items, a subset of which must weigh `total` exactly; weights up to `heaviest`.
std::string equation(std::int64_t heaviest) {
  std::string profits, weights, names;
  std::int64_t total = 0;
  for (std::uint64_t i = 0; i < 60; ++i) {
    const auto weight =
        static_cast<std::int64_t>(1 + hash_of(1, {i}) % static_cast<std::uint64_t>(heaviest));
    profits += fmt::format(" + {} x{}", 1 + hash_of(2, {i}) % 100, i);
    weights += fmt::format(" + {} x{}", weight, i);
    names += fmt::format(" x{}", i);
    total += hash_of(3, {i}) % 2 == 0 ? weight : 0;
  }
  return fmt::format("Maximize\n{}\nSubject To\n w: {} = {}\nBinary\n{}\nEnd\n", profits, weights,
                     total, names);
}

Ladder ladder_for(const CompiledForms& forms) {
  PhysicalModel model;
  model.forms = std::make_shared<FormModel>(forms.model);
  const auto device = make_device({"cpu", 1});
  return annealed_ladder(model, *device, {});
}

// The largest penalty of the ladder, in units of the change of f by a flip.
double penalty_for(std::int64_t heaviest) {
  const CompiledForms forms =
      compile_forms(parse_model(equation(heaviest), "t.lp", ModelFormat::lp));
  return ladder_for(forms).penalty.back() / energy_unit(forms.model);
}

}  // namespace

TEST_CASE("penalties do not run away with an equation in large numbers") {
  CHECK(penalty_for(100) < 1000.0);
  CHECK(penalty_for(1'000'000) < 1000.0);
}

// Two bits together move f ten thousand times as far as any other, so the anneals begin too hot.
TEST_CASE("anneals hurry through what is hotter than the first row") {
  const CompiledForms forms = compile_forms(
      parse_model(equation(100).insert(9, " [ - 2000000 x0 * x1 ] / 2"), "t.lp", ModelFormat::lp));
  CHECK(ladder_for(forms).replica_sweeps < 5200);
}

TEST_CASE("near is what misses equations by less than a turn mends") {
  const CompiledForms forms = compile_forms(
      parse_model("Minimize\n a + b + c + d\nSubject To\n e: 500 a + 700 b + 900 c = 1100\n"
                  " k: 3 a + 2 b + 4 d <= 7\nBinary\n a b c d\nEnd\n",
                  "t.lp", ModelFormat::lp));
  REQUIRE(forms.model.bits == 4);
  const auto near = [&](const std::vector<std::int64_t>& values) {
    const std::vector<Bit> bits = forms.encode(values);
    REQUIRE(forms.model.violated(bits) > 0);
    return forms.model.as_near_as_can_be(bits);
  };
  CHECK(near({1, 1, 0, 0}));           // 1200: off by 1, in units of 100, and 7 is the second least
  CHECK(near({0, 0, 0, 0}) == false);  // 0: off by 11
  CHECK(near({1, 1, 0, 1}) == false);  // the knapsack is overfull, which a flip repairs
}
