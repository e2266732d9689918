// What the program calls optimal, impossible or as good as a target, against enumeration in
// Python's fractions (tests/exact_models); `make exact-models` has ten thousand.
#include <catch2/catch.hpp>

#include "../command.hpp"

using namespace chainmail::test;

TEST_CASE("150 models with long numbers through every door agree with enumeration") {
  const Outcome outcome = run("CHAINMAIL='" + program() + "' tests/exact_models --models 150");
  INFO(outcome.text);
  CHECK(outcome.code == 0);
  CHECK(outcome.text.find("\n0 wrong") != std::string::npos);
}

TEST_CASE("converted files have the solutions of the model they were made from") {
  const Outcome outcome =
      run("CHAINMAIL='" + program() + "' tests/exact_models --convert --models 40");
  INFO(outcome.text);
  CHECK(outcome.code == 0);
}

TEST_CASE("models of up to 22 bits end proved") {
  const Outcome outcome = run("CHAINMAIL='" + program() + "' tests/exact_models --small 24");
  INFO(outcome.text);
  CHECK(outcome.text.find(" 0 not proved") != std::string::npos);
}
