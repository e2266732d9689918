// The pilot run: Algorithm 2 of the paper. A population of chains walks down a column from hot to
// cold; the spread of E at each row tells how far the next β may be, the spread of g how far the
// next P may be, such that neighbours swap about half the time.
//
// Read literally the algorithm runs away: in frozen rows σ goes to zero and the steps to infinity.
// Ours differs in four ways. Steps use σ with a floor in the problem's own units; every row, not
// only the first, takes part in choosing the next P; a column ends when its coldest row is
// feasible by the pilot's own measure and a further column is added, because longer runs find
// broken-chain states that short ones miss; and the user is told what was changed.
//
// On request it also drops rows that are hotter than needed. The hottest row is there to make new
// states; a row that forgets its state between a few swaps does that, and a hotter one does it no
// better. On golf-hole problems (planted Wishart problems) more than half of the rows are of that
// kind.
#include "ladder/pilot.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "grid/population.hpp"
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
// Devices with few bits choose their scale by the range of β and P, so the pilot starts with a
// modest one (multiples of the first row and column) and widens it when the ladder outgrows it.
constexpr double kBetaRange = 16.0;
constexpr double kPenaltyRange = 8.0;
// A row forgets if after this many sweeps a chain resembles itself hardly more than the others.
constexpr std::uint64_t kForgetSweeps = 20;
constexpr std::size_t kForgetLooks = 5;
constexpr double kForgotten = 0.2;
constexpr std::size_t kFewestRows = 3;  // where even the coldest rows forget

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

void check(const PilotOptions& o) {
  const auto require = [](bool fine, const char* what) {
    if (!fine) throw UsageError(what);
  };
  require(o.max_rows >= 1 && o.max_columns >= 1, "a ladder needs at least one row and one column");
  require(o.chains >= 1 && o.samples >= 2, "the pilot needs at least one chain and two samples");
  require(o.alpha_beta > 0 && o.alpha_penalty > 0, "the pilot's alphas must be positive");
  require(o.beta0 >= 0 && o.penalty0 >= 0, "beta0 and penalty0 cannot be negative");
}

class Pilot {
 public:
  Pilot(const PhysicalModel& model, Device& device, const PilotOptions& options,
        const PilotObserver& observer)
      : options_(options),
        observer_(observer),
        model_(model),
        units_(units_of(model)),
        constrained_(!model.g.is_zero()),
        beta0_(options.beta0 > 0 ? options.beta0 : kBeta0 / units_.f),
        penalty0_(!constrained_          ? 0.0
                  : options.penalty0 > 0 ? options.penalty0
                                         : kPenalty0 * units_.f / units_.g),
        sigma_min_(options.sigma_min > 0 ? options.sigma_min : kSigmaEnergyFloor * units_.f),
        energy_floor_(std::min(sigma_min_, kSigmaEnergyFloor * units_.f)),
        rows_(options.max_rows),
        max_columns_(constrained_ ? options.max_columns : 1),
        beta_max_(kBetaRange * beta0_),
        penalty_max_(kPenaltyRange * penalty0_),
        population_(device, options.chains, options.seed, options.watch) {
    population_.load(model_, beta0_, beta_max_, penalty_max_);
  }

  Ladder run() {
    double penalty = penalty0_;
    std::size_t columns_after_feasible = 0;
    for (std::size_t column = 0; column < max_columns_; ++column) {
      ladder_.penalty.push_back(penalty);
      const double coldest_g = walk_down(column, penalty);
      if (feasible_) ++columns_after_feasible;
      feasible_ = feasible_ || !constrained_ || coldest_g < options_.feasible_g * units_.g;
      if (feasible_ && columns_after_feasible >= options_.extra_columns) break;
      penalty = median(next_penalty_);
    }
    const std::size_t first = options_.drop_hot_rows ? first_row() : 0;
    for (std::size_t row = first; row < rows_; ++row) {
      std::vector<double> across;
      across.reserve(tracks_.size());
      for (const std::vector<double>& track : tracks_) across.push_back(track[row]);
      ladder_.beta.push_back(median(std::move(across)));
    }
    explain();
    for (auto* table : {&ladder_.mean_f, &ladder_.sigma_f, &ladder_.mean_g, &ladder_.sigma_g}) {
      table->erase(table->begin(), table->begin() + static_cast<std::ptrdiff_t>(first));
    }
    ladder_.replica_sweeps = population_.replica_sweeps();
    return std::move(ladder_);
  }

 private:
  // The last of the hot rows that forget; enough rows stay for swaps.
  std::size_t first_row() const {
    const auto holds = [](double memory) { return memory >= kForgotten; };
    const auto stiff = std::find_if(memory_.begin(), memory_.end(), holds);
    const auto forgetful = static_cast<std::size_t>(stiff - memory_.begin());
    const std::size_t most = rows_ - std::min(rows_, kFewestRows);
    return std::min(forgetful == 0 ? 0 : forgetful - 1, most);
  }

  // Measures a column from hot to cold; the first one also decides how many rows there are.
  double walk_down(std::size_t column, double penalty) {
    population_.randomise(model_.f.size(), [&](std::size_t chain) {
      return hash_of(options_.seed, {0x70696c6f74, column, chain});
    });
    next_penalty_.clear();
    std::vector<double> track;
    std::vector<Point> points;
    double beta = beta0_;
    for (std::size_t row = 0; row < rows_; ++row) {
      const Point point = measure(beta, penalty);
      if (options_.drop_hot_rows && column == 0) {
        memory_.push_back(population_.memory(beta, penalty, kForgetSweeps, kForgetLooks));
      }
      track.push_back(beta);
      points.push_back(point);
      tell(column, row, beta, penalty, point);
      const double sigma_g = std::max(point.sigma_g, kSigmaConstraintFloor * units_.g);
      next_penalty_.push_back(penalty + options_.alpha_penalty / (beta * sigma_g));
      // Small problems have little spread of E even where they are hot, hence the second condition.
      if (column == 0 && point.sigma_energy < sigma_min_ &&
          beta * units_.f >= options_.cold_field) {
        rows_ = row + 1;  // colder rows would only repeat this one
        froze_ = true;
        break;
      }
      if (point.sigma_energy < energy_floor_) ++capped_steps_;
      beta += options_.alpha_beta / std::max(point.sigma_energy, energy_floor_);
    }
    tracks_.push_back(std::move(track));
    for (auto [table, member] :
         {std::pair{&ladder_.mean_f, &Point::mean_f}, std::pair{&ladder_.sigma_f, &Point::sigma_f},
          std::pair{&ladder_.mean_g, &Point::mean_g},
          std::pair{&ladder_.sigma_g, &Point::sigma_g}}) {
      table->resize(rows_);
      for (std::size_t row = 0; row < rows_; ++row) (*table)[row].push_back(points[row].*member);
    }
    return points.back().mean_g;
  }

  Point measure(double beta, double penalty) {
    if (beta > beta_max_ || penalty > penalty_max_) {
      while (beta > beta_max_) beta_max_ *= 2;
      while (penalty > penalty_max_) penalty_max_ *= 2;
      population_.load(model_, beta0_, beta_max_, penalty_max_);
    }
    const Measurement m = population_.measure(beta, penalty, options_.warmup, options_.samples);
    return {m.f.mean(), m.g.mean(), m.energy.mean_sigma(), m.f.mean_sigma(), m.g.mean_sigma()};
  }

  void tell(std::size_t column, std::size_t row, double beta, double penalty, const Point& point) {
    if (!observer_) return;
    const auto done = static_cast<double>(column * rows_ + row + 1);
    const double share = done / static_cast<double>(rows_ * max_columns_);
    if (!observer_(share, fmt::format("beta {:.3g}, P {:.3g}: mean g {:.3g}", beta, penalty,
                                      point.mean_g))) {
      throw TuningStopped();
    }
  }

  void explain() {
    auto& notes = ladder_.notes;
    if (!froze_ && rows_ > 1) {
      notes.push_back(fmt::format(
          "the pilot used its {} rows before the energies froze; a colder ladder needs --rows",
          rows_));
    }
    if (!feasible_) {
      notes.push_back(
          fmt::format("the coldest row still violates constraints (mean g {:.3g}) after {} "
                      "columns; allow more with --columns",
                      ladder_.mean_g.back().back(), ladder_.columns()));
    }
    if (capped_steps_ > 0) {
      notes.push_back(fmt::format(
          "{} of {} points were frozen (sigma of E below {:.3g}); their step in beta was capped",
          capped_steps_, rows_ * ladder_.columns(), energy_floor_));
    }
  }

  const PilotOptions& options_;
  const PilotObserver& observer_;
  const PhysicalModel& model_;
  Units units_;
  bool constrained_;
  double beta0_, penalty0_, sigma_min_, energy_floor_;
  std::size_t rows_, max_columns_;
  double beta_max_, penalty_max_;  // what the device was given
  Population population_;
  Ladder ladder_;
  std::vector<std::vector<double>> tracks_;  // β by [column][row]
  std::vector<double> memory_;               // of the first column, by row
  std::vector<double> next_penalty_;         // proposals of the column just walked, by row
  std::size_t capped_steps_ = 0;
  bool froze_ = false, feasible_ = false;
};

}  // namespace

Units units_of(const PhysicalModel& model) {
  Units units{rms_field(model.f), rms_field(model.g)};
  if (units.g == 0.0) units.g = 1.0;
  if (units.f == 0.0) units.f = units.g;  // nothing to minimise: g alone sets the scale
  return units;
}

Ladder run_pilot(const PhysicalModel& model, Device& device, const PilotOptions& options,
                 const PilotObserver& observer) {
  check(options);
  return Pilot(model, device, options, observer).run();
}

}  // namespace chainmail
