// `bench`: every path of a workload gets its rows, and a run is what the options say.
#include <catch2/catch.hpp>
#include <regex>
#include <sstream>

#include "workplace.hpp"

using namespace chainmail::test;
using Catch::Contains;

namespace {

// Figures "median [least .. most]" of the rows that begin with `start`; how many, and all sound.
std::size_t figures(const std::string& text, const std::string& start) {
  static const std::regex figure(R"(([0-9.]+) \[ *([0-9.]+) \.\. *([0-9.]+)\])");
  std::istringstream lines(text);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find(start) != 2) continue;
    for (std::sregex_iterator at(line.begin(), line.end(), figure), end; at != end; ++at, ++count) {
      INFO(line);
      CHECK(std::stod((*at)[1]) > 0.0);
      CHECK((*at)[1] == (*at)[2]);  // a single run is its own median, least and most
      CHECK((*at)[1] == (*at)[3]);
    }
  }
  return count;
}

}  // namespace

TEST_CASE("bench measures the paths of a workload, one run each where one is asked for") {
  const Workplace place;
  const auto grid = place.run("bench --runs 1 --updates 1e5 --threads 2 --only '(packed)'");
  INFO(grid.output << grid.errors);
  REQUIRE(grid.code == 0);
  CHECK_THAT(grid.output, Contains("of 1 runs") && Contains("3 copies (packed), 400 replicas") &&
                              Contains("Peak memory") && !Contains("Edwards") && !Contains("sk "));
  CHECK(figures(grid.output, "scalar float ") == 3);  // three betas
  CHECK(figures(grid.output, "float, ") == 3);
  CHECK(figures(grid.output, "int8, ") >=
        6);  // one thread and two; again where AVX-512 is left out
  for (const char* replicas : {"  128", "  256", "  512", " 1024"})
    CHECK_THAT(grid.output, Contains(std::string(replicas) + " replicas:     1 sweeps"));

  const auto large = place.run("bench --runs 1 --updates 1e5 --threads 2 --only 'sk 500'");
  REQUIRE(large.code == 0);
  CHECK(figures(large.output, "sk 500 ") == 2);  // one thread and two
  CHECK_THAT(large.output, Contains("int16 fields cached, dense  ") && !Contains("Wishart"));

  check_refused(place.run("bench --only nothing"), 2,
                "--only nothing: expected a part of one of these names: Wishart N=100, 3 copies");
}
