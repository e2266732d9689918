// The checker of Vitis' reports. The samples are written by hand in the tools' format (csynth.xml
// of Vitis HLS, report_timing_summary of Vivado): no tool has produced them for this kernel yet.
#include <catch2/catch.hpp>

#include "../command.hpp"
#include "support/atomic_file.hpp"

using namespace chainmail;

namespace {

test::Outcome judge(const std::string& kind, const std::string& sample) {
  return test::run("constraints/check_reports " + kind + " tests/vitis/samples/" + sample);
}

void check_refused(const test::Outcome& outcome, const std::string& what) {
  INFO(outcome.text);
  CHECK(outcome.code == 1);
  CHECK_THAT(outcome.text, Catch::Contains("check_reports: ") && Catch::Contains(what));
}

}  // namespace

TEST_CASE("an initiation interval above 1 in the sweep loop is refused", "[vitis]") {
  const test::Outcome met = judge("ii pbit_burst", "hls_met");
  INFO(met.text);
  CHECK(met.code == 0);
  CHECK_THAT(met.text, Catch::Contains("Ring_Slots: II = 1"));
  check_refused(judge("ii pbit_burst", "hls_missed"), "Ring_Slots has II = 3, expected 1");
  // No trip count and no name, as newer releases write a loop with a variable bound.
  check_refused(judge("ii pbit_burst", "hls_ii2"), "Ring_Slots has II = 2, expected 1");
  check_refused(judge("ii pbit_burst", "hls_unpipelined"), "Ring_Slots has II = None");
  // A report without the loop proves nothing.
  check_refused(judge("ii pbit_burst", "timing_met"), "no csynth.xml with the loop Ring_Slots");
}

TEST_CASE("the loop that is judged is the kernel's", "[vitis]") {
  CHECK_THAT(read_file("hls/sweep_ring.hpp"), Catch::Contains("\nRing_Slots:\n"));
  CHECK_THAT(read_file("hls/row_sweep.hpp"), Catch::Contains("\nPass_Slots:\n"));
  // A report of the other kernel proves nothing.
  check_refused(judge("ii pbit_rows", "hls_met"), "no csynth.xml with the loop Pass_Slots");
  CHECK_THAT(judge("ii pbit_other", "hls_met").text, Catch::Contains("usage: check_reports"));
}

TEST_CASE("negative slack after routing is refused", "[vitis]") {
  const test::Outcome met = judge("timing", "timing_met");
  INFO(met.text);
  CHECK(met.code == 0);
  // The report after physical optimisation is the one that counts.
  CHECK_THAT(met.text, Catch::Contains("postroute") && Catch::Contains("WNS 0.021 ns"));
  CHECK(met.text.find("-0.087") == std::string::npos);
  check_refused(judge("timing", "timing_missed"), "timing is not met, WNS = -0.312 ns");
  check_refused(judge("timing", "timing_hold"), "timing is not met, WHS = -0.045 ns");
  check_refused(judge("timing", "hls_met"), "no timing summary of a routed design");
}

TEST_CASE("a scaled clock passes when it is accepted, and only then", "[vitis]") {
  check_refused(judge("timing", "timing_scaled"),
                "lowered the clock to 231.4 MHz: ACCEPT_SCALED=1");
  const test::Outcome accepted = judge("--accept-scaled timing", "timing_scaled");
  INFO(accepted.text);
  CHECK(accepted.code == 0);
  CHECK_THAT(accepted.text, Catch::Contains("v++ lowered the clock to 231.4 MHz"));
  // Unless v++ says so the clock was not lowered; and no clock fixes hold.
  check_refused(judge("--accept-scaled timing", "timing_missed"), "WNS = -0.312 ns");
  check_refused(judge("--accept-scaled timing", "timing_hold"), "WHS = -0.045 ns");
}
