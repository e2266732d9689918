// Constrained models that are solved exactly, against all their values.
#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <map>
#include <set>

#include "../temporary_folder.hpp"
#include "exact/bounds.hpp"
#include "exact/minorant.hpp"
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
    if (number % 4 > 1) raise_degree(model, engine);
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
  int tight = 0, by_lp = 0, all = 0, solutions = 0;
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
    if (const auto lp = dual_bound(*tree)) {
      ++by_lp;
      REQUIRE(lp->least <= best);
      tight += lp->least == best ? 1 : 0;
    }
    // Whatever the multipliers, the bound holds.
    const auto any = [&](const TreeModel& linear) {
      std::vector<double> duals;
      for (std::size_t k = 0; k < linear.forms.size() + linear.clashes.size(); ++k) {
        duals.push_back(static_cast<double>(engine() % 2001) / 100.0 - 10.0);
      }
      return std::optional(duals);
    };
    if (const auto bound = dual_bound(*tree, any)) REQUIRE(bound->least <= best);
    if (tree->f.pairs.empty()) continue;
    const TreeModel linear = linear_minorant(*tree).linear;
    for (const TreeState& state : search_tree(*tree, {.keep = 500}).best) {
      Wide beyond = 0;  // of 2f over the linear function
      for (std::size_t i = 0; i < tree->bits; ++i) {
        if (state.x[i] != 0) beyond += 2 * tree->f.linear[i] - linear.f.linear[i];
      }
      for (const WholePair& p : tree->f.pairs) {
        if (state.x[p.i] != 0 && state.x[p.j] != 0) beyond += 2 * p.value;
      }
      REQUIRE(beyond >= 0);
      ++solutions;
    }
  }
  CHECK(solutions > 1000);
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

// Few bits with everything a bound looks at: products, a group, clashes, forms from both sides.
static TreeModel random_tree(Engine& engine) {
  TreeModel model;
  model.bits = 8;
  model.unit.add(1.0, 1e6);
  const bool loose = engine() % 2 == 0;  // nothing but clashes bind, and bounds are tight
  const auto number = [&](std::uint64_t most) {
    return static_cast<std::int64_t>(engine() % (2 * most + 1)) - static_cast<std::int64_t>(most);
  };
  for (std::uint32_t i = 0; i < model.bits; ++i) {
    model.f.linear.push_back(number(9) - (loose ? 6 : 0));
    for (std::uint32_t j = i + 1; j < model.bits; ++j) {
      if (!loose && engine() % 2 == 0) model.f.pairs.push_back({i, j, number(9)});
      if (i > 2 && engine() % 2 == 0) model.clashes.emplace_back(i, j);
    }
  }
  if (engine() % 2 == 0) {
    for (std::uint32_t i = 0; i < 3; ++i) model.groups.items.push_back(i);
    model.groups.close();
  }
  for (int row = 0; row < 2; ++row) {
    std::int64_t all = 0;
    for (std::uint32_t i = 0; i < model.bits; ++i) {
      if (engine() % 4 == 0) continue;
      model.forms.items.push_back({1 + static_cast<std::int64_t>(engine() % 7), i});
      all += model.forms.items.back().coefficient;
    }
    model.forms.close();
    const std::uint64_t kind = loose ? 0 : engine() % 3;
    model.limits.push_back(
        {kind == 0 ? kNoLower : all / 5, kind == 1 ? kNoUpper : (loose ? all : all / 2)});
  }
  return model;
}

// Products of three and four of the bits that no group has.
static TreeModel with_monomials(TreeModel model, Engine& engine) {
  for (std::uint32_t k = 3; k + 2 < model.bits; ++k) {
    const Wide value = static_cast<Wide>(engine() % 41) - 30;
    model.f.monomials.push_back({{k, k + 1, k + 2}, value});
    if (k + 3 < model.bits) model.f.monomials.push_back({{k, k + 1, k + 2, k + 3}, -value});
  }
  return model;
}

TEST_CASE("bounds hold on models with products, clashes, groups and forms", "[exact]") {
  Engine engine(71);
  int solutions = 0;
  for (int number = 0; number < 600; ++number) {
    CAPTURE(number);
    const TreeModel model = random_tree(engine);
    const std::vector<TreeState> all = search_tree(model, {.keep = 300}).best;
    if (all.empty()) continue;
    const Wide best = all.front().f;
    REQUIRE(sum_bound(model).least <= best);
    if (const auto bound = dual_bound(model)) REQUIRE(bound->least <= best);
    const TreeModel linear = linear_minorant(model).linear;  // below 2 f
    for (const double size : {0.0, 0.5, 3.0}) {
      std::vector<double> duals(linear.forms.size() + linear.clashes.size());
      for (double& y : duals) y = size * (static_cast<double>(engine() % 201) / 100.0 - 1.0);
      if (const auto bound = bound_by(duals, linear)) REQUIRE(bound->least <= 2 * best);
    }
    const TreeModel higher = with_monomials(model, engine);
    REQUIRE(lower_bound(higher, {}).least <= search_tree(higher, {}).best.front().f);
    for (const TreeState& state : all) {
      Wide beyond = 2 * (state.f - model.f.constant);
      for (std::size_t i = 0; i < model.bits; ++i) {
        if (state.x[i] != 0) beyond -= linear.f.linear[i];
      }
      REQUIRE(beyond >= 0);
      ++solutions;
    }
  }
  CHECK(solutions > 5000);
}

TEST_CASE("an assignment ends at the bound of its multipliers, and is proved", "[exact]") {
  constexpr std::size_t kSize = 12;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Engine engine(seed);
    std::vector<std::vector<std::int64_t>> cost(kSize);
    std::string text = "Minimize\n obj:";
    std::vector<std::string> rows(2 * kSize);
    for (std::size_t i = 0; i < kSize; ++i) {
      for (std::size_t j = 0; j < kSize; ++j) {
        cost[i].push_back(1 + static_cast<std::int64_t>(engine() % 60));
        const std::string name = " x_" + std::to_string(i) + "_" + std::to_string(j);
        text += " + " + std::to_string(cost[i][j]) + name;
        rows[i] += " +" + name;
        rows[kSize + j] += " +" + name;
      }
    }
    text += "\nSubject To\n";
    for (std::size_t k = 0; k < rows.size(); ++k) {
      text += " r" + std::to_string(k) + ":" + rows[k] + " = 1\n";
    }
    text += "Binary\n";
    for (std::size_t i = 0; i < kSize * kSize; ++i) {
      text += " x_" + std::to_string(i / kSize) + "_" + std::to_string(i % kSize);
    }
    const TemporaryFolder folder;
    std::ofstream(folder.file("a.lp")) << text << "\nEnd\n";
    // The least cost of the first workers by the set of their tasks.
    std::vector<std::int64_t> least(std::size_t{1} << kSize, 1 << 20);
    least[0] = 0;
    for (std::size_t set = 0; set + 1 < least.size(); ++set) {
      const auto worker = static_cast<std::size_t>(std::popcount(set));
      for (std::size_t j = 0; j < kSize; ++j) {
        if ((set >> j & 1) != 0) continue;
        auto& with = least[set | std::size_t{1} << j];
        with = std::min(with, least[set] + cost[worker][j]);
      }
    }
    PlanOptions options;
    options.exact = false;
    const Result result = solved(read_source(folder.file("a.lp")), options);
    CHECK(result.objective == static_cast<double>(least.back()));
    CHECK(result.proved);
    CHECK(result.stopped_by == "bound");
    CHECK((result.bound_by == kByMultipliers || result.bound_by == "LP"));
  }
}

// Where the bound is short of the optimum, what it leaves open is enumerated.
TEST_CASE("covers and knapsacks and assignments with capacities end proved", "[exact]") {
  const TemporaryFolder folder;
  std::size_t by_core = 0;
  for (int number = 0; number < 12; ++number) {
    CAPTURE(number);
    Engine engine(static_cast<std::uint64_t>(number));
    const auto draw = [&](std::uint64_t least, std::uint64_t most) {
      return std::to_string(least + engine() % (most - least + 1));
    };
    std::string f, rows, names;
    if (number % 3 < 2) {
      const bool cover = number % 3 == 0;
      std::string sums[3];
      for (int v = 0; v < 28; ++v) {
        const std::string name = " x" + std::to_string(v);
        f += " + " + draw(5, 40) + name;
        for (std::string& sum : sums) sum += " + " + draw(1, 39) + name;
        names += name;
      }
      f.insert(0, cover ? "Minimize\n f:" : "Maximize\n f:");
      for (const std::string& sum : sums) rows += " " + sum + (cover ? " >= 300\n" : " <= 260\n");
    } else {
      std::string agents[3];
      f = "Minimize\n f:";
      for (int job = 0; job < 15; ++job) {
        std::string one;
        for (int agent = 0; agent < 3; ++agent) {
          const std::string name = " x" + std::to_string(agent) + "_" + std::to_string(job);
          f += " + " + draw(10, 50) + name;
          agents[agent] += " + " + draw(5, 25) + name;
          one += " +" + name;
          names += name;
        }
        rows += one + " = 1\n";
      }
      for (const std::string& agent : agents) rows += agent + " <= 80\n";
    }
    std::ofstream(folder.file("m.lp")) << f << "\nSubject To\n"
                                       << rows << "Binary\n"
                                       << names << "\nEnd\n";
    const Source source = read_source(folder.file("m.lp"));
    PlanOptions options;
    options.exact = true;
    const Result known = solved(source, options);
    REQUIRE(known.proved);
    options.exact = false;
    options.time_limit = 20.0;
    const Result found = solved(source, options);
    CHECK(found.objective == known.objective);
    CHECK(found.proved);
    CHECK(found.stopped_by == "bound");
    by_core += found.bound_by == kByCore ? 1 : 0;
    options.stop_at_optimum = false;
    options.time_limit = 0.3;
    CHECK(solved(source, options).stopped_by == "time limit");
  }
  CHECK(by_core > 8);
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
