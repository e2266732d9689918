// The ladder for general constraints. A penalty alone has two faults: a finite P is always a
// little violated, because f gains from it in first order while P g loses in second; and a P large
// enough to end that freezes single flips. The augmented Lagrangian (Hestenes, Powell 1969) takes
// the first-order gain away: f + sum lambda_c r_c, where r_c is what the two sides of constraint c
// differ by, is the same function on every feasible state, and with the right lambda the mean of
// r_c is zero at *every* P. Columns then reach from "residuals fluctuate freely" to "none at all"
// in a few steps of a constant factor, and feasible states turn up along the whole ladder.
//
// 1. An annealed population finds the multipliers: lambda_c moves by 2 P w_c <r_c>, the step of the
//    method of multipliers. P falls with T, so weak that flipping a typical bit costs about T, and
//    is held once residuals stray further than thermal motion explains: there f is not convex in
//    the right side, and no multiplier alone would hold it. The population is cold when less than
//    one thermally active degree of freedom is left, beta^2 Var < 3/4.
// 2. Rows go from there up to the hot end, neighbours alpha / sigma_E apart.
// 3. Columns start at the penalty that is so weak for the middle row and go on by steps of
//    alpha / (beta sigma_g) until the coldest row is feasible in 99 % of its samples.
#include "ladder/constrained.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grid/population.hpp"
#include "support/error.hpp"
#include "support/random.hpp"

namespace chainmail {

namespace {

constexpr double kCooling = 0.8;
constexpr std::size_t kMaxCooling = 28;
constexpr double kColdCapacity = 0.75;   // beta^2 Var of the coldest row
constexpr double kStray = 1.5;           // times the violation that thermal motion explains
constexpr double kSoftness = 0.5;        // beta P times the cost of flipping a typical bit in g
constexpr double kDamping = 0.6;         // of Newton's step
constexpr std::size_t kCorrections = 4;  // of the multipliers at each temperature
constexpr double kFeasibleRate = 0.99;
constexpr double kWholeGain = 0.5;
// beta P w - beta |lambda| at which equilibrium has no violation to speak of (e^-10). What the
// short pilot still sees then are defects it had no time to heal; more P would only freeze them.
constexpr double kHard = 10.0;
// g of a residual is spread like a squared normal number, whose neighbours in P overlap further
// than normal ones of the same sigma do.
constexpr double kPenaltyStep = 1.8;
// Columns measure every n-th row, including the coldest, for this many sweeps.
constexpr std::size_t kRowStride = 4;
constexpr std::uint64_t kWarmup = 40, kSamples = 60;
constexpr double kMostGrowth = 4.0;  // of the penalty from one column to the next

// What flipping a typical bit costs in g from a feasible state: a square w (a.x - b)^2 has
// couplings w a_i a_j / 2, and the flip costs w a^2.
double flip_cost(const Quadratic& g) {
  double squares = 0.0;
  for (const Coupling& c : g.couplings) squares += c.value * c.value;
  if (!g.couplings.empty()) {
    return 2.0 * std::sqrt(squares / static_cast<double>(g.couplings.size()));
  }
  for (double h : g.fields) squares += h * h;
  return squares > 0.0 ? std::sqrt(squares / static_cast<double>(g.size())) : 1.0;
}

double rms_flip(const Quadratic& f) {
  std::vector<double> squares(f.size());
  for (std::size_t i = 0; i < f.size(); ++i) squares[i] = f.fields[i] * f.fields[i];
  for (const Coupling& c : f.couplings) {
    squares[c.i] += c.value * c.value;
    squares[c.j] += c.value * c.value;
  }
  double sum = 0.0;
  for (double s : squares) sum += s;
  return 2.0 * std::sqrt(sum / static_cast<double>(f.size()));
}

// Whether g is more than the squares of the residuals: exclusions, chains of copies. A sum of terms
// that are never negative shows at once on random states.
bool has_other_constraints(const Embedding& embedding) {
  Engine engine(1);
  std::vector<Spin> spins(embedding.pbits());
  for (int sample = 0; sample < 8; ++sample) {
    for (Spin& spin : spins) spin = engine() >> 63 ? 1 : -1;
    double squares = 0.0;
    for (const Residual& r : embedding.residuals) squares += r.weight * r(spins) * r(spins);
    const double g = embedding.model.g(spins);
    if (g - squares > 1e-9 * std::max(1.0, g)) return true;
  }
  return false;
}

struct CoolingPoint {
  double beta, capacity;  // beta^2 Var E
};

class ConstrainedPilot {
 public:
  ConstrainedPilot(const Embedding& embedding, Device& device, const PilotOptions& options,
                   const PilotObserver& observer)
      : options_(options),
        observer_(observer),
        embedding_(embedding),
        population_(device, options.chains, options.seed, options.watch),
        flip_cost_(flip_cost(embedding.model.g)),
        hot_(rms_flip(embedding.model.f)),
        no_objective_(embedding.model.f.is_zero()),
        others_(has_other_constraints(embedding)) {
    for (const Residual& r : embedding.residuals) weights_.push_back(r.weight);
    population_.randomise(embedding.pbits(), [&](std::size_t chain) {
      return hash_of(options_.seed, {0x6c61646465, chain});
    });
  }

  Ladder run() {
    ladder_.multipliers.assign(weights_.size(), 0.0);
    if (no_objective_) {
      ladder_.beta = {1.0};  // P is the temperature of a problem without objective
      soft_penalty_ = soft_penalty(1.0);
      load(1.0, 1.0);
    } else {
      cool();
      place_rows();
    }
    place_columns();
    ladder_.replica_sweeps = population_.replica_sweeps();
    return std::move(ladder_);
  }

 private:
  double soft_penalty(double beta) const { return kSoftness / (beta * flip_cost_); }

  void report(double fraction, const std::string& text) {
    if (observer_ && !observer_(fraction, text)) {
      throw TuningStopped();
    }
  }

  void load(double beta, double penalty) {
    population_.load(with_multipliers(embedding_, ladder_.multipliers).model, beta, beta, penalty);
  }

  void correct_multipliers(double penalty, const Measurement& m) {
    for (std::size_t c = 0; c < m.residuals.size(); ++c) {
      ladder_.multipliers[c] += 2.0 * penalty * weights_[c] * m.residuals[c].mean();
    }
  }

  Measurement measure_residuals(double beta) {
    load(beta, soft_penalty_);
    Measurement m = population_.measure(beta, soft_penalty_, 10, 20, embedding_.residuals);
    correct_multipliers(soft_penalty_, m);
    return m;
  }

  void cool() {
    double beta = options_.beta0 > 0 ? options_.beta0 : 1.0 / hot_;
    soft_penalty_ = soft_penalty(beta);
    double hot_violation = 0.0;
    for (std::size_t step = 0; step < kMaxCooling; ++step, beta /= kCooling) {
      Measurement m = measure_residuals(beta);
      for (std::size_t k = 1; k < kCorrections; ++k) m = measure_residuals(beta);
      const double capacity = beta * beta * m.energy.variance();
      const double violation = beta * soft_penalty_ * m.g.mean();
      cooling_.push_back({beta, capacity});
      report(0.5 * static_cast<double>(step) / static_cast<double>(kMaxCooling),
             fmt::format("multipliers at beta {:.3g}", beta));
      if (step > 4 && std::min(capacity, beta * beta * m.f.variance()) < kColdCapacity) return;
      hot_violation = std::max(hot_violation, step < 4 ? violation : 0.0);
      held_ = held_ || (step >= 4 && violation > kStray * hot_violation);
      if (!held_) soft_penalty_ = soft_penalty(beta / kCooling);
    }
  }

  // From the coldest point upwards, neighbours at a distance of alpha in the measure sigma_E dbeta.
  void place_rows() {
    std::vector<double> betas{cooling_.back().beta};
    double distance = 0.0;
    for (std::size_t k = cooling_.size() - 1; k > 0 && betas.size() < options_.max_rows; --k) {
      const CoolingPoint& cold = cooling_[k];
      const CoolingPoint& hot = cooling_[k - 1];
      const double width = std::log(cold.beta / hot.beta);
      const double density = 0.5 * (std::sqrt(cold.capacity) + std::sqrt(hot.capacity));
      double left = width;
      while (betas.size() < options_.max_rows) {
        const double need = (options_.alpha_beta - distance) / density;
        if (need > left) {
          distance += left * density;
          break;
        }
        left -= need;
        distance = 0.0;
        betas.push_back(hot.beta * std::exp(left));
      }
    }
    std::reverse(betas.begin(), betas.end());
    ladder_.beta = std::move(betas);
  }

  // Violating constraint c by the least amount costs P w_c and gains lambda_c on average; single
  // states, being whole, can gain a good part of a flip more. A constraint without a multiplier
  // gains what flips do.
  double hard_penalty(double beta) const {
    double hard = kHard / beta + (others_ ? 3.0 * hot_ : 0.0);
    for (std::size_t c = 0; c < weights_.size(); ++c) {
      const double gain = 2.0 * std::abs(ladder_.multipliers[c]) + kWholeGain * hot_;
      hard = std::max(hard, (kHard / beta + gain) / weights_[c]);
    }
    return hard;
  }

  void place_columns() {
    const double cold = ladder_.beta.back();
    // Hot rows need a larger penalty than cold ones, so the first column is soft for the middle
    // row.
    const double first = std::max(soft_penalty_, soft_penalty(ladder_.beta[ladder_.rows() / 2]));
    double penalty = options_.penalty0 > 0 ? options_.penalty0 : first;
    const double hard = hard_penalty(cold);
    double rate = 0.0;
    std::size_t sure = 0;  // columns that were feasible enough
    for (std::size_t column = 0; column < options_.max_columns; ++column) {
      ladder_.penalty.push_back(penalty);
      load(cold, penalty);
      std::vector<double> steps;
      for (std::size_t row = (ladder_.rows() - 1) % kRowStride; row < ladder_.rows();
           row += kRowStride) {
        const double beta = ladder_.beta[row];
        const Measurement m = population_.measure(beta, penalty, kWarmup, kSamples);
        const double step = (no_objective_ ? 1.0 : kPenaltyStep) * options_.alpha_penalty /
                            (beta * std::max(std::sqrt(m.g.variance()), 1e-300));
        steps.push_back(std::min(step, ((no_objective_ ? 2.0 : kMostGrowth) - 1.0) * penalty));
        rate = m.feasible_rate;
      }
      report(
          0.5 + 0.5 * static_cast<double>(column + 1) / static_cast<double>(options_.max_columns),
          fmt::format("P {:.3g}: {:.0f} % feasible", penalty, 100.0 * rate));
      if (penalty >= hard) return;
      // A short pilot is satisfied sooner than a long run, hence the extra columns.
      if (rate >= kFeasibleRate && ++sure > options_.extra_columns) return;
      std::sort(steps.begin(), steps.end());
      penalty = std::min(penalty + steps[steps.size() / 2], std::max(hard, 1.5 * penalty));
    }
    if (rate >= kFeasibleRate) return;
    ladder_.notes.push_back(
        fmt::format("the coldest row is feasible in {:.0f} % of the pilot's samples after {} "
                    "columns, below 99 %; allow more with --columns",
                    100.0 * rate, ladder_.columns()));
  }

  const PilotOptions& options_;
  const PilotObserver& observer_;
  const Embedding& embedding_;
  Population population_;
  double flip_cost_;
  std::vector<double> weights_;  // of the residuals in g
  double hot_;
  double soft_penalty_ = 0.0;
  bool held_ = false;
  bool no_objective_, others_;
  std::vector<CoolingPoint> cooling_;
  Ladder ladder_;
};

}  // namespace

Ladder run_constrained_pilot(const Embedding& embedding, Device& device,
                             const PilotOptions& options, const PilotObserver& observer) {
  return ConstrainedPilot(embedding, device, options, observer).run();
}

}  // namespace chainmail
