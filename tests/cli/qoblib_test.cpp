// `solve --qoblib`: folders for QOBLIB's kinds of instances, held against its published rules by
// tests/check_qoblib, and their solutions against the instances.
#include <catch2/catch.hpp>

#include "workplace.hpp"

using namespace chainmail;
using namespace chainmail::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

// As ZIMPL writes them for QOBLIB: names with '#', integers without an end, binaries by bounds.
constexpr const char* kMarketSplit =
    "\\Problem name: ./marketsplit_blp.zpl\nMinimize\n obj:  + s#1 + s#2\nSubject to\n"
    " c1_1:\n  +3 x#4 +5 x#3 +2 x#2 +7 x#1 + s#1 = 9\n c1_2:\n  +4 x#4 + x#3 +6 x#2 + s#2 = 6\n"
    "Bounds\n 0 <= x#1 <= 1\n 0 <= x#2 <= 1\n 0 <= x#3 <= 1\n 0 <= x#4 <= 1\n 0 <= s#1 <= +inf\n"
    " 0 <= s#2 <= +inf\nGeneral\n x#1\n x#2\n x#3\n x#4\n s#1\n s#2\nEnd\n";
constexpr const char* kIndependentSet =
    "Maximize\n obj: + x#1 + x#2 + x#3 + x#4 + x#5\nSubject to\n c1_1: + x#1 + x#2 <= 1\n"
    " c1_2: + x#2 + x#3 <= 1\n c1_3: + x#3 + x#4 <= 1\n c1_4: + x#4 + x#5 <= 1\n"
    " c1_5: + x#5 + x#1 <= 1\nBinary\n x#1 x#2 x#3 x#4 x#5\nEnd\n";
constexpr const char* kPortfolio =
    "Minimize\n risk: - 30 y#0#0 - 12.5 x$AAPL#1#_1#0@a - 20 x$NVDA#1#_1#0@46\n"
    " + [ 50 x$AAPL#1#_1#0@a * x$NVDA#1#_1#0@46 + 80 y#0#0 * x$NVDA#1#_1#0@46 ] / 2\nSubject to\n"
    " cash: + y#0#0 + x$AAPL#1#_1#0@a + x$NVDA#1#_1#0@46 <= 2\n"
    "Binary\n y#0#0 x$AAPL#1#_1#0@a x$NVDA#1#_1#0@46\nEnd\n";
constexpr const char* kQubo =
    "# Vars 3 Ncons 3\n# ObjectiveOffset 0\n3 4\n1 1 -2\n2 2 -3\n1 2 4\n3 3 1\n";

Outcome checked(const Workplace& place) {
  return run("tests/check_qoblib '" + place.path("sub") + "'");
}

}  // namespace

TEST_CASE("a submission to QOBLIB keeps its rules, and its solutions solve", "[cli][qoblib]") {
  const Workplace place;
  place.write("ms_02_010_001.lp", kMarketSplit);
  place.write("ring5.lp", kIndependentSet);
  place.write("a002_t01_l0.01.lp", kPortfolio);
  const auto submit = [&](const std::string& name, const std::string& options) {
    const auto outcome = place.run("solve " + name + ".lp --qoblib sub " + options);
    INFO(name << ": " << outcome.errors);
    CHECK(outcome.code == 0);
    CHECK_THAT(outcome.output, Contains("qoblib    sub/" + name + "\n"));
    return "sub/" + name + "/" + name;
  };
  const std::string search = "--exact off --sweeps 400 ";
  const std::string split = submit("ms_02_010_001", search);
  const std::string ring = submit("ring5", search + "--solutions 3 --trials 2");
  const std::string portfolio = submit("a002_t01_l0.01", "");
  const Outcome verdict = checked(place);
  INFO(verdict.text);
  CHECK(verdict.code == 0);

  const auto holds = [&](const std::string& file, const std::string& solution,
                         const std::string& value) {
    const auto outcome = place.run("check " + file + " " + solution);
    INFO(outcome.output << outcome.errors);
    CHECK(outcome.code == 0);
    CHECK_THAT(outcome.output, Contains(value));
  };
  holds("ms_02_010_001.lp", split + "_solution.sol", "obj         0\n");
  holds("a002_t01_l0.01.lp", portfolio + "_solution.sol", "risk        -42.5\n");
  for (const char* k : {"0", "1", "2"}) {
    holds("ring5.lp", "sub/ring5/solutions/ring5_solution_" + std::string(k) + ".sol",
          "obj         2\n");
  }
  // Counted by hand.
  CHECK_THAT(place.read(split + "_summary.csv"),
             Contains(",0,0,Integer Linear Program,6,4,2,0,11,Integer,1 - 7,") &&
                 Contains("Stochastic,1,1,1,0,"));
  CHECK_THAT(place.read(ring + "_summary.csv"),
             Contains("Binary Linear Program,5,5,0,0,15,Integer,1 - 1,") &&
                 Contains("Stochastic,2,2,2,0,"));
  CHECK_THAT(place.read(portfolio + "_summary.csv"),
             Contains(",-42.5,-42.5,Binary Quadratic Program,3,3,0,0,8,Continuous,-30 - 40,") &&
                 Contains("Deterministic,1,1,1,0,") && Contains("\"optimal, proved"));
}

TEST_CASE("QOBLIB's own QUBO files are submitted as their bits", "[cli][qoblib]") {
  const Workplace place;
  place.write("tiny.qs", kQubo);
  REQUIRE(place.run("solve tiny.qs --qoblib sub").code == 0);
  CHECK(checked(place).code == 0);
  CHECK_THAT(place.read("sub/tiny/tiny_solution.sol"), Contains("x#1 0\nx#2 1\nx#3 0\n"));
  CHECK_THAT(place.read("sub/tiny/tiny_summary.csv"),
             Contains(",-3,-3,QUBO,3,3,0,0,4,Integer,-3 - 8,"));
}

TEST_CASE("a submission is written whole, once, and only where there is an answer",
          "[cli][qoblib]") {
  const Workplace place;
  place.write("ring5.lp", kIndependentSet);
  place.run("generate full-adder -o spins.json");
  const std::string endless = "solve ring5.lp --exact off --sweeps 1e15 --time-limit 60 --no-stop ";
  check_refused(place.run("solve spins.json --qoblib sub"), 2, "models and QUBOs");
  check_refused(place.run("solve - --qoblib sub", "ring5.lp"), 2, "names a folder after the file");
  check_refused(place.run("solve ring5.lp --qoblib sub --jsonl x"), 2, "exclude each other");
  check_refused(place.run(endless + "--qoblib /dev/null/x"), 1, "cannot write /dev/null/x/ring5");
  REQUIRE(place.run("solve ring5.lp --qoblib sub").code == 0);
  const std::string before = place.read("sub/ring5/ring5_summary.csv");
  check_refused(place.run(endless + "--qoblib sub"), 1, "sub/ring5: there is one already");
  CHECK(place.read("sub/ring5/ring5_summary.csv") == before);

  place.write("none.lp", "Minimize\n x\nSubject To\n x + y >= 3\nBinary\n x y\nEnd\n");
  const auto none = place.run("solve none.lp --qoblib sub");
  CHECK(none.code == 5);
  CHECK_THAT(none.output, Contains("qoblib    none: "));
  CHECK(std::distance(fs::directory_iterator(place.path("sub")), {}) == 1);
  // A disk that is full half-way leaves nothing: files may have 512 bytes.
  const auto full =
      place.run("solve ring5.lp --qoblib full", "/dev/null", "trap '' XFSZ; ulimit -f 1;");
  CHECK(full.code != 0);
  CHECK(fs::is_empty(place.path("full")));
}

TEST_CASE("the checker of submissions finds each fault", "[cli][qoblib]") {
  const Workplace place;
  place.write("ring5.lp", kIndependentSet);
  REQUIRE(place.run("solve ring5.lp --exact off --sweeps 400 --qoblib good").code == 0);
  const std::string table = "ring5_summary.csv", answer = "ring5_solution.sol",
                    course = "ring5_objective_time_series.json";
  struct Fault {
    std::string file, old, replacement, says;
  };
  const std::vector<Fault> faults = {
      {table, "Problem,", "\xef\xbb\xbfProblem,", "byte order mark"},
      {table, "Problem,Submitter", "Submitter,Problem", "columns are"},
      {table, "\nring5,", "\nring6,", "not the folder's name"},
      {table, ",Stochastic,1,", ",Stochastic,one,", "# Runs: expected a number"},
      {table, ",Stochastic,1,1,", ",Stochastic,1,2,", "more runs succeeded"},
      {table, "Program,5,5,", "Program,5,4,", "do not add up"},
      {table, ",2,2,Binary", ",,2,Binary", "Best Objective Value is empty"},
      {table, ",2,2,Binary", ",3,2,Binary", "ends in 3"},
      {table, ",Stochastic,", ",Stochastic,,", "28 cells"},
      {answer, "x#1 ", "x#2 ", "a name twice"},
      {answer, "x#5 0\n", "", "4 of 5 variables"},
      {answer, "x#5 0\n", "x#5 0.5\n", "not whole"},
      {course, "[[", "[", ""},
      {course, "\"Time\"", "\"time\"", "other members"},
      {course, "{\"Time\":", "{\"Time\":9,\"Incumbent\":1},{\"Time\":", "backwards"},
      {course, "[[", "[[{\"Time\":0,\"Incumbent\":1},{\"Time\":0,\"Incumbent\":0},", "got worse"},
  };
  const auto fresh = [&] {
    fs::remove_all(place.path("sub"));
    fs::copy(place.path("good"), place.path("sub"), fs::copy_options::recursive);
  };
  for (const Fault& fault : faults) {
    INFO(fault.file << ": " << fault.old << " -> " << fault.replacement);
    fresh();
    std::string text = place.read("sub/ring5/" + fault.file);
    const std::size_t at = text.find(fault.old);
    REQUIRE(at != std::string::npos);
    place.write("sub/ring5/" + fault.file, text.replace(at, fault.old.size(), fault.replacement));
    const Outcome verdict = checked(place);
    CHECK(verdict.code != 0);
    CHECK_THAT(verdict.text, Contains(fault.says));
  }
  fresh();
  CHECK(checked(place).code == 0);
  fs::create_directory(place.path("sub/ring5/solutions"));
  CHECK_THAT(checked(place).text, Contains("a solution and a folder of solutions"));
  fs::rename(place.path("sub/ring5/" + answer),
             place.path("sub/ring5/solutions/ring5_solution_1.sol"));
  CHECK_THAT(checked(place).text, Contains("not numbered from 0"));
  fs::remove_all(place.path("sub/ring5/solutions"));
  CHECK_THAT(checked(place).text, Contains("no solution"));
}
