// The pilot run: Algorithm 2 of the paper. A population of chains walks down a column from hot to
// cold; the spread of E at each row tells how far the next β may be, the spread of g how far the
// next P may be, such that neighbours swap about half the time.
//
// Read literally the algorithm runs away: in frozen rows σ goes to zero and the steps to infinity.
// Ours differs in four ways. Steps use σ with a floor in the problem's own units; every row, not
// only the first, takes part in choosing the next P; a column ends when its coldest row is
// feasible by the pilot's own measure and a further column is added, because longer runs find
// broken-chain states that short ones miss; and what was bent is told to the user.
#include "schedule/pilot.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "support/error.hpp"
#include "support/random.hpp"

namespace chainmail {

namespace {

// In units of a p-bit's field (f) and of g; found on Wishart problems, where they mean
// β₀ = 1, P₀ = 0.5, σ_E >= 0.5 and σ_g >= 0.3.
constexpr double kBeta0 = 0.5;
constexpr double kPenalty0 = 1.15;
constexpr double kSigmaEnergyFloor = 1.0;
constexpr double kSigmaConstraintFloor = 0.26;
// The pilot never looks beyond these multiples of the first row and column.
constexpr double kBetaRange = 100.0;
constexpr double kPenaltyRange = 1000.0;

double rms_field(const Quadratic& q) {
  double sum = 0.0;
  std::vector<bool> touched(q.size(), false);
  for (const Coupling& c : q.couplings) {
    sum += 2.0 * c.value * c.value;
    touched[c.i] = touched[c.j] = true;
  }
  for (std::size_t i = 0; i < q.size(); ++i) {
    sum += q.fields[i] * q.fields[i];
    if (q.fields[i] != 0.0) touched[i] = true;
  }
  const auto count = std::count(touched.begin(), touched.end(), true);
  return count == 0 ? 0.0 : std::sqrt(sum / static_cast<double>(count));
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

struct Point {
  double mean_f, mean_g, sigma_energy, sigma_f, sigma_g;
};

// Mean and mean-of-chains σ of a quantity sampled on every chain.
class ChainStatistics {
 public:
  explicit ChainStatistics(std::size_t chains) : sum_(chains, 0.0), squares_(chains, 0.0) {}
  void add(std::size_t chain, double value) {
    if (!shifted_) shift_ = value, shifted_ = true;  // keeps the squares small
    sum_[chain] += value - shift_;
    squares_[chain] += (value - shift_) * (value - shift_);
  }
  double mean(double samples) const {
    double total = 0.0;
    for (double s : sum_) total += s;
    return shift_ + total / (samples * static_cast<double>(sum_.size()));
  }
  double sigma(double samples) const {
    double total = 0.0;
    for (std::size_t c = 0; c < sum_.size(); ++c) {
      const double mean = sum_[c] / samples;
      total += std::sqrt(std::max(0.0, squares_[c] / samples - mean * mean));
    }
    return total / static_cast<double>(sum_.size());
  }

 private:
  std::vector<double> sum_, squares_;
  double shift_ = 0.0;
  bool shifted_ = false;
};

class Population {
 public:
  Population(Device& device, const PilotOptions& options, std::size_t pbits)
      : device_(device), options_(options), pbits_(pbits) {}

  void randomise(std::uint64_t column) {
    std::vector<Spin> spins(pbits_);
    for (std::size_t chain = 0; chain < options_.chains; ++chain) {
      Engine engine(hash_of(options_.seed, {0x70696c6f74, column, chain}));
      for (Spin& spin : spins) spin = engine() >> 63 ? 1 : -1;
      device_.write_spins(0, chain, spins);
    }
  }

  Point measure(double beta, double penalty) {
    const Parameters used = device_.quantise({beta, beta * penalty});
    const std::vector<Parameters> all(options_.chains, used);
    run(all, options_.warmup);
    ChainStatistics f(options_.chains), g(options_.chains), energy(options_.chains);
    for (std::uint64_t s = 0; s < options_.samples; ++s) {
      const BurstResult& burst = run(all, 1);
      for (std::size_t chain = 0; chain < options_.chains; ++chain) {
        f.add(chain, burst.f[chain]);
        g.add(chain, burst.g[chain]);
        energy.add(chain, burst.f[chain] + penalty * burst.g[chain]);
      }
    }
    const auto samples = static_cast<double>(options_.samples);
    return {f.mean(samples), g.mean(samples), energy.sigma(samples), f.sigma(samples),
            g.sigma(samples)};
  }

 private:
  const BurstResult& run(const std::vector<Parameters>& parameters, std::uint64_t sweeps) {
    device_.submit(0, parameters, sweeps, burst_number_++);
    return device_.wait(0);
  }

  Device& device_;
  const PilotOptions& options_;
  std::size_t pbits_;
  std::uint64_t burst_number_ = 0;
};

struct Ladder {
  Schedule schedule;
  std::vector<std::vector<double>> beta_by_column;
  std::vector<double> sigma_floor_rows;
};

void check(const PilotOptions& o) {
  const auto require = [](bool fine, const char* what) {
    if (!fine) throw UsageError(what);
  };
  require(o.max_rows >= 1 && o.max_columns >= 1, "a ladder needs at least one row and one column");
  require(o.chains >= 1 && o.samples >= 2, "the pilot needs at least one chain and two samples");
  require(o.alpha_beta > 0 && o.alpha_penalty > 0, "the pilot's alphas must be positive");
  require(o.beta0 >= 0 && o.penalty0 >= 0, "beta0 and penalty0 cannot be negative");
}

}  // namespace

Units units_of(const Model& model) {
  Units units{rms_field(model.f), rms_field(model.g)};
  if (units.g == 0.0) units.g = 1.0;
  if (units.f == 0.0) units.f = units.g;  // nothing to minimise: g alone sets the scale
  return units;
}

Schedule run_pilot(const Model& model, Device& device, const PilotOptions& options,
                   const PilotObserver& observer) {
  check(options);
  const Units units = units_of(model);
  const bool constrained =
      !model.g.couplings.empty() ||
      std::any_of(model.g.fields.begin(), model.g.fields.end(), [](double h) { return h != 0.0; });
  const double beta0 = options.beta0 > 0 ? options.beta0 : kBeta0 / units.f;
  const double penalty0 = !constrained           ? 0.0
                          : options.penalty0 > 0 ? options.penalty0
                                                 : kPenalty0 * units.f / units.g;
  const double sigma_min = options.sigma_min > 0 ? options.sigma_min : kSigmaEnergyFloor * units.f;
  const double energy_floor = std::min(sigma_min, kSigmaEnergyFloor * units.f);
  const double constraint_floor = kSigmaConstraintFloor * units.g;
  const std::size_t max_columns = constrained ? options.max_columns : 1;

  device.load(model, {.grids = 1,
                      .replicas = options.chains,
                      .seed = options.seed,
                      .beta_min = beta0,
                      .beta_max = kBetaRange * beta0,
                      .penalty_max = kPenaltyRange * penalty0});
  Population population(device, options, model.f.size());
  Schedule schedule;
  std::vector<std::vector<double>> beta_tracks;  // by column
  std::vector<Point> points;
  std::size_t rows = options.max_rows;
  std::size_t columns_after_feasible = 0;
  bool feasible = !constrained;
  std::size_t frozen_steps = 0;
  double penalty = penalty0;

  for (std::size_t column = 0; column < max_columns; ++column) {
    population.randomise(column);
    schedule.penalty.push_back(penalty);
    std::vector<double> track, next_penalty;
    std::vector<Point> column_points;
    double beta = beta0;
    for (std::size_t row = 0; row < rows; ++row) {
      const Point point = population.measure(beta, penalty);
      track.push_back(beta);
      column_points.push_back(point);
      next_penalty.push_back(penalty + options.alpha_penalty /
                                           (beta * std::max(point.sigma_g, constraint_floor)));
      const double share =
          (static_cast<double>(column) + static_cast<double>(row + 1) / static_cast<double>(rows)) /
          static_cast<double>(max_columns);
      if (observer && !observer(share, fmt::format("beta {:.3g}, P {:.3g}: <g> {:.3g}", beta,
                                                   penalty, point.mean_g))) {
        throw InputError("interrupted while tuning the ladder: no answer yet");
      }
      if (column == 0 && point.sigma_energy < sigma_min) {
        rows = row + 1;  // colder rows would only repeat this one
        break;
      }
      if (point.sigma_energy < energy_floor) ++frozen_steps;
      beta += options.alpha_beta / std::max(point.sigma_energy, energy_floor);
    }
    beta_tracks.push_back(std::move(track));
    for (auto [table, member] : {std::pair{&schedule.mean_f, &Point::mean_f},
                                 std::pair{&schedule.sigma_f, &Point::sigma_f},
                                 std::pair{&schedule.mean_g, &Point::mean_g},
                                 std::pair{&schedule.sigma_g, &Point::sigma_g}}) {
      table->resize(rows);
      for (std::size_t row = 0; row < rows; ++row) {
        (*table)[row].push_back(column_points[row].*member);
      }
    }
    if (feasible) ++columns_after_feasible;
    feasible = feasible || column_points.back().mean_g < options.feasible_g * units.g;
    if (feasible && columns_after_feasible >= options.extra_columns) break;
    penalty = median(next_penalty);
  }

  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<double> across;
    across.reserve(beta_tracks.size());
    for (const std::vector<double>& track : beta_tracks) across.push_back(track[row]);
    schedule.beta.push_back(median(std::move(across)));
  }
  if (rows == options.max_rows && rows > 1) {
    schedule.notes.push_back(fmt::format(
        "all {} rows are in use before the energies froze; a colder ladder needs --rows", rows));
  }
  if (!feasible) {
    schedule.notes.push_back(
        fmt::format("the coldest row still violates constraints (<g> = {:.3g}) after {} columns; "
                    "allow more with --columns",
                    schedule.mean_g.back().back(), schedule.columns()));
  }
  if (frozen_steps > 0) {
    schedule.notes.push_back(fmt::format(
        "{} of {} points were frozen (sigma_E below {:.3g}); their step in beta was capped",
        frozen_steps, rows * schedule.columns(), energy_floor));
  }
  return schedule;
}

}  // namespace chainmail
