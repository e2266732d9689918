// FlatZinc: files that minizinc 2.6.4 wrote (tests/cli/minizinc has their models) to their known
// answers, random ones against sums made here and against the checker's own reader, and every
// refusal with its line.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include "chainmail/chainmail.hpp"
#include "check/model.hpp"
#include "model/model_files.hpp"
#include "support/random.hpp"

using namespace chainmail;

namespace {

using Values = std::vector<std::int64_t>;

// Sums of variables, each written in one of the ways FlatZinc has.
class RandomFile {
 public:
  explicit RandomFile(std::uint64_t seed) : engine_(seed) {
    declare(
        "predicate some(var int: x, array [int] of var bool: y);\n% a comment; with var int: x\n");
    declare(fmt::format(
        "int: five :: note(\"a ) \", f(1)) = 5;\narray [1..2] of bool: truths = [true,false];\n"));
    for (std::size_t v = 0; v < kVariables; ++v) {
      const std::int64_t low = static_cast<std::int64_t>(engine_() % 4) - 2;
      const bool truth = engine_() % 3 == 0;
      ranges_.push_back(truth ? std::pair<std::int64_t, std::int64_t>{0, 1}
                              : std::pair{low, low + static_cast<std::int64_t>(engine_() % 4)});
      declare(truth ? fmt::format("var bool: v{}:: is_defined_var;\n", v)
                    : fmt::format("var {}..{}: v{} ::var_is_introduced ;\n", ranges_[v].first,
                                  ranges_[v].second, v));
    }
    declare("array [1..3] of var int: some = [v0,five,v2];\n");
    for (std::size_t r = 0; r < 4; ++r) add_row(r);
    maximise_ = engine_() % 2 == 0;
    declare(
        fmt::format("solve :: int_search([v1],x) {} v1;\n", maximise_ ? "maximize" : "minimize"));
  }

  const std::string& text() const { return text_; }
  std::pair<bool, std::int64_t> judge(const Values& x) const {
    bool holds = true;
    for (const Row& row : rows_) {
      std::int64_t sum = row.constant;
      for (const auto& [v, c] : row.terms) sum += c * x[v];
      holds = holds && (row.equation ? sum == row.right : sum <= row.right);
    }
    return {holds, x[1]};
  }
  // The next values in range; false after the last.
  bool next(Values& x) const {
    for (std::size_t v = 0; v < kVariables; ++v) {
      if (x[v]++ < ranges_[v].second) return true;
      x[v] = ranges_[v].first;
    }
    return false;
  }
  Values first() const {
    Values x;
    for (const auto& [low, high] : ranges_) x.push_back(low);
    return x;
  }
  bool maximise() const { return maximise_; }

 private:
  static constexpr std::size_t kVariables = 5;
  struct Row {
    std::vector<std::pair<std::size_t, std::int64_t>> terms;
    std::int64_t constant = 0, right = 0;
    bool equation = false;
  };

  void declare(const std::string& text) { text_ += text; }

  void add_row(std::size_t r) {
    Row row;
    row.equation = engine_() % 3 == 0;
    row.right = static_cast<std::int64_t>(engine_() % 9) - 2;
    std::string coefficients, variables;
    const std::size_t count = 1 + engine_() % 4;
    for (std::size_t k = 0; k < count; ++k) {
      const std::int64_t c = static_cast<std::int64_t>(engine_() % 9) - 4;
      coefficients += fmt::format("{}{}", k > 0 ? "," : "", c);
      variables += k > 0 ? ", " : "";
      switch (engine_() % 5) {
        case 0:
          variables += "five";
          row.constant += 5 * c;
          break;
        case 1:
          variables += "some[3]";
          row.terms.emplace_back(2, c);
          break;
        case 2:
          variables += "true";
          row.constant += c;
          break;
        default:
          row.terms.emplace_back(engine_() % kVariables, c);
          variables += fmt::format("v{}", row.terms.back().first);
      }
    }
    const bool named = engine_() % 2 == 0;
    if (named) declare(fmt::format("array [1..{}] of int: a{} = [{}];\n", count, r, coefficients));
    declare(fmt::format(
        "constraint int_lin_{}({},[{}],{}):: defines_var(v1);\n", row.equation ? "eq" : "le",
        named ? fmt::format("a{}", r) : "[" + coefficients + "]", variables, row.right));
    rows_.push_back(std::move(row));
  }

  Engine engine_;
  std::string text_;
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges_;
  std::vector<Row> rows_;
  bool maximise_ = false;
};

std::string complaint(const std::string& text) {
  try {
    parse_model(text, "t.fzn", ModelFormat::fzn);
  } catch (const std::exception& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("what minizinc wrote is solved to its known answer", "[model][flatzinc]") {
  const std::pair<const char*, double> known[] = {
      {"assignment", 27}, {"cover", 12}, {"rucksack", 79}, {"logic", 9}};
  for (const auto& [name, optimum] : known) {
    INFO(name);
    const Solution found = solve(Model::read(fmt::format("tests/model/flatzinc/{}.fzn", name)));
    CHECK(found.best.feasible);
    CHECK(found.best.objective == optimum);
    CHECK(found.proved);
  }
  const Solution none = solve(Model::read("tests/model/flatzinc/pigeons.fzn"));
  CHECK_FALSE(none.best.feasible);
  CHECK(none.stopped_by == "proof that no solution exists");
}

TEST_CASE("FlatZinc means what it says, to the solver and to the checker", "[model][flatzinc]") {
  std::size_t feasible = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const RandomFile file(seed);
    INFO(file.text());
    const ConstrainedModel model = parse_model(file.text(), "t.fzn", ModelFormat::fzn);
    const checker::Model second = checker::read("fzn", file.text(), "t.fzn");
    REQUIRE((model.sense == Sense::maximise) == file.maximise());
    REQUIRE(second.maximise == file.maximise());
    Values x = file.first();
    do {
      const auto [holds, objective] = file.judge(x);
      const Evaluation found = evaluate(model, x);
      REQUIRE(found.feasible() == holds);
      REQUIRE(found.objective == static_cast<double>(objective));
      const checker::Judgement judged =
          checker::judge(second, std::vector<checker::Integer>(x.begin(), x.end()));
      REQUIRE(judged.broken.empty() == holds);
      REQUIRE(judged.objective == objective);
      feasible += holds ? 1U : 0U;
    } while (file.next(x));
  }
  CHECK(feasible > 300);
}

TEST_CASE("names may stand for variables, and need none", "[model][flatzinc]") {
  const ConstrainedModel model = parse_model(
      "var 0..3: x;\nvar 0..9: y = x;\nvar bool: z = true;\nsolve satisfy;", "t", ModelFormat::fzn);
  CHECK(evaluate(model, Values{2, 2, 1}).feasible());
  CHECK_FALSE(evaluate(model, Values{2, 3, 1}).feasible());
  CHECK_FALSE(evaluate(model, Values{2, 2, 0}).feasible());
  CHECK(parse_model("solve satisfy;", "t", ModelFormat::fzn).variables.size() == 1);
}

TEST_CASE("what FlatZinc cannot say here is refused by its name", "[model][flatzinc]") {
  const std::string x = "var 0..1: x;\n";
  const std::pair<std::string, std::string> refused[] = {
      {"var float: f;\nsolve satisfy;", "t.fzn:1: values of type 'float' are not supported"},
      {"var 0.5..1.5: f;", "t.fzn:1: expected a whole number, found '.5..1.5: f;'"},
      {"var set of 1..3: s;", "t.fzn:1: values of type 'set' are not supported"},
      {"var {1,3}: s;", "t.fzn:1: a set of values is not supported"},
      {"var 3..2: s;", "t.fzn:1: expected a value between 3 and 2"},
      {"array [1..1] of float: c = [1.0];", "t.fzn:1: values of type 'float'"},
      {"array [1..2] of int: c = [1];", "t.fzn:1: expected 2 values, found 1"},
      {"array [0..1] of int: c = [1,2];", "t.fzn:1: expected an array from 1 on"},
      {x + "array [1..1] of int: c = [x];", "t.fzn:2: expected numbers, found a variable"},
      {x + "% a comment\nvar bool: x;", "t.fzn:3: expected a new name, found a second 'x'"},
      {x + "int: n = x;", "t.fzn:2: expected a number for 'n'"},
      {x + "\nconstraint int_times(x,x,x);\n",
       "t.fzn:3: the constraint 'int_times' is not supported"},
      {x + "constraint int_lin_le_reif([1],[x],0,x);\n",
       "t.fzn:2: the constraint 'int_lin_le_reif'"},
      {x + "constraint int_lin_le([1,2],[x],0);\n",
       "t.fzn:2: expected as many coefficients as variables, found 2 and 1"},
      {x + "constraint int_lin_le([x],[x],0);\n", "t.fzn:2: expected numbers, found a variable"},
      {x + "constraint int_lin_le([1],[x],x);\n", "t.fzn:2: expected numbers, found a variable"},
      {x + "constraint int_lin_le([1],[y],0);\n",
       "t.fzn:2: expected a name declared before, found 'y'"},
      {x + "constraint int_lin_le([1],x,0);\n", "t.fzn:2: expected an array"},
      {x + "constraint int_lin_le([1],[x],0)", "t.fzn:2: expected ';', found the end of the file"},
      {x + "array [1..1] of var int: a = [x];\nsolve minimize a[2];",
       "t.fzn:3: expected an index from 1 to 1, found 2"},
      {x + "solve best x;", "t.fzn:2: expected satisfy, minimize or maximize, found 'best'"},
      {x + "solve satisfy;\n" + x, "t.fzn:3: expected nothing after the solve item"},
      {x, "t.fzn:2: expected a solve item, found the end of the file"},
      {"var 0..1: x :: note(f(1;", "t.fzn:1: expected ')', found ';'"},
      {"var 0..9007199254740993: x;", "is beyond 2^53"},
      {"tuple: x;", "t.fzn:1: expected a type: int, bool or a range, found 'tuple'"},
  };
  for (const auto& [text, what] : refused) {
    INFO(text);
    CHECK_THAT(complaint(text), Catch::Contains(what));
  }
}
