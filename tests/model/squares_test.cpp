// Squared models against enumeration: g is zero exactly where the model's own evaluation finds no
// violation, and f there is the objective.
#include <catch2/catch.hpp>

#include <cmath>
#include <ctime>
#include <map>
#include <numbers>

#include "model/model_files.hpp"
#include "problem/bits.hpp"
#include "problem/validate.hpp"
#include "random_model.hpp"
#include "squares/squares.hpp"
#include "support/error.hpp"

using namespace chainmail;

namespace {

// Least g over all states that decode to the same values, and f at such a state where g = 0.
struct Reached {
  double g = kUnbounded;
  double f = 0.0;
};
using ByValues = std::map<std::vector<std::int64_t>, Reached>;

ByValues enumerate_states(const SquaredModel& compiled) {
  ByValues reached;
  const std::size_t n = compiled.problem.size();
  std::vector<Spin> spins(n);
  for (std::uint64_t state = 0; state < (std::uint64_t{1} << n); ++state) {
    for (std::size_t i = 0; i < n; ++i) spins[i] = (state >> i) & 1U ? 1 : -1;
    const double g = compiled.problem.constraint ? (*compiled.problem.constraint)(spins) : 0.0;
    REQUIRE(g > -kFeasible);
    Reached& best = reached[compiled.decode(spins)];
    const double f = compiled.problem.objective(spins);
    // A slack that pays a price may pay too much: the least counts.
    const bool cheaper = g <= kFeasible && best.g <= kFeasible && f < best.f;
    if (g < best.g - kFeasible || cheaper) best = {g, f};
    if (g <= kFeasible) {
      for (const Residual& r : compiled.residuals) REQUIRE(std::abs(r(spins)) < 1e-9);
    }
  }
  return reached;
}

void check_exact(const ConstrainedModel& model, const SquaredModel& compiled) {
  const ByValues reached = enumerate_states(compiled);
  const double sign = model.sense == Sense::minimise ? 1.0 : -1.0;
  for_all_values(model, [&](const std::vector<std::int64_t>& values) {
    const Evaluation truth = evaluate(model, values);
    const auto found = reached.find(values);
    const bool feasible = found != reached.end() && found->second.g <= kFeasible;
    INFO(to_lp(model));
    REQUIRE(feasible == truth.feasible());
    if (feasible) {
      const Problem& p = compiled.problem;
      REQUIRE(found->second.f == Approx(sign * truth.objective).margin(1e-9));
      REQUIRE(p.user.scale * found->second.f + p.user.shift ==
              Approx(truth.objective).margin(1e-9));
    }
  });
}

}  // namespace

TEST_CASE("g is zero exactly on the feasible set: 1,000 random models") {
  Engine engine(8);
  std::size_t checked = 0, feasible_models = 0, slack = 0;
  while (checked < 1000) {
    const ConstrainedModel model = random_model(engine, 3 + engine() % 10);
    validate(model, "random model");
    const SquaredModel compiled = squared(model);
    validate(compiled.problem, "compiled model");
    if (compiled.problem.size() > 17) continue;  // too many slack bits to enumerate quickly
    check_exact(model, compiled);
    ++checked;
    for (const SquaredForm& c : compiled.constraints) slack += c.slack_bits;
    bool any = false;
    for_all_values(model, [&](const auto& values) { any |= evaluate(model, values).feasible(); });
    feasible_models += any ? 1 : 0;
  }
  // The mix is neither trivial nor hopeless.
  REQUIRE(feasible_models > 300);
  REQUIRE(feasible_models < 1000);
  REQUIRE(slack > 500);
}

TEST_CASE(
    "indicators, soft rows, sets and longer products in the squared form: 300 random models") {
  Engine engine(10);
  std::size_t checked = 0, refused = 0, higher = 0;
  while (checked < 300) {
    ConstrainedModel model = random_model(engine, 3 + engine() % 4);
    enrich(model, engine);
    if (checked % 2 == 0) raise_degree(model, engine);
    SquaredModel compiled;
    try {
      compiled = squared(model);
    } catch (const InputError& e) {
      REQUIRE_THAT(e.what(),
                   Catch::Contains("must be whole") || Catch::Contains("only the CPU takes it"));
      ++refused;
      continue;
    }
    if (compiled.problem.size() > 16) continue;
    check_exact(model, compiled);
    higher += model.objective.monomials.empty() ? 0 : 1;
    ++checked;
  }
  REQUIRE(refused > 10);
  REQUIRE(higher > 10);
}

TEST_CASE("an LP file gives back the model it was written from") {
  Engine engine(9);
  for (int k = 0; k < 300; ++k) {
    ConstrainedModel model = random_model(engine, 3 + engine() % 12);
    if (k % 2 == 1) enrich(model, engine);
    const std::string text = to_lp(model);
    INFO(text);
    const ConstrainedModel again = parse_model(text, "again.lp", ModelFormat::lp);
    INFO(text);
    REQUIRE(same_meaning(model, again, engine));
  }
}

TEST_CASE("slack is as narrow as the constraint allows, and absent where it can be") {
  const auto compiled = [](const std::string& constraint) {
    return squared(parse_model("Minimize\n a + b + c + n\nSubject To\n c1: " + constraint +
                                   "\nBounds\n n <= 10\nGeneral\n n\nBinary\n a b c\nEnd\n",
                               "test.lp", ModelFormat::lp));
  };
  const auto form = [&](const std::string& constraint) {
    return compiled(constraint).constraints[0];
  };

  REQUIRE(form("a + b + c = 1").kind == "one-hot");
  REQUIRE(form("a + b + c = 2").kind == "cardinality");
  REQUIRE(form("a + b + c <= 1").kind == "at-most-one");
  REQUIRE(form("a + b + c >= 1").kind == "covering");
  REQUIRE(form("3 a + 5 b + 7 c <= 9").kind == "knapsack");
  for (const char* direct : {"a + b + c = 1", "a + b + c <= 1", "a + b >= 1", "a - b >= 0"}) {
    INFO(direct);
    REQUIRE(form(direct).slack_bits == 0);
  }
  for (const char* exclusion : {"a + b <= 1", "[ a * b ] = 0", "2 a + 2 b <= 3"}) {
    INFO(exclusion);
    const SquaredModel model = compiled(exclusion);
    REQUIRE(model.constraints.empty());  // a product is its own penalty
    REQUIRE(model.problem.constraint->couplings.size() == 1);
  }
  REQUIRE(form("3 a + 5 b + 7 c <= 9").slack_bits == 4);   // 0 ... 9
  REQUIRE(form("3 a + 5 b + 7 c <= 14").slack_bits == 4);  // 0 ... 14
  REQUIRE(form("3 a + 5 b + 7 c >= 10").slack_bits == 3);  // 0 ... 5
  REQUIRE(compiled("a + b + c + n <= 20").constraints.empty());
  REQUIRE_FALSE(compiled("a + b + c >= 4").forms.infeasible.empty());
  REQUIRE_FALSE(compiled("2 a + 2 b + 2 c = 3").forms.infeasible.empty());
  // 10 a + 20 b + 30 c <= 40 is a + 2 b + 3 c <= 4, and so are decimals.
  REQUIRE(form("10 a + 20 b + 30 c <= 40").slack_bits == 3);
  REQUIRE(form("0.1 a + 0.2 b + 0.3 c <= 0.4").slack_bits == 3);
  // n <= 10 in four bits, the last of weight 3: never above the bound.
  const SquaredModel integer = compiled("a + b + c >= 0");
  REQUIRE(integer.forms.variables[3].bits.size() == 4);
  REQUIRE(integer.decode(std::vector<Spin>(integer.problem.size(), 1))[3] == 10);
}

TEST_CASE("coefficients that are no short decimals are rounded on the safe side, and it is said") {
  const ConstrainedModel model = parse_model(
      "Maximize\n 3.14159265358979 a + 2.71828182845905 b + 1.41421356237310 c\n"
      "Subject To\n c1: 3.14159265358979 a + 2.71828182845905 b + 1.41421356237310 c "
      "<= 5.0\nBinary\n a b c\nEnd\n",
      "test.lp", ModelFormat::lp);
  const SquaredModel compiled = squared(model);
  REQUIRE_THAT(compiled.notes.back(), Catch::Contains("coefficients are rounded"));
  const std::size_t n = compiled.problem.size();
  REQUIRE(n > 20);
  // Every pair of values that holds with room to spare can be reached; none that violates passes.
  std::vector<Spin> spins(n, -1);
  for (unsigned x = 0; x < 8; ++x) {
    for (std::size_t v = 0; v < 3; ++v) spins[v] = (x >> v) & 1U ? 1 : -1;
    const Evaluation truth = evaluate(model, compiled.decode(spins));
    const Residual& r = compiled.residuals[0];
    // Slack bits greedily fill the residual from the largest down.
    for (std::size_t i = 3; i < n; ++i) spins[i] = -1;
    std::vector<std::pair<double, std::uint32_t>> slack;
    for (const Neighbour& t : r.terms) {
      if (t.spin >= 3) slack.emplace_back(2.0 * t.value, t.spin);
    }
    std::sort(slack.rbegin(), slack.rend());
    double missing = -r(spins);
    for (const auto& [weight, spin] : slack) {
      if (weight <= missing + 1e-9) {
        spins[spin] = 1;
        missing -= weight;
      }
    }
    const bool reached = (*compiled.problem.constraint)(spins) <= kFeasible;
    REQUIRE(reached == truth.feasible());
  }
}

namespace {

SquaredModel compiled_lp(const std::string& text) {
  return squared(parse_model(text, "test.lp", ModelFormat::lp));
}

std::string refusal(const std::string& text) {
  try {
    compiled_lp(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

}  // namespace

TEST_CASE("sums beyond 2^24 are exact, or refused") {
  // a = b = 1, c = 0 solves it, and so does a = b = 0, c = 1.
  const ConstrainedModel model = parse_model(
      "Minimize\n c\nSubject To\n e: 16777217 a - 16777216 b + c = 1\nBinary\n a b c\nEnd\n",
      "test.lp", ModelFormat::lp);
  const SquaredModel compiled = squared(model);
  REQUIRE(compiled.notes.empty());
  check_exact(model, compiled);

  CHECK_THAT(
      refusal("Minimize\n a\nSubject To\n e: 67108865 a - 67108864 b + c = 1\n"
              "Binary\n a b c\nEnd\n"),
      Catch::StartsWith("'e': its left side takes 134217730 values") && Catch::Contains("at most"));
  CHECK_THAT(refusal("Minimize\n x\nSubject To\n s: x + y >= 1\nBounds\n x <= 1e9\n y <= 1e9\n"
                     "General\n x y\nEnd\n"),
             Catch::StartsWith("'s': the coefficient 1 of one of its bits is too small"));
  CHECK_THAT(refusal("Minimize\n x\nSubject To\n s: 1.4142135623730951 x + 1.7320508075688772 y "
                     ">= 1\nBounds\n x <= 1e9\n y <= 1e9\nGeneral\n x y\nEnd\n"),
             Catch::Contains("'s'"));
}

TEST_CASE("a constraint that its variables' bounds imply costs nothing, however wide") {
  const SquaredModel compiled = compiled_lp(
      "Minimize\n x\nSubject To\n half: x >= 0.5\nBounds\n x <= 1e9\nGeneral\n x\nEnd\n");
  REQUIRE(compiled.constraints.empty());
  REQUIRE(compiled.forms.variables[0].lower == 1);
  REQUIRE(compiled.problem.constraint->is_zero());
}

TEST_CASE("a constraint that cannot hold is given its reason") {
  const auto note = [](const std::string& constraint) {
    const SquaredModel compiled =
        compiled_lp("Minimize\n a + b\nSubject To\n c: " + constraint + "\nBinary\n a b\nEnd\n");
    REQUIRE_FALSE(compiled.forms.infeasible.empty());
    REQUIRE_THAT(compiled.notes.back(), Catch::StartsWith("presolve found no solution possible"));
    return compiled.forms.infeasible;
  };
  const std::string none = "'c' cannot hold: its left side takes no value in its limits";
  CHECK(note("2 a + 2 b = 3") == none);
  CHECK(note("0.4 a - 0.4 b = 0.3") == none);
  CHECK_THAT(note("a + b = 5"), Catch::StartsWith("'c' cannot hold"));
}

TEST_CASE("an equation of more bits than their products have room for is refused at once") {
  std::string sum;
  for (int k = 0; k < 30000; ++k) sum += (k > 0 ? "\n + x" : "x") + std::to_string(k);
  std::string names = sum;
  std::replace(names.begin(), names.end(), '+', ' ');
  const std::string text =
      "Minimize\n x0\nSubject To\n all: " + sum + " = 15000\nBinary\n " + names + "\nEnd\n";
  CHECK_THAT(refusal(text), Catch::StartsWith("'all': its 30000 bits have more products"));
}

TEST_CASE("bounds are tightened in time that grows with the model, not with its square") {
  const auto seconds = [](std::size_t vertices) {
    const ConstrainedModel model =
        parse_model("p edge " + std::to_string(vertices) + " 3\ne 1 2\ne 2 3\ne 1 3\n", "g.col",
                    ModelFormat::col, {.colors = 3});
    const std::clock_t start = std::clock();
    REQUIRE(presolve(model).model.bounds.size() == 3 * vertices);
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  seconds(1000);
  // Five times the size: a square would take 25 times as long.
  CHECK(seconds(100000) < 12.0 * std::max(seconds(20000), 1e-3));
}

TEST_CASE("both bounds of a variable follow from a constraint") {
  ConstrainedModel model;
  model.variables = {{"x", 0.0, 100.0}, {"y", 0.0, 5.0}};
  ModelConstraint c;
  c.name = "c";
  c.left.linear = {{0, 1.0}, {1, -1.0}};  // 3 <= x - y <= 7
  c.lower = 3.0;
  c.upper = 7.0;
  model.constraints = {c};
  const std::vector<WholeInterval> bounds = presolve(model).model.bounds;
  CHECK(bounds[0] == WholeInterval{3, 12});
  CHECK(bounds[1] == WholeInterval{0, 5});
}

TEST_CASE("a rounded one-sided row accepts nothing that violates it") {
  const double coefficients[] = {std::numbers::pi, std::numbers::e, std::numbers::sqrt2,
                                 std::numbers::sqrt3, std::numbers::phi};
  Engine engine(3);
  int checked = 0;
  for (int number = 0; number < 400; ++number) {
    ConstrainedModel model;
    std::vector<std::int64_t> values(5);
    double sum = 0.0;
    ModelConstraint c;
    c.name = "c";
    for (std::uint32_t i = 0; i < 5; ++i) {
      model.variables.push_back({"x" + std::to_string(i), 0.0, 9.0});
      values[i] = static_cast<std::int64_t>(engine() % 10);
      sum += coefficients[i] * static_cast<double>(values[i]);
      c.left.linear.push_back({i, coefficients[i]});
    }
    // The limit lies just on the wrong side of these values.
    const bool at_most = number % 2 == 0;
    (at_most ? c.upper : c.lower) = at_most ? sum - 1e-6 : sum + 1e-6;
    model.constraints = {c};
    const SquaredModel squares = squared(model);
    if (squares.residuals.empty()) continue;  // a bound says it all
    std::vector<Spin> spins = spins_of(squares.forms.encode(values));
    if (squares.decode(spins) != values) continue;  // presolve has excluded them
    spins.resize(squares.problem.size(), -1);
    const Residual& r = squares.residuals.front();
    double room = 0.0;
    for (const Neighbour& t : std::span(r.terms).last(r.slack)) room += 2.0 * t.value;
    CHECK_FALSE((r(spins) <= 0.0 && r(spins) + room >= 0.0));
    ++checked;
  }
  CHECK(checked > 300);
}
