// TSPLIB files: the distances by TSPLIB's own rules, and tours as the model counts them.
#include <catch2/catch.hpp>

#include "check/model.hpp"
#include "model/model_files.hpp"

using namespace chainmail;

namespace {

ConstrainedModel parse(const std::string& text) {
  return parse_model(text, "t", ModelFormat::tsp);
}

// The length of the tour 1, order... by the model, which must allow it, and by the checker's own.
double length(const std::string& text, const std::vector<std::size_t>& order) {
  const std::size_t free = order.size();
  std::vector<std::int64_t> values(free * free, 0);
  for (std::size_t k = 0; k < free; ++k) values[(order[k] - 2) * free + k] = 1;
  const Evaluation found = evaluate(parse(text), values);
  REQUIRE(found.feasible());
  const checker::Model again = checker::read("tsp", text, "t");
  const checker::Judgement judged = checker::judge(again, {values.begin(), values.end()});
  CHECK(judged.broken.empty());
  CHECK(judged.objective == found.objective);
  std::swap(values[0], values[1]);  // two places at once
  CHECK(evaluate(parse(text), values).violations.size() ==
        checker::judge(again, {values.begin(), values.end()}).broken.size());
  return found.objective;
}

std::string complaint(const std::string& text) {
  try {
    parse(text);
  } catch (const std::exception& e) {
    return e.what();
  }
  return "accepted";
}

const std::string kPlaces = "NODE_COORD_SECTION\n1 0 0\n2 3 4\n3 10 0\nEOF\n";

std::string by(const std::string& kind) {
  return "NAME: three\nTYPE: TSP\nCOMMENT: a: b\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: " + kind + "\n";
}

}  // namespace

TEST_CASE("TSPLIB: distances are rounded as its paper says") {
  // 1-2 is 5, 2-3 is 8.06, 3-1 is 10.
  CHECK(length(by("EUC_2D") + kPlaces, {2, 3}) == 23);
  // 5.83, 8.60 and 10.
  CHECK(length(by("EUC_2D") + "NODE_COORD_SECTION\n1 0 0\n2 3 5\n3 10 0\nEOF\n", {2, 3}) == 25);
  CHECK(length(by("CEIL_2D") + kPlaces, {3, 2}) == 24);
  // Divided by the root of ten, up: 1.58, 2.55, 3.16.
  CHECK(length(by("ATT") + kPlaces, {2, 3}) == 2 + 3 + 4);
  CHECK(parse(by("EUC_2D") + kPlaces).name == "three");
  // Two of the places of TSPLIB's ulysses22, whose distances are published: 1-2 is 509, 1-3 501.
  const std::string geo = by("GEO") +
                          "NODE_COORD_SECTION\n1 38.24 20.42\n2 39.57 26.15\n3 40.56 "
                          "25.32\nEOF\n";
  CHECK(length(geo, {2, 3}) == 509 + 126 + 501);
}

TEST_CASE("TSPLIB: explicit distances in every shape") {
  const auto with = [](const std::string& shape, const std::string& weights) {
    return "DIMENSION : 4\nEDGE_WEIGHT_TYPE : EXPLICIT\nEDGE_WEIGHT_FORMAT : " + shape +
           "\nEDGE_WEIGHT_SECTION\n" + weights + "EOF\n";
  };
  // 1-2 1, 1-3 2, 1-4 3, 2-3 4, 2-4 5, 3-4 6.
  for (const std::string& m :
       {with("FULL_MATRIX", "0 1 2 3\n1 0 4 5\n2 4 0 6\n3 5 6 0\n"),
        with("UPPER_ROW", "1 2 3 4 5\n6\n"), with("LOWER_ROW", "1\n2 4\n3 5 6\n"),
        with("UPPER_DIAG_ROW", "0 1 2 3 0 4 5 0 6 0\n"),
        with("LOWER_DIAG_ROW", "0\n1 0\n2 4 0\n3 5 6 0\n")}) {
    CHECK(length(m, {2, 3, 4}) == 1 + 4 + 6 + 3);
    CHECK(length(m, {3, 2, 4}) == 2 + 4 + 5 + 3);
  }
  // There and back may differ.
  const std::string one_way = with("FULL_MATRIX", "0 1 9 9\n9 0 1 9\n9 9 0 1\n1 9 9 0\n");
  CHECK(length(one_way, {2, 3, 4}) == 4);
  CHECK(length(one_way, {4, 3, 2}) == 36);
}

TEST_CASE("TSPLIB complaints") {
  const std::pair<std::string, std::string> cases[] = {
      {"EOF\n", "t:1: expected NODE_COORD_SECTION or EDGE_WEIGHT_SECTION, found neither"},
      {"DIMENSION : 2\n", "t:1: expected a number of places from 3 to 200, found '2'"},
      {"DIMENSION : 3\nDIMENSION : 3\n", "t:2: DIMENSION was given before"},
      {"TYPE : CVRP\n", "t:1: expected TYPE to be one of TSP, ATSP, found 'CVRP'"},
      {"EDGE_WEIGHT_TYPE : XRAY1\n",
       "t:1: expected EDGE_WEIGHT_TYPE to be one of EXPLICIT, EUC_2D, CEIL_2D, ATT, GEO, found "
       "'XRAY1'"},
      {"NODE_COORD_SECTION\n", "t:1: expected DIMENSION before this section"},
      {"hello\n", "t:1: expected `KEYWORD : VALUE` or a section, found 'hello'"},
      {by("EUC_2D") + "NODE_COORD_SECTION\n1 0 0\n1 1 1\n", "t:8: place 1 was given before"},
      {by("EUC_2D") + "NODE_COORD_SECTION\n1 0 0\n2 1\n",
       "t:8: expected a place `NUMBER X Y`, found '2 1'"},
      {by("EUC_2D") + "NODE_COORD_SECTION\n1 0 0\n",
       "t:7: expected a place `NUMBER X Y`, found the end of the file"},
      {by("EUC_2D") + "EDGE_WEIGHT_SECTION\n",
       "t:6: EDGE_WEIGHT_SECTION belongs to EDGE_WEIGHT_TYPE : EXPLICIT"},
      {by("EXPLICIT") + "EDGE_WEIGHT_FORMAT: UPPER_ROW\nEDGE_WEIGHT_SECTION\n1 2 3.5\n",
       "t:8: expected a whole distance below 10^9, found '3.5'"},
      {by("EXPLICIT") + "EDGE_WEIGHT_FORMAT: UPPER_ROW\nEDGE_WEIGHT_SECTION\n1 2 3 4\n",
       "t:8: more distances than there are pairs"}};
  for (const auto& [text, expected] : cases) {
    INFO(text);
    CHECK(complaint(text) == expected);
  }
}
