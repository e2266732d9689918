// Two methods compared: by instance, and each with the sweeps left by its own pilot.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "reproduce/wishart_analysis.hpp"

using namespace chainmail::reproduce;

namespace {

// rho falls by 0.01 with every doubling from 0.1 at 400 sweeps; nothing feasible before.
InstanceCurve falling(std::size_t instance, double offset, double pilot) {
  InstanceCurve curve;
  curve.instance = instance;
  curve.pilot = pilot;
  for (double time : {200.0, 400.0, 800.0, 1600.0, 3200.0}) {
    curve.best.push_back(time < 400.0 ? std::numeric_limits<double>::quiet_NaN()
                                      : offset + 0.1 - 0.01 * std::log2(time / 400.0));
  }
  return curve;
}

}  // namespace

TEST_CASE("a pilot costs what it took, not the way back to the last look") {
  WishartPlan plan;
  plan.compared = {40};
  plan.times = {200, 400, 800, 1600, 3200};
  Runs runs;
  for (std::size_t k = 0; k < 3; ++k) {
    const double offset = 0.003 * static_cast<double>(k);
    runs[{"mine", 40}].push_back(falling(k, offset, 400.0));
    runs[{"other", 40}].push_back(falling(k, offset, 1.0));
  }
  const std::vector<ComparisonRow> rows = compare(runs, plan, "mine", "other");
  REQUIRE(rows.size() == 4);  // 1600 and 3200, the pilot not counted and counted
  for (const ComparisonRow& row : rows) {
    REQUIRE(row.difference);
    const double lost = std::log2((row.sweeps - 1.0) / (row.sweeps - 400.0));
    CHECK(row.difference->value == Approx(row.pilot_counted ? 0.01 * lost : 0.0).margin(1e-12));
  }
  // A budget that ends before the first feasible look compares with nothing.
  for (InstanceCurve& curve : runs[{"mine", 40}]) curve.pilot = 1300.0;
  const auto late = compare(runs, plan, "mine", "other");
  CHECK_FALSE(late[2].difference);
  CHECK(late[3].difference);
}
