// What `convert` writes of a model reads back as the same, on every state; what a format cannot
// hold is named.
#include <catch2/catch.hpp>

#include <map>

#include "model/model_files.hpp"
#include "random_model.hpp"
#include "support/error.hpp"

using namespace chainmail;
using Catch::Contains;

namespace {

// Of binaries with whole numbers, as OPB has them.
void make_whole(ConstrainedModel& model) {
  const auto round = [](Expression& e) {
    for (LinearTerm& t : e.linear) t.coefficient = t.coefficient.floor();
    for (ProductTerm& t : e.products) t.coefficient = t.coefficient.floor();
    for (Monomial& t : e.monomials) t.coefficient = t.coefficient.floor();
    e.normalise();
  };
  for (ModelVariable& v : model.variables) {
    if (v.spin || !is_binary(v)) v = {v.name};
  }
  if (model.constraints.size() == 1) model.variables.back().lower = model.variables.back().upper;
  round(model.objective);
  for (ModelConstraint& c : model.constraints) {
    round(c.left);
    if (c.lower.finite()) c.lower = c.lower.floor();
    if (c.upper.finite()) c.upper = c.upper.floor();
  }
}

// How many of the models the format could hold.
std::size_t compare_on_every_state(ModelFormat format, bool whole) {
  Engine engine(11);
  std::size_t written = 0;
  for (std::size_t k = 0; k < 1500; ++k) {
    ConstrainedModel model = random_model(engine, 3 + k % 7);
    if (k % 3 == 0) enrich(model, engine);
    if (k % 5 == 0) raise_degree(model, engine);
    if (whole) make_whole(model);
    std::string text;
    try {
      text = writer_of(format)(model);
    } catch (const InputError& refused) {
      REQUIRE_THAT(refused.what(), Contains("cannot be written"));
      continue;
    }
    ++written;
    const ConstrainedModel again = parse_model(text, "again", format);
    // OPB has no names and no constant; but for LP, what is maximised has the other sign.
    const bool opb = format == ModelFormat::opb;
    const Decimal sign = again.sense == model.sense ? 1 : -1;
    REQUIRE(again.sense == (format == ModelFormat::lp ? model.sense : Sense::minimise));
    const Decimal constant = opb ? model.objective.constant : Decimal(0);
    std::map<std::string, std::size_t> place;
    for (std::size_t v = 0; v < again.variables.size(); ++v) {
      place[opb ? model.variables.at(v).name : again.variables[v].name] = v;
    }
    REQUIRE(place.size() == model.variables.size());
    // What was written may have more: a fixed binary is a constraint of OPB.
    for_all_values(again, [&](const std::vector<std::int64_t>& moved) {
      std::vector<std::int64_t> values;
      for (const ModelVariable& v : model.variables) values.push_back(moved[place.at(v.name)]);
      const Evaluation before = evaluate(model, values), after = evaluate(again, moved);
      const bool same =
          before.feasible() == after.feasible() && *before.exact == sign * *after.exact + constant;
      if (!same) FAIL("another model:\n" << text);
    });
  }
  return written;
}

}  // namespace

TEST_CASE("a model that is written means the same on every state", "[convert]") {
  CHECK(compare_on_every_state(ModelFormat::lp, false) == 1500);
  CHECK(compare_on_every_state(ModelFormat::mps, false) > 100);
  CHECK(compare_on_every_state(ModelFormat::opb, true) > 500);
  CHECK(writer_of(ModelFormat::cnf) == nullptr);
}

TEST_CASE("what MPS and OPB cannot hold is named", "[convert]") {
  const auto read = [](const std::string& text) {
    return parse_model(text, "m.lp", ModelFormat::lp);
  };
  const std::string tail = "Binary\n x y\nEnd\n";
  const auto model = [&](const std::string& objective, const std::string& row) {
    return read("Minimize\n " + objective + "\nSubject To\n " + row + "\n" + tail);
  };
  const auto mps = [](const ConstrainedModel& m, const char* what) {
    CHECK_THROWS_WITH(to_mps(m), Contains(what) && Contains("cannot be written as MPS"));
  };
  const auto opb = [](const ConstrainedModel& m, const char* what) {
    CHECK_THROWS_WITH(to_opb(m), Contains(what) && Contains("cannot be written as OPB"));
  };
  mps(model("[ 2 x * y ] / 2", "c: x + y >= 1"), "an objective with products");
  mps(model("x", "c: [ x * y ] = 0"), "'c' with products");
  mps(model("x", "c: x + y >= 1\nSoft Constraints\n c 2"), "'c', which is soft");
  mps(model("c: x", "obj: x + y >= 1\n c: x + y <= 1"), "named like the objective");
  mps(read("Minimize\n x + s\nSubject To\n c: x + y >= 1\nBinary\n x y\nSpins\n s\nEnd\n"), "'s'");
  opb(read("Minimize\n x + n\nSubject To\n c: x + n >= 1\nBounds\n n <= 4\nGeneral\n n\nBinary\n "
           "x\nEnd\n"),
      "'n', which is not binary");
  opb(model("0.5 x", "c: x + y >= 1"), "0.5 of the objective");
  opb(model("x", "c: x + y >= 0.5"), "0.5 of the constraint 'c'");
  opb(model("x", "c: 9007199254740993 x + y >= 1"), "9007199254740993");
  opb(model("x", "c: x = 1 -> y >= 1"), "'c' with an indicator");
  opb(model("x", "c: x + y >= 1\nSoft Constraints\n c 2"), "'c', which is soft");
}
