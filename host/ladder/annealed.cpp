// Six replicas are cooled from the same start, a step in beta a sweep, until hardly a move that
// raises the energy is accepted. The penalty starts at half the change of f by a flip and doubles
// until a fifth of the final states are feasible, or as near as equations allow, or until more of
// it no longer helps; requiring nearly all of them would drive it far beyond what searches well.
// One slower anneal at that penalty measures acceptance, mean and sigma of the energy: rows go from
// where an eighth of the moves raise it to where everything is frozen, in steps of 1.5 / sigma.
// Where the anneal falls out of equilibrium, sigma within a few sweeps is far too small, and rows
// set by it alone do not swap; there the fall of the mean counts, sigma^2 = -dE / dbeta. Columns
// lie around the penalty.
#include "ladder/annealed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "problem/bits.hpp"
#include "support/counted.hpp"
#include "support/random.hpp"

namespace chainmail {

namespace {

constexpr double kCooling = 1.1;  // beta from step to step
constexpr double kHottest = 0.1;  // first beta, in 1 / unit
constexpr std::size_t kMostSteps = 400;
constexpr double kFrozen = 5e-4;       // accepted rises among proposals, three steps in a row
constexpr double kFirstPenalty = 0.5;  // in units
constexpr double kFeasibleEnds = 0.2;
constexpr std::size_t kMostDoublings = 40, kIdleDoublings = 3;
constexpr double kLessViolated = 0.9;         // g counts as falling below this share
constexpr std::uint64_t kMeasuredSweeps = 8;  // a step
constexpr double kHotAcceptance = 0.25;
constexpr double kBoiling = 0.5, kBoilingStep = 2.0;  // acceptance far above the hottest row's
constexpr double kRowStep = 1.5;                      // integral of sigma over beta between rows
// Products of three and more without constraints: a flip changes many fields at once, so hot rows
// cost most and help least, and there are no columns to help (docs/lab/models.md).
constexpr double kHotProducts = 0.12, kProductStep = 1.0;
constexpr std::size_t kLeastRows = 4;
constexpr double kFirstColumn = 0.7, kColumnRatio = 1.6;
constexpr std::uint64_t kAnnealStream = 0x616e6e65616c;

struct Point {
  double beta, acceptance, sigma, mean;
};

class Annealer {
 public:
  Annealer(const PhysicalModel& physical, Device& device, const AnnealedOptions& options,
           const PilotObserver& observer)
      : model_(*physical.forms),
        device_(device),
        options_(options),
        observer_(observer),
        unit_(energy_unit(model_)),
        start_(options.start.empty() ? spins_of(model_.origin()) : options.start),
        free_(model_.forms.size() == 0 && model_.clashes.items.empty()) {
    device.load(physical, {.replicas = kAnnealed,
                           .seed = hash_of(options.seed, {kAnnealStream}),
                           .moves = options.moves,
                           .moments = true});
  }

  Ladder find() {
    double penalty = kFirstPenalty * unit_;
    find_penalty(penalty);
    Ladder ladder = ladder_from(anneal(penalty, kMeasuredSweeps), penalty);
    for (std::size_t k = 0; k < kAnnealed; ++k) ladder.starts.push_back(device_.read_spins(0, k));
    ladder.replica_sweeps = sweeps_ * kAnnealed;
    return ladder;
  }

 private:
  void find_penalty(double& penalty) {
    double first = 0.0, least = std::numeric_limits<double>::infinity();
    std::size_t idle = 0;
    for (std::size_t round = 0;; ++round) {
      anneal(penalty, 1);
      double violation = 0.0, feasible = 0.0;
      for (std::size_t k = 0; k < kAnnealed; ++k) {
        violation += last_g_[k];
        feasible += model_.as_near_as_can_be(bits_of(device_.read_spins(0, k))) ? 1.0 : 0.0;
      }
      if (round == 0) first = violation;
      const bool enough = feasible >= kFeasibleEnds * static_cast<double>(kAnnealed);
      // Without an objective all penalties are one: only beta P counts.
      if (free_ || enough || model_.no_objective() || round == kMostDoublings) return;
      if (violation < kLessViolated * first) {  // before that only f matters
        idle = violation < kLessViolated * least ? 0 : idle + 1;
        least = std::min(least, violation);
        if (idle == kIdleDoublings) return;
      }
      penalty *= 2.0;
    }
  }

  // From the start to frozen.
  std::vector<Point> anneal(double penalty, std::uint64_t sweeps) {
    std::vector<Point> profile;
    for (std::size_t k = 0; k < kAnnealed; ++k) device_.write_spins(0, k, start_);
    double beta = kHottest / std::max(unit_, penalty);
    std::size_t frozen = 0;
    for (std::size_t step = 0; step < kMostSteps && frozen < 3; ++step) {
      const std::vector<Parameters> parameters(kAnnealed, {beta, beta * penalty});
      device_.submit(0, parameters, sweeps, bursts_++);
      const BurstResult& burst = device_.wait(0);
      double proposals = 0.0, raised = 0.0, variance = 0.0, mean = 0.0;
      for (const BurstMoments& of : burst.moments) {
        proposals += static_cast<double>(of.proposals);
        raised += static_cast<double>(of.raised);
        variance += of.variance / static_cast<double>(kAnnealed);
        mean += of.mean / static_cast<double>(kAnnealed);
      }
      proposals = std::max(proposals, 1.0);
      // Moves that do not change the energy are always accepted, so they say nothing about
      // temperature.
      profile.push_back({beta, 2.0 * raised / proposals, std::sqrt(variance), mean});
      frozen = raised < kFrozen * proposals ? frozen + 1 : 0;
      sweeps_ += sweeps;
      last_g_ = burst.g;
      options_.watch.show(burst, device_);
      options_.watch.after_burst();
      if (observer_ && !observer_(0.0, counted(sweeps_, "sweep"))) throw TuningStopped();
      const bool boils = !model_.pairs.items.empty() && profile.back().acceptance > kBoiling;
      beta *= boils ? kBoilingStep : kCooling;
    }
    return profile;
  }

  Ladder ladder_from(const std::vector<Point>& profile, double penalty) const {
    Ladder ladder;
    const bool products = free_ && !model_.monomial_values.empty();
    std::size_t hot = 0;
    for (std::size_t k = 0; k + 1 < profile.size(); ++k) {
      if (profile[k].acceptance > (products ? kHotProducts : kHotAcceptance)) hot = k;
    }
    std::vector<double> passed(profile.size(), 0.0);  // integral of sigma over beta
    for (std::size_t k = hot + 1; k < profile.size(); ++k) {
      const Point &from = profile[k - 1], &to = profile[k];
      const double step = to.beta - from.beta;
      const double fall = std::max(0.0, from.mean - to.mean);
      passed[k] =
          passed[k - 1] + std::max(0.5 * (from.sigma + to.sigma) * step, std::sqrt(fall * step));
    }
    const double total = passed.back();
    const double step = products ? kProductStep : kRowStep;
    const auto wanted = static_cast<std::size_t>(std::ceil(total / step)) + 1;
    const std::size_t rows =
        std::clamp(wanted, std::min(kLeastRows, options_.most_rows), options_.most_rows);
    std::size_t at = hot;
    for (std::size_t row = 0; row + 1 < rows; ++row) {
      const double want = total * static_cast<double>(row) /
                          static_cast<double>(std::max<std::size_t>(rows, 2) - 1);
      while (at + 2 < profile.size() && passed[at + 1] < want) ++at;
      if (at + 1 >= profile.size()) break;
      const double width = passed[at + 1] - passed[at];
      const double part = width > 0.0 ? std::clamp((want - passed[at]) / width, 0.0, 1.0) : 0.0;
      const double beta = profile[at].beta + part * (profile[at + 1].beta - profile[at].beta);
      if (ladder.beta.empty() || beta > ladder.beta.back()) ladder.beta.push_back(beta);
    }
    if (ladder.beta.empty() || profile.back().beta > ladder.beta.back()) {
      ladder.beta.push_back(profile.back().beta);
    }
    const std::size_t columns = model_.no_objective() || free_ ? 1 : options_.columns;
    for (std::size_t k = 0; k < columns; ++k) {
      ladder.penalty.push_back(columns == 1 ? penalty
                                            : penalty * kFirstColumn *
                                                  std::pow(kColumnRatio, static_cast<double>(k)));
    }
    if (wanted > options_.most_rows) {
      // On rugged models the sum of rejections can ask for millions, a number that says nothing.
      constexpr std::size_t kWorthSaying = 1000;
      ladder.notes.push_back(
          fmt::format("swaps at the usual rate would need {}{} temperatures; {} are used",
                      wanted > kWorthSaying ? "more than " : "", std::min(wanted, kWorthSaying),
                      options_.most_rows));
    }
    return ladder;
  }

  const FormModel& model_;
  Device& device_;
  const AnnealedOptions& options_;
  const PilotObserver& observer_;
  double unit_;
  std::vector<Spin> start_;
  bool free_;  // groups alone: the penalty acts on nothing
  std::vector<double> last_g_;
  std::uint64_t sweeps_ = 0, bursts_ = 0;
};

}  // namespace

// Within a group only differences count, and of k bits one is set.
double energy_unit(const FormModel& model) {
  std::vector<double> mean(model.groups.size(), 0.0);
  for (std::size_t group = 0; group < model.groups.size(); ++group) {
    for (std::uint32_t bit : model.groups[group]) {
      mean[group] += model.linear[bit] / static_cast<double>(model.groups[group].size());
    }
  }
  const auto share = [&](std::uint32_t bit) {
    const std::uint32_t group = model.group_of[bit];
    return group == kNone ? 0.5 : 1.0 / static_cast<double>(model.groups[group].size());
  };
  double squares = 0.0;
  for (std::uint32_t i = 0; i < model.bits; ++i) {
    const std::uint32_t group = model.group_of[i];
    const double field = model.linear[i] - (group == kNone ? 0.0 : mean[group]);
    squares += field * field;
    for (const Neighbour& n : model.pairs[i]) squares += n.value * n.value * share(n.spin);
    for (std::uint32_t k : model.monomials_at[i]) {
      const auto [value, spins] = model.monomial_values[k];
      double often = spins != 0 ? 4.0 : 1.0;  // a spin's field is twice the value, and always
      for (std::uint32_t bit : model.monomials[k])
        often *= spins != 0 || bit == i ? 1.0 : share(bit);
      squares += value * value * often;
    }
    for (const FormTerm& t : model.at_bit[i]) {
      const double price = model.limits[t.index].price * static_cast<double>(t.coefficient);
      squares += 0.5 * price * price;
    }
  }
  const double unit = std::sqrt(squares / std::max(1.0, static_cast<double>(model.bits)));
  return unit > 0.0 ? unit : 1.0;
}

Ladder annealed_ladder(const PhysicalModel& model, Device& device, const AnnealedOptions& options,
                       const PilotObserver& observer) {
  return Annealer(model, device, options, observer).find();
}

}  // namespace chainmail
