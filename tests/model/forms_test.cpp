// Form models against enumeration: nothing is violated exactly where the model's own evaluation
// finds nothing, f there is the objective, and what presolve calls infeasible is infeasible.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <map>

#include "model/forms.hpp"
#include "model/model_files.hpp"
#include "random_model.hpp"
#include "support/error.hpp"

using namespace chainmail;

namespace {

// All states in which every group has one bit that is one.
void for_all_states(const FormModel& m, const std::function<void(const std::vector<Bit>&)>& visit) {
  std::vector<Bit> x(m.bits, 0);
  const std::function<void(std::size_t)> groups = [&](std::size_t group) {
    if (group < m.groups.size()) {
      for (std::uint32_t bit : m.groups[group]) {
        x[bit] = 1;
        groups(group + 1);
        x[bit] = 0;
      }
      return;
    }
    for (std::uint64_t k = 0; k < (std::uint64_t{1} << m.free_bits.size()); ++k) {
      for (std::size_t i = 0; i < m.free_bits.size(); ++i) x[m.free_bits[i]] = (k >> i) & 1U;
      visit(x);
    }
    for (std::uint32_t bit : m.free_bits) x[bit] = 0;
  };
  groups(0);
}

// Some constraints get coefficients of up to 2^40, which leaves their solutions as they are or,
// with the last one off by one, changes them.
void enlarge(ConstrainedModel& model, Engine& engine) {
  for (ModelConstraint& c : model.constraints) {
    if (!c.left.products.empty() || c.left.linear.empty() || engine() % 3 != 0) continue;
    const bool whole = std::all_of(c.left.linear.begin(), c.left.linear.end(),
                                   [](const LinearTerm& t) { return t.coefficient.whole(); });
    if (!whole) continue;
    const auto factor =
        static_cast<double>((std::uint64_t{1} << (30 + engine() % 7)) + engine() % 5);
    for (LinearTerm& t : c.left.linear) t.coefficient = t.coefficient * factor;
    c.left.linear.front().coefficient += static_cast<double>(engine() % 3) - 1.0;
    if (c.lower.finite()) c.lower = c.lower.floor() * factor;
    if (c.upper.finite()) c.upper = std::max(c.lower, c.upper.floor() * factor);
    c.left.normalise();
  }
}

struct Seen {
  std::size_t feasible = 0, impossible = 0, groups = 0, slacks = 0, fixed = 0, big = 0;
};

void check_exact(const ConstrainedModel& model, Seen& seen) {
  const CompiledForms forms = compile_forms(model);
  const double sign = model.sense == Sense::minimise ? 1.0 : -1.0;
  std::map<std::vector<std::int64_t>, double> reached;
  for_all_states(forms.model, [&](const std::vector<Bit>& x) {
    const bool holds = forms.model.violated(x) == 0;
    REQUIRE(holds == (forms.model.g(x) == 0.0));
    if (!holds) return;
    const std::vector<std::int64_t> values = forms.decode(x);
    reached[values] = forms.model.f(x) + static_cast<double>(forms.objective.constant);
    REQUIRE(forms.decode(forms.encode(values)) == values);
    if (forms.bound) {
      REQUIRE(!(forms.model.f(x) < forms.objective.threshold(*forms.bound - forms.objective.unit)));
    }
  });
  std::size_t feasible = 0;
  for_all_values(model, [&](const std::vector<std::int64_t>& values) {
    const Evaluation truth = evaluate(model, values);
    const auto found = reached.find(values);
    REQUIRE((found != reached.end()) == truth.feasible());
    if (!truth.feasible()) return;
    ++feasible;
    REQUIRE(found->second == Approx(sign * truth.objective).margin(1e-9));
  });
  REQUIRE(reached.size() == feasible);
  if (!forms.infeasible.empty()) REQUIRE(feasible == 0);
  seen.feasible += feasible;
  seen.impossible += forms.infeasible.empty() ? 0 : 1;
  seen.groups += forms.model.groups.size();
  seen.slacks += forms.slacks.size();
  seen.fixed += forms.model.bits == 0 ? 1 : 0;
  for (const FormTerm& t : forms.model.forms.items) {
    seen.big += std::abs(t.coefficient) > (std::int64_t{1} << 30) ? 1 : 0;
  }
}

}  // namespace

TEST_CASE("1,000 random models are the same as forms") {
  Engine engine(41);
  Seen seen;
  for (int k = 0; k < 1000; ++k) {
    ConstrainedModel model = random_model(engine, 10);
    if (k % 2 == 1) enlarge(model, engine);
    INFO(to_lp(model));
    check_exact(model, seen);
  }
  // Every kind must have occurred, or the test says little.
  REQUIRE(seen.feasible > 10000);
  REQUIRE(seen.impossible > 20);
  REQUIRE(seen.groups > 100);
  REQUIRE(seen.slacks > 20);
  REQUIRE(seen.big > 100);
}

TEST_CASE("1,000 random models with indicators, soft constraints and sets are the same as forms") {
  Engine engine(42);
  Seen seen;
  std::size_t soft = 0, added = 0;
  for (int k = 0; k < 1000; ++k) {
    ConstrainedModel model = random_model(engine, 8);
    enrich(model, engine);
    validate(model, "random model");
    INFO(to_lp(model));
    check_exact(model, seen);
    const CompiledForms forms = compile_forms(model);
    for (const FormLimits& limits : forms.model.limits) soft += limits.soft() ? 1 : 0;
    added += forms.nonzero_of.size();
  }
  REQUIRE(seen.feasible > 10000);
  REQUIRE(soft > 200);
  REQUIRE(added > 200);
}

TEST_CASE("1,000 random polynomials, with spins, are the same as forms, and as files") {
  Engine engine(43), agree(44);
  Seen seen;
  std::size_t of_spins = 0, of_bits = 0, in_rows = 0;
  for (int k = 0; k < 1000; ++k) {
    ConstrainedModel model = random_model(engine, 8);
    if (k % 3 == 0) enrich(model, engine);
    raise_degree(model, engine);
    validate(model, "random model");
    const std::string text = to_lp(model);
    INFO(text);
    check_exact(model, seen);
    REQUIRE(same_meaning(model, parse_model(text, "t.lp", ModelFormat::lp), agree));
    const CompiledForms forms = compile_forms(model);
    for (const MonomialValue& m : forms.model.monomial_values)
      ++(m.spins != 0 ? of_spins : of_bits);
    in_rows += forms.nonzero_of.size();
  }
  REQUIRE(seen.feasible > 10000);
  REQUIRE(of_spins > 100);
  REQUIRE(of_bits > 1000);
  REQUIRE(in_rows > 200);
}

TEST_CASE("a spin is no slack of its equation, which could make it zero") {
  Seen seen;
  check_exact(parse_model("Minimize\n 2 x + y\nSubject To\n e: 2 x + 3 y + s = 3\n"
                          "Binary\n x y\nSpins\n s\nEnd\n",
                          "t.lp", ModelFormat::lp),
              seen);
}

TEST_CASE("a product of spins is bounded on both sides") {
  for (const char* sign : {"", "-"}) {
    Seen seen;
    const ConstrainedModel model =
        parse_model(fmt::format("Minimize\n [ {} 2 s * t * u ] / 2\nSpins\n s t u\nEnd\n", sign),
                    "t.lp", ModelFormat::lp);
    check_exact(model, seen);
    CHECK(compile_forms(model).bound == Decimal(-1.0));
  }
}

TEST_CASE("a permutation becomes groups of one family, pairs become clashes") {
  const ConstrainedModel model = parse_model(
      "Minimize\n a1 + 2 b2 + 3 c3\nSubject To\n"
      " p: a1 + a2 + a3 = 1\n q: b1 + b2 + b3 = 1\n r: c1 + c2 + c3 = 1\n"
      " s: a1 + b1 + c1 = 1\n t: a2 + b2 + c2 = 1\n u: a3 + b3 + c3 = 1\n"
      " v: x + y <= 1\n w: 2 x + 2 z <= 3\nBinary\n"
      " a1 a2 a3 b1 b2 b3 c1 c2 c3 x y z\nEnd\n",
      "t.lp", ModelFormat::lp);
  const CompiledForms forms = compile_forms(model);
  REQUIRE(forms.model.groups.size() == 3);
  REQUIRE(forms.model.forms.size() == 3);
  REQUIRE(forms.model.clashes.items.size() == 4);
  REQUIRE(forms.model.free_bits.size() == 3);
}

TEST_CASE("a slack variable becomes the range of its row") {
  const ConstrainedModel model = parse_model(
      "Minimize\n s\nSubject To\n c: 3 x + 5 y + s = 8\nBounds\n 0 <= s <= 8\n"
      "Binary\n x y\nGeneral\n s\nEnd\n",
      "t.lp", ModelFormat::lp);
  const CompiledForms forms = compile_forms(model);
  REQUIRE(forms.model.bits == 2);
  REQUIRE(forms.slacks.size() == 1);
  REQUIRE(forms.bound == 0.0);
  REQUIRE(forms.decode(std::vector<Bit>{1, 0}) == std::vector<std::int64_t>{5, 1, 0});
}

TEST_CASE("what cannot hold is proved, with the reason") {
  const auto why = [](const std::string& rows) {
    return compile_forms(
               parse_model("Minimize\n x + y + z\nSubject To\n" + rows + "Binary\n x y z\nEnd\n",
                           "t.lp", ModelFormat::lp))
        .infeasible;
  };
  REQUIRE(why(" parity: 2 x + 4 y - 2 z = 3\n").find("parity") != std::string::npos);
  REQUIRE(why(" one: x + y = 1\n two: 2 x + 2 y = 4\n").find("two") != std::string::npos);
  REQUIRE(why(" far: x + y + z >= 4\n").find("far") != std::string::npos);
  REQUIRE(why(" both: x + y = 2\n not: x + y <= 1\n").find("not") != std::string::npos);
  REQUIRE(why(" fine: x + y + z >= 2\n").empty());
}

TEST_CASE("numbers that do not fit 62 bits are refused by name") {
  const ConstrainedModel model = parse_model(
      "Minimize\n x\nSubject To\n wide: 0.1234567890123456 x + 123456789012 y <= 7\n"
      "Binary\n x y\nEnd\n",
      "t.lp", ModelFormat::lp);
  REQUIRE_THROWS_WITH(compile_forms(model),
                      Catch::Contains("'wide'") && Catch::Contains("62 bits"));
  // From -1 to 1 is 2, where there are bits.
  const ConstrainedModel both_ways = parse_model(
      "Minimize\n x\nSubject To\n wide: 1000000000000000001 x + 1000000000000000000 y >= 1\n"
      "Bounds\n -1 <= x <= 1\n -1 <= y <= 1\nGeneral\n x y\nEnd\n",
      "t.lp", ModelFormat::lp);
  REQUIRE_THROWS_WITH(compile_forms(both_ways), Catch::Contains("62 bits"));
}
