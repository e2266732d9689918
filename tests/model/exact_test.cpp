// Constrained models that are solved exactly, against all their values.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>

#include "exact/bounds.hpp"
#include "exact/one_form.hpp"
#include "exact/tree.hpp"
#include "random_model.hpp"
#include "run/plan.hpp"
#include "support/error.hpp"

namespace chainmail {
namespace {

Result solved(const Source& source, const PlanOptions& options) {
  const std::atomic<bool> stop{false};
  const auto device = open_device(source, options);
  return run(plan(source, options, *device, stop), *device, stop);
}

std::vector<std::int64_t> values_of(const NamedAnswer& answer) {
  std::vector<std::int64_t> values;
  for (const auto& [name, value] : answer.variables) values.push_back(value);
  return values;
}

void check_against_enumeration(int models, std::uint64_t seed) {
  Engine engine(seed);
  int impossible = 0, proved = 0;
  for (int number = 0; number < models; ++number) {
    ConstrainedModel model = random_model(engine, 10);
    if (number % 2 == 0) enrich(model, engine);
    CAPTURE(number);
    const double sign = model.sense == Sense::maximise ? -1.0 : 1.0;
    std::map<std::vector<std::int64_t>, double> feasible;
    for_all_values(model, [&](const std::vector<std::int64_t>& values) {
      const Evaluation e = evaluate(model, values);
      if (e.feasible()) feasible[values] = sign * e.objective;
    });
    std::vector<double> best;
    best.reserve(feasible.size());
    for (const auto& [values, f] : feasible) best.push_back(f);
    std::sort(best.begin(), best.end());
    PlanOptions options;
    options.solutions = number % 3 == 0 ? 1 + engine() % 12 : 1;
    const Source source = source_of(model, "model");
    try {
      source.model->forms();
    } catch (const InputError&) {
      continue;  // more digits than 64 bits hold
    }
    const Result result = solved(source, options);
    if (best.empty()) {
      ++impossible;
      REQUIRE(!result.infeasible.empty());
      continue;
    }
    REQUIRE(result.infeasible.empty());
    if (result.method != "exact") continue;  // numbers with too many digits
    ++proved;
    REQUIRE(result.proved);
    REQUIRE(result.best.feasible);
    REQUIRE(result.answers.size() == std::min(options.solutions, best.size()));
    std::set<std::vector<std::int64_t>> seen;
    for (std::size_t k = 0; k < result.answers.size(); ++k) {
      const NamedAnswer& answer = result.answers[k];
      REQUIRE(answer.feasible);
      REQUIRE(feasible.contains(values_of(answer)));
      REQUIRE(std::abs(sign * answer.objective - best[k]) <= 1e-9);
      REQUIRE(seen.insert(values_of(answer)).second);
    }
  }
  CHECK(impossible > models / 50);
  CHECK(proved > models / 2);
}

void check_bounds(int models, std::uint64_t seed) {
  Engine engine(seed);
  int tight = 0, by_lp = 0, all = 0;
  for (int number = 0; number < models; ++number) {
    ConstrainedModel model = random_model(engine, 10);
    if (number % 2 == 0) enrich(model, engine);
    if (number % 3 == 0) model.objective.products.clear();
    CAPTURE(number);
    std::optional<TreeModel> tree;
    try {
      const CompiledForms forms = compile_forms(model);
      if (!forms.infeasible.empty()) continue;
      tree = tree_model(forms.model);
    } catch (const InputError&) {
      continue;  // more digits than 64 bits hold
    }
    REQUIRE(tree);
    const TreeResult found = search_tree(*tree, {});
    if (found.best.empty()) continue;
    const Wide best = found.best.front().f;
    ++all;
    REQUIRE(sum_bound(*tree).least <= best);
    TreeModel times = *tree;  // its values are five apart, which a bound may use
    for (Wide& value : times.f.linear) value *= 5;
    for (WholePair& p : times.f.pairs) p.value *= 5;
    for (WholeLimits& limits : times.limits) limits.price *= 5;
    times.f.constant *= 5;
    REQUIRE(sum_bound(times).least <= 5 * best);
    if (const auto lp = lp_bound(*tree)) {
      ++by_lp;
      REQUIRE(lp->least <= best);
      tight += lp->least == best ? 1 : 0;
    }
  }
  CHECK(all > models / 4);
  if (by_lp > 0) CHECK(tight > by_lp / 10);  // Clp is on this machine
}

// One form and a linear objective, free bits and groups.
TreeModel random_one_form(Engine& engine, std::int64_t size) {
  TreeModel model;
  model.bits = 3 + engine() % 12;
  model.unit.add(1.0, 1e6);
  const std::int64_t most = size;
  const auto number = [&] {
    return static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(2 * most + 1)) - most;
  };
  std::int64_t sum = 0;
  for (std::uint32_t i = 0; i < model.bits; ++i) {
    model.f.linear.push_back(static_cast<std::int64_t>(engine() % 21) - 10);
    model.forms.items.push_back({number(), i});
    if (engine() % 2 == 0) sum += model.forms.items.back().coefficient;
  }
  model.forms.close();
  const std::uint64_t kind = engine() % 4;
  const std::int64_t width = kind == 0 ? 0 : static_cast<std::int64_t>(engine() % 30);
  model.limits.push_back({kind == 1 ? kNoLower : sum - width, kind == 2 ? kNoUpper : sum + width});
  if (engine() % 2 == 0) {
    for (std::uint32_t i = 0; i < model.bits; i += 1 + static_cast<std::uint32_t>(engine() % 2)) {
      model.groups.items.push_back(i);
      if (engine() % 3 == 0) model.groups.close();
    }
    if (model.groups.items.size() > model.groups.start.back()) model.groups.close();
  }
  return model;
}

// Fields of about this size, and couplings up to 5 between so many of a hundred pairs.
TreeModel random_quadratic(Engine& engine, std::int64_t field, std::uint64_t coupled) {
  TreeModel model;
  model.bits = 100;
  model.unit.add(1.0, 1e6);
  for (std::uint32_t i = 0; i < model.bits; ++i) {
    const auto size = field + static_cast<std::int64_t>(engine() % 10);
    model.f.linear.push_back(engine() % 2 == 0 ? size : -size);
  }
  for (std::uint32_t i = 0; i < model.bits; ++i) {
    for (std::uint32_t j = i + 1; j < model.bits; ++j) {
      const auto value = static_cast<std::int64_t>(engine() % 11) - 5;
      if (engine() % 100 < coupled) model.f.pairs.push_back({i, j, value});
    }
  }
  return model;
}

}  // namespace

TEST_CASE("small models are solved as by trying all values", "[exact]") {
  check_against_enumeration(300, 21);
}

TEST_CASE("ten thousand small models are solved exactly", "[.]") {
  check_against_enumeration(10000, 22);
}

TEST_CASE("no solution is below the bounds", "[exact]") {
  check_bounds(400, 51);
}

TEST_CASE("a brief look at a tree ends early where hardly a branch is cut, and only there",
          "[exact]") {
  Engine engine(61);
  std::uint64_t searched = 0;
  for (int number = 0; number < 20; ++number) {
    CAPTURE(number);
    const bool hopeless = number % 2 == 0;
    const TreeModel model = random_quadratic(engine, hopeless ? 0 : 25, hopeless ? 50 : 4);
    const TreeResult whole = search_tree(model, {.most_nodes = 1 << 16});
    const TreeResult brief = search_tree(model, {.most_nodes = 1 << 16, .brief = true});
    if (whole.end == TreeResult::complete) {
      CHECK(brief.end == TreeResult::complete);
      CHECK(brief.nodes == whole.nodes);
      searched = std::max(searched, whole.nodes);
    }
    CHECK((whole.end == TreeResult::complete) == !hopeless);
    if (hopeless) CHECK(brief.nodes <= 4096);
  }
  CHECK(searched > 4096);
}

TEST_CASE("tables and halves find what visiting every state finds", "[exact]") {
  Engine engine(31);
  std::map<std::string, int> ways;
  for (int number = 0; number < 600; ++number) {
    CAPTURE(number);
    // Sums of large numbers are too many for a table.
    const TreeModel model = random_one_form(engine, number % 2 == 0 ? 40 : 1'000'000'000'000);
    const TreeResult all = search_tree(model, {});
    const auto found = solve_one_form(model, {});
    REQUIRE(found);
    ++ways[found->how];
    REQUIRE(found->found.end == TreeResult::complete);
    REQUIRE(found->found.best.empty() == all.best.empty());
    if (all.best.empty()) continue;
    const TreeState& state = found->found.best.front();
    REQUIRE(state.f == all.best.front().f);
    std::int64_t sum = 0;
    for (const FormTerm& t : model.forms[0]) sum += t.coefficient * state.x[t.index];
    REQUIRE(sum >= model.limits[0].lower);
    REQUIRE(sum <= model.limits[0].upper);
    for (std::size_t k = 0; k < model.groups.size(); ++k) {
      int ones = 0;
      for (std::uint32_t bit : model.groups[k]) ones += state.x[bit];
      REQUIRE(ones == 1);
    }
  }
  CHECK(ways["dynamic programming"] > 100);
  CHECK(ways["meeting in the middle"] > 100);
}

TEST_CASE("options that ask for the machine get it, and --exact has the last word", "[exact]") {
  ConstrainedModel model;
  model.variables = {{"a", 0, 1}, {"b", 0, 1}};
  model.objective.linear = {{0, 1.0}, {1, 2.0}};
  model.constraints.push_back({"c", {{{0, 1.0}, {1, 1.0}}, {}, 0.0}, 1.0, kUnbounded});
  const Source source = source_of(model, "model");
  CHECK(solved(source, {}).method == "exact");
  PlanOptions sweeps;
  sweeps.sweeps = 100;
  CHECK(solved(source, sweeps).method == "2dpt");
  sweeps.exact = true;
  CHECK(solved(source, sweeps).method == "exact");
  PlanOptions off;
  off.exact = false;
  CHECK(solved(source, off).method == "2dpt");
}

}  // namespace chainmail
