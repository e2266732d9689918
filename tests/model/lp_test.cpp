// The LP reader: what every section means, and a message with line and token for what is wrong.
#include <catch2/catch.hpp>

#include "check/model.hpp"
#include "model/forms.hpp"
#include "model/model_files.hpp"
#include "support/error.hpp"

using namespace chainmail;

namespace {

ConstrainedModel lp(const std::string& text) {
  return parse_model(text, "t.lp", ModelFormat::lp);
}

std::string complaint(const std::string& text) {
  try {
    lp(text);
  } catch (const InputError& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("every part of an LP file is understood") {
  const ConstrainedModel m =
      lp("\\ a comment with keywords: Subject To, End\n"
         "MAXIMIZE\n profit: 3x#1 - 2.5 x#2+4e1 n + 7 + m + f + f2 + k\n"
         "   + [ 2 x#1 * x#2 - 4 n ^2 ] / 2 \\ and one at the end\n"
         "s.t.\n c1: x#1 + x#2\n     + n =< 3\n range: -1 <= x#1 - n <= 2\n x#1 + 2 x#2 >= 1\n"
         " 4 => n\n both: [ x#1 * x#2 ] = 0\nBounds\n -2 <= n <= 5 m >= 1 m <= 3\n f free\n"
         " -infinity <= f2 <= 4\n k = 2\nGenerals n m f\n f2 k\nBinaries\n x#1\n x#2\nEnd\n\\ "
         "after\n");
  REQUIRE(m.sense == Sense::maximise);
  REQUIRE(m.objective_name == "profit");
  REQUIRE(m.variables.size() == 7);
  REQUIRE(m.variables[0] == ModelVariable{"x#1", 0, 1});
  REQUIRE(m.variables[2] == ModelVariable{"n", -2, 5});
  REQUIRE(m.variables[3] == ModelVariable{"m", 1, 3});
  REQUIRE(m.variables[4] == ModelVariable{"f", -kUnbounded, kUnbounded});
  REQUIRE(m.variables[5] == ModelVariable{"f2", -kUnbounded, 4});
  REQUIRE(m.variables[6] == ModelVariable{"k", 2, 2});
  REQUIRE(m.objective.constant == 7);
  REQUIRE(m.objective.products == std::vector<ProductTerm>{{0, 1, 1.0}, {2, 2, -2.0}});
  REQUIRE(m.constraints.size() == 5);
  REQUIRE(m.constraints[0].name == "c1");
  REQUIRE(m.constraints[0].upper == 3);
  REQUIRE(m.constraints[1].lower == -1);
  REQUIRE(m.constraints[1].upper == 2);
  REQUIRE(m.constraints[2].name == "R3");
  REQUIRE(m.constraints[2].lower == 1);
  REQUIRE(m.constraints[3].upper == 4);
  REQUIRE(m.constraints[4].left.products.size() == 1);
}

TEST_CASE("what is wrong with an LP file is told with line and token") {
  const std::string head = "Minimize\n x + y\nSubject To\n";
  const std::string tail = "Binary\n x y\nEnd\n";
  const auto with = [&](const std::string& constraint) {
    return complaint(head + constraint + tail);
  };
  REQUIRE(with(" c: x + y <= 1\n") == "accepted");
  const std::pair<std::string, std::string> wrong[] = {
      {with(" c: x + y\n"), "t.lp:5: expected +, - or a relation (<=, >=, =), found 'Binary'"},
      {with(" c: x + y\n d: x <= 1\n"),
       "t.lp:5: expected +, - or a relation (<=, >=, =), found 'd'"},
      {with(" c: x <= 1\n c: y <= 1\n"),
       "t.lp:5: expected a new name, found a second constraint 'c'"},
      {with(" c: x y <= 1\n"), "t.lp:4: expected +, - or a relation (<=, >=, =), found 'y'"},
      {with(" c: x + <= 1\n"), "t.lp:4: expected a number or a variable, found '<='"},
      {with(" c: x <= <= y\n"),
       "t.lp:4: expected a number or a variable on the right side, found '<='"},
      {with(" c: x <= d: y >= 1\n"),
       "t.lp:4: expected a number or a variable on the right side, found 'd'"},
      {with(" c: 3 <= x <= 1\n"), "t.lp:4: expected a range that is not empty"},
      {with(" c: 1 <= x >= 1\n"), "t.lp:4: expected a range 'number <= terms <= number'"},
      {with(" c: x & 1 <= 1\n"), "t.lp:4: expected +, - or a relation (<=, >=, =), found '&'"},
      {with(" c: x ; <= 1\n"), "t.lp:4: expected +, - or a relation (<=, >=, =), found ';'"},
      {with(" c: x + z <= 1\n"),
       "t.lp:4: expected binary and integer variables only, found 'z', which is listed neither "
       "under Binary nor under General"},
      {with(" c: x <= 1e999\n"), "t.lp:4: expected a number that fits a double, found '1e999'"},
      {complaint(head + tail + "more"), "t.lp:7: expected nothing after End, found 'more'"},
      {complaint(head + "Binary\n x y\n"),
       "t.lp:6: expected a section (Bounds, General, Binary, Spins, SOS) or End, found the end of "
       "the file"},
      {complaint(head + "Foo\n x y\nEnd\n"),
       "t.lp:5: expected +, - or a relation (<=, >=, =), found 'x'"},
      {complaint(head + " c: x <= 1\nBinary\n x y\nFoo\n x\nEnd\n"),
       "t.lp:7: expected a section or a variable of the objective or a constraint, found 'Foo'"},
      {complaint(head + "Binary\n x y x\nEnd\n"),
       "t.lp:5: expected each variable once under General, Binary and Spins, found 'x' "
       "again"},
      {complaint(head + "Bounds\n x <= 3\n x <= 4\nGeneral\n x y\nEnd\n"),
       "t.lp:6: expected one bound per side, found a second one of 'x' (first in line 5)"},
      {complaint(head + "SOS2\n x y\nEnd\n"),
       "t.lp:4: expected a section of a model with binary and integer variables, found 'SOS2', "
       "which Chainmail does not solve"},
      {complaint(head + "SOS\n x y\nEnd\n"),
       "t.lp:5: expected a set (name: S1::) or a member (variable:weight), found 'x'"},
      {complaint(head + "SOS\n a: S2:: x:1 y:2\n" + tail),
       "t.lp:5: expected a set of kind S1, found 'S2'"},
      {complaint(head + "SOS\n a: b: S1:: x:1\n" + tail),
       "t.lp:5: expected S1:: after the name of a set"},
      {complaint(head + "SOS\n a: S1:: x:1 z:2\n" + tail),
       "t.lp:5: expected a section or a variable of the objective or a constraint, found 'z'"},
      {complaint(head + "SOS\n a: S1:: x:1 x:2\n" + tail), "t.lp: set 'a' has 'x' twice"},
      {complaint(head + " c: x <= 0\nSoft Constraints\n d 1\n" + tail),
       "t.lp:6: expected the name of a constraint, found 'd'"},
      {complaint(head + " c: x <= 0\nSoft Constraints\n c 0\n" + tail),
       "t.lp:6: expected a positive price per unit of violation, found '0'"},
      {complaint(head + " c: x <= 0\nSoft Constraints\n c 1 c 1\n" + tail),
       "t.lp:6: expected one price per constraint, found a second of 'c'"},
      {with(" c: x = 2 -> y <= 0\n"),
       "t.lp:4: expected 'variable = 0 ->' or 'variable = 1 ->' before a constraint"},
      {with(" c: x <= 1 -> y <= 0\n"),
       "t.lp:4: expected 'variable = 0 ->' or 'variable = 1 ->' before a constraint"},
      {complaint(head + " c: x = 1 -> y <= 0\nBounds\n x <= 3\nGeneral\n x y\nEnd\n"),
       "t.lp: constraint 'c' depends on 'x', which is not binary"},
      {complaint("Minimize\n [ x * y ]\nSubject To\nBinary\n x y\nEnd\n"),
       "t.lp:3: expected / 2 after ] in the objective, found 'Subject To'"},
      {complaint("x + y\n"), "t.lp:1: expected Minimize or Maximize, found 'x'"},
      {complaint(""), "t.lp:1: expected Minimize or Maximize, found the end of the file"},
      {complaint(head + " c: [ x * y ] <= 1\nBounds\n x <= 3\nGeneral\n x y\nEnd\n"),
       "t.lp: constraint 'c' has a product of 'x', which is not binary; only the objective can "
       "have "
       "such products"},
      {complaint(head + "Bounds\n x <= 0\nSpins\n x y\nEnd\n"),
       "t.lp: spin 'x' has bounds -1 and 0; it is -1 or 1"},
      {with(" c: [ x * y ^ 10 ] <= 1\n"),
       "t.lp:4: expected a whole number from 2 to 9 after ^, found '10'"},
      {with(" c: [ x ] <= 1\n"), "t.lp:4: expected * or ^ in a product, found ']'"},
  };
  for (const auto& [found, expected] : wrong) CHECK(found == expected);
}

TEST_CASE("variables may stand on both sides, and Subject To may be absent") {
  const ConstrainedModel model = parse_model(
      "Minimize\n x + y\nSubject To\n a: 2 x >= 3 y - 1\n b: x + 1 <= y + z\n"
      " c: x <= 1\n y + z >= 1\nBinary\n x y z\nEnd\n",
      "t.lp", ModelFormat::lp);
  REQUIRE(model.constraints.size() == 4);
  REQUIRE(evaluate(model, std::vector<std::int64_t>{0, 1, 1}).violations.size() == 1);  // a
  REQUIRE(evaluate(model, std::vector<std::int64_t>{1, 1, 0}).violations.size() == 1);  // b
  REQUIRE(evaluate(model, std::vector<std::int64_t>{1, 1, 1}).feasible());
  REQUIRE(model.constraints[3].left.linear.size() == 2);
  REQUIRE(
      parse_model("Minimize\n x\nBinary\n x\nEnd\n", "t.lp", ModelFormat::lp).constraints.empty());
}

TEST_CASE("constraints without names may begin with a sign") {
  const std::string text =
      "Minimize\n x + y\nSubject To\n x + y >= 1\n - x - 2 y >= -2\n + x - y <= 0\n"
      " a: x <= y\n + z\nBinary\n x y z\nEnd\n";
  const ConstrainedModel model = lp(text);
  REQUIRE(model.constraints.size() == 4);
  CHECK(model.constraints[0].lower == 1);
  CHECK(model.constraints[1].lower == -2);
  CHECK(model.constraints[2].upper == 0);
  CHECK(model.constraints[3].left.linear.size() == 3);  // a right side with variables goes on
  const checker::Model same = checker::read("lp", text, "t.lp");
  for (int k = 0; k < 8; ++k) {
    const std::vector<std::int64_t> values = {k & 1, k >> 1 & 1, k >> 2 & 1};
    const bool holds = checker::judge(same, {values[0], values[1], values[2]}).broken.empty();
    CHECK(evaluate(model, values).feasible() == holds);
  }
}

TEST_CASE("to the checker a clause of the top weight must hold") {
  const checker::Model model = checker::read("wcnf", "p wcnf 2 2 9\n9 1 2 0\n3 -1 0\n", "t.wcnf");
  CHECK_FALSE(checker::judge(model, {0, 0}).broken.empty());
  const checker::Judgement one = checker::judge(model, {1, 0});
  CHECK(one.broken.empty());
  CHECK(one.objective == 3);
}

TEST_CASE("indicators, sets and soft constraints") {
  const ConstrainedModel m =
      lp("Maximize\n profit: x + y + n\nSubject To\n on: x = 1 -> n - y <= 2\n"
         " off: x = 0 -> 1 <= n <= 4\n wish: x + y + n <= 3\nSoft Constraints\n wish 0.5\n"
         "Bounds\n n <= 5\nGeneral\n n\nBinary\n x y\nSOS\n s: S1:: x:1 y:2\n S1:: y:1 n:2\n"
         "End\n");
  REQUIRE(m.constraints[0].when == ModelConstraint::When{0, true});
  REQUIRE(m.constraints[1].when == ModelConstraint::When{0, false});
  REQUIRE(m.constraints[1].lower == 1);
  REQUIRE(m.constraints[2].price == 0.5);
  REQUIRE(m.sets == std::vector<ModelSet>{{"s", {0, 1}}, {"SOS2", {1, 2}}});
  const auto judged = [&](std::int64_t x, std::int64_t y, std::int64_t n) {
    return evaluate(m, std::vector<std::int64_t>{x, y, n});
  };
  REQUIRE(judged(1, 0, 2).feasible());
  REQUIRE(judged(1, 0, 2).objective == 3);
  REQUIRE(judged(1, 0, 3).violations.front().constraint == "on");
  REQUIRE(judged(0, 0, 0).violations.front().constraint == "off");
  REQUIRE(judged(0, 0, 4).objective == 4 - 0.5);  // one above the wish
  REQUIRE(judged(0, 1, 3).violations.front().constraint == "SOS2");
  REQUIRE(judged(1, 1, 0).violations.front().constraint == "s");
}

TEST_CASE("an indicator's variables need bounds") {
  REQUIRE_THROWS_WITH(
      compile_forms(lp("Minimize\n x\nSubject To\n c: x = 1 -> n <= 3\n d: n - m <= 4\n"
                       "Bounds\n m <= 2\nGeneral\n n m\nBinary\n x\nEnd\n")),
      Catch::Contains("'c'") && Catch::Contains("'n' needs an upper bound"));
}
