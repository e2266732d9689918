// Files on which something was once wrongly called feasible, optimal, infeasible or a target
// reached.
#include <atomic>
#include <catch2/catch.hpp>
#include <fstream>

#include "../temporary_folder.hpp"
#include "check/model.hpp"
#include "check/proof.hpp"
#include "check/spins.hpp"
#include "problem/files.hpp"
#include "problem/precision.hpp"
#include "report/digest.hpp"
#include "run/exact_run.hpp"
#include "run/plan.hpp"

using namespace chainmail;

namespace {

const std::atomic<bool> kNeverStop{false};

struct Run {
  TemporaryFolder folder;
  std::string file;
  std::string text;
  Run(const std::string& name, const std::string& content)
      : file(folder.file(name)), text(content) {
    std::ofstream(file) << content;
  }
  Result solve(std::uint64_t seed, std::optional<Decimal> target = {}) const {
    const Source source = read_source(file);
    PlanOptions options;
    options.seed = seed;
    options.sweeps = 100;
    options.target = target;
    options.device.threads = 1;
    const auto device = open_device(source, options);
    return run(plan(source, options, *device, kNeverStop), *device, kNeverStop);
  }
};

}  // namespace

TEST_CASE("a bound is reached by the last digit, whatever is fixed beside it") {
  const Run run("t.lp",
                "Minimize\n obj: 5000000000 k + 3 x + 2 y + 4 z\nSubject To\n a: k >= 1\n"
                " b: x + y + z >= 1\nBinary\n k x y z\nEnd\n");
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Result result = run.solve(seed);
    CHECK(result.objective == 5000000002.0);
    CHECK_FALSE((result.proved && result.objective != 5000000002.0));
    const Result aimed = run.solve(seed, Decimal(5000000002));
    CHECK(aimed.stopped_by == "target");
    CHECK(aimed.objective == 5000000002.0);
  }
}

TEST_CASE("a constant of 1e12 hides no difference of the objective") {
  const Run run("t.lp",
                "Minimize\n obj: 18 a + 15 b + 23 c + 25 d + 17 e + 39 f + 1000000000000\n"
                "Subject To\n c1: 21 a + 27 b + 38 c + 6 d + 34 e + 20 f >= 60\n"
                " c2: 6 a + 16 b + 16 c + 23 d + 6 e + 2 f >= 22\nBinary\n a b c d e f\nEnd\n");
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Result result = run.solve(seed);
    CHECK(result.objective == 1000000000032.0);  // b and e
    CHECK(run.solve(seed, Decimal(1000000000032)).objective == 1000000000032.0);
  }
  CHECK(run.solve(1, Decimal(1000000000031)).stopped_by != "target");
}

TEST_CASE("a target one below the optimum is not reached, however large it is") {
  const Run run(
      "t.lp",
      "Minimize\n obj: 1800001 a + 1500002 b + 2300003 c + 2500004 d + 1700005 e + 3900006 f\n"
      "Subject To\n c1: 21 a + 27 b + 38 c + 6 d + 34 e + 20 f >= 60\n"
      " c2: 6 a + 16 b + 16 c + 23 d + 6 e + 2 f >= 22\nBinary\n a b c d e f\nEnd\n");
  CHECK(run.solve(1, Decimal(3200007)).stopped_by == "target");  // b and e
  CHECK(run.solve(1, Decimal(3200006)).stopped_by != "target");
}

TEST_CASE("fifteen digits are kept: what holds is not called impossible") {
  const Run equal("t.lp",
                  "Minimize\n obj: x + y\nSubject To\n"
                  " c: 1000000000000.01 x - 1000000000000 y = 0.01\nBinary\n x y\nEnd\n");
  const Result result = equal.solve(1);
  CHECK(result.infeasible.empty());
  CHECK(result.best.feasible);
  CHECK(result.objective == 2.0);

  const Run less("t.lp",
                 "Maximize\n obj: x + y\nSubject To\n"
                 " c: 1000000000000.01 x - 1000000000000 y <= 0\nBinary\n x y\nEnd\n");
  CHECK(less.solve(1).objective == 1.0);
}

TEST_CASE("digits beyond 2^53 are kept") {
  const Run feasible("t.lp",
                     "Minimize\n obj: x + z\nSubject To\n"
                     " d: 9007199254740992 y + z = 9007199254740993\nBinary\n x y z\nEnd\n");
  const Result found = feasible.solve(1);
  REQUIRE(found.best.feasible);
  CHECK(found.objective == 1.0);
  const checker::Model model = checker::read("lp", feasible.text, "t.lp");
  CHECK_FALSE(checker::judge(model, {0, 0, 1}).broken.empty());  // x, z, y
  CHECK(checker::judge(model, {0, 1, 1}).broken.empty());

  const Run none("t.lp",
                 "Minimize\n obj: x\nSubject To\n c: 9007199254740993 x >= 9007199254740993\n"
                 " d: 9007199254740992 y + z = 9007199254740993\n e: z = 0\n"
                 "Binary\n x y z\nEnd\n");
  CHECK_FALSE(none.solve(1).best.feasible);

  const Run exists("t.lp",
                   "Minimize\n obj:  x0 + x1 + [  2 x0 ^ 2 ] / 2\nst\n"
                   " c0: - 658640533718189 x0 - 58159169235322 x1 = 33590667219627639\n"
                   " c1:  x0 <= -51\n c2:  1.684 x1 + 0.245 x0 >= -12.495\n c3: - 2.234 x1 = 0\n"
                   "Soft Constraints\n c3 1\nBounds\n -72 <= x0 <= -38\nGeneral\n x0\n"
                   "Binary\n x1\nEnd\n");
  const Result there = exists.solve(1);
  CHECK(there.infeasible.empty());
  CHECK(there.best.feasible);
}

TEST_CASE("numbers that were rounded when a problem was read prove nothing") {
  const auto solved = [](const std::string& first, const std::string& second) {
    const Run run("t.coo",
                  "# vartype=BINARY\n0 0 -" + first + "\n1 1 -" + second + "\n0 1 " + first);
    return run_exactly(read_source(run.file), {}, kNeverStop).value();
  };
  CHECK(solved("90071992547493", "90071992547492").proved);
  // Written, the first is lower; read, they are the same.
  CHECK_FALSE(solved("9007199254740993", "9007199254740992").proved);
}

TEST_CASE("of rounded numbers what no other state comes near is proved") {
  const auto proved = [](const std::string& text) {
    return run_exactly(read_source(Run("t.coo", text).file), {}, kNeverStop).value().proved;
  };
  const std::string pair = "# vartype=BINARY\n0 1 5\n0 0 -1.00000000000000000001\n";
  CHECK(proved(pair + "1 1 -2\n"));
  CHECK_FALSE(proved(pair + "1 1 -1.00000000000000000002\n"));
  // The mirror image of a state is as good whatever the couplings, but not if there is a field.
  const std::string line = "# vartype=SPIN\n0 1 1.00000000000000000001\n1 2 1\n";
  CHECK(proved(line));
  CHECK_FALSE(proved(line + "0 0 0.00000000000000000001\n"));
}

TEST_CASE("a high price leaves the objective its digits") {
  const Run run("t.lp",
                "Minimize\n obj: 0.04 x + 0.03 w + 0.02 y\nSubject To\n one: x + y + w >= 1\n"
                " wish: 2000000 z + 1000000 x <= 2500000\nSoft Constraints\n wish 100000000\n"
                "Binary\n x y z w\nEnd\n");
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Result result = run.solve(seed);
    CHECK(result.objective == 0.02);
    CHECK(result.best.energy == 0.02);
  }
}

TEST_CASE("g is zero where it is, not below 1e-6") {
  const Run run("t.json", R"({"format":"chainmail-problem","version":1,"spins":3,"fields":[1,1,1],)"
                          R"("constraint":{"offset":4e-7,"fields":[1e-7,1e-7,1e-7],)"
                          R"("couplings":[[0,1,-1e-7],[0,2,-1e-7],[1,2,-1e-7]]}})");
  const Result result = run.solve(1);
  const Source source = read_source(run.file);
  const std::vector<Spin>& s = result.best.solution;
  const checker::SpinJudgement judged =
      checker::judge_spins(run.text, run.file, {s.begin(), s.end()});
  CHECK(result.best.feasible == judged.feasible);
  CHECK(checker::judge_spins(run.text, run.file, {1, 1, 1}).feasible == false);
  CHECK(feasible_up_to(source.problem()) < 1e-7);
}

TEST_CASE("an offset hides no difference from a known optimum") {
  Problem problem;
  problem.objective = Quadratic(3);
  problem.objective.couplings = {{0, 1, 92.0}, {1, 2, -3.0}};
  problem.objective.offset = 1e12;
  const Precision whole = precision_of(problem.objective);
  CHECK(whole.exact());
  CHECK(whole.tolerance() == 0.0);
  const double limit = threshold(problem.objective, whole, Decimal(1e12 - 95));
  CHECK(1e12 - 95 <= limit);
  CHECK_FALSE(1e12 - 94 <= limit);

  problem.objective.offset = 0.0;
  problem.objective.couplings = {{0, 1, 0.1}, {1, 2, 0.2}};
  const Precision tenths = precision_of(problem.objective);
  CHECK(tenths.exact());
  CHECK(problem.objective(std::vector<Spin>{1, 1, 1}) <=
        threshold(problem.objective, tenths, Decimal(-0.3)));
  CHECK_FALSE(-0.2 <= threshold(problem.objective, tenths, Decimal(-0.3)));

  problem.objective.couplings = {{0, 1, 0.12345678901234567}, {1, 2, 1e9}};
  const Precision real = precision_of(problem.objective);
  CHECK_FALSE(real.exact());
  CHECK(real.tolerance() > 0.0);
}

TEST_CASE("a proof is followed step by step, and a false one is not") {
  const std::string text =
      "Minimize\n obj: x + y + z\nSubject To\n one: x + y = 1\n two: 2 x + 2 y - 2 z = 3\n"
      "Binary\n x y z\nEnd\n";
  const Run run("t.lp", text);
  const Result result = run.solve(1);
  REQUIRE(result.proof);
  REQUIRE_FALSE(result.infeasible.empty());
  const checker::Model model = checker::read("lp", text, "t.lp");
  checker::Proof proof = checker::read_proof(checker::to_json(*result.proof), "proof");
  CHECK(checker::refuted(model, proof).empty());
  for (checker::ProofStep& step : proof.steps) step.rows = {{"one", ""}};
  CHECK_FALSE(checker::refuted(model, proof).empty());
  proof.steps.clear();
  CHECK_FALSE(checker::refuted(model, proof).empty());

  const std::string easy =
      "Minimize\n obj: 2 a + 3 b + c\nSubject To\n one: a + b = 1\n two: c >= 1\n"
      "Binary\n a b c\nEnd\n";
  const Result best = Run("t.lp", easy).solve(1);
  REQUIRE(best.proved);
  REQUIRE(best.proof);
  const checker::Model second = checker::read("lp", easy, "t.lp");
  checker::Proof optimal = *best.proof;
  CHECK(checker::refuted(second, optimal).empty());
  optimal.solution[0].second = "0";
  optimal.solution[1].second = "1";
  CHECK_FALSE(checker::refuted(second, optimal).empty());  // 4, and 3 was proved
  // A bound that does not follow from its row.
  optimal.solution = best.proof->solution;
  optimal.steps.push_back({{{"one", ""}}, "a", true, "0"});
  CHECK_FALSE(checker::refuted(second, optimal).empty());
  // By visiting every state.
  checker::Proof visited;
  visited.optimal = visited.enumerated = true;
  visited.solution = best.proof->solution;
  CHECK(checker::refuted(second, visited).empty());
  visited.solution[0].second = "0";
  visited.solution[1].second = "1";
  CHECK_THAT(checker::refuted(second, visited), Catch::Contains("better"));
  visited.optimal = false;
  CHECK_THAT(checker::refuted(second, visited), Catch::Contains("there is a solution"));
  // Rows of the same variables, but not of the same sums: nothing contradicts.
  const checker::Model apart = checker::read(
      "lp", "Minimize\n x\nSubject To\n c: x + y = 1\n d: x + 2 y >= 2\nBinary\n x y\nEnd\n", "t");
  checker::Proof joined;
  joined.steps.push_back({{{"c", ""}, {"d", ""}}, "", false, ""});
  CHECK_FALSE(checker::refuted(apart, joined).empty());
}

TEST_CASE("numbers beyond 1e150 are refused") {
  for (const char* text : {"Minimize\n o: 1e308 x + y\nSubject To\n c: x + y >= 1\n",
                           "Minimize\n o: x + y\nSubject To\n c: 1e308 x + y >= 1\n",
                           "Minimize\n o: x + y + 2e150\nSubject To\n c: x + y >= 1\n"}) {
    const Run run("t.lp", std::string(text) + "Binary\n x y\nEnd\n");
    CHECK_THROWS_WITH(run.solve(1), Catch::Contains("beyond 1e150"));
  }
}
