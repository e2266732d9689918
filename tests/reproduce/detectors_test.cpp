// Linear detection against a minimiser that knows no linear algebra, and maximum likelihood
// against the distances themselves.
#include <catch2/catch.hpp>
#include <cmath>

#include "reproduce/linear_detectors.hpp"
#include "support/error.hpp"

using namespace chainmail;
using namespace chainmail::reproduce;

namespace {

MimoChannel channel_of(std::size_t n, double snr, std::uint64_t seed) {
  GenerateOptions options;
  options.n = n;
  options.snr_db = snr;
  options.seed = seed;
  return draw_mimo_channel(options);
}

double distance(const MimoChannel& c, const std::vector<double>& x) {
  double sum = 0.0;
  for (std::size_t r = 0; r < c.size(); ++r) {
    double miss = c.received[r];
    for (std::size_t i = 0; i < c.size(); ++i) miss -= c.gains[r * c.size() + i] * x[i];
    sum += miss * miss;
  }
  return sum;
}

// Minimises |y - H x|^2 + ridge |x|^2 over real x, one coordinate after another with a shrinking
// step: slow, but without matrices.
std::vector<double> brute_force(const MimoChannel& c, double ridge) {
  const auto cost = [&](const std::vector<double>& x) {
    double sum = distance(c, x);
    for (double v : x) sum += ridge * v * v;
    return sum;
  };
  std::vector<double> x(c.size(), 0.0);
  double best = cost(x);
  for (double step = 4.0; step > 1e-7;) {
    bool moved = false;
    for (double& v : x) {
      for (double by : {step, -step}) {
        v += by;
        const double now = cost(x);
        if (now < best) {
          best = now;
          moved = true;
        } else {
          v -= by;
        }
      }
    }
    if (!moved) step *= 0.5;
  }
  return x;
}

}  // namespace

TEST_CASE("zero forcing and MMSE decide as the brute-force minimum does") {
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const MimoChannel c = channel_of(3, 3.0, seed);
    for (double ridge : {0.0, c.noise_variance}) {
      const std::vector<double> x = brute_force(c, ridge);
      const std::vector<Spin> decided = linear_detection(c, ridge);
      for (std::size_t i = 0; i < c.size(); ++i) {
        if (std::abs(x[i]) < 1e-2) continue;  // too near zero for the slow minimiser to tell
        CHECK(decided[i] == (x[i] > 0 ? 1 : -1));
        ++compared;
      }
    }
  }
  CHECK(compared > 200);
}

TEST_CASE("without noise every detector reads what was sent") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const MimoChannel c = channel_of(12, 200.0, seed);
    CHECK(zero_forcing(c) == c.sent);
    CHECK(minimum_mean_square(c) == c.sent);
    CHECK(mimo_problem(c).known_solution == c.sent);
  }
  MimoChannel flat = channel_of(4, 10.0, 1);
  flat.gains.assign(16, 0.0);
  CHECK_THROWS_AS(zero_forcing(flat), InputError);
}

TEST_CASE("maximum likelihood is the nearest of all states, by their distances") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const MimoChannel c = channel_of(8, 2.0, seed);
    double nearest = 1e300;
    std::vector<Spin> best(8);
    for (unsigned state = 0; state < 256; ++state) {
      std::vector<double> x(8);
      for (unsigned i = 0; i < 8; ++i) x[i] = (state >> i & 1U) != 0 ? 1.0 : -1.0;
      const double d = distance(c, x);
      if (d >= nearest) continue;
      nearest = d;
      for (unsigned i = 0; i < 8; ++i) best[i] = static_cast<Spin>(x[i]);
    }
    const Problem problem = mimo_problem(c);
    CHECK(problem.known_solution == best);
    CHECK(*problem.known_optimum == Approx(nearest));
  }
}
