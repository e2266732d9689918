// The smaller commands: check, info, topology, devices, generate, bench.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "workplace.hpp"

using namespace chainmail;
using namespace chainmail::test;
using Catch::Contains;

namespace {

const char* const kModel =
    "Maximize\n profit: 3 a + 2 b + 4 c\nSubject To\n weight: 2 a + 3 b + 4 c <= 6\n pair: a + b "
    "<= 1\n"
    "Binary\n a b c\nEnd\n";

}  // namespace

TEST_CASE("an unknown file is told what it looks like, and where such a file gets in") {
  const Workplace place;
  const std::pair<std::string, std::string> cases[] = {
      {"c hello\np cnf 2 1\n1 2 0\n", "looks like clauses: --format cnf"},
      {"p wcnf 2 1 5\n1 1 2 0\n", "looks like weighted clauses: --format wcnf"},
      {"* #variable= 2 #constraint= 1\n+1 x1 >= 1 ;\n", "looks like pseudo-Boolean: --format opb"},
      {"var 0..1: x;\nsolve satisfy;\n", "--format fzn, or minizinc --solver chainmail"},
      {"soft: ;\n[1] +1 x1 >= 1 ;\n", "weighted pseudo-Boolean: --format wbo"},
      {"Maximize\n x\nBinary\n x\nEnd\n", "LP format: --format lp"},
      {"NAME: a\nEDGE_WEIGHT_TYPE: EUC_2D\n", "a tour of TSPLIB: --format tsp"},
      {"p edge 2 1\ne 1 2\n", "--format col --colors K"},
      {"NAME\nROWS\nCOLUMNS\n", "MPS: --format mps"},
      {"DIMODBQM\x02{\"shape\": [2, 1]}\n", "a file of dimod: read it there"},
      {"a,b,1\nb,c,1\n", "a list of edges: --format csv"},
      {"0 1 1\n1 2 1\n", "`i j J` are coo"}};
  for (const auto& [text, expected] : cases) {
    INFO(text);
    place.write("unknown", text);
    const auto refused = place.run("solve unknown");
    check_refused(refused, 1, expected);
    // The guess comes before the formats there are.
    CHECK(refused.errors.find(expected) < refused.errors.find("qplib"));
  }
}

TEST_CASE("a model that presolve settles is answered on any device") {
  const Workplace place;
  place.write("fixed.lp",
              "Minimize\n o: 2 x + y\nSubject To\n a: x + y = 1\n b: x = 1\nBinary\n x y\nEnd\n");
  for (const char* device : {"cpu", "hls:rows", "hls:16x1"}) {
    const auto ran = place.run(std::string("solve fixed.lp --device ") + device);
    INFO(device << ran.errors);
    CHECK(ran.code == 0);
    CHECK_THAT(ran.output, Contains("optimal, proved") && Contains("exact, without a search"));
  }
}

TEST_CASE("variables are clamped by name") {
  const Workplace place;
  place.write("m.lp", kModel);
  const auto ran = place.run("solve m.lp --clamp c=0,a=+1 --solution s.txt");
  CHECK(ran.code == 0);
  CHECK_THAT(ran.output, Contains("optimal, proved") && Contains("2 variables clamped"));
  CHECK_THAT(place.run("check m.lp s.txt").output, Contains("profit      3"));
  // Names may have commas and equals signs of their own.
  place.write("p.json",
              "{\"format\": \"chainmail-problem\", \"version\": 1, \"spins\": 3, \"names\": "
              "[\"s[1,2]\", \"a=b\", \"c\"], \"couplings\": [[0, 1, 1], [1, 2, 1]]}");
  CHECK_THAT(place.run("solve p.json --clamp s[1,2]=-1,a=b=1 --json -").output,
             Contains("\"solution\": [-1,1,1]"));
  const auto drawn =
      place.run("sample p.json --clamp s[1,2]=1,c=-1 --betas 0.1 --samples 40 --output s.csv");
  CHECK(drawn.code == 0);
  std::istringstream rows(place.read("s.csv"));
  std::string row;
  std::getline(rows, row);
  int ups = 0, all = 0;
  while (std::getline(rows, row)) {
    const std::string spins = row.substr(row.size() - 3);
    CHECK((spins == "+--" || spins == "++-"));
    ups += spins[1] == '+' ? 1 : 0;
    ++all;
  }
  CHECK(all == 40);
  CHECK((ups > 0 && ups < 40));
  check_refused(place.run("solve m.lp --clamp d=1"), 2, "no variable is named 'd'");
  check_refused(place.run("solve m.lp --clamp a"), 2, "expected variable=value");
  check_refused(place.run("solve m.lp --clamp a=2"), 2, "'a' is 0 to 1, not 2");
  check_refused(place.run("solve p.json --clamp c=0"), 2, "'c' is -1 or 1, not 0");
  check_refused(place.run("solve m.lp --clamp a=1 --proof p"), 2, "exclude each other");
}

TEST_CASE("check judges a model's solution on the model itself") {
  const Workplace place;
  place.write("m.lp", kModel);
  REQUIRE(place.run("solve m.lp --sweeps 500 --solution s.txt --json s.json").code == 0);
  REQUIRE(place.run("solve m.lp --sweeps 500 --solution s.sol").code == 0);
  CHECK_THAT(place.read("s.sol"), Catch::StartsWith("=obj= 7\na "));
  // MIPLIB's: zeros may be left out, and the objective is summed up again.
  place.write("short.sol", "=obj= 1000\nc 1.0\na 10e-1\n");
  for (const char* solution : {"s.txt", "s.json", "s.sol", "short.sol"}) {
    const auto fine = place.run(std::string("check m.lp ") + solution);
    INFO(solution << fine.errors);
    CHECK(fine.code == 0);
    CHECK_THAT(fine.output, Contains("profit      7") && Contains("2 hold, 0 violated") &&
                                Contains("verdict     feasible"));
  }
  place.write("ones.txt", "# what is taken\na\nb\n");
  place.write("same.txt", "a 1\nb 1\nc 0\n");
  CHECK(place.run("check m.lp ones.txt").output == place.run("check m.lp same.txt").output);
  place.write("mixed.txt", "a\nb 1\n");
  check_refused(place.run("check m.lp mixed.txt"), 1,
                "mixed.txt:2: expected the name of a variable that is 1, as in the lines before");
  place.write("bad.txt", "# all of them\na 1\nb 1\nc 1\n");
  const auto bad = place.run("check m.lp bad.txt");
  CHECK(bad.code == 4);
  CHECK_THAT(bad.output, Contains("violated    weight: 9 <= 6 does not hold") &&
                             Contains("pair: 2 <= 1") && Contains("not feasible"));
}

TEST_CASE("check names what is wrong with a solution's file") {
  const Workplace place;
  place.write("m.lp", kModel);
  const auto refused = [&](const std::string& text, const std::string& why) {
    place.write("s", text);
    check_refused(place.run("check m.lp s"), 1, why);
  };
  refused("a 1\nb 0\n", "found none for 'c'");
  refused("a 1\nb 0\nz 0\n", "s:3: expected a variable of the model, found 'z'");
  refused("a 1\na 1\n", "s:2: expected each variable once");
  refused("a one\n", "s:1: expected a whole number, found 'one'");
  refused("a 1 2\n", "s:1:");
  refused("a 1\nb 0.5\nc 0\n", "s:2: expected a whole number, found '0.5'");
  refused("a 1\nb 1e20\nc 0\n", "s:2: expected a whole number, found '1e20'");
  refused("=obj=\na 1\n", "s:1: expected '=obj=' and the objective");
  refused("{\"variables\": [1]}", "an object of names and values");
  refused("{\"variables\": {\"a\": 0.5}}", "a whole number");
  refused("{\"variables\": {\"z\": 1}}", "found 'z'");
  refused("{\"variables\":", "s:1");
  check_refused(place.run("check m.lp nowhere"), 1, "cannot read nowhere");
}

TEST_CASE("check judges spins on a problem") {
  const Workplace place;
  place.write("p.json",
              R"({"format":"chainmail-problem","version":1,"spins":2,"couplings":[[0,1,1]],)"
              R"("objective":{"name":"cut","scale":-1,"shift":2},)"
              R"("constraint":{"offset":1,"couplings":[[0,1,1]]}})");
  place.write("same", "1 1\n");
  place.write("other", "1 -1\n");
  const auto same = place.run("check p.json same");
  CHECK(same.code == 0);
  CHECK_THAT(same.output, Contains("energy      -1") && Contains("cut         3") &&
                              Contains("g           0") && Contains("verdict     feasible"));
  const auto other = place.run("check p.json other");
  CHECK(other.code == 4);
  CHECK_THAT(other.output, Contains("not feasible"));
  check_refused(place.run("check p.json p.json"), 1, "p.json");
}

TEST_CASE("convert writes the same problem in another format") {
  const Workplace place;
  const auto optimum = [&](const std::string& file) {
    REQUIRE(place.run("solve " + file + " --json r.json").code == 0);
    const auto r = nlohmann::json::parse(place.read("r.json"));
    CHECK(r.at("proved") == true);
    return r.at("objective").get<double>();
  };
  place.write("m.lp", kModel);
  REQUIRE(place.run("convert m.lp same.lp").code == 0);
  REQUIRE(place.run("convert same.lp again.lp").code == 0);
  const auto without_name = [&](const char* file) {
    const std::string text = place.read(file);
    return text.substr(text.find('\n'));
  };
  CHECK(without_name("same.lp") == without_name("again.lp"));
  CHECK(optimum("same.lp") == 7.0);
  // Squares and slack bits instead of constraints; a QUBO minimises what the model maximises.
  for (const char* to : {"q.json", "q.qubo", "q.lp --qubo"}) {
    INFO(to);
    const auto ran = place.run(std::string("convert m.lp ") + to);
    REQUIRE(ran.code == 0);
  }
  const auto constant = [&](const std::string& file) {
    const std::string text = place.read(file);
    return text.starts_with("c constant ") ? std::stod(text.substr(11)) : 0.0;
  };
  CHECK(optimum("q.json") == 7.0);
  CHECK(optimum("q.qubo") + constant("q.qubo") == -7.0);
  CHECK(optimum("q.lp") == -7.0);
  place.run("generate wishart -n 12 --integer --seed 3 -o w.json");
  for (const char* to : {"w.coo", "w.lp", "w.qubo"}) {
    REQUIRE(place.run(std::string("convert w.json ") + to).code == 0);
    CHECK(optimum(to) + (to == std::string("w.qubo") ? constant(to) : 0.0) == optimum("w.json"));
  }
  place.write("g.json", R"({"format":"chainmail-problem","version":1,"spins":2,)"
                        R"("constraint":{"offset":1,"couplings":[[0,1,1]]}})");
  check_refused(place.run("convert g.json g.lp"), 2, "needs --penalty");
  CHECK(place.run("convert g.json g.lp --penalty 2").code == 0);
  check_refused(place.run("convert g.json g.json"), 2, "g.json");
  check_refused(place.run("convert m.lp m.rudy"), 2, "only as json or coo");
  check_refused(place.run("convert m.lp m.cnf"), 2, "m.cnf as cnf, only as lp, mps, opb, json");
  check_refused(place.run("convert w.json w.opb"), 2, "w.opb as opb, only as lp, json");
  // A file of doubles cannot hold every sum of long numbers: it says by how much.
  for (const std::string weight : {"1125899906842624", "4503599627370497"}) {
    place.write("long.lp", "Minimize\n c: " + weight + " x + 5 y\nBinary\n x y\nEnd\n");
    const auto ran = place.run("convert long.lp long.json");
    CHECK(ran.code == 0);
    CHECK((ran.output.find("long.json has f rounded, by up to 2") != std::string::npos) ==
          (weight[0] == '4'));
  }
  // For other solvers, one of which is asked.
  for (const char* to : {"m.mps", "m.opb"}) {
    REQUIRE(place.run(std::string("convert m.lp ") + to).code == 0);
    CHECK(optimum(to) == -7.0);
  }
  const Outcome other = run("cd '" + place.path("") + "' && glpsol --freemps m.mps -o glp.txt");
  INFO(other.text);
  CHECK_THAT(place.read("glp.txt"), Contains("= -7 (MINimum)"));
}

TEST_CASE("info tells what a problem is") {
  const Workplace place;
  place.write("m.lp", kModel);
  const auto model = place.run("info m.lp");
  INFO(model.errors);
  CHECK(model.code == 0);
  CHECK_THAT(model.output, Contains("variables  3") && Contains("knapsack") &&
                               Contains("exclusion") && Contains("constraint"));
  place.run("generate wishart -n 12 --seed 3 -o w.json");
  const auto wishart = place.run("info w.json --copies 3 --placement alt");
  CHECK_THAT(wishart.output, Contains("spins      12") && Contains("optimum") &&
                                 Contains("36 p-bits") && Contains("2 colours") &&
                                 Contains("fan-in"));
  place.write("t.col", "p edge 3 3\ne 1 2\ne 2 3\ne 1 3\n");
  CHECK_THAT(place.run("info t.col --colors 3").output, Contains("one-hot"));
  check_refused(place.run("info t.col"), 2, "--colors k");
  check_refused(place.run("info w.json --colors 3"), 2, "--colors belongs to graphs");
  place.write("never.lp", "Minimize\n a\nSubject To\n c: 2 a + 2 b = 3\nBinary\n a b\nEnd\n");
  CHECK_THAT(place.run("info never.lp").output,
             Contains("cannot hold: its left side takes no value in its limits"));
}

TEST_CASE("topology describes an array and writes its files") {
  const Workplace place;
  CHECK_THAT(place.run("topology 5x2").output, Contains("10 = 5 spins x 2 copies"));
  CHECK_THAT(place.run("topology 5x2 --form hls").output, Contains("constexpr"));
  CHECK_THAT(place.run("topology 5x2 --form rtl").output, Contains("package"));
  CHECK_THAT(place.run("topology 5x2 --form wiring").output, Contains("module"));
  check_refused(place.run("topology 5by2"), 2, "5by2");
  CHECK_THAT(place.run("topology lattice-3x3").output,
             Contains("one for each spin, 18 pairs wired"));
  place.write("cycle.csv", "0,1,1\n1,2,1\n2,3,1\n3,4,1\n4,5,1\n0,5,1\n");
  CHECK_THAT(place.run("topology cycle.csv").output, Contains("graph-6-84c9a448"));
  CHECK_THAT(place.run("topology cycle.csv --form edges").output, Contains("6 6\n0 1\n0 5\n"));
  CHECK_THAT(place.run("topology 256-rows-l8").output,
             Contains("8 of 64 replicas") && Contains("40 per row"));
  check_refused(place.run("topology 256-rows-x8"), 2, "256-rows-x8");
}

TEST_CASE("a row kernel solves what no ring holds") {
  const Workplace place;
  CHECK(place.run("generate wishart -n 120 --alpha 1.5 --integer --seed 1 -o w.json").code == 0);
  const auto outcome = place.run("solve w.json --device hls:256-rows");
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.output, Contains("optimum reached") && Contains("couplings exact"));
  check_refused(place.run("solve w.json --device hls:100-rows-l8"), 1, "100-rows-l8 holds 100");
  check_refused(place.run("solve w.json --device hls:256-rows --copies 2"), 2, "--copies 2");
  CHECK(place.run("generate qkp -n 20 -o k.lp").code == 0);
  check_refused(place.run("solve k.lp --device hls:256-rows"), 1, "takes none");
}

TEST_CASE("devices lists what this machine has") {
  const Workplace place;
  const auto outcome = place.run("devices");
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.output, Contains("cpu, ") && Contains("\nhls:TOPOLOGY: ") &&
                                 Contains("uart:PATH") && !Contains("hls:16x2"));
  const std::string kernels = place.run("devices --kernels").output;
  CHECK_THAT(kernels, Contains("\nhls:16x2: ") && Contains("uart:PATH") && !Contains("TOPOLOGY"));
}

TEST_CASE("generate makes models too, and refuses what does not belong together") {
  const Workplace place;
  CHECK(place.run("generate tsp -n 4 -o t.lp").code == 0);
  CHECK(place.run("generate coloring --graph queens -n 4 -o q.lp").code == 0);
  check_refused(place.run("generate tsp -n 4 -o t.mps"), 2, "models are written as .lp");
  check_refused(place.run("generate tsp -n 4 --format json"), 2, "models are written as lp");
  check_refused(place.run("generate wishart -n 9 --graph queens"), 2, "takes no --graph");
}

TEST_CASE("a graph that is large and nearly empty is read in no time") {
  const Workplace place;
  place.write("sparse.col", "p edge 100000 3\ne 1 2\ne 2 3\ne 1 3\n");
  const auto outcome = place.run("info sparse.col --colors 3", "/dev/null", "ulimit -t 60;");
  INFO(outcome.errors);
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.output, Contains("spins      300000"));
}

TEST_CASE("endless and swollen files are refused") {
  const Workplace place;
  check_refused(place.run("solve /dev/zero", "/dev/null", memory_limit(4000)), 1, "1 GiB");
  check_refused(place.run("solve -", "/dev/zero", memory_limit(4000)), 1, "1 GiB");
  REQUIRE(
      std::system(("head -c 300000000 /dev/zero | gzip -1 > '" + place.path("swollen.lp.gz") + "'")
                      .c_str()) == 0);
  check_refused(place.run("solve swollen.lp.gz", "/dev/null", memory_limit(2000)), 1,
                "unpacks to more than 256 MiB");
}

TEST_CASE("compare runs a model in several ways and beside glpsol, and writes one page") {
  const Workplace place;
  place.write(
      "m.lp",
      "Maximize\n profit: 3 a + 2 b + 4 c - n + 10\nSubject To\n weight: 1 <= 2 a + 3 b + 4 c "
      "+ n <= 6\n pair: a + b <= 1\nBounds\n 1 <= n <= 5\nGeneral\n n\nBinary\n a b c\nEnd\n");
  const auto ran = place.run("compare m.lp --time-limit 0.2 -o page.html");
  INFO(ran.output << ran.errors);
  CHECK(ran.code == 0);
  CHECK_THAT(ran.output,
             Contains("m.lp: 4 variables, 2 constraints") && Contains("report    page.html"));
  // 4 - 1 + 10: minimised there, without the constant, its range as two rows, names of its own.
  const auto line = [&](const std::string& name) {
    const std::size_t at = ran.output.find("\n  " + name + " ");
    REQUIRE(at != std::string::npos);
    return ran.output.substr(at + 1, ran.output.find('\n', at + 1) - at);
  };
  CHECK_THAT(line("default"), Contains(" 13 ") && Contains("0.0 %") && Contains("optimal, proved"));
  CHECK_THAT(line("glpsol"), Contains(" 13 ") && Contains("0.0 %") && Contains("says optimal"));
  CHECK_THAT(place.read("page.html"), Contains("<svg") && Contains("glpsol"));
  check_refused(place.run("compare m.lp -o m.lp"), 2, "m.lp");
  check_refused(place.run("compare"), 2, "FILE");
}

TEST_CASE("compare names why a way cannot be run") {
  const Workplace place;
  CHECK(place.run("generate sk -n 300 -o s.json").code == 0);
  const auto ran = place.run("compare s.json --time-limit 0.1 -o page.html");
  INFO(ran.output << ran.errors);
  CHECK(ran.code == 0);
  CHECK_THAT(ran.output, Contains("cached fields") && Contains("flip kernel, emulated"));
  place.write("q.lp",
              "Minimize\n o: x + [ 2 x * y ] / 2\nSubject To\n c: x + y >= 1\nBinary\n x y\nEnd\n");
  const auto quadratic = place.run("compare q.lp --time-limit 0.1 -o page.html");
  CHECK(quadratic.code == 0);
  CHECK_THAT(quadratic.output, !Contains("glpsol"));
}
