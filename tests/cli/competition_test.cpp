// `solve --competition`: the lines that judges of competitions read. Generated files of each format
// are solved with and without proofs; the verdicts are held against the cost of every state, summed
// up here.
#include <fmt/format.h>

#include <optional>
#include <sstream>

#include "model/model_files.hpp"
#include "program.hpp"
#include "report/competition.hpp"
#include "support/random.hpp"

using namespace chainmail;
using namespace chainmail::test;
using Catch::Contains;

namespace {

// A sum of literals (7, -7) that is to be at least, or just, `right`; with a weight it may be
// missed.
struct Row {
  std::vector<std::pair<int, int>> terms;  // coefficient, literal
  int right = 1;
  bool equation = false;
  int weight = 0;
};

struct Instance {
  std::string format;
  int variables;
  std::vector<Row> rows;
  std::vector<int> objective;  // of opb, by variable; empty: none
  int top = 0;                 // of wbo: a solution costs less; 0: none
  bool header = false;         // of wcnf

  bool weighted() const { return format == "wbo" || format == "wcnf"; }
  bool decision() const { return !weighted() && objective.empty(); }

  // What a state costs; nothing where a constraint does not hold.
  std::optional<int> cost(const std::vector<bool>& x) const {
    int sum = 0;
    for (std::size_t v = 0; v < objective.size(); ++v) sum += x[v] ? objective[v] : 0;
    for (const Row& row : rows) {
      int left = 0;
      for (const auto& [c, l] : row.terms) {
        left += x[static_cast<std::size_t>(std::abs(l)) - 1] == (l > 0) ? c : 0;
      }
      if (row.equation ? left == row.right : left >= row.right) continue;
      if (row.weight == 0) return std::nullopt;
      sum += row.weight;
    }
    if (top > 0 && sum >= top) return std::nullopt;
    return sum;
  }

  std::optional<int> optimum() const {
    std::optional<int> best;
    for (unsigned s = 0; s < 1U << variables; ++s) {
      std::vector<bool> x;
      for (int v = 0; v < variables; ++v) x.push_back((s >> v & 1U) != 0);
      const std::optional<int> found = cost(x);
      if (found && (!best || *found < *best)) best = found;
    }
    return best;
  }

  std::string text() const {
    const bool clauses = format == "cnf" || format == "wcnf";
    int soft = 0;
    for (const Row& row : rows) soft += row.weight;
    std::string text =
        clauses ? "c generated\n"
                : fmt::format("* #variable= {} #constraint= {}\n", variables, rows.size());
    if (format == "cnf") text += fmt::format("p cnf {} {}\n", variables, rows.size());
    if (header) text += fmt::format("p wcnf {} {} {}\n", variables, rows.size(), soft + 1);
    if (format == "wbo") text += top > 0 ? fmt::format("soft: {} ;\n", top) : "soft: ;\n";
    if (!objective.empty()) {
      text += "min:";
      for (std::size_t v = 0; v < objective.size(); ++v)
        text += fmt::format(" {:+} x{}", objective[v], v + 1);
      text += " ;\n";
    }
    for (const Row& row : rows) {
      if (clauses) {
        if (format == "wcnf")
          text += row.weight > 0 ? std::to_string(row.weight) + " "
                  : header       ? fmt::format("{} ", soft + 1)
                                 : "h ";
        for (const auto& [c, l] : row.terms) text += fmt::format("{} ", l);
        text += "0\n";
        continue;
      }
      if (row.weight > 0) text += fmt::format("[{}] ", row.weight);
      for (const auto& [c, l] : row.terms)
        text += fmt::format("{:+} {}x{} ", c, l < 0 ? "~" : "", std::abs(l));
      text += fmt::format("{} {} ;\n", row.equation ? "=" : ">=", row.right);
    }
    return text;
  }
};

// Six kinds in turn: opb with and without objective, wbo, cnf, wcnf of either kind.
Instance instance(std::uint64_t seed) {
  Engine engine(seed);
  const auto below = [&](int limit) {
    return static_cast<int>(engine() % static_cast<unsigned>(limit));
  };
  const std::uint64_t kind = seed % 6;
  Instance made;
  made.format = kind < 2 ? "opb" : kind == 2 ? "wbo" : kind == 3 ? "cnf" : "wcnf";
  made.header = kind == 4;
  made.variables = 5 + below(6);
  const bool clauses = kind >= 3;
  const int rows = clauses ? made.variables * 4 + below(12) : 3 + below(5);
  for (int r = 0; r < rows; ++r) {
    Row row;
    std::vector<int> order;
    for (int v = 1; v <= made.variables; ++v) order.push_back(v);
    std::shuffle(order.begin(), order.end(), engine);
    const int length = clauses ? 1 + below(4) : 2 + below(3);
    int sum = 0;
    for (int k = 0; k < length; ++k) {
      const int c = clauses ? 1 : 1 + below(5);
      sum += c;
      row.terms.emplace_back(c, below(2) == 0 ? order[static_cast<std::size_t>(k)]
                                              : -order[static_cast<std::size_t>(k)]);
    }
    row.equation = !clauses && below(4) == 0;
    row.right = clauses ? 1 : 1 + below(sum);
    if (made.weighted() && below(4) > 0) row.weight = 1 + below(9);
    made.rows.push_back(std::move(row));
  }
  if (kind == 0) {
    for (int v = 0; v < made.variables; ++v) made.objective.push_back(below(19) - 9);
  }
  if (kind == 2 && below(2) == 0) made.top = 1 + below(12);
  return made;
}

struct Lines {
  std::vector<int> costs;
  std::string status;
  std::vector<bool> values;
};

// Every line as the rules of its competition have it.
Lines lines_of(const std::string& output, const Instance& made) {
  Lines found;
  bool ended = false;
  const std::string prefix = made.format == "opb" || made.format == "wbo" ? "x" : "";
  std::istringstream text(output);
  for (std::string line; std::getline(text, line);) {
    REQUIRE(line.size() > 2);
    REQUIRE(line[1] == ' ');
    const std::string rest = line.substr(2);
    if (line[0] == 'o') {
      REQUIRE(found.status.empty());
      found.costs.push_back(std::stoi(rest));
    } else if (line[0] == 's') {
      REQUIRE(found.status.empty());
      found.status = rest;
    } else if (made.format == "wcnf") {
      REQUIRE(line[0] == 'v');
      for (const char c : rest) found.values.push_back(c == '1');
    } else {
      REQUIRE(line[0] == 'v');
      for (const std::string& word : words_of(rest)) {
        REQUIRE_FALSE(ended);
        ended = word == "0";
        if (ended) continue;
        found.values.push_back(word[0] != '-');
        CHECK(word ==
              (found.values.back() ? "" : "-") + prefix + std::to_string(found.values.size()));
      }
    }
  }
  CHECK(ended == (made.format == "cnf" && !found.values.empty()));
  return found;
}

// What holds of every run, however short.
Lines check_lines(const Workplace::Outcome& outcome, const Instance& made,
                  std::optional<int> optimum) {
  const Lines found = lines_of(outcome.output, made);
  for (std::size_t k = 1; k < found.costs.size(); ++k) CHECK(found.costs[k] < found.costs[k - 1]);
  const bool answered = found.status == "SATISFIABLE" || found.status == "OPTIMUM FOUND";
  CHECK(found.values.size() == (answered ? static_cast<std::size_t>(made.variables) : 0));
  if (answered) {
    const std::optional<int> cost = made.cost(found.values);
    REQUIRE(cost.has_value());
    if (!made.decision()) {
      REQUIRE_FALSE(found.costs.empty());
      CHECK(found.costs.back() == *cost);
    }
    if (found.status == "OPTIMUM FOUND") CHECK(cost == optimum);
  } else {
    CHECK(found.costs.empty());
  }
  if (found.status == "UNSATISFIABLE") CHECK_FALSE(optimum.has_value());
  const int code = found.status == "OPTIMUM FOUND"   ? 30
                   : found.status == "SATISFIABLE"   ? 10
                   : found.status == "UNSATISFIABLE" ? 20
                                                     : 0;
  CHECK(outcome.code == code);
  return found;
}

}  // namespace

TEST_CASE("verdicts of generated competition files are true", "[cli][competition]") {
  const Workplace place;
  int possible = 0, impossible = 0, searched = 0;
  for (std::uint64_t seed = 0; seed < 36; ++seed) {
    const Instance made = instance(seed);
    const std::string file = "f." + made.format;
    place.write(file, made.text());
    INFO(made.text());
    const std::optional<int> optimum = made.optimum();
    (optimum ? possible : impossible) += 1;
    // Small enough to be proved.
    const Lines proved = check_lines(place.run("solve --competition " + file), made, optimum);
    CHECK(proved.status == (!optimum          ? "UNSATISFIABLE"
                            : made.decision() ? "SATISFIABLE"
                                              : "OPTIMUM FOUND"));
    // A search alone claims less.
    const Lines search = check_lines(
        place.run("solve --competition --exact off --sweeps 40 " + file), made, optimum);
    searched += search.status == "SATISFIABLE" ? 1 : 0;
  }
  CHECK(possible >= 15);
  CHECK(impossible >= 5);
  CHECK(searched >= 3);
}

TEST_CASE("what was not found is unknown", "[cli][competition]") {
  // One planted solution of three equations, which a short search misses.
  Instance made;
  made.format = "opb";
  made.variables = 40;
  Engine engine(3);
  for (int r = 0; r < 3; ++r) {
    Row row;
    row.equation = true;
    row.right = 0;
    for (int v = 1; v <= made.variables; ++v) {
      row.terms.emplace_back(100000 + static_cast<int>(engine() % 100000), v);
      if (v % 2 == 0) row.right += row.terms.back().first;
    }
    made.rows.push_back(std::move(row));
  }
  const Workplace place;
  place.write("f.opb", made.text());
  const Lines found =
      check_lines(place.run("solve --competition --sweeps 2 f.opb"), made, std::nullopt);
  CHECK(found.status == "UNKNOWN");
}

TEST_CASE("a constraint that holds costs nothing, whatever its helper says", "[cli][competition]") {
  const std::string text = "soft: ;\n[5] +1 x1 >= 1 ;\n[3] +1 ~x1 >= 1 ;\n";
  Source source = source_of(parse_model(text, "t", ModelFormat::wbo), "t");
  source.model->format = "wbo";
  Result result;
  result.answers = {named_answer(source.model->model, std::vector<std::int64_t>{1, 1, 1})};
  CHECK(result.answers.front().objective == 8.0);
  CompetitionLines lines(source);
  CHECK(lines.better(8.0) == "o 8\n");
  CHECK(lines.better(9.0).empty());
  CHECK(lines.verdict(result) == "o 3\ns SATISFIABLE\nv x1\n");
}

TEST_CASE("long lists of values are broken into lines", "[cli][competition]") {
  Source source = source_of(parse_model("p cnf 3000 1\n1 0\n", "t", ModelFormat::cnf), "t");
  source.model->format = "cnf";
  Result result;
  result.answers = {named_answer(source.model->model, std::vector<std::int64_t>(3000, 1))};
  std::istringstream text(CompetitionLines(source).verdict(result));
  std::string line;
  int next = 1;
  for (std::getline(text, line); std::getline(text, line);) {
    CHECK(line.size() <= 4096);
    REQUIRE(line.rfind("v ", 0) == 0);
    for (const std::string& word : words_of(line.substr(2))) {
      CHECK(word == std::to_string(next > 3000 ? 0 : next));
      ++next;
    }
  }
  CHECK(next == 3002);
}

TEST_CASE("answers are printed as they are found, the best at a signal", "[cli][competition]") {
  // Values that no half of which add up alike: a search goes on for long.
  Instance made;
  made.format = "opb";
  made.variables = 300;
  Engine engine(7);
  Row least;
  for (int v = 1; v <= made.variables; ++v) {
    made.objective.push_back(1000 + static_cast<int>(engine() % 1000));
    least.terms.emplace_back(1000 + static_cast<int>(engine() % 1000), v);
  }
  least.right = 200000;
  for (int r = 0; r < 10; ++r) {
    made.rows.push_back(least);
    std::shuffle(least.terms.begin(), least.terms.end(), engine);
    for (std::size_t k = 0; k < least.terms.size(); ++k)
      least.terms[k].second = static_cast<int>(k) + 1;
  }
  const Workplace place;
  place.write("long.opb", made.text());
  // One of them while tuning.
  const Lines short_run = check_lines(
      place.run("solve --competition --exact off --sweeps 1 long.opb"), made, std::nullopt);
  CHECK(short_run.costs.size() > 1);
  for (const int signal : {SIGTERM, SIGINT}) {
    place.write("lines", "");
    Program running(place, "solve --competition --exact off --sweeps 1000000000 long.opb", "lines");
    for (int wait = 0; wait < 2000 && place.read("lines").find("o ") == std::string::npos; ++wait) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    CHECK_THAT(place.read("lines"), Contains("o ") && !Contains("s "));  // it is not buffered
    running.signal(signal);
    const int code = running.code();
    const std::string text = place.read("lines");
    INFO(text);
    const Lines found = check_lines({code, text, ""}, made, std::nullopt);
    CHECK(found.status == "SATISFIABLE");
  }
}

TEST_CASE("FlatZinc gets the stream of solutions that minizinc reads", "[cli][competition]") {
  const Workplace place;
  place.write("a.fzn",
              "var 0..3: x:: output_var;\nvar bool: b:: output_var;\nvar bool: c;\n"
              "array [1..4] of var int: m:: output_array([0..1,1..2]) = [x,7,x,-2];\n"
              "array [1..2] of var bool: t:: output_array([1..2]) = [b,c];\n"
              "array [1..0] of int: none:: output_array([1..0]) = [];\n"
              "constraint int_lin_le([2,1],[x,b],5);\nconstraint int_lin_eq([1,1],[b,c],1);\n"
              "constraint int_lin_le([-1],[b],-1);\nsolve maximize x;\n");
  const auto outcome = place.run("solve --competition a.fzn");
  CHECK(outcome.code == 0);
  CHECK(outcome.output ==
        "x = 2;\nb = true;\nm = array2d(0..1, 1..2, [2, 7, 2, -2]);\n"
        "t = array1d(1..2, [true, false]);\nnone = array1d(1..0, []);\n----------\n==========\n");
  // Nothing was proved by a search alone.
  const auto search = place.run("solve --competition --exact off --sweeps 100 a.fzn");
  CHECK_THAT(search.output, Catch::EndsWith("----------\n") || Catch::EndsWith("==========\n"));
  place.write(
      "none.fzn",
      "var 0..1: x;\nvar 0..1: y;\nconstraint int_lin_eq([2,2],[x,y],1);\nsolve satisfy;\n");
  const auto none = place.run("solve --competition none.fzn");
  CHECK(none.code == 0);
  CHECK(none.output == "=====UNSATISFIABLE=====\n");
  // What minizinc starts, with its flags.
  const std::string wrapper =
      (std::filesystem::path(program()).parent_path() / "fzn-chainmail").string();
  const Outcome flags = run(wrapper + " -p 1 -r 5 -t 2500 " + place.path("a.fzn"));
  CHECK(flags.code == 0);
  CHECK(flags.text == outcome.output);
}

TEST_CASE("--competition is for competition files, alone on standard output",
          "[cli][competition]") {
  const Workplace place;
  place.write("m.lp", "Minimize\n x\nBinary\n x\nEnd\n");
  place.write("q.coo", "0 1 1\n");
  place.write("c.cnf", "p cnf 1 1\n1 0\n");
  check_refused(place.run("solve --competition m.lp"), 2, "opb, wbo, cnf, wcnf, fzn");
  check_refused(place.run("solve --competition q.coo"), 2, "expected a constrained model");
  check_refused(place.run("solve --competition c.cnf --json -"), 2, "standard output");
  const auto both = place.run("solve --competition c.cnf --json r.json");
  CHECK(both.output == "s SATISFIABLE\nv 1 0\n");
  CHECK(place.has("r.json"));
}
