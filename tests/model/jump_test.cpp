// The jump search: its incremental state against evaluation from scratch, its answers against
// enumeration.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <map>

#include "jump/beside.hpp"
#include "jump/cover.hpp"
#include "jump/duals.hpp"
#include "jump/jump_moves.hpp"
#include "jump/jump_search.hpp"
#include "jump/jump_state.hpp"
#include "jump/region.hpp"
#include "model/forms.hpp"
#include "model/model_files.hpp"
#include "random_model.hpp"

using namespace chainmail;

namespace {

FormModel model_of(const std::string& lp) {
  return compile_forms(parse_model(lp, "test.lp", ModelFormat::lp)).model;
}

// The weight of all violations, with weights counted here.
double weighted(const JumpModel& m, std::span<const std::int64_t> x,
                std::map<std::uint32_t, double>& raised) {
  double total = 0.0;
  for (std::uint32_t r = 0; r < m.rows.size(); ++r) {
    std::int64_t sum = 0;
    for (const FormTerm& t : m.terms[r]) sum += t.coefficient * x[t.index];
    if (m.rows[r].price == 0.0) total += (1.0 + raised[r]) * m.rows[r].penalty(sum);
  }
  for (std::uint32_t k = 0; k < m.clashes.size(); ++k) {
    const bool both = x[m.clashes[k].first] != 0 && x[m.clashes[k].second] != 0;
    total += both ? 1.0 + raised[static_cast<std::uint32_t>(m.rows.size()) + k] : 0.0;
  }
  return total;
}

const JumpGoing kAlways = [](const JumpPoint&, std::uint64_t) { return true; };

struct Moves : JumpMoves {
  Moves(const FormModel& model, std::uint64_t seed) : JumpMoves(model, seed) {}
  using JumpMoves::mending, JumpMoves::mend_by_pair, JumpMoves::model_, JumpMoves::state_,
      JumpMoves::step_;
};

}  // namespace

TEST_CASE("a pair of moves lowers the weighted violation or leaves everything", "[jump]") {
  Engine engine(72);
  std::size_t paired = 0, left = 0, in_groups = 0;
  for (int round = 0; round < 600; ++round) {
    ConstrainedModel model = random_model(engine, 14);
    if (round % 2 == 0) enrich(model, engine);
    const CompiledForms forms = compile_forms(model);
    if (forms.model.bits == 0) continue;
    Moves moves(forms.model, static_cast<std::uint64_t>(round));
    const JumpModel& m = moves.model_;
    std::vector<Bit> x(forms.model.bits, 0);
    for (std::size_t g = 0; g < forms.model.groups.size(); ++g) x[forms.model.groups[g].back()] = 1;
    for (std::uint32_t i : forms.model.free_bits) x[i] = below(2, engine) != 0 ? 1 : 0;
    moves.state_.set(m.values(x));
    moves.step_ = 1;
    if (moves.state_.violated().empty() || moves.mending().variable == kNone) continue;
    std::map<std::uint32_t, double> none;
    const std::vector<std::int64_t> before(moves.state_.values().begin(),
                                           moves.state_.values().end());
    const double f = moves.state_.f(), weight = weighted(m, before, none);
    const bool pair = moves.mend_by_pair();
    std::size_t moved = 0, members = 0;
    for (std::uint32_t v = 0; v < before.size(); ++v) {
      if (moves.state_.value(v) == before[v]) continue;
      ++(m.variables[v].group != kNone ? members : moved);
    }
    JumpState fresh(m);
    fresh.set(moves.state_.values());
    CHECK(moves.state_.f() == Approx(fresh.f()).margin(1e-6));
    CHECK(moves.state_.violated().size() == fresh.violated().size());
    for (std::uint32_t v = 0; v < before.size(); ++v) {
      if (m.variables[v].bit()) {
        CHECK(moves.state_.turned(v) == Approx(fresh.turned(v)).margin(1e-6));
      }
    }
    if (pair) {
      ++paired;
      in_groups += members > 0 ? 1 : 0;
      CHECK(2 * moved + members <= 4);
      CHECK(weighted(m, fresh.values(), none) < weight);
    } else {
      ++left;
      CHECK(moved + members == 0);
      CHECK(moves.state_.f() == Approx(f).margin(1e-6));
    }
  }
  CHECK(paired > 50);
  CHECK(left > 50);
  CHECK(in_groups > 5);
}

TEST_CASE("what a jump would change is what it changes", "[jump]") {
  Engine engine(71);
  std::size_t moved = 0, with_groups = 0, with_integers = 0;
  for (int round = 0; round < 300; ++round) {
    ConstrainedModel model = random_model(engine, 12);
    if (round % 2 == 0) enrich(model, engine);
    const CompiledForms forms = compile_forms(model);
    if (forms.model.bits == 0) continue;
    const JumpModel jumps(forms.model);
    JumpState state(jumps);
    std::vector<Bit> zero(forms.model.bits, 0);
    for (std::size_t g = 0; g < forms.model.groups.size(); ++g) {
      zero[forms.model.groups[g].front()] = 1;
    }
    state.set(jumps.values(zero));
    with_groups += jumps.groups.size() > 0 ? 1 : 0;
    std::map<std::uint32_t, double> raised;
    for (int k = 0; k < 40; ++k) {
      const auto v = static_cast<std::uint32_t>(below(jumps.variables.size(), engine));
      const JumpVariable& variable = jumps.variables[v];
      const double before = weighted(jumps, state.values(), raised);
      const double f = state.f();
      double change = 0.0, cost = 0.0;
      if (variable.group != kNone) {
        const std::uint32_t from = state.state(variable.group);
        if (from == v) continue;
        change = state.group_moved(variable.group, v);
        cost = state.group_cost(variable.group, v);
        state.move_group(variable.group, v);
      } else {
        const auto to = variable.bit()
                            ? 1 - state.value(v)
                            : static_cast<std::int64_t>(
                                  below(static_cast<std::uint64_t>(variable.upper) + 1, engine));
        const std::int64_t step = to - state.value(v);
        with_integers += variable.bit() ? 0 : 1;
        change = state.shifted(v, step);
        cost = state.cost(v, step);
        state.shift(v, step);
      }
      ++moved;
      CHECK(weighted(jumps, state.values(), raised) - before == Approx(change).margin(1e-9));
      if (round % 2 == 1 && forms.model.pairs.items.empty()) {
        CHECK(state.f() - f == Approx(cost).margin(1e-9 * (1.0 + std::abs(f))));
      }
      const std::vector<Bit> bits = jumps.bits(state.values());
      CHECK(state.f() == forms.model.f(bits));
      CHECK(state.violated().size() == forms.model.violated(bits));
      CHECK(jumps.values(bits) ==
            std::vector<std::int64_t>(state.values().begin(), state.values().end()));
      if (k % 3 == 0) {
        for (std::uint32_t what : state.violated()) raised[what] += 1.0;
        state.raise_weights();
      }
    }
  }
  CHECK(moved > 5000);
  CHECK(with_groups > 50);
  CHECK(with_integers > 200);
}

TEST_CASE("jumps find the optimum of small models", "[jump]") {
  Engine engine(72);
  std::size_t solvable = 0, optimal = 0;
  for (int round = 0; round < 200; ++round) {
    ConstrainedModel model = random_model(engine, 12);
    if (round % 2 == 0) enrich(model, engine);
    const CompiledForms forms = compile_forms(model);
    double least = std::numeric_limits<double>::infinity();
    for_all_values(model, [&](const std::vector<std::int64_t>& values) {
      const std::vector<Bit> bits = forms.encode(values);
      if (forms.decode(bits) == values && forms.model.violated(bits) == 0) {
        least = std::min(least, forms.model.f(bits));
      }
    });
    JumpOptions options;
    options.seed = engine();
    options.work = 500'000;
    const JumpFound found = jump_search(forms.model, options, kAlways);
    CHECK(found.best.violated == forms.model.violated(found.best.bits));
    CHECK(found.best.f == forms.model.f(found.best.bits));
    CHECK(found.best.feasible() == std::isfinite(least));
    if (!std::isfinite(least)) continue;
    ++solvable;
    CHECK(found.best.f >= least);
    optimal += found.best.f == least ? 1 : 0;
  }
  CHECK(solvable > 100);
  CHECK(optimal >= solvable - solvable / 20);
}

TEST_CASE("no feasible state is below the bound, nor has what is dearer than it is above it",
          "[jump]") {
  Engine engine(73);
  std::size_t states = 0, tight = 0, dear = 0;
  for (int round = 0; round < 300; ++round) {
    ConstrainedModel model = random_model(engine, 10);
    model.objective.products.clear();
    const CompiledForms forms = compile_forms(model);
    const JumpModel jumps(forms.model);
    double least = std::numeric_limits<double>::infinity();
    std::vector<std::pair<double, std::vector<std::int64_t>>> feasible;
    for_all_values(model, [&](const std::vector<std::int64_t>& values) {
      const std::vector<Bit> bits = forms.encode(values);
      if (forms.decode(bits) != values || forms.model.violated(bits) != 0) return;
      feasible.emplace_back(forms.model.f(bits), jumps.values(bits));
      least = std::min(least, feasible.back().first);
    });
    if (feasible.empty() || jumps.variables.empty()) continue;
    const JumpDuals duals = find_duals(jumps, feasible.front().first);
    REQUIRE(duals.known());
    const double slip = 1e-9 * (1.0 + std::abs(least) + std::abs(duals.bound));
    CHECK(duals.bound <= least + slip);
    tight += duals.bound > least - 0.05 * (1.0 + std::abs(least)) ? 1 : 0;
    for (const auto& [f, x] : feasible) {
      ++states;
      for (std::size_t v = 0; v < x.size(); ++v) {
        const double reduced = duals.reduced[v];
        const auto risen = static_cast<double>(x[v]);
        const auto fallen = static_cast<double>(jumps.variables[v].upper - x[v]);
        const double extra = reduced > 0.0 ? reduced * risen : -reduced * fallen;
        dear += extra > 0.0 ? 1 : 0;
        if (f < duals.bound + extra - slip) FAIL("round " << round << " variable " << v);
      }
    }
  }
  CHECK(states > 5000);
  CHECK(tight > 60);
  CHECK(dear > 1000);
}

TEST_CASE("regions lead to the optimum of small models, over feasible states that get better",
          "[jump]") {
  Engine engine(74);
  std::size_t solvable = 0, optimal = 0, steps = 0, closed = 0, open = 0;
  for (int round = 0; round < 300; ++round) {
    ConstrainedModel model = random_model(engine, 12);
    model.objective.products.clear();
    if (round % 2 == 0) {
      enrich(model, engine);
      model.objective.products.clear();
    }
    const CompiledForms forms = compile_forms(model);
    const JumpModel jumps(forms.model);
    const bool soft = std::any_of(jumps.rows.begin(), jumps.rows.end(),
                                  [](const JumpRow& r) { return r.price > 0.0; });
    if (soft || jumps.variables.empty() || !jumps.pairs.items.empty()) continue;
    double least = std::numeric_limits<double>::infinity(), most = -least;
    std::vector<std::int64_t> worst;
    std::map<double, std::vector<std::int64_t>> by_f;
    for_all_values(model, [&](const std::vector<std::int64_t>& values) {
      const std::vector<Bit> bits = forms.encode(values);
      if (forms.decode(bits) != values || forms.model.violated(bits) != 0) return;
      const double f = forms.model.f(bits);
      by_f[f] = jumps.values(bits);
      least = std::min(least, f);
      if (f > most) worst = jumps.values(bits);
      most = std::max(most, f);
    });
    if (worst.empty()) continue;
    ++solvable;
    RegionSearch regions(jumps, engine());
    if (round % 3 != 0) regions.price(find_duals(jumps, most));
    regions.set(worst);
    if (round % 3 == 1) {  // everything at once, from what is second best
      regions.set(by_f.size() > 1 ? std::next(by_f.begin())->second : worst);
      if (!regions.core(1'000'000'000, {})) {  // costs are not whole
        ++open;
        continue;
      }
      ++closed;
      REQUIRE(regions.f() == Approx(least).margin(1e-9));
      const std::vector<Bit> bits = jumps.bits(regions.values());
      REQUIRE(forms.model.violated(bits) == 0);
      CHECK(regions.core(1'000'000'000, {}));  // again, from the optimum
      REQUIRE(regions.f() == Approx(least).margin(1e-9));
      ++optimal;
      continue;
    }
    double f = most;
    for (int k = 0; k < 100; ++k) {
      const bool lower = regions.step();
      const std::vector<Bit> bits = jumps.bits(regions.values());
      REQUIRE(forms.model.violated(bits) == 0);
      REQUIRE(regions.f() == Approx(forms.model.f(bits)).margin(1e-9));
      REQUIRE((lower ? regions.f() < f : regions.f() == f));
      f = regions.f();
      steps += lower ? 1 : 0;
    }
    optimal += f <= least + 1e-9 * (1.0 + std::abs(least)) ? 1 : 0;
  }
  CHECK(solvable > 150);
  CHECK(steps > 150);
  CHECK(closed > 40);
  CHECK((open > 0 && open < 10));
  CHECK(optimal + open == solvable);
}

// Rows of 3 to 6 of n bits, which raising some of the bits and lowering the others always repairs.
std::string random_cover(std::size_t n, int kind, Engine& engine) {
  const auto digits = [&](std::uint64_t least, std::uint64_t most) {
    return static_cast<int>(least + below(most - least + 1, engine));
  };
  std::vector<int> side;
  std::string costs, rows, bits;
  for (std::size_t v = 0; v < n; ++v) {
    side.push_back(kind == 0 || (kind == 2 && digits(0, 1) != 0) ? 1 : -1);
    const int cost = side[v] * (digits(0, 7) == 0 ? -digits(0, 3) : digits(1, 30));
    costs += fmt::format(" {:+} x{}", cost, v);
    bits += fmt::format(" x{}", v);
  }
  for (int r = digits(2, 5); r > 0; --r) {
    const std::size_t first = below(n, engine), size = static_cast<std::size_t>(digits(3, 6));
    const int most = digits(0, 1) == 0 ? 1 : 9;
    int least = 0, all = 0;
    std::string row;
    for (std::size_t k = 0; k < size; ++k) {
      const std::size_t v = (first + k * k + k) % n;
      if (row.find(fmt::format(" x{} ", v)) != std::string::npos) continue;
      const int size_of = digits(1, static_cast<std::uint64_t>(most));
      all += size_of;
      least -= side[v] < 0 ? size_of : 0;
      row += fmt::format(" {:+} x{} ", side[v] * size_of, v);
    }
    // An equation has no such values, and no search of this kind.
    const char* relation = digits(0, 24) == 0 ? "=" : ">=";
    const int limit = least + std::max(1, all * digits(2, 8) / 10);
    rows += fmt::format(" r{}:{} {} {}\n", r, row, relation, limit);
  }
  return "Minimize\n f:" + costs + "\nSubject To\n" + rows + "Binary\n" + bits + "\nEnd\n";
}

TEST_CASE("covers and knapsacks get better over feasible states, nearly always to the optimum",
          "[jump]") {
  Engine engine(75);
  std::size_t fit = 0, optimal = 0, steps = 0;
  for (int round = 0; round < 400; ++round) {
    const FormModel forms = model_of(random_cover(8 + below(5, engine), round % 3, engine));
    const JumpModel jumps(forms);
    if (!CoverSearch::fits(jumps)) continue;
    const std::size_t n = jumps.variables.size();
    double least = std::numeric_limits<double>::infinity(), most = -least;
    std::vector<std::int64_t> worst;
    for (std::uint32_t state = 0; state < 1U << n; ++state) {
      std::vector<std::int64_t> x;
      for (std::size_t v = 0; v < n; ++v) x.push_back(state >> v & 1);
      const std::vector<Bit> bits = jumps.bits(x);
      if (forms.violated(bits) != 0) continue;
      least = std::min(least, forms.f(bits));
      if (forms.f(bits) > most) worst = x;
      most = std::max(most, forms.f(bits));
    }
    REQUIRE(!worst.empty());
    ++fit;
    CoverSearch cover(jumps, engine());
    cover.set(worst, round % 2 == 0 ? find_duals(jumps, most) : JumpDuals{});
    double f = most;
    for (int k = 0; k < 150; ++k) {
      const bool lower = k == 0 ? cover.construct() : cover.step();
      const std::vector<Bit> bits = jumps.bits(cover.values());
      REQUIRE(forms.violated(bits) == 0);
      REQUIRE(cover.f() == Approx(forms.f(bits)).margin(1e-9));
      REQUIRE((lower ? cover.f() < f : cover.f() == f));
      f = cover.f();
      steps += lower ? 1 : 0;
    }
    optimal += f <= least + 1e-9 * (1.0 + std::abs(least)) ? 1 : 0;
  }
  INFO(fit << " fit, " << optimal << " optimal, " << steps << " steps");
  CHECK(fit > 200);
  CHECK(steps > 200);
  CHECK(optimal * 100 >= fit * 95);
}

TEST_CASE("a search beside the grid goes on from what the grid found, in turns", "[jump]") {
  const FormModel model = model_of(
      "Minimize\n obj: 3 x + 2 y + 500 z\nSubject To\n a: x + y >= 777\n b: y - 1000 z <= 0\n"
      " c: y <= 600\nBounds\n x <= 1000\n y <= 1000\nGeneral\n x y\nBinary\n z\nEnd\n");
  JumpOptions options;
  options.work = 1;  // nothing of its own before the grid
  Beside beside(model, options, 0.3);
  beside.first(kAlways);
  CHECK_FALSE(beside.best().feasible());
  const JumpModel jumps(model);
  std::vector<Bit> state(model.bits, 1);  // all at their most
  REQUIRE(model.violated(state) == 0);
  std::size_t asked = 0;
  const auto grid = [&] {
    ++asked;
    return state;
  };
  CHECK_FALSE(beside.after(1, model.f(state), grid, kAlways));  // too little for a turn
  CHECK(asked == 0);
  Beside other = beside;
  CHECK(beside.after(1'000'000, model.f(state), grid, kAlways));
  CHECK(asked == 1);
  CHECK(beside.best().feasible());
  CHECK(beside.best().f + 3 * 177.0 == 3 * 177.0 + 2 * 600.0 + 500.0);  // x is 177 at least
  CHECK(model.f(beside.best().bits) == beside.best().f);
  // Another's turn is its own.
  CHECK_FALSE(other.best().feasible());
  CHECK(other.after(1'000'000, model.f(state), grid, kAlways));
  CHECK(other.best().bits == beside.best().bits);
  // What is no better than its own is not asked for.
  CHECK_FALSE(beside.after(1'000'000, beside.best().f, grid, kAlways));
  CHECK(asked == 2);
}

TEST_CASE("what the grid alone can find is the search's from then on", "[jump]") {
  Engine engine(75);
  std::string form, binary;
  std::uint64_t sum = 0;
  for (int i = 0; i < 40; ++i) {
    const std::uint64_t a = engine() % 1'000'000'000;
    form += " + " + std::to_string(a) + " x" + std::to_string(i);
    binary += " x" + std::to_string(i);
    sum += i % 2 == 0 ? a : 0;
  }
  const ConstrainedModel model =
      parse_model("Minimize\n obj: x0\nSubject To\n a:" + form + " = " + std::to_string(sum) +
                      "\nBinary\n" + binary + "\nEnd\n",
                  "test.lp", ModelFormat::lp);
  const CompiledForms forms = compile_forms(model);
  std::vector<std::int64_t> planted(40);
  for (std::size_t i = 0; i < 40; ++i) planted[i] = i % 2 == 0 ? 1 : 0;
  std::vector<Bit> state = forms.encode(planted);
  REQUIRE(forms.model.violated(state) == 0);
  JumpOptions options;
  options.work = 100'000;
  Beside beside(forms.model, options, 0.3);
  CHECK_FALSE(beside.first(kAlways).feasible());
  const auto grid = [&] { return state; };
  beside.after(100'000, forms.model.f(state), grid, kAlways);
  REQUIRE(beside.best().feasible());
  CHECK(beside.best().bits == state);
}

TEST_CASE("an integer written as bits jumps as one", "[jump]") {
  const FormModel model = model_of(
      "Minimize\n obj: 3 x + 2 y + 500 z\nSubject To\n a: x + y = 777\n b: y - 1000 z <= 0\n"
      " c: y <= 600\nBounds\n x <= 1000\n y <= 1000\nGeneral\n x y\nBinary\n z\nEnd\n");
  const JumpModel jumps(model);
  REQUIRE(model.bits > 10);
  CHECK(jumps.variables.size() == 2);  // x is a slack of a's range
  JumpOptions options;
  options.work = 100'000;
  const JumpFound found = jump_search(model, options, kAlways);
  REQUIRE(found.best.feasible());
  CHECK(found.best.f + 3 * 777.0 == 3 * 177.0 + 2 * 600.0 + 500.0);  // x = 777 - y
}

TEST_CASE("a jump search is the same for the same seed, and ends when it is told to", "[jump]") {
  std::string lp = "Maximize\n obj:";
  for (int i = 0; i < 60; ++i) lp += " + x" + std::to_string(i);
  lp += "\nSubject To\n";
  Engine engine(5);
  for (int k = 0; k < 300; ++k) {
    const auto i = below(60, engine), j = below(60, engine);
    if (i != j) lp += " x" + std::to_string(i) + " + x" + std::to_string(j) + " <= 1\n";
  }
  lp += "Binary\n";
  for (int i = 0; i < 60; ++i) lp += " x" + std::to_string(i);
  const FormModel model = model_of(lp + "\nEnd\n");
  JumpOptions options;
  options.work = 20'000'000;
  const JumpFound once = jump_search(model, options, kAlways);
  const JumpFound again = jump_search(model, options, kAlways);
  CHECK(once.best.bits == again.best.bits);
  CHECK(once.steps == again.steps);
  options.target = once.best.f;
  CHECK(jump_search(model, options, kAlways).work < once.work);
  options.target.reset();
  std::size_t asked = 0;
  const JumpFound ended =
      jump_search(model, options, [&](const JumpPoint&, std::uint64_t) { return ++asked < 3; });
  CHECK(asked == 3);
  CHECK(ended.work < once.work / 2);
}

TEST_CASE("jumps colour a queens' graph", "[jump]") {
  std::string col;
  std::size_t edges = 0;
  for (int a = 0; a < 49; ++a) {
    for (int b = a + 1; b < 49; ++b) {
      const int rows = b / 7 - a / 7, columns = b % 7 - a % 7;
      if (rows != 0 && columns != 0 && rows != std::abs(columns)) continue;
      col += "e " + std::to_string(a + 1) + " " + std::to_string(b + 1) + "\n";
      ++edges;
    }
  }
  ModelOptions options;
  options.colors = 7;
  const FormModel model =
      compile_forms(parse_model("p edge 49 " + std::to_string(edges) + "\n" + col, "queens.col",
                                ModelFormat::col, options))
          .model;
  const JumpFound found = jump_search(model, {}, kAlways);
  CHECK(found.best.feasible());
  CHECK(model.violated(found.best.bits) == 0);
}
