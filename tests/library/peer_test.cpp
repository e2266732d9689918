// Other solvers on our models: what they are given means the same, and so does what they say.
#include <catch2/catch.hpp>

#include "model/model_files.hpp"
#include "run/peer.hpp"

using namespace chainmail;

namespace {

PeerRun glpsol(const std::string& lp) {
  const std::atomic<bool> stop{false};
  return run_peer("glpsol", parse_model(lp, "test.lp", ModelFormat::lp), 5.0, stop);
}

}  // namespace

TEST_CASE("glpsol sees sense, constant, ranges, indicators and integers as they are meant") {
  // Every feasible value is at least 10; the range's lower side, the indicator and n's bounds bind.
  const PeerRun most = glpsol(
      "Maximize\n v: 3 a + 2 b + 4 c + n + 10\nSubject To\n r: 1 <= 2 a + 3 b + 4 c <= 5\n"
      " i: a = 1 -> n <= 2\nBounds\n n <= 3\nGeneral\n n\nBinary\n a b c\nEnd\n");
  REQUIRE(most.answer);
  CHECK(most.answer->feasible);
  CHECK(most.answer->objective == 17.0);
  CHECK(most.says_optimal);
  CHECK(most.course.back().second == 17.0);
  for (const auto& [seconds, value] : most.course) CHECK(value >= 10.0);
  const PeerRun least = glpsol(
      "Minimize\n v: 3 a + 2 b + 4 c\nSubject To\n r: 4 <= 2 a + 3 b + 4 c <= 6\n"
      "Binary\n a b c\nEnd\n");
  REQUIRE(least.answer);
  CHECK(least.answer->objective == 4.0);
  REQUIRE_FALSE(least.course.empty());
  CHECK(least.course.back().second == 4.0);
}

TEST_CASE("what glpsol proves impossible leaves no answer") {
  const PeerRun none =
      glpsol("Minimize\n v: a\nSubject To\n r: a + b >= 1\n s: a + b <= 0\nBinary\n a b\nEnd\n");
  CHECK_FALSE(none.answer);
  CHECK(none.course.empty());
  CHECK_FALSE(none.refused.empty());
}

TEST_CASE("products and prices are nothing for the others") {
  const auto takes = [](const std::string& lp) {
    return peers_take(parse_model(lp, "test.lp", ModelFormat::lp));
  };
  CHECK(takes("Minimize\n v: a\nSubject To\n c: a + b >= 1\nBinary\n a b\nEnd\n"));
  CHECK_FALSE(takes("Minimize\n v: [ a * b ] / 2\nBinary\n a b\nEnd\n"));
  CHECK_FALSE(takes("Minimize\n v: [ a * b * c ] / 2\nBinary\n a b c\nEnd\n"));
  CHECK_FALSE(takes("Minimize\n v: a + b\nBinary\n a\nSpins\n b\nEnd\n"));
  CHECK_FALSE(
      takes("Minimize\n v: a\nSubject To\n c: a + b >= 1\nSoft Constraints\n c 2\n"
            "Binary\n a b\nEnd\n"));
}
