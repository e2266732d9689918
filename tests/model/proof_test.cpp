// Bounds as the checker follows them: what a proof names must hold on the model, and what is
// proved must be so.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "check/model.hpp"
#include "check/proof.hpp"
#include "model/model_files.hpp"
#include "random_model.hpp"
#include "run/bound.hpp"
#include "run/certify.hpp"
#include "support/error.hpp"

using namespace chainmail;
using Catch::Contains;
using checker::Proof;

namespace {

struct Claim {
  Claim(const std::string& text, std::vector<std::pair<std::string, std::string>> answer)
      : model(checker::read("lp", text + "End\n", "t.lp")) {
    proof.optimal = true;
    proof.solution = std::move(answer);
  }
  // As it is read back from a file.
  std::string fault() const {
    return checker::refuted(model, checker::read_proof(checker::to_json(proof), "proof"));
  }
  checker::Model model;
  Proof proof;
};

const std::string kBinary = "Binary\n x y z\n";

}  // namespace

TEST_CASE("a bound by multipliers is added up, and rounded up to what the objective can be") {
  const std::string rows = "Subject To\n a: x + y >= 1\n b: y + z >= 1\n c: 2 x + 2 z >= 2\n";
  Claim cover("Minimize\n o: x + y + z\n" + rows + kBinary, {{"x", "1"}, {"y", "1"}, {"z", "0"}});
  cover.proof.multipliers = {
      {{{"a", ""}}, {}, "1/2"}, {{{"b", ""}}, {}, "1/2"}, {{{"c", ""}}, {}, "1/4"}};
  CHECK(cover.fault().empty());  // 3/2, so 2
  Claim other = cover;
  other.proof.multipliers.pop_back();
  CHECK_THAT(other.fault(), Contains("may be as low as 1"));
  other = cover;
  other.proof.multipliers[0].times = "-1/2";
  CHECK_THAT(other.fault(), Contains("wrong sign"));
  other = cover;
  other.proof.multipliers[0].rows = {{"d", ""}};
  CHECK_THAT(other.fault(), Contains("'d' cannot be multiplied"));
  other = cover;
  other.proof.multipliers[0].times = "a half";
  CHECK_FALSE(other.fault().empty());
  other = cover;
  other.proof.solution = {{"x", "1"}, {"y", "1"}, {"z", "1"}};
  CHECK_THAT(other.fault(), Contains("the answer is 3"));
  other = cover;
  other.proof.solution = {{"x", "1"}, {"y", "0"}, {"z", "0"}};
  CHECK_THAT(other.fault(), Contains("violates 'b'"));
  other = cover;
  other.proof.solution.pop_back();
  CHECK_THAT(other.fault(), Contains("no value for 'z'"));
  // In steps of a half 3/2 is what it is, and so it is beside a soft row in halves.
  for (const char* extra : {"Minimize\n o: x + y + z + 0.5 w\n", "Minimize\n o: x + y + z\n"}) {
    const bool soft = std::string(extra).find('w') == std::string::npos;
    Claim fine(extra + rows + (soft ? " s: 0.5 w <= 1\nSoft Constraints\n s 1\n" : "") +
                   "Binary\n x y z w\n",
               {{"x", "1"}, {"y", "1"}, {"z", "0"}, {"w", "0"}});
    fine.proof.multipliers = cover.proof.multipliers;
    CHECK_THAT(fine.fault(), Contains("may be as low as 1.5"));
  }
  // To be maximised: the other way round.
  Claim packed(
      "Maximize\n o: 2 x + 2 y + 2 z + 5\nSubject To\n a: x + y <= 1\n b: y + z <= 1\n"
      " c: 2 x + 2 z <= 3\n" +
          kBinary,
      {{"x", "1"}, {"y", "0"}, {"z", "0"}});
  packed.proof.multipliers = {
      {{{"a", ""}}, {}, "-1"}, {{{"b", ""}}, {}, "-1"}, {{{"c", ""}}, {}, "-1/2"}};
  CHECK(packed.fault().empty());  // -8, so 7
  packed.proof.multipliers[2].times = "1/2";
  CHECK_THAT(packed.fault(), Contains("wrong sign"));
}

TEST_CASE("cliques and groups count as they stand in the model") {
  const std::string rows =
      "Maximize\n o: x + y + z\nSubject To\n a: 3 x + 4 y <= 6\n b: y + z <= 1\n";
  const std::vector<std::pair<std::string, std::string>> answer = {
      {"x", "1"}, {"y", "0"}, {"z", "0"}};
  Claim clique(rows + " c: [ x * z ] = 0\n" + kBinary, answer);
  CHECK_THAT(clique.fault(), Contains("may be as low as -3"));
  clique.proof.cliques = {{"x", "y", "z"}};
  CHECK(clique.fault().empty());
  Claim open(rows + " c: x + z <= 2\n" + kBinary, answer);  // and x = z = 1 is better
  open.proof.cliques = {{"x", "y", "z"}};
  CHECK_THAT(open.fault(), Contains("do not exclude each other"));
  open.proof.cliques = {{"x", "y"}, {"y", "z"}};
  CHECK_THAT(open.fault(), Contains("'y' is in two groups"));
  open.proof.cliques = {{"x", "w"}};
  CHECK_THAT(open.fault(), Contains("no open binary"));
  open.proof.cliques.clear();
  open.proof.multipliers = {
      {{}, {"x", "y"}, "-1/2"}, {{}, {"y", "z"}, "-1/2"}, {{}, {"x", "z"}, "-1/2"}};
  CHECK_THAT(open.fault(), Contains("do not exclude each other"));
  clique.proof.cliques.clear();
  clique.proof.multipliers = open.proof.multipliers;
  CHECK(clique.fault().empty());  // 3/2, so 1
  clique.proof.multipliers[0].times = "1/2";
  CHECK_THAT(clique.fault(), Contains("wrong sign"));

  const auto group = [](const std::string& row, const std::string& answer_x) {
    Claim claim("Minimize\n o: 2 x + 3 y + 4 z\nSubject To\n a: " + row + "\n" + kBinary,
                {{"x", answer_x}, {"y", "0"}, {"z", "0"}});
    claim.proof.groups = {{{"a", ""}}};
    return claim;
  };
  CHECK(group("x + y + z = 1", "1").fault().empty());
  CHECK(group("- 2 x - 2 y - 2 z = -2", "1").fault().empty());
  CHECK_THAT(group("x + y + z <= 1", "1").fault(), Contains("may be as low as 0"));
  CHECK_THAT(group("x + y + z >= 1", "1").fault(), Contains("no group"));
  CHECK_THAT(group("x + y + 2 z <= 2", "1").fault(), Contains("no group"));
  CHECK_THAT(group("2 x + 2 y + z <= 3", "1").fault(), Contains("no group"));  // x and z may be 1
  // Not all of its members cost something.
  Claim free("Minimize\n o: 2 x + 3 y\nSubject To\n a: x + y + z = 1\n" + kBinary,
             {{"x", "1"}, {"y", "0"}, {"z", "0"}});
  free.proof.groups = {{{"a", ""}}};
  CHECK_THAT(free.fault(), Contains("may be as low as 0"));
}

TEST_CASE("a soft row is worth no more than its price, and only once") {
  Claim soft("Minimize\n o: - 3 x\nSubject To\n s: x <= 0\nSoft Constraints\n s 2\nBinary\n x\n",
             {{"x", "1"}});
  soft.proof.multipliers = {{{{"s", ""}}, {}, "-2"}};
  CHECK(soft.fault().empty());
  soft.proof.solution = {{"x", "0"}};
  CHECK_THAT(soft.fault(), Contains("may be as low as -1"));
  for (const auto& wrong : std::vector<std::vector<checker::ProofMultiplier>>{
           {{{{"s", ""}}, {}, "-3"}}, {{{{"s", ""}}, {}, "-2"}, {{{"s", ""}}, {}, "-1"}}}) {
    soft.proof.multipliers = wrong;
    CHECK_THAT(soft.fault(), Contains("lower price"));
  }
}

TEST_CASE("products are bounded by a row while their variable is one") {
  const auto claim = [](const std::string& row) {
    Claim made("Minimize\n o: [ - 8 x * y - 8 x * z - 8 y * z ] / 2\nSubject To\n a: " + row +
                   "\n" + kBinary,
               {{"x", "1"}, {"y", "1"}, {"z", "0"}});
    for (const char* name : {"x", "y", "z"}) {
      made.proof.products.emplace_back(name, checker::ProofMultiplier{{{"a", ""}}, {}, "-4"});
    }
    made.proof.multipliers = {{{{"a", ""}}, {}, "-2"}};
    return made;
  };
  CHECK(claim("x + y + z <= 2").fault().empty());
  Claim without = claim("x + y + z <= 2");
  without.proof.products.clear();
  CHECK_THAT(without.fault(), Contains("may be as low as -8"));
  CHECK_THAT(claim("x + y + z <= 3").fault(), Contains("may be as low as -12"));
  CHECK_THAT(claim("x + y + z >= 2").fault(), Contains("wrong sign"));
}

TEST_CASE("longer products count, and those that cancel do not") {
  const std::vector<std::pair<std::string, std::string>> none = {
      {"x", "0"}, {"y", "0"}, {"z", "0"}};
  const auto claim = [&](const std::string& products) {
    return Claim("Minimize\n o: 3 x + [ " + products + " ] / 2\n" + kBinary, none).fault();
  };
  CHECK(claim("- 4 x * y * z + 2 y * z - 2 y * z").empty());
  CHECK(claim("8 x * y * z").empty());
  CHECK_THAT(claim("- 8 x * y * z"), Contains("may be as low as -1"));
  const checker::Model three =
      checker::read("lp", "Minimize\n o: [ 2 x * y * z ] / 2\n" + kBinary + "End\n", "t.lp");
  for (std::size_t zero = 0; zero < 3; ++zero) {
    std::vector<checker::Integer> values(3, 1);
    values[zero] = 0;
    CHECK(checker::judge(three, values).objective == 0);
  }
  Claim spins("Minimize\n o: [ 2 x * y * z + 2 x ^ 2 ] / 2\nSpins\n x y z\n",
              {{"x", "-1"}, {"y", "1"}, {"z", "1"}});
  CHECK(spins.fault().empty());
  spins.proof.solution[0].second = "0";
  CHECK_FALSE(spins.fault().empty());
  spins.proof.solution[0].second = "1";
  CHECK_THAT(spins.fault(), Contains("may be as low as 0"));
}

// A few states are left to visit if a row is looked at as soon as it cannot hold.
TEST_CASE("visiting all states, branches that no row allows are left out") {
  std::string sum, binaries;
  for (int v = 1; v <= 16; ++v) {
    sum += fmt::format(" + x{}", v);
    binaries += fmt::format(" x{}", v);
  }
  const auto fault = [&](const std::string& rows, const std::string& sets) {
    Proof visited;
    visited.enumerated = true;
    return checker::refuted(checker::read("lp",
                                          "Minimize\n o: x1\nSubject To\n" + rows + "Binary\n y z" +
                                              binaries + "\n" + sets + "End\n",
                                          "t.lp"),
                            visited, 1000.0);
  };
  CHECK(fault(" p: [ 2 y * z ] = 1\n", "").empty());
  CHECK(fault(" p: [ 2 y * z ] + 2 y + 2 z = 1\n", "").empty());
  CHECK(fault(" p: y = 1\n q: y = 1 -> z = 1\n r: z = 1 -> y = 0\n", "").empty());
  CHECK(fault(" p: y = 1\n q: z = 1\n", "SOS\n s: S1:: y:1 z:2\n").empty());
  CHECK_FALSE(fault(" p: y = 1\n q: z = 0 -> y = 0\n", "").empty());  // z = 1
  CHECK_FALSE(fault(" p: y = 1\n", "SOS\n s: S1:: y:1 z:2\n").empty());
  CHECK(fault(" p:" + sum + " >= 17\n", "").empty());
}

// A cover of 40 binaries: three is the least, and only the multiplier says so early.
TEST_CASE("visiting all states, those that multipliers rule out are left out") {
  std::string sum, binaries;
  std::vector<std::pair<std::string, std::string>> answer, worse;
  for (int v = 0; v < 40; ++v) {
    const std::string name = fmt::format("x{}", v);
    sum += fmt::format(" + {}", name);
    binaries += " " + name;
    answer.emplace_back(name, v < 3 ? "1" : "0");
    worse.emplace_back(name, v < 4 ? "1" : "0");
  }
  for (const bool more : {false, true}) {
    CAPTURE(more);
    std::string objective = more ? "Maximize\n o:" : "Minimize\n o:";
    for (int v = 0; v < 40; ++v) objective += fmt::format(" {} x{}", more ? '-' : '+', v);
    Claim cover(fmt::format("{}\nSubject To\n a:{} >= 3\nBinary\n{}\n", objective, sum, binaries),
                answer);
    const auto fault = [&](double most) {
      return checker::refuted(cover.model,
                              checker::read_proof(checker::to_json(cover.proof), "proof"), most);
    };
    cover.proof.enumerated = true;
    CHECK(fault(100.0) == checker::kTooMany);
    cover.proof.multipliers = {{{{"a", ""}}, {}, "3/4"}};
    CHECK(fault(100.0).empty());  // f - 3/4 (a - 3) >= 9/4
    cover.proof.multipliers[0].times = "5/4";
    CHECK(fault(100.0) == checker::kTooMany);  // 40 - 50 + 15/4: nothing is ruled out
    cover.proof.multipliers[0].times = "3/4";
    cover.proof.solution = worse;
    CHECK_THAT(fault(1000.0), Contains("there is a better solution"));
    cover.proof.solution = answer;
    cover.proof.order = {"x39", "x0"};
    CHECK(fault(100.0).empty());
    cover.proof.order = {"y"};
    CHECK_THAT(fault(100.0), Contains("no variable 'y'"));
  }
}

// Random models: with good multipliers and bad ones, of the best solution and of another, and by
// visiting all states.
TEST_CASE("what the checker confirms is optimal, and it follows nearly every bound") {
  Engine engine(91);
  int confirmed = 0, lost = 0, refused = 0, cut = 0;
  for (int number = 0; number < 1200; ++number) {
    ConstrainedModel model = random_model(engine, 8);
    if (number % 3 == 0) enrich(model, engine);
    if (number % 2 == 0) model.objective.products.clear();
    const bool higher = number % 5 == 0;
    if (higher) raise_degree(model, engine);
    CAPTURE(number);
    const Source source = source_of(model, "model");
    std::optional<TreeModel> tree;
    try {
      if (!source.model->forms().infeasible.empty()) continue;
      tree = exact_tree(source.model->forms());
    } catch (const InputError&) {
      continue;  // more digits than 64 bits hold
    }
    const bool more = model.sense == Sense::maximise;
    std::map<Decimal, std::vector<std::int64_t>> by_value;
    for_all_values(model, [&](const std::vector<std::int64_t>& values) {
      const Evaluation e = evaluate(model, values);
      if (e.feasible()) by_value[more ? -*e.exact : *e.exact] = values;
    });
    const checker::Model again = checker::read("lp", to_lp(model), "model");
    Proof visited;
    visited.enumerated = true;
    REQUIRE(checker::refuted(again, visited).empty() == by_value.empty());
    if (by_value.empty() || !tree || model.no_objective()) continue;
    visited.optimal = true;
    int rank = 0;
    for (const auto& [f, values] : by_value) {
      if (++rank > 2) break;
      Result result;
      result.scale = more ? -1.0 : 1.0;
      result.best.feasible = true;
      result.best.energy = static_cast<double>(f);
      NamedAnswer& answer = result.answers.emplace_back();
      answer.exact = more ? -f : f;
      for (std::size_t v = 0; v < values.size(); ++v) {
        answer.variables.emplace_back(model.variables[v].name, values[v]);
        visited.solution.emplace_back(model.variables[v].name, std::to_string(values[v]));
      }
      REQUIRE(checker::refuted(again, visited).empty() == (rank == 1));
      visited.solution.clear();
      tell_bound(source, std::nullopt, result);
      REQUIRE(result.proved == (result.proof != nullptr));
      WholeBound left;
      left.enumerated = true;
      left.multipliers.resize(tree->forms.size() + tree->clashes.size());
      if (const auto bound = dual_bound(*tree)) {
        if (!bound->multipliers.empty()) left.multipliers = bound->multipliers;
      }
      Result by_core = result;
      const Confirmed core = confirm_core(by_core, *source.model, left);
      if (rank == 1) {
        cut += core == Confirmed::yes ? 1 : 0;
        confirmed += result.proved ? 1 : 0;
        lost += !higher && !result.proved && result.bound == result.best.energy ? 1 : 0;
        continue;
      }
      REQUIRE_FALSE(result.proved);
      REQUIRE(core == Confirmed::no);
      if (std::optional<WholeBound> bound = dual_bound(*tree)) {
        REQUIRE_FALSE(confirm_bound(result, *source.model, *bound));
        for (double& y : bound->multipliers)
          y = static_cast<double>(engine() % 2001) / 100.0 - 10.0;
        REQUIRE_FALSE(confirm_bound(result, *source.model, *bound));
      }
      ++refused;
    }
  }
  CAPTURE(confirmed, lost, refused, cut);
  CHECK(cut > 500);
  CHECK(confirmed > 400);
  CHECK(refused > 500);
  // Rows that count only while a variable has a value. By multipliers of Clp 28 of 591, without
  // Clp 43 of 597.
  CHECK(lost < confirmed / 10);
}
