// The terminal summary and the number texts it is made of.
#include "report/summary.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>

#include "report/digest.hpp"
#include "report/format.hpp"
#include "sample.hpp"

using namespace chainmail;
using Catch::Contains;
using test::sample_result;

TEST_CASE("the summary says what the run found", "[report][summary]") {
  const std::string text = to_summary(sample_result());
  CHECK_THAT(text, Contains("wishart-n50-alpha0.75-seed1"));
  CHECK_THAT(text, Contains("50 spins, 3 copies each: 150 p-bits (alt placement, 2 colours)"));
  CHECK_THAT(text, Contains("2dpt, 14 rows x 9 columns, 102,400 sweeps, swaps every 50, "
                            "seed 1"));
  CHECK_THAT(text, Contains("cpu: int8 couplings, AVX2, 2 threads"));
  CHECK_THAT(text, Contains("energy             -34.657359\n"));
  CHECK_THAT(text, Contains("known optimum      -34.657359\n"));
  CHECK_THAT(text, Contains("residual per spin  0\n"));
  CHECK_THAT(text, Contains("optimum reached"));
  CHECK_THAT(text, Contains("sweep 36,850"));
  CHECK_THAT(text, Contains("1.84 s and 410 ms of tuning, 1.94G updates, 1.05 updates/ns"));
  CHECK_THAT(text, Contains("35.3 MiB"));
}

TEST_CASE("without an objective nothing is called an optimum", "[report][summary]") {
  Result r = sample_result();
  r.constrained = r.no_objective = r.best.feasible = true;
  r.best.energy = 0.0;
  r.known_optimum = 0.0;
  r.stopped_by = "bound";
  const std::string found = to_summary(r);
  CHECK_THAT(found, Contains("feasible: a solution was found, and the model has no objective"));
  CHECK_THAT(found, Contains("stopped by         a solution\n"));
  CHECK_THAT(found, !Contains("optimum"));
  r.best.feasible = false;
  r.known_optimum.reset();
  CHECK_THAT(to_summary(r), Contains("no feasible state found"));
}

TEST_CASE("the verdict tells the cases apart", "[report][summary]") {
  Result r = sample_result();
  CHECK(verdict_of(r) == Verdict::optimum);
  // Exactly, unless the numbers need a tolerance, which is then reported and is not relative to f.
  r.best.energy = *r.known_optimum + 1e-12;
  CHECK(verdict_of(r) == Verdict::above);
  r.gap_tolerance = 1e-10;
  CHECK(verdict_of(r) == Verdict::optimum);
  CHECK(verdict_text(r) == "optimum reached within 1e-10");
  r.best.energy = *r.known_optimum + 1.1e-10;
  CHECK(verdict_of(r) == Verdict::above);
  r.best.energy = *r.known_optimum - 1.1e-10;
  CHECK(verdict_of(r) == Verdict::below);
  r.best.feasible = false;
  r.best.g = 2.0;
  CHECK(verdict_of(r) == Verdict::infeasible);
  CHECK_THAT(to_summary(r), Contains("no state found in which all chains hold together: g = 2"));
  r.constrained = true;
  CHECK_THAT(to_summary(r), Contains("no feasible state found: g = 2"));
  r.infeasible = "rows a and b exclude each other";
  CHECK(verdict_of(r) == Verdict::impossible);
  CHECK(verdict_text(r) == "no solution exists: rows a and b exclude each other");
  CHECK_THAT(to_summary(r), !Contains("may help"));
  r.infeasible.clear();
  r.best.feasible = true;
  r.known_optimum.reset();
  CHECK(verdict_of(r) == Verdict::unknown);
}

TEST_CASE("a constant in the objective brings no answer nearer to its bound", "[report][summary]") {
  Result r = sample_result();
  r.known_optimum.reset();
  r.best.energy = r.objective = 1e12 + 200.0;
  r.bound = 1e12;
  r.bound_by = "a bound";
  CHECK_THAT(verdict_text(r), Contains("optimum not known"));
  r.bound = r.best.energy;  // as far as doubles can tell
  CHECK_THAT(verdict_text(r), Contains("optimum not known"));
  r.best.energy = r.objective = 1e6;
  r.bound = 1e6 - 1.0 / 16384.0;
  CHECK_THAT(verdict_text(r), Contains("optimal within 6e-05, by a bound"));
}

TEST_CASE("words are used where they apply", "[report][summary]") {
  Result r = sample_result();
  r.best.energy = 0.9 * *r.known_optimum;
  CHECK(verdict_text(r) == "above the known optimum by 10 %");
  r.constrained = true;
  CHECK(verdict_text(r) == "feasible, above the known optimum by 10 %");
  r.scale = -1.0;  // a profit: more is better
  CHECK(verdict_text(r) == "feasible, below the known optimum by 10 %");
  r.known_optimum = 0.0;
  r.best.energy = 0.5;
  CHECK(verdict_text(r) == "feasible, below the known optimum by 0.5");

  // Without constraints, copies and columns they are not mentioned.
  Result plain = sample_result();
  plain.copies = 1;
  plain.colours = 0;
  plain.ladder.penalty = {0.0};
  plain.acceptance_penalty.clear();
  const std::string text = to_summary(plain);
  CHECK_THAT(text, !Contains("feasible") && !Contains("penalty swaps") && !Contains("columns") &&
                       Contains("14 rows, 102,400 sweeps"));
}

TEST_CASE("a problem's state is shown in its own values", "[report][summary]") {
  Result r = sample_result({.spins = 8, .rows = 2, .columns = 2});
  r.best.solution = {1, -1, -1, 1, 1, 1, 1, -1};
  CHECK_THAT(to_summary(r), Contains("solution           +--++++-\n"));
  r.bits = true;
  CHECK_THAT(to_summary(r), Contains("solution           10011110\n") && Contains("8 variables"));
  r.objective_name = "cut";
  CHECK_THAT(to_summary(r), Contains("5 vertices on one side, 3 on the other"));
}

TEST_CASE("a run that ends where it starts has no course of replicas", "[report][summary]") {
  Result r = sample_result();
  CHECK_THAT(to_summary(r), Contains("round trips"));
  CHECK_THAT(to_summary(r), Contains("answer replica"));
  r.walks.clear();
  CHECK_THAT(to_summary(r), !Contains("round trips"));
  CHECK_THAT(to_summary(r), !Contains("answer replica"));
}

TEST_CASE("acceptances skip pairs that were never tried", "[report][summary]") {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const auto found = digest({{0.5, kNan}, {0.1, 0.6}});
  REQUIRE(found);
  CHECK(found->mean == Approx(0.4));
  CHECK(found->min == 0.1);
  CHECK(found->min_row == 1);
  CHECK(found->min_column == 0);
  CHECK_FALSE(digest({}));
  Ladder ladder;
  CHECK(digest({{0.5, 0.4}, {0.3, 0.0}}, ladder)->min == 0.0);
  ladder.answer_beta = 2.0;  // the last pair is the answer's
  CHECK(digest({{0.5, 0.4}, {0.3, 0.0}}, ladder)->min == 0.3);
  CHECK_FALSE(digest({{0.5}}, ladder));
  CHECK_FALSE(digest({{kNan}, {}}));
  Result r = sample_result();
  r.acceptance_beta[3][4] = 0.01;
  CHECK_THAT(to_summary(r), Contains("min 0.01 at row 4, column 5  (weak"));
  r.acceptance_beta.clear();
  CHECK_THAT(to_summary(r), !Contains("beta swaps"));
}

TEST_CASE("control characters never reach the terminal", "[report][summary]") {
  Result r = sample_result();
  r.problem = r.objective_name = r.device = "evil\x1b[2J\nname";
  r.ladder.notes = {"note\x07"};
  const std::string text = to_summary(r);
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find('\x07') == std::string::npos);
  CHECK_THAT(text, Contains("evil\\x1b[2J\\x0aname"));
}

TEST_CASE("numbers as people read them", "[report][format]") {
  CHECK(count_text(0) == "0");
  CHECK(count_text(999) == "999");
  CHECK(count_text(102400) == "102,400");
  CHECK(count_text(18446744073709551615u) == "18,446,744,073,709,551,615");
  CHECK(short_count_text(9999) == "9999");
  CHECK(short_count_text(102400) == "102k");
  CHECK(short_count_text(999950) == "1.00M");
  CHECK(short_count_text(18446744073709551615u) == "18.4E");
  CHECK(number_text(-0.0) == "0");
  CHECK(number_text(-41.25) == "-41.25");
  CHECK(number_text(std::numeric_limits<double>::infinity()) == "n/a");
  CHECK(amount_text(1000000000169.0) == "1000000000169");
  CHECK(amount_text(-0.0) == "0");
  CHECK(amount_text(1.0 / 3.0) == "0.3333333333");
  CHECK(amount_text(1e20) == "1e+20");
  CHECK(amount_text(std::numeric_limits<double>::infinity()) == "n/a");
  CHECK(duration_text(0.083) == "83 ms");
  CHECK(duration_text(1.24) == "1.24 s");
  CHECK(duration_text(123) == "2 min 03 s");
  CHECK(duration_text(3599.6) == "1 h 00 min");
  CHECK(duration_text(3720) == "1 h 02 min");
  CHECK(memory_text(512) == "512 KiB");
  CHECK(memory_text(36120) == "35.3 MiB");
  CHECK(memory_text(3u << 20) == "3.00 GiB");
  CHECK(percent_text(0.975) == "97.5 %");
}

TEST_CASE("names are shortened by whole characters and sorted by their numbers",
          "[report][format]") {
  CHECK(shortened("profit", 6) == "profit");
  CHECK(shortened("profits", 6) == "profi…");
  CHECK(shortened("größenordnung", 5) == "größ…");
  CHECK(shortened("", 3).empty());
  std::vector<std::string> names = {"x10", "x9", "x_2_10", "x_2_9", "a", "x", "x010", "y1", "x09"};
  std::sort(names.begin(), names.end(), natural_less);
  CHECK(names ==
        std::vector<std::string>{"a", "x", "x09", "x9", "x010", "x10", "x_2_9", "x_2_10", "y1"});
}

TEST_CASE("text is made safe for XML", "[report][format]") {
  CHECK(xml_escaped("a<b>&\"'") == "a&lt;b&gt;&amp;&quot;&#39;");
  CHECK(xml_escaped("β–𝄞") == "β–𝄞");
  CHECK(xml_escaped("\x80") == "\uFFFD");
  CHECK(xml_escaped("\xc3") == "\uFFFD");
  CHECK(xml_escaped("\xe2\x82") == "\uFFFD\uFFFD");
  CHECK(xml_escaped("\xc0\xaf") == "\uFFFD\uFFFD");            // overlong '/'
  CHECK(xml_escaped("\xed\xa0\x80") == "\uFFFD\uFFFD\uFFFD");  // surrogate
  CHECK(xml_escaped("\xef\xbf\xbe") == "\uFFFD\uFFFD\uFFFD");  // U+FFFE
  CHECK(xml_escaped(std::string_view("a\0b", 3)) == "a\uFFFDb");
}

TEST_CASE("counts agree with their nouns", "[report]") {
  CHECK(counted(0, "row") == "0 rows");
  CHECK(counted(1, "row") == "1 row");
  CHECK(counted(1024, "row") == "1,024 rows");
  CHECK(counted(1, "vertex is", "vertices are") == "1 vertex is");
  CHECK(counted(2, "vertex is", "vertices are") == "2 vertices are");
  Result r = sample_result({.spins = 8, .rows = 2, .columns = 2});
  r.quenches = r.exchanges = r.sweeps = 1;
  r.objective_name = "cut";
  r.best.solution.assign(8, Spin{-1});
  r.best.solution[3] = 1;
  CHECK_THAT(to_summary(r), Contains("1 quench, 1 component exchange\n") &&
                                Contains(", 1 sweep,") && Contains("1 vertex on one side, 7"));
}
