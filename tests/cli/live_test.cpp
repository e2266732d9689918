// --live, queried as by a browser (tests/check_live; `make live-test` uses a real one).
#include <catch2/catch.hpp>

#include "../command.hpp"
#include "workplace.hpp"

using namespace chainmail::test;

TEST_CASE("the live view serves its page and nothing else, and ends as the report") {
  const auto outcome = chainmail::test::run("CHAINMAIL='" + program() + "' tests/check_live");
  INFO(outcome.text);
  CHECK(outcome.code == 0);
}

TEST_CASE("an address that cannot be listened on is told at once") {
  const Workplace place;
  place.run("generate full-adder -o a.json");
  check_refused(place.run("solve a.json --live --live-address nowhere"), 2, "not an IP address");
  check_refused(place.run("solve a.json --live --live-address 192.0.2.1"), 1, "cannot listen");
}
