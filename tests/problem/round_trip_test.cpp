// What is written and read again is the same problem, to the last bit.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <clocale>
#include <filesystem>

#include "generate/generate.hpp"
#include "problem/files.hpp"
#include "support/atomic_file.hpp"
#include "support/error.hpp"

using namespace chainmail;

namespace {

Problem small(const std::string& kind, std::size_t n, std::uint64_t seed, bool gaussian = false) {
  GenerateOptions options;
  options.n = n;
  options.seed = seed;
  options.gaussian = gaussian;
  return generate(kind, options);
}

// One of everything, with numbers that are awkward to print.
Problem rich() {
  Problem p;
  p.name = "résumé \"quoted\" \\ slash";
  p.objective = Quadratic(4);
  p.objective.fields = {0.1, 0.0, -1.0 / 3.0, 5e-324};
  p.objective.couplings = {
      {0, 1, 1e300}, {0, 3, -2.2250738585072014e-308}, {2, 3, 0.30000000000000004}};
  p.objective.offset = -123456789.12345679;
  p.names = {"x 1", "y#2", "z,3", "π"};
  p.user = {"the cost", -2.5, 1e-7};
  p.known_solution = {1, 1, -1, 1};
  p.known_optimum = p.objective(p.known_solution);
  p.reference_solution = {-1, 1, 1, -1};
  return p;
}

Problem constrained() {
  Problem p = rich();
  p.constraint = Quadratic(4);
  p.constraint->fields = {0.5, 0.5, 0.0, 0.0};
  p.constraint->couplings = {{0, 1, -0.5}};
  p.constraint->offset = 0.5;  // g = (1 - S0 + 1 - S1 + S0 S1 - 1) / 2, zero at (+, +)
  REQUIRE((*p.constraint)(p.known_solution) == 0.0);
  return p;
}

}  // namespace

TEST_CASE("JSON and COO give back every generated problem") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    for (const Problem& p : {small("wishart", 12, seed), small("sk", 9, seed, true),
                             small("ea3d", 3, seed), small("maxcut", 12, seed),
                             small("mimo", 6, seed), small("full-adder", 5, seed), rich()}) {
      CHECK(parse_problem(to_json(p), "test", Format::json) == p);
      CHECK(parse_problem(to_coo(p), "test", Format::coo) == p);
      CHECK(detect_format(to_json(p), "no-extension") == Format::json);
      CHECK(detect_format(to_coo(p), "no-extension") == Format::coo);
    }
  }
}

TEST_CASE("JSON holds a constraint, COO refuses it") {
  const Problem p = constrained();
  CHECK(parse_problem(to_json(p), "test", Format::json) == p);
  CHECK_THROWS_WITH(to_coo(p), Catch::Contains("constraint") && Catch::Contains("JSON"));
}

TEST_CASE("Spins without couplings survive COO") {
  Problem p;
  p.objective = Quadratic(7);
  p.objective.couplings = {{1, 2, 1.0}};
  CHECK(parse_problem(to_coo(p), "test", Format::coo) == p);
  p.objective.couplings.clear();
  CHECK(parse_problem(to_coo(p), "test", Format::coo) == p);
  CHECK(parse_problem(to_json(p), "test", Format::json) == p);
}

TEST_CASE("Files are written and found again by extension") {
  const auto folder =
      std::filesystem::temp_directory_path() / ("chainmail-files-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const Problem p = small("wishart", 8, 3);
  for (const char* name : {"a.json", "a.coo", "plain"}) {
    const std::string path = folder / name;
    write_problem(path, p);
    CHECK(read_problem(path) == p);
  }
  write_problem(folder / "b.txt", p, Format::coo);
  CHECK(read_problem(folder / "b.txt") == p);  // the `#:` lines say what it is
  CHECK_THROWS_AS(write_problem(folder / "c.qubo", p), UsageError);
  CHECK_THROWS_WITH(read_problem(folder / "none.json"), Catch::Contains("none.json"));

  // A file without a name of its own lends the problem its stem.
  write_file(folder / "G1", "2 1\n1 2 1\n");
  CHECK(read_problem(folder / "G1").name == "G1");
  std::filesystem::remove_all(folder);
}

TEST_CASE("Numbers do not depend on the locale") {
  const Problem p = rich();
  const std::string json = to_json(p), coo = to_coo(p);
  // C.UTF-8 is always there; the others where installed. All that matters is a comma.
  for (const char* locale : {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"}) {
    if (!std::setlocale(LC_ALL, locale)) continue;
    CHECK(to_json(p) == json);
    CHECK(parse_problem(json, "test", Format::json) == p);
    CHECK(parse_problem(coo, "test", Format::coo) == p);
  }
  std::setlocale(LC_ALL, "C");
}

TEST_CASE("Windows line ends and a byte order mark are accepted") {
  std::string coo = to_coo(rich()), windows = "\xef\xbb\xbf";
  for (const char c : coo) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  CHECK(parse_problem(windows, "test", Format::coo) == rich());
  CHECK(parse_problem("\xef\xbb\xbf" + to_json(rich()), "test") == rich());
}
