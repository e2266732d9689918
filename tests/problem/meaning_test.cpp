// Each foreign format means what its own convention says, checked state by state.
#include <catch2/catch.hpp>

#include "problem/enumerate.hpp"
#include "problem/files.hpp"

using namespace chainmail;

namespace {

// Calls visit(state) for every state of n spins.
template <typename Visit>
void for_all_states(std::size_t n, const Visit& visit) {
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << n; ++bits) {
    std::vector<Spin> state(n);
    for (std::size_t i = 0; i < n; ++i) state[i] = (bits >> i & 1) != 0 ? Spin{1} : Spin{-1};
    visit(state);
  }
}

double user_value(const Problem& p, const std::vector<Spin>& state) {
  return p.user.scale * p.objective(state) + p.user.shift;
}

}  // namespace

TEST_CASE("COO: E = -sum J S S - sum h S") {
  const Problem p = parse_problem("# a comment\n0 1 2.5\n\n1 1 -3\n2 1 1\n", "t", Format::coo);
  REQUIRE(p.size() == 3);
  for_all_states(3, [&](const std::vector<Spin>& s) {
    CHECK(p.objective(s) == -2.5 * s[0] * s[1] - 1.0 * s[1] * s[2] + 3.0 * s[1]);
  });
  CHECK(!p.known_optimum);
}

TEST_CASE("COO with dimod's header: sums with a plus, of spins or of bits") {
  const std::string triples = "0 1 2.5\n1 1 -3\n2 1 1\n";
  const Problem spins = parse_problem("# vartype=SPIN\n" + triples, "t", Format::coo);
  const Problem bits = parse_problem("#bqm, vartype: BINARY\n" + triples, "t");
  REQUIRE((spins.size() == 3 && bits.size() == 3));
  CHECK(!spins.bits());
  CHECK(bits.bits());
  for_all_states(3, [&](const std::vector<Spin>& s) {
    CHECK(spins.objective(s) == 2.5 * s[0] * s[1] + 1.0 * s[1] * s[2] - 3.0 * s[1]);
    const auto x = [&](std::size_t k) { return 0.5 * (1 + s[k]); };
    CHECK(user_value(bits, s) == 2.5 * x(0) * x(1) + 1.0 * x(1) * x(2) - 3.0 * x(1));
  });
}

TEST_CASE("Chook: E = +sum J s s + sum h s, 0-based, tabs and CRLF") {
  const std::string text = "0\t1\t-1.2500000e+00\r\n0\t2\t5.0000000e-01\r\n1\t2\t2\r\n2\t-0.5\r\n";
  const Problem p = parse_problem(text, "wishart_planting_N_3_alpha_0.75_inst_1.txt");
  REQUIRE(p.size() == 3);
  const std::string json =
      R"({"problem": {"type": "ising", "terms": [{"w": -1.25, "ids": [0, 1]},
          {"w": 0.5, "ids": [0, 2]}, {"w": 2, "ids": [1, 2]}, {"w": -0.5, "ids": [2]}]}})";
  CHECK(parse_problem(json, "some.json") == p);
  for_all_states(3, [&](const std::vector<Spin>& s) {
    CHECK(p.objective(s) ==
          -1.25 * s[0] * s[1] + 0.5 * s[0] * s[2] + 2.0 * s[1] * s[2] - 0.5 * s[2]);
  });
}

TEST_CASE("rudy: the objective is the cut, counted edge by edge") {
  const Problem p = parse_problem("4 5\n1 2 1\n1 3 -2\n4 1 3.5\n2 3 1\n3 4 7\n", "G0");
  REQUIRE(p.size() == 4);
  CHECK(p.user.name == "cut");
  const double w[4][4] = {{0, 1, -2, 3.5}, {0, 0, 1, 0}, {0, 0, 0, 7}, {}};
  for_all_states(4, [&](const std::vector<Spin>& s) {
    double cut = 0.0;
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = i + 1; j < 4; ++j) {
        if (s[i] != s[j]) cut += w[i][j];
      }
    }
    CHECK(user_value(p, s) == cut);
  });
}

TEST_CASE("qubo: f is x'Qx") {
  const std::string text =
      "c a comment\np qubo 0 4 3 4\nc nodes\n0 0 -5\n1 1 3.25\n3 3 0\n"
      "c couplers\n0 1 2\n0 3 -7\n1 2 0.5\n2 3 1\n";
  const Problem p = parse_problem(text, "x.qubo");
  REQUIRE(p.size() == 4);
  CHECK(p.user == UserObjective{"qubo", 1.0, 0.0});
  for_all_states(4, [&](const std::vector<Spin>& s) {
    const auto x = [&](std::size_t i) { return s[i] > 0 ? 1.0 : 0.0; };
    CHECK(p.objective(s) == -5 * x(0) + 3.25 * x(1) + 2 * x(0) * x(1) - 7 * x(0) * x(3) +
                                0.5 * x(1) * x(2) + x(2) * x(3));
  });
}

TEST_CASE("qs: f is c + x'Qx, pairs counted twice") {
  const std::string text =
      "# made by hand\n# ObjectiveOffset 7.5\n# Vars Non-zeros\n4 5\n"
      "1 1 -5\n1 2 2\n# between\n2 2 3.25\n1 4 -7\n3 4 .5\n";
  const Problem p = parse_problem(text, "x.qs");
  REQUIRE(p.size() == 4);
  CHECK(p.user == UserObjective{"qubo", 1.0, 0.0});
  for_all_states(4, [&](const std::vector<Spin>& s) {
    const auto x = [&](std::size_t i) { return s[i] > 0 ? 1.0 : 0.0; };
    CHECK(p.objective(s) == 7.5 - 5 * x(0) + 3.25 * x(1) +
                                2 * (2 * x(0) * x(1) - 7 * x(0) * x(3) + 0.5 * x(2) * x(3)));
  });
  CHECK(parse_problem("2 1\n1 2 1\n", "bare.qs").objective.offset == 0.5);
}

TEST_CASE("csv: edges between names, to be cut; a heading and weights may be there") {
  const Problem p = parse_problem("from,to,w\nOslo,\"Rome\",2\nRome,Bonn,-1.5\n", "t.csv");
  CHECK(p.names == std::vector<std::string>{"Oslo", "Rome", "Bonn"});
  CHECK(p.user.name == "cut");
  CHECK(p.objective.couplings == std::vector<Coupling>{{0, 1, -2.0}, {1, 2, 1.5}});
  for (const char* text : {"source;target\n1;2\n2;3\n", "1\t2\n2\t3\n", "# roads\n1, 2\n2, 3\n"}) {
    const Problem bare = parse_problem(text, "t.csv");
    CHECK(bare.names == std::vector<std::string>{"1", "2", "3"});
    CHECK(bare.objective.couplings == std::vector<Coupling>{{0, 1, -1.0}, {1, 2, -1.0}});
  }
}

TEST_CASE("matrix and npy: a QUBO, both triangles counted") {
  const double q[4][4] = {{1, 2, 0, -3}, {0.5, -1, 4, 0}, {0, 0, 2, 1}, {1, 0, 0, 0}};
  std::string text = "# four\n", data;
  for (const auto& row : q) {
    for (const double value : row) {
      text += std::to_string(value) + " ";
      data.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    text += "\n";
  }
  std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (4, 4), }\n";
  const std::string npy = std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) +
                          std::string(1, '\0') + header + data;
  const Problem p = parse_problem(text, "t", Format::matrix);
  CHECK(parse_problem(npy, "t.npy") == p);
  for_all_states(4, [&](const std::vector<Spin>& s) {
    double value = 0.0;
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < 4; ++j) value += s[i] > 0 && s[j] > 0 ? q[i][j] : 0.0;
    }
    CHECK(p.objective(s) == value);
  });
}

TEST_CASE("JSON: all members") {
  const Problem p = parse_problem(R"({
    "format": "chainmail-problem", "version": 1, "name": "tiny", "spins": 2,
    "couplings": [[1, 0, 2]], "fields": [0.5, -1], "offset": 3,
    "constraint": {"couplings": [[0, 1, 1]], "offset": 1},
    "names": ["a", "b"], "objective": {"name": "cost", "scale": 2, "shift": -1},
    "known_optimum": 0.5, "known_solution": [-1, -1], "reference_solution": [1, -1]})",
                                  "tiny.json");
  CHECK(p.objective.couplings == std::vector<Coupling>{{0, 1, 2.0}});
  CHECK(p.objective.fields == std::vector<double>{0.5, -1.0});
  CHECK(p.objective.offset == 3.0);
  CHECK(p.constraint->couplings == std::vector<Coupling>{{0, 1, 1.0}});
  CHECK(p.names == std::vector<std::string>{"a", "b"});
  CHECK(p.user == UserObjective{"cost", 2.0, -1.0});
  CHECK(p.known_optimum == 0.5);
  CHECK(p.known_solution == std::vector<Spin>{-1, -1});
  CHECK(p.reference_solution == std::vector<Spin>{1, -1});
}

TEST_CASE("Detection goes by extension, then by content") {
  CHECK(detect_format("", "a.COO") == Format::coo);
  CHECK(detect_format("# vartype=SPIN\n0 1 1\n", "x") == Format::coo);
  CHECK(detect_format("", "a.qubo") == Format::qubo);
  CHECK(detect_format("", "a.qubo.gz") == Format::qubo);
  CHECK(detect_format("", "a.qs.xz") == Format::qs);
  CHECK(detect_format("# ObjectiveOffset 1\n1 1\n1 1 1\n", "x") == Format::qs);
  CHECK(detect_format("", "a.mc.xz") == Format::rudy);
  CHECK(detect_format("", "dir.d/g05.mc") == Format::rudy);
  CHECK(detect_format("{}", "a.json") == Format::json);
  CHECK(detect_format("c hi\np qubo 0 1 1 0\n0 0 1\n", "x") == Format::qubo);
  CHECK(detect_format("a,b,1\n", "a.csv") == Format::csv);
  CHECK(detect_format("a\tb\n", "a.tsv.gz") == Format::csv);
  CHECK(detect_format("1,2,3,4\n0,1,2,3\n0,0,1,2\n0,0,0,1\n", "a.csv") == Format::matrix);
  CHECK(detect_format("1 2 3 4\n0 1 2 3\n0 0 1 2\n0 0 0 1\n", "x") == Format::matrix);
  CHECK(detect_format("1 2 3 4\n0 1 2 3\n0 0 1 2\n", "a.csv") == Format::csv);
  CHECK(detect_format("\x93NUMPY", "x") == Format::npy);
  CHECK(detect_format("800 19176\n1 2 1\n", "G1") == Format::rudy);
  CHECK_THROWS_WITH(detect_format("0 1 1\n", "a.txt"),
                    Catch::Contains("a.txt: cannot tell which format") &&
                        Catch::Contains("json, coo, chook, rudy, qubo, qs, csv, matrix, npy"));
  for (const char* name : {"json", "coo", "chook", "rudy", "qubo", "qs", "csv", "matrix", "npy"}) {
    CHECK(name_of(format_from_name(name)) == name);
  }
  CHECK_THROWS_WITH(format_from_name("xml"), Catch::Contains("'xml'") && Catch::Contains("rudy"));
}

TEST_CASE("Enumeration finds the lowest feasible state") {
  Problem p = parse_problem("0 1 1\n1 2 1\n0 2 -1.5\n0 0 0.25\n3 3 -2\n", "t", Format::coo);
  const auto brute = [&] {
    std::optional<double> lowest;
    for_all_states(p.size(), [&](const std::vector<Spin>& s) {
      if (p.constraint && std::abs((*p.constraint)(s)) > kFeasible) return;
      if (!lowest || p.objective(s) < *lowest) lowest = p.objective(s);
    });
    return lowest;
  };
  CHECK(enumerate_optimum(p)->energy == *brute());
  p.constraint = Quadratic(4);  // S0 S3 = 1 is required, which the fields dislike
  p.constraint->couplings = {{0, 3, 1.0}};
  p.constraint->offset = 1.0;
  const auto best = enumerate_optimum(p);
  CHECK(best->energy == *brute());
  CHECK(p.objective(best->state) == best->energy);
  CHECK(best->state[0] == best->state[3]);
  p.constraint->offset = 5.0;
  CHECK(!enumerate_optimum(p));
}
