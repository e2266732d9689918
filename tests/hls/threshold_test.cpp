// The activation probability of the kernel, computed exactly: the threshold takes 6400 values, each
// with a known probability, so nothing needs to be sampled.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "../../hls/threshold.hpp"
#include "reference_kernel.hpp"
#include "support/random.hpp"
#include "topology/hls_header.hpp"

namespace {

constexpr int kShift = static_cast<int>(kPenaltyShift);

struct Level {
  std::int64_t t;
  double probability;
};

// All magnitudes with their probabilities, ascending: octave, mantissa, dither are independent.
std::vector<Level> levels() {
  std::map<std::int64_t, double> sum;
  for (unsigned octave = 0; octave <= 24; ++octave) {
    const unsigned leading = octave == 24 ? 0 : 1U << (30 - octave);
    const double weight = std::ldexp(1.0, -static_cast<int>(std::min(octave + 1, 24U)));
    for (unsigned rest = 0; rest < 128; ++rest) {
      const sum_t t = logistic_threshold(random_t(leading | rest));
      REQUIRE((t & sum_t((1 << kShift) - 1)) == 0);
      sum[static_cast<std::int64_t>(t) >> kShift] += weight / 128;
    }
  }
  std::vector<Level> all;
  all.reserve(sum.size());
  for (const auto& [t, p] : sum) all.push_back({t, p});
  return all;
}

// P(spin up | y) for y in fine units: up exactly if y + T >= 0 or y + ~T >= 0, sign 1/2 each.
double probability_up(const std::vector<Level>& all, std::int64_t y) {
  double up = 0.0;
  for (const Level& level : all) {
    const std::int64_t t = level.t * (std::int64_t{1} << kShift);
    if (y + t >= 0) up += 0.5 * level.probability;
    if (y + ~t >= 0) up += 0.5 * level.probability;
  }
  return up;
}

}  // namespace

TEST_CASE("activation follows the logistic function over the whole range", "[hls][threshold]") {
  const std::vector<Level> all = levels();
  double total = 0.0;
  for (const Level& level : all) total += level.probability;
  CHECK(total == Approx(1.0).epsilon(1e-14));
  // The probability is a staircase that steps at the levels; errors are largest next to them.
  double absolute = 0.0, relative = 0.0;
  const auto look = [&](std::int64_t y) {
    const double octaves = static_cast<double>(y) / std::ldexp(1.0, kShift + 8);
    const double exact = 1.0 / (1.0 + std::exp2(-octaves));
    const double error = std::abs(probability_up(all, y) - exact);
    absolute = std::max(absolute, error);
    if (exact >= 1e-7) relative = std::max(relative, error / exact);
  };
  for (const Level& level : all) {
    if (level.t > 256 * 25) break;
    const std::int64_t step = -level.t * (std::int64_t{1} << kShift);
    for (std::int64_t y : {step - 1, step, step + 1}) look(y);
  }
  INFO("largest error: absolute " << absolute << ", relative down to 1e-7 " << relative);
  // What docs/kernel.md states; every threshold one unit off (0.0007 where it is steepest) is more.
  CHECK(absolute <= 0.0016);
  CHECK(relative <= 0.0106);
}

TEST_CASE("flips stay possible far out in the tail, and never beyond", "[hls][threshold]") {
  const std::vector<Level> all = levels();
  const auto at = [&](double octaves) {
    return probability_up(all, static_cast<std::int64_t>(-octaves * std::ldexp(1.0, kShift + 8)));
  };
  CHECK(at(27.0) == Approx(std::exp2(-27.0)).epsilon(0.25));  // 7e-9
  CHECK(at(28.5) > 0.0);
  CHECK(at(32.0) == 0.0);
}

TEST_CASE("the threshold is exactly symmetric", "[hls][threshold]") {
  const reference::Description description(
      chainmail::hls_header(chainmail::topology_from_name("100x3")));
  chainmail::Engine engine(3);
  for (int i = 0; i < 100000; ++i) {
    const auto word = static_cast<unsigned>(engine() >> engine() % 33);
    const sum_t t = logistic_threshold(random_t(word));
    const sum_t mirrored = logistic_threshold(random_t(word ^ 0x80000000U));
    REQUIRE(mirrored == sum_t(~t));
    const auto y = static_cast<std::int64_t>(engine() >> 20) - (std::int64_t{1} << 43);
    const bool up = sum_t(y) + t >= 0;
    const bool mirrored_up = sum_t(-y) + mirrored >= 0;
    REQUIRE(up != mirrored_up);
    const std::int64_t magnitude = reference::threshold(description.noise, word) << kShift;
    REQUIRE(static_cast<std::int64_t>(t) == (word >> 31 != 0 ? ~magnitude : magnitude));
  }
}

TEST_CASE("only the leading one of the octave bits counts", "[hls][threshold]") {
  chainmail::Engine engine(4);
  for (int i = 0; i < 20000; ++i) {
    const unsigned octave = static_cast<unsigned>(engine() % 24);
    const auto rest = static_cast<unsigned>(engine() % 128);
    const unsigned lead = 1U << (30 - octave);
    const unsigned below = static_cast<unsigned>(engine()) & (lead - 1) & ~127U;
    REQUIRE(logistic_threshold(random_t(lead | below | rest)) ==
            logistic_threshold(random_t(lead | rest)));
  }
}
