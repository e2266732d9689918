// The integer logistic noise: its exact distribution by going through every word, and the vector
// kernels against the one-lane formula.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "device/cpu/integer_logistic.hpp"
#include "device/cpu/noise.hpp"
#include "device/cpu/table_model.hpp"
#include "reference.hpp"

using namespace chainmail;
using namespace chainmail::test;

namespace {

struct Octave {
  double weight;                    // P(octave), for either sign
  std::vector<std::int64_t> sizes;  // sorted, over all places
};

std::vector<Octave> all_octaves() {
  std::vector<Octave> octaves;
  bool symmetric = true, positive = true;
  const auto add = [&](std::uint16_t word, std::uint64_t tail, double weight) {
    Octave o{weight, {}};
    for (std::uint32_t place = 0; place < 65536; ++place) {
      const auto up = integer_logistic(word, static_cast<std::uint16_t>(place), tail);
      const auto down = integer_logistic(static_cast<std::uint16_t>(word | 0x8000U),
                                         static_cast<std::uint16_t>(place), tail);
      symmetric = symmetric && up.size == down.size && !up.negative && down.negative;
      positive = positive && up.size >= 0;
      o.sizes.push_back(up.size);
    }
    std::sort(o.sizes.begin(), o.sizes.end());
    octaves.push_back(std::move(o));
  };
  for (unsigned e = 0; e < 15; ++e) {
    add(static_cast<std::uint16_t>(1U << e), 0, std::ldexp(1.0, -static_cast<int>(e) - 1));
  }
  for (unsigned e = 0; e < 40; ++e) {
    add(0, std::uint64_t{1} << e, std::ldexp(1.0, -16 - static_cast<int>(e)));
  }
  REQUIRE(symmetric);
  REQUIRE(positive);
  return octaves;
}

}  // namespace

TEST_CASE("integer noise is logistic over the whole range", "[device][logistic]") {
  const std::vector<Octave> octaves = all_octaves();
  double worst = 0.0, worst_absolute = 0.0;
  for (int step = 0; step < 1460; ++step) {  // up to 20
    const double x = 0.01 + 0.0137 * step;
    const auto size = static_cast<std::int64_t>(std::ceil(kLogisticUnit * x));
    double beyond = 0.0;
    for (const Octave& o : octaves) {
      const auto first = std::lower_bound(o.sizes.begin(), o.sizes.end(), size);
      beyond += o.weight * static_cast<double>(o.sizes.end() - first) / 65536.0;
    }
    const double exact = 1.0 / (1.0 + std::exp(x));  // one sign
    worst = std::max(worst, std::abs(0.5 * beyond / exact - 1.0));
    worst_absolute = std::max(worst_absolute, std::abs(0.5 * beyond - exact));
  }
  INFO("relative error " << worst << ", absolute " << worst_absolute);
  CHECK(worst < 0.003);  // down to 2e-9
  CHECK(worst_absolute < 0.0006);
}

// The last block is narrower than a vector: 22 or 11 replicas.
TEST_CASE("vector thresholds are the one-lane formula", "[device][logistic]") {
  constexpr std::size_t kPbits = 64;
  const std::size_t replicas = GENERATE(150, 139);
  PhysicalModel model;
  model.f = Quadratic(kPbits);
  model.g = Quadratic(kPbits);
  for (std::size_t i = 0; i < kPbits; ++i)
    model.f.fields[i] = 4.0 * std::sin(static_cast<double>(i));
  LoadOptions options;
  options.replicas = replicas;
  options.seed = 31;
  options.beta_max = 3.0;
  const auto device = make_device({"cpu", 1, "int8"});
  device->load(model, options);
  const TableModel tables = *fit_tables(model, options).model;

  std::size_t tails = 0, wrong = 0;
  for (const double hot : {1.0, 1e-3}) {  // with and without lanes that need a shift
    std::vector<Parameters> parameters(replicas);
    for (std::size_t r = 0; r < replicas; ++r) {
      const double beta = hot * 0.02 * static_cast<double>(r);
      parameters[r] = device->quantise({r == 0 && hot == 1.0 ? 3.0 : beta, 0.0});
    }
    for (std::uint64_t burst = 0; burst < 60; ++burst) {
      device->submit(0, parameters, 1, burst);
      device->wait(0);
      const NoiseKey key = make_noise_key(31, burst);
      for (std::size_t r = 0; r < replicas; ++r) {
        const std::vector<Spin> spins = device->read_spins(0, r);
        const LaneScale lane = tables.scale_of(parameters[r]);
        for (std::size_t i = 0; i < kPbits; ++i) {
          std::uint64_t octaves[2], places[2];
          noise_words(key, r / 16 * 4 + r % 16 / 8, 1, i, 1, octaves);
          noise_words(key, r / 16 * 4 + 2 + r % 16 / 8, 1, i, 1, places);
          const std::size_t at = r % 8;
          const auto octave = static_cast<std::uint16_t>(octaves[at / 4] >> 16 * (at % 4));
          const auto place = static_cast<std::uint16_t>(places[at / 4] >> 16 * (at % 4));
          const bool tail = (octave & 0x7fffU) == 0;
          tails += tail ? 1 : 0;
          const std::uint64_t extra = tail ? hash_of(key.words[0], {key.words[1], i, r}) : 0;
          // Up when I > t or, with negative noise, when not -I > t; in exact arithmetic.
          const Logistic noise = integer_logistic(octave, place, extra);
          const double field = tables.f.constant[i];
          const double threshold = static_cast<double>(noise.size) *
                                   std::ldexp(static_cast<double>(lane.scale), lane.shift - 16);
          const bool up = lane.free        ? noise.negative
                          : noise.negative ? -field <= threshold
                                           : field > threshold;
          wrong += up == (spins[i] > 0) ? 0 : 1;
        }
      }
    }
  }
  CHECK(wrong == 0);
  CHECK(tails > 5);  // 1.07 million draws or more, 2^-15 of them
}
