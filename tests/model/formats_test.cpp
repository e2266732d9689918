// MPS, QPLIB, DIMACS and knapsack files: the same small model in each, compressed files, and what
// is refused.
#include <catch2/catch.hpp>

#include <unistd.h>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <filesystem>
#include <sstream>

#include "check/model.hpp"
#include "model/model_files.hpp"
#include "squares/squares.hpp"
#include "support/atomic_file.hpp"
#include "support/error.hpp"

using namespace chainmail;

namespace {

std::string complaint(const std::string& text, ModelFormat format,
                      const ModelOptions& options = {}) {
  try {
    parse_model(text, "t", format, options);
  } catch (const std::exception& e) {
    return e.what();
  }
  return "accepted";
}

const std::string kMps =
    "* a comment\n"
    "NAME          tiny\n"
    "OBJSENSE\n    MAX\n"
    "ROWS\n N  profit\n L  weight\n G  least\n E  same\n N  spare\n"
    "COLUMNS\n"
    "    M1  'MARKER'  'INTORG'\n"
    "    x   profit  3   weight  2\n"
    "    x   least   1\n"
    "    y   profit  4   weight  3\n"
    "    y   same    1   spare   9\n"
    "    n   profit  1   same   -1\n"
    "    M1  'MARKER'  'INTEND'\n"
    "RHS\n    rhs  weight  4   least  0\n    rhs  profit  -10\n"
    "RANGES\n    rng  weight  3   least  1\n"
    "BOUNDS\n BV bnd x\n BV bnd y\n UP bnd n 6\n LO bnd n 1\n"
    "ENDATA\n";

const std::string kQplib =
    "! a comment\ntiny # name\nQIL # kind\nmaximize # sense\n3 # variables\n2 # constraints\n"
    "2 # quadratic\n2 1 5.0\n3 3 -2\n0 # default linear\n2\n1 3.0\n2 4.0\n1.5 # constant\n"
    "3 # linear terms\n1 1 2\n1 2 3\n2 3 1\n1e20 # infinity\n-1e20 # left\n1\n2 1\n4 # right\n0\n"
    "0 # lower\n0\n1 # upper\n1\n3 6\n0\n0\n0\n0\n0\n0\n1 # names\n3 n\n1\n2 least\n";

}  // namespace

TEST_CASE("MPS: sections, ranges, bounds, maximisation, free rows") {
  const ConstrainedModel m = parse_model(kMps, "t.mps", ModelFormat::mps);
  REQUIRE(m.name == "tiny");
  REQUIRE(m.sense == Sense::maximise);
  REQUIRE(m.variables == std::vector<ModelVariable>{{"x", 0, 1}, {"y", 0, 1}, {"n", 1, 6}});
  REQUIRE(m.objective.constant == 10);
  REQUIRE(m.constraints.size() == 3);
  REQUIRE(m.constraints[0].lower == 1);
  REQUIRE(m.constraints[0].upper == 4);
  REQUIRE(m.constraints[1].upper == 1);
  REQUIRE(m.constraints[2].lower == m.constraints[2].upper);
  const std::vector<std::int64_t> values{0, 1, 1};
  REQUIRE(evaluate(m, values).feasible());
  REQUIRE(evaluate(m, values).objective == 15);

  const auto without = [](std::string text, const std::string& part, const std::string& by = "") {
    text.replace(text.find(part), part.size(), by);
    return complaint(text, ModelFormat::mps);
  };
  CHECK(without("ENDATA\n", "ENDATA\n") == "t:1: expected ENDATA, found the end of the file");
  CHECK(without(kMps, "ENDATA\n") == "t:28: expected ENDATA, found the end of the file");
  CHECK(without(kMps, "least  0", "least  1e-300") ==
        "t:23: expected a range whose ends have 38 digits at most");
  CHECK(without(kMps, "RANGES", "QUADOBJ") ==
        "t:22: expected a section of a linear model (ROWS, COLUMNS, RHS, RANGES, BOUNDS, SOS, "
        "INDICATORS), found 'QUADOBJ'");
  CHECK(
      without(kMps, " BV bnd x\n") ==
      "t:13: expected a bound of the integer variable 'x': readers disagree on what it is without "
      "one");
  CHECK(without(kMps, " G  least", " G  weight") ==
        "t:8: expected a new name, found a second row 'weight'");
  CHECK(without(kMps, "x   least   1", "x   lest   1") ==
        "t:14: expected a row's name, found 'lest'");
  CHECK(without(kMps, "    M1  'MARKER'  'INTORG'\n    x", "    x")
            .find("'INTORG' and 'INTEND' in turn") != std::string::npos);
}

TEST_CASE("MPS: sets and indicators") {
  const auto with = [](const std::string& more) {
    std::string text = kMps;
    text.replace(text.find("ENDATA"), 6, more + "ENDATA");
    return text;
  };
  const ConstrainedModel m =
      parse_model(with("SOS\n S1 a\n    x 1\n    y 2\n S1 SOS b 5\n    SOS y 1\n    SOS n 2\n"
                       "INDICATORS\n IF weight x 1\n IF same y 0\n"),
                  "t", ModelFormat::mps);
  REQUIRE(m.sets == std::vector<ModelSet>{{"a", {0, 1}}, {"b", {1, 2}}});
  REQUIRE(m.constraints[0].when == ModelConstraint::When{0, true});
  REQUIRE(m.constraints[2].when == ModelConstraint::When{1, false});
  REQUIRE_FALSE(m.constraints[1].when);
  const auto refused = [&](const std::string& more) {
    return complaint(with(more), ModelFormat::mps);
  };
  CHECK(refused("SOS\n S2 a\n") == "t:30: expected a set of kind S1, found 'S2 a'");
  CHECK(refused("SOS\n x 1\n") ==
        "t:30: expected a set `S1 name` or its members `column weight`, found 'x 1'");
  CHECK(refused("SOS\n S1 a\n z 1\n") == "t:31: expected a column's name, found 'z'");
  CHECK(refused("INDICATORS\n IF weight x 2\n") == "t:30: expected a value from 0 to 1, found '2'");
  CHECK(refused("INDICATORS\n IF profit x 1\n").find("not N") != std::string::npos);
  CHECK(refused("INDICATORS\n IF weight x 1\n IF weight y 1\n") ==
        "t:31: expected one indicator per row, found a second of 'weight'");
  CHECK(refused("INDICATORS\n IF weight n 1\n") ==
        "t: constraint 'weight' depends on 'n', which is not binary");
}

TEST_CASE("QPLIB: half of x'Hx, defaults and exceptions, names") {
  const ConstrainedModel m = parse_model(kQplib, "t.qplib", ModelFormat::qplib);
  REQUIRE(m.variables == std::vector<ModelVariable>{{"x1", 0, 1}, {"x2", 0, 1}, {"n", 0, 6}});
  REQUIRE(m.constraints[1].name == "least");
  REQUIRE(m.constraints[1].lower == 1);
  REQUIRE(m.constraints[1].upper == 4);
  const std::vector<std::int64_t> values{1, 1, 2};
  REQUIRE(m.objective(values) == 3 + 4 + 5 - 4 + 1.5);
  CHECK(complaint(kQplib.substr(0, 60), ModelFormat::qplib).find("expected") != std::string::npos);
  std::string endless = kQplib;  // a lower bound of plus infinity leaves no value
  endless.replace(endless.find("0 # lower\n0"), 11, "1e20 # lower\n0");
  endless.replace(endless.find("1 # upper\n1\n3 6"), 15, "1e20 # upper\n0");
  CHECK(complaint(endless, ModelFormat::qplib) ==
        "t: variable 'x1' has no value between inf and inf");
  std::string never = kQplib;  // and a row without an attainable side is not a free one
  never.replace(never.find("-1e20 # left\n1\n2 1\n4"), 20, "1e20 # left\n1\n2 1\n1e20");
  CHECK(complaint(never, ModelFormat::qplib) == "t: constraint 'c1' allows no value");
  std::string mixed = kQplib;
  mixed.replace(mixed.find("QIL"), 3, "QML");
  CHECK(complaint(mixed, ModelFormat::qplib) ==
        "t:3: expected binary or integer variables (B or I), found kind QML");
}

TEST_CASE("DIMACS: edges once or twice, one-hot vertices") {
  const std::string graph = "c triangle\np edge 3 3\ne 1 2\ne 2 3\ne 3 1\n";
  const ConstrainedModel m = parse_model(graph, "t.col", ModelFormat::col, {3});
  REQUIRE(m.variables.size() == 9);
  REQUIRE(m.constraints.size() == 6);
  const SquaredModel compiled = squared(m);
  REQUIRE(compiled.problem.size() == 9);
  const checker::Model again = checker::read("col", graph, "t.col", 3);
  std::size_t colourings = 0;
  for (unsigned state = 0; state < 512; ++state) {
    std::vector<Spin> spins(9);
    for (std::size_t i = 0; i < 9; ++i) spins[i] = (state >> i) & 1U ? 1 : -1;
    const bool proper = (*compiled.problem.constraint)(spins) <= kFeasible;
    colourings += proper ? 1 : 0;
    std::vector<checker::Integer> values;
    values.reserve(spins.size());
    for (Spin s : spins) values.emplace_back((1 + s) / 2);
    CHECK(checker::judge(again, values).broken.empty() == proper);
  }
  REQUIRE(colourings == 6);
  REQUIRE(
      parse_model("p edge 2 2\ne 1 2\ne 2 1\n", "t", ModelFormat::col, {2}).constraints.size() ==
      3);
  CHECK(complaint(graph, ModelFormat::col) == "t: a graph needs the number of colours, --colors k");
  CHECK(complaint("p edge 600000 0\n", ModelFormat::col, {2}) ==
        "t:1: expected the number of vertices from 1 to 524288, found '600000'");
  CHECK(complaint("p edge 3 7\ne 1 2\n", ModelFormat::col, {2}) ==
        "t:2: expected 7 edges, found 1");
  CHECK(complaint("p edge 3 1\ne 1 1\n", ModelFormat::col, {2}) ==
        "t:2: expected an edge between two vertices, found 'e 1 1'");
}

TEST_CASE("knapsacks in the layout of Billionnet and Soutif") {
  const ConstrainedModel m =
      parse_model("k3\n3\n1 2 3\n4 5\n6\n\n0\n7\n2 3 4\n\nComments\n", "t", ModelFormat::qkp);
  REQUIRE(m.objective(std::vector<std::int64_t>{1, 1, 1}) == 21);
  REQUIRE(m.constraints[0].upper == 7);
  REQUIRE(evaluate(m, std::vector<std::int64_t>{1, 1, 1}).violations[0].left == 9);
  CHECK(complaint("k3\n3\n1 2 3\n4 5\n", ModelFormat::qkp) ==
        "t:4: expected a pair's profit, found the end of the file");
}

TEST_CASE("compressed files are read as plain ones; damaged ones are refused") {
  namespace io = boost::iostreams;
  const auto folder =
      std::filesystem::temp_directory_path() / ("chainmail-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const auto packed = [](auto filter) {
    std::ostringstream out;
    io::filtering_ostream stream;
    stream.push(filter);
    stream.push(out);
    stream << kMps;
    io::close(stream);
    return out.str();
  };
  const ConstrainedModel plain = parse_model(kMps, "t", ModelFormat::mps);
  for (const auto& [name, bytes] : {std::pair{"a.mps.gz", packed(io::gzip_compressor())},
                                    std::pair{"a.mps.xz", packed(io::lzma_compressor())}}) {
    const std::string path = (folder / name).string();
    write_file(path, bytes);
    REQUIRE(model_format_of(path) == ModelFormat::mps);
    REQUIRE(read_model(path, ModelFormat::mps) == plain);
    write_file(path, bytes.substr(0, bytes.size() / 2));
    REQUIRE_THROWS_AS(read_model(path, ModelFormat::mps), InputError);
  }
  std::filesystem::remove_all(folder);
}
