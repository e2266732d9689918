// Variables held at given values: answers and samples are those of the other variables given them,
// by enumeration. A distribution's case fails by chance once in 10^8 runs.
#include <catch2/catch.hpp>

#include <cmath>
#include <fstream>
#include <functional>
#include <map>

#include "../temporary_folder.hpp"
#include "chainmail/chainmail.hpp"
#include "support/random.hpp"

using namespace chainmail;
using Catch::Contains;

namespace {

using Values = std::vector<std::int64_t>;
using Fixed = std::vector<std::pair<std::size_t, std::int64_t>>;

struct Range {
  std::int64_t lower, upper;
};

// All assignments in which the fixed variables have their values.
std::vector<Values> assignments(const std::vector<Range>& ranges, const Fixed& fixed) {
  std::vector<Values> all{{}};
  for (std::size_t v = 0; v < ranges.size(); ++v) {
    std::vector<Values> longer;
    for (std::int64_t x = ranges[v].lower; x <= ranges[v].upper; ++x) {
      bool meant = true;
      for (const auto& [variable, value] : fixed) meant = meant && (variable != v || value == x);
      if (!meant || (ranges[v].lower == -1 && x == 0)) continue;  // a spin
      for (const Values& begun : all) {
        longer.push_back(begun);
        longer.back().push_back(x);
      }
    }
    all = std::move(longer);
  }
  return all;
}

struct Drawn {
  Model model;
  std::vector<Range> ranges;
};

enum class Kind { spins, bits, numbers };

Drawn drawn_model(Kind kind, std::uint64_t seed) {
  constexpr std::size_t n = 7;
  Engine engine(seed);
  const auto draw = [&] { return static_cast<double>(engine() % 17) - 8.0; };
  Drawn drawn;
  for (std::size_t v = 0; v < n; ++v) {
    if (kind == Kind::spins) {
      drawn.model.add_spin(), drawn.ranges.push_back({-1, 1});
    } else if (kind == Kind::numbers && v < 2) {
      drawn.model.add_integer(-2, 2), drawn.ranges.push_back({-2, 2});
    } else {
      drawn.model.add_binary(), drawn.ranges.push_back({0, 1});
    }
  }
  drawn.model.set_sense(engine() % 2 == 0 ? Model::minimise : Model::maximise);
  drawn.model.add_constant(draw());
  for (std::size_t i = 0; i < n; ++i) {
    drawn.model.add_linear(i, draw());
    for (std::size_t j = i + 1; j < n; ++j) drawn.model.add_quadratic(i, j, draw());
  }
  if (kind == Kind::numbers) {
    std::vector<Model::Term> row;
    for (std::size_t v = 0; v < n; ++v) row.push_back({v, draw()});
    drawn.model.add_constraint("row", row, -6, 9);
  }
  return drawn;
}

Fixed drawn_values(const Drawn& drawn, std::uint64_t seed) {
  Engine engine(seed);
  Fixed fixed;
  for (std::size_t v = 0; v < drawn.ranges.size(); ++v) {
    if (engine() % 2 == 0 || fixed.size() + 1 == drawn.ranges.size()) continue;
    const auto [lower, upper] = drawn.ranges[v];
    const auto width = static_cast<std::uint64_t>(upper - lower) + 1;
    auto value = lower + static_cast<std::int64_t>(engine() % width);
    if (lower == -1 && value == 0) value = 1;
    fixed.emplace_back(v, value);
  }
  return fixed;
}

}  // namespace

TEST_CASE("the answer is the best of those in which fixed variables have their values") {
  int impossible = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    const Drawn drawn = drawn_model(static_cast<Kind>(seed % 3), seed);
    Options options;
    options.fixed = drawn_values(drawn, seed + 1000);
    options.threads = 1;
    options.seed = seed;
    if (seed % 2 == 0) options.exact = "off", options.sweeps = 300;
    const Values* best = nullptr;
    double least = kInfinity;
    const double sign = drawn.model.sense() == Model::maximise ? -1.0 : 1.0;
    const std::vector<Values> all = assignments(drawn.ranges, options.fixed);
    for (const Values& values : all) {
      const Answer answer = evaluate(drawn.model, values);
      if (!answer.feasible || sign * answer.objective >= least) continue;
      least = sign * answer.objective;
      best = &values;
    }
    INFO("seed " << seed << ", " << options.fixed.size() << " fixed");
    const Solution found = solve(drawn.model, options);
    REQUIRE(found.best.values.size() == drawn.ranges.size());
    for (const auto& [variable, value] : options.fixed) {
      CHECK(found.best.values[variable] == value);
    }
    CHECK(found.best.feasible == (best != nullptr));
    CHECK(evaluate(drawn.model, found.best.values).feasible == found.best.feasible);
    if (best == nullptr) {
      ++impossible;
      continue;
    }
    CHECK(sign * found.best.objective == least);
    CHECK(evaluate(drawn.model, found.best.values).objective == found.best.objective);
    if (found.bound) CHECK(sign * *found.bound <= least);
    if (!options.fixed.empty()) CHECK_THAT(found.notes.back(), Contains("clamped"));
  }
  CHECK(impossible < 20);
}

TEST_CASE("fixed variables on a kernel, with copies, trials, solutions and a start") {
  const Drawn drawn = drawn_model(Kind::spins, 4);
  Options options;
  options.fixed = {{1, -1}, {4, 1}};
  options.exact = "off";
  options.sweeps = 400;
  double least = kInfinity;
  const double sign = drawn.model.sense() == Model::maximise ? -1.0 : 1.0;
  for (const Values& values : assignments(drawn.ranges, options.fixed)) {
    least = std::min(least, sign * evaluate(drawn.model, values).objective);
  }
  for (int variant = 0; variant < 4; ++variant) {
    Options own = options;
    if (variant == 0) own.device = "hls:16x3", own.copies = 3;
    if (variant == 1) own.copies = 2;
    if (variant == 2) own.trials = 3, own.solutions = 4;
    if (variant == 3) own.initial = Values(drawn.ranges.size(), 1);  // what is fixed overrules it
    INFO("variant " << variant);
    const Solution found = solve(drawn.model, own);
    CHECK(sign * found.best.objective == least);
    std::vector<Answer> all = found.trials;
    all.insert(all.end(), found.others.begin(), found.others.end());
    all.push_back(found.best);
    CHECK(all.size() >= (variant == 2 ? 7 : 2));
    for (const Answer& answer : all) {
      CHECK(answer.values[1] == -1);
      CHECK(answer.values[4] == 1);
      CHECK(evaluate(drawn.model, answer.values).objective == answer.objective);
    }
    CHECK_THAT(found.html(), Contains("<svg"));
  }
}

TEST_CASE("samples have the conditional distribution") {
  const std::string lp =
      "Minimize\n o: n - 2 x + y - z + [ 2 n * x + 4 y * z ] / 2\nSubject To\n c: n + 2 x + y + z "
      "<= 5\n"
      " d: y + z + x <= 1\nSoft Constraints\n d 0.5\nBounds\n n <= 3\nGeneral\n n\n"
      "Binary\n x y z\nEnd\n";
  const TemporaryFolder folder;
  std::ofstream(folder.file("m.lp")) << lp;
  Drawn cases[2] = {drawn_model(Kind::spins, 9), {Model::read(folder.file("m.lp")), {}}};
  for (std::size_t v = 0; v < 4; ++v) {
    cases[1].ranges.push_back({0, cases[1].model.name(v) == "n" ? 3 : 1});
  }
  for (const Drawn& drawn : cases) {
    Options options;
    options.threads = 1;
    options.fixed = {{1, 1}, {3, drawn.ranges[3].lower}};
    Sampling sampling;
    sampling.betas = {0.05};
    sampling.penalties = {1.0};
    sampling.samples = 40000;
    sampling.sweeps = 4;
    std::map<Values, double> seen, g;
    for (const Sample& s : sample(drawn.model, sampling, options)) {
      seen[s.values] += 1.0 / 40000;
      g[s.values] = s.g;
      REQUIRE(s.objective == Approx(evaluate(drawn.model, s.values).objective).margin(1e-12));
    }
    const double sign = drawn.model.sense() == Model::maximise ? -1.0 : 1.0;
    double z = 0.0;
    std::map<Values, double> weight;
    for (const Values& values : assignments(drawn.ranges, options.fixed)) {
      z += weight[values] =
          std::exp(-0.05 * (sign * evaluate(drawn.model, values).objective + g[values]));
    }
    CHECK(seen.size() == weight.size());
    // Six standard errors of 40,000 samples with an autocorrelation of two.
    for (const auto& [values, w] : weight) {
      const double share = w / z;
      CHECK(std::abs(seen[values] - share) < 6.0 * std::sqrt(2.0 * share / 40000.0));
    }
  }
}

TEST_CASE("what cannot be fixed is refused by name") {
  const auto message = [](const Model& model, Fixed fixed) {
    Options options;
    options.fixed = std::move(fixed);
    try {
      solve(model, options);
    } catch (const Failure& failure) {
      return std::string(failure.what());
    }
    return std::string("nothing was thrown");
  };
  Model spins;
  spins.add_spin("up"), spins.add_spin("down");
  CHECK_THAT(message(spins, {{0, 0}}), Contains("'up' is -1 or 1, not 0"));
  CHECK_THAT(message(spins, {{0, 1}, {0, 1}}), Contains("'up' is given twice"));
  CHECK_THAT(message(spins, {{2, 1}}), Contains("below 2, found 2"));
  CHECK_THAT(message(spins, {{0, 1}, {1, 1}}), Contains("at least one variable that is free"));
  Model numbers;
  numbers.add_integer(-3, 9, "n");
  CHECK_THAT(message(numbers, {{0, 10}}), Contains("'n' is -3 to 9, not 10"));
  CHECK(message(numbers, {{0, 9}}) == "nothing was thrown");
}
