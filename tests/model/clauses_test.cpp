// OPB, WBO, CNF and WCNF files: what they cost and what holds against sums made here from the
// clauses themselves, over all states, and every refusal with its line.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <functional>

#include "model/forms.hpp"
#include "model/model_files.hpp"
#include "support/random.hpp"

using namespace chainmail;

namespace {

using Values = std::vector<std::int64_t>;

// Weighted clauses of literals; 0: hard.
struct Clause {
  std::uint64_t weight;
  std::vector<int> literals;
};

bool holds(const Clause& clause, const Values& x) {
  return std::any_of(clause.literals.begin(), clause.literals.end(), [&](int l) {
    return (x[static_cast<std::size_t>(std::abs(l)) - 1] != 0) == (l > 0);
  });
}

std::vector<Clause> random_clauses(Engine& engine, int variables, std::size_t count, bool soft) {
  std::vector<Clause> clauses(count);
  for (Clause& c : clauses) {
    c.weight = soft && engine() % 2 == 0 ? 1 + engine() % 9 : 0;
    const std::size_t length = engine() % 8 == 0 ? 1 : 1 + engine() % 4;
    for (std::size_t k = 0; k < length; ++k) {
      const int v = 1 + static_cast<int>(engine() % static_cast<std::uint64_t>(variables));
      c.literals.push_back(engine() % 2 == 0 ? v : -v);
    }
  }
  return clauses;
}

std::string text_of(const Clause& clause) {
  std::string text;
  for (int l : clause.literals) text += fmt::format("{} ", l);
  return text + "0\n";
}

// Whether a state is allowed and what it costs, for every state of the first `count` variables; any
// others follow as the best there is.
void check_against(const ConstrainedModel& model, std::size_t count,
                   const std::function<bool(const Values&)>& allowed,
                   const std::function<double(const Values&)>& cost) {
  const std::size_t all = model.variables.size();
  REQUIRE(all >= count);
  for (std::size_t s = 0; s < std::size_t{1} << count; ++s) {
    std::optional<double> best;
    for (std::size_t rest = 0; rest < std::size_t{1} << (all - count); ++rest) {
      Values x(all);
      for (std::size_t k = 0; k < all; ++k) {
        x[k] = static_cast<std::int64_t>((k < count ? s >> k : rest >> (k - count)) & 1U);
      }
      const Evaluation found = evaluate(model, x);
      if (found.feasible() && (!best || found.objective < *best)) best = found.objective;
    }
    Values x(count);
    for (std::size_t k = 0; k < count; ++k) x[k] = static_cast<std::int64_t>(s >> k & 1U);
    REQUIRE(best.has_value() == allowed(x));
    if (best) REQUIRE(*best == cost(x));
  }
}

std::string complaint(const std::string& text, ModelFormat format) {
  try {
    parse_model(text, "t", format);
  } catch (const std::exception& e) {
    return e.what();
  }
  return "accepted";
}

void check_complaints(ModelFormat format,
                      const std::vector<std::pair<std::string, std::string>>& cases) {
  for (const auto& [text, expected] : cases) {
    INFO(text);
    CHECK(complaint(text, format) == expected);
  }
}

}  // namespace

TEST_CASE("CNF and WCNF, old and new, mean what their clauses say") {
  Engine engine(3);
  for (int round = 0; round < 60; ++round) {
    const int n = 2 + static_cast<int>(engine() % 5);
    const bool soft = round % 3 != 0;
    const auto clauses = random_clauses(engine, n, 1 + engine() % 10, soft);
    std::string body, header;
    std::uint64_t total = 1;
    for (const Clause& c : clauses) total += c.weight;
    const bool headed = round % 3 == 1;
    if (!soft) header = fmt::format("c random\np cnf {} {}\n", n, clauses.size());
    if (headed) header = fmt::format("c random\np wcnf {} {} {}\n", n, clauses.size(), total);
    for (const Clause& c : clauses) {
      const std::string hard = headed ? fmt::format("{} ", total) : "h ";
      if (soft) body += c.weight > 0 ? fmt::format("{} ", c.weight) : hard;
      body += text_of(c);
    }
    if (soft && !headed) body += fmt::format("h {} -{} 0\n", n, n);  // so that all are there
    INFO(header + body);
    const ConstrainedModel model =
        parse_model(header + body, "t", soft ? ModelFormat::wcnf : ModelFormat::cnf);
    REQUIRE(model.variables.size() == static_cast<std::size_t>(n));
    check_against(
        model, static_cast<std::size_t>(n),
        [&](const Values& x) {
          return std::all_of(clauses.begin(), clauses.end(),
                             [&](const Clause& c) { return c.weight > 0 || holds(c, x); });
        },
        [&](const Values& x) {
          double cost = 0.0;
          for (const Clause& c : clauses) {
            if (c.weight > 0 && !holds(c, x)) cost += static_cast<double>(c.weight);
          }
          return cost;
        });
    REQUIRE_NOTHROW(compile_forms(model));
  }
}

TEST_CASE("OPB: signs, negations, products, relations, over several lines") {
  const ConstrainedModel m = parse_model(
      "* #variable= 4 #constraint= 3\n* a comment\nmin: 3 x1 -2 ~x2 +1 x1 x3 -4 ~x1 ~x4\n +5 x2 "
      "~x2 "
      "+2 x3 x3 ;\n+2 x1 +3 ~x2\n+1 x3 >= 2 ;\n1 x1 +1 x2 = 1;\n-2 x4 +1 x3 <= +0 ;\n",
      "t", ModelFormat::opb);
  REQUIRE(m.variables.size() == 4);
  CHECK(m.variables[3].name == "x4");
  check_against(
      m, 4,
      [](const Values& x) {
        return 2 * x[0] + 3 * (1 - x[1]) + x[2] >= 2 && x[0] + x[1] == 1 && -2 * x[3] + x[2] <= 0;
      },
      [](const Values& x) {
        return static_cast<double>(3 * x[0] - 2 * (1 - x[1]) + x[0] * x[2] -
                                   4 * (1 - x[0]) * (1 - x[3]) + 2 * x[2]);
      });
  const ConstrainedModel free = parse_model("max: +1 x1 +2 x2 ;\n", "t", ModelFormat::opb);
  CHECK(free.sense == Sense::maximise);
  CHECK(free.variables[1].name == "x2");
}

TEST_CASE("WBO: a soft constraint costs what it says however far it is missed") {
  for (const std::string top : {"", "6", "100"}) {
    INFO("top " << top);
    const ConstrainedModel m = parse_model(
        "* #variable= 3 #constraint= 4 #soft= 3 mincost= 2 maxcost= 4 sumcost= 9\nsoft: " + top +
            " ;\n[2] +1 x1 +1 x2 +1 x3 >= 3 ;\n[3] +5 x1 +3 x2 = 3 ;\n[4] +1 ~x3 >= 1 ;\n"
            "+1 x1 +1 x3 >= 1 ;\n",
        "t", ModelFormat::wbo);
    const auto cost = [](const Values& x) {
      return 2.0 * (x[0] + x[1] + x[2] < 3) + 3.0 * (5 * x[0] + 3 * x[1] != 3) + 4.0 * (x[2] != 0);
    };
    check_against(
        m, 3,
        [&](const Values& x) {
          return x[0] + x[2] >= 1 && (top.empty() || cost(x) < std::stod(top));
        },
        cost);
  }
}

TEST_CASE("OPB and WBO complaints") {
  check_complaints(
      ModelFormat::opb,
      {{"", "t:1: expected at least one variable, found none"},
       {"min: +1 x1 ;\n+1 x1 +1 x2\n",
        "t:3: expected '>=', '<=' or '=', found the end of the file"},
       {"min: +1 x1 ;\n+1 x1 > 2 ;\n", "t:2: expected '>=', '<=' or '=', found '> 2 ;'"},
       {"+1 x1 >= ;\n", "t:1: expected the right side, found ';'"},
       {"+1 x1 >= 1\n+1 x2 >= 1 ;\n", "t:2: expected ';', found '+1 x2 >= 1 ;'"},
       {"+1.5 x1 >= 1 ;\n", "t:1: expected a whole number, found '.5 x1 >= 1 ;'"},
       {"+1 >= 1 ;\n", "t:1: expected a literal, found '>= 1 ;'"},
       {"+1 ~ >= 1 ;\n", "t:1: expected a variable, found '>= 1 ;'"},
       {">= 1 ;\n", "t:1: expected a term, found '>= 1 ;'"},
       {"+1 x1 >= 1 ;\nmin: +1 x1 ;\n",
        "t:2: the objective must come once, before the constraints"},
       {"min: +1 ~x1 ~x2 ~x3 ~x4 ~x5 ~x6 ~x7 ~x8 ~x9 ~x10 ~x11 ;\n",
        "t:1: a product of 11 negated literals; 10 is the most"},
       {"+99999999999999999999 x1 >= 1 ;\n",
        "t:1: a coefficient is beyond 2^53; larger numbers are not supported yet"},
       {"[2] +1 x1 >= 1 ;\n", "t:1: a soft constraint without `soft: ;` before it"},
       {"* #variable= 9999999999\n", "t:1: expected at most 1048576 variables"},
       {"+1 x1 >= 1 ;\n\x01", "t:2: expected text, found the control character 0x01"}});
  check_complaints(
      ModelFormat::wbo,
      {{"soft: 3 ;\n[0] +1 x1 >= 1 ;\n", "t:2: expected a cost of 1 or more"},
       {"soft: 3 ;\n[2 +1 x1 >= 1 ;\n", "t:2: expected ']', found '+1 x1 >= 1 ;'"},
       {"soft: ;\nmin: +1 x1 ;\n", "t:2: the objective must come once, before the constraints"},
       {"soft: x ;\n", "t:1: expected a top cost or ';', found 'x ;'"},
       {"+1 x1 >= 1 ;\nsoft: ;\n", "t:2: `soft:` must come once, before the constraints"}});
}

TEST_CASE("CNF and WCNF complaints") {
  check_complaints(
      ModelFormat::cnf,
      {{"1 2 0\n",
        "t:1: expected 'p cnf VARIABLES CLAUSES' before the first clause, found '1 2 0'"},
       {"p cnf 2\n", "t:1: expected 'p cnf VARIABLES CLAUSES', found 'p cnf 2'"},
       {"p wcnf 2 1\n1 1 0\n", "t:1: expected 'p cnf VARIABLES CLAUSES', found 'p wcnf 2 1'"},
       {"p cnf 2 1\n1 3 0\n", "t:2: expected a literal from -2 to 2 or 0, found '3'"},
       {"p cnf 2 1\n1 x 0\n", "t:2: expected a literal from -2 to 2 or 0, found 'x'"},
       {"p cnf 2 1\n1 2\n", "t:2: the last clause does not end with 0"},
       {"p cnf 2 2\n1 2 0\n", "t:2: expected 2 clauses, found 1"},
       {"p cnf 2 1\n1 0\np cnf 2 1\n", "t:3: a line 'p ...' must come once, before all clauses"},
       {"c nothing\n", "t:1: expected clauses, found none"}});
  CHECK(complaint("p cnf 2 1\n1 2 0\n%\n0\n", ModelFormat::cnf) == "accepted");
  check_complaints(
      ModelFormat::wcnf,
      {{"0 1 2 0\n", "t:1: expected 'h' or a weight from 1 to 18446744073709551615, found '0'"},
       {"p wcnf 2 1 5\nh 1 2 0\n", "t:2: 'h' belongs to files without a line 'p wcnf'"},
       {"h 1 2 0\np wcnf 2 1 5\n", "t:2: a line 'p ...' must come once, before all clauses"},
       {"1.5 1 0\n", "t:1: expected 'h' or a weight from 1 to 18446744073709551615, found '1.5'"},
       {"99999999999999999 1 0\n",
        "t:1: a weight beyond 2^53: larger numbers are not supported yet"}});
}
