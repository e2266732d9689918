#include "jump/duals.hpp"

#include <algorithm>
#include <cmath>

namespace chainmail {

namespace {

constexpr std::size_t kIterations = 20'000;
// Steps without gain before they get shorter; fewer where the work allowed is for less.
constexpr double kLeastIdle = 20.0, kMostIdle = 80.0, kShortenings = 50.0;
constexpr std::uint64_t kAskEvery = 2'000'000;
constexpr double kFirstStep = 0.3, kShrink = 0.8, kLeastStep = 1e-5, kMemory = 0.8,
                 kCancelled = 0.01;

class Ascent {
 public:
  Ascent(const JumpModel& model, double above, const DualLimits& limits)
      : m_(model),
        above_(above),
        limits_(limits),
        y_(model.rows.size(), 0.0),
        direction_(y_),
        sums_(y_) {
    for (std::size_t r = 0; r < m_.rows.size(); ++r) scale_.push_back(2.0 * m_.rows[r].unit);
  }

  JumpDuals run() {
    double step = kFirstStep;
    std::size_t idle = 0;
    const double looks = static_cast<double>(limits_.work) /
                         static_cast<double>(std::max<std::size_t>(1, m_.columns.items.size()));
    const auto patience =
        static_cast<std::size_t>(std::clamp(looks / kShortenings, kLeastIdle, kMostIdle));
    for (std::size_t k = 0; k < kIterations && step > kLeastStep && work_ < limits_.work; ++k) {
      const double value = relax();
      if (value > best_.bound) {
        const bool much = value > best_.bound + 1e-4 * std::abs(above_ - value);
        idle = much ? 0 : idle + 1;
        best_.bound = value;
        best_.row = y_;
        best_.reduced = reduced_;
        best_.relaxed = x_;
      } else {
        ++idle;
      }
      if (idle > patience) {
        idle = 0;
        step *= kShrink;
        y_ = best_.row;
        relax();
      }
      const double gap = std::max(above_ - value, 1e-9 * std::abs(above_));
      if (!climb(step * gap)) break;
      if (limits_.going && work_ > asked_ + kAskEvery) {
        asked_ = work_;
        if (!limits_.going()) break;
      }
    }
    best_.work = work_;
    for (std::size_t g = 0; g < m_.groups.size(); ++g) {
      double least = std::numeric_limits<double>::infinity();
      for (std::uint32_t v : m_.groups[g]) least = std::min(least, best_.reduced[v]);
      for (std::uint32_t v : m_.groups[g]) best_.reduced[v] -= least;
    }
    return std::move(best_);
  }

 private:
  // The minimum of f + y (limits - A x), and the row sums where it is attained.
  double relax() {
    double value = m_.constant;
    reduced_.resize(m_.variables.size());
    std::fill(sums_.begin(), sums_.end(), 0.0);
    x_.assign(m_.variables.size(), 0);
    for (std::size_t v = 0; v < m_.variables.size(); ++v) {
      double rest = m_.variables[v].cost;
      for (const FormTerm& t : m_.columns[v]) {
        rest -= y_[t.index] * static_cast<double>(t.coefficient);
      }
      reduced_[v] = rest;
      if (m_.variables[v].group == kNone && rest < 0.0) {
        value += rest * static_cast<double>(m_.variables[v].upper);
        take(v, m_.variables[v].upper);
      }
    }
    for (std::size_t g = 0; g < m_.groups.size(); ++g) {
      std::uint32_t least = m_.groups[g].front();
      for (std::uint32_t v : m_.groups[g]) {
        if (reduced_[v] < reduced_[least]) least = v;
      }
      value += reduced_[least];
      take(least, 1);
    }
    for (std::size_t r = 0; r < m_.rows.size(); ++r) {
      if (y_[r] != 0.0) {
        value += y_[r] * static_cast<double>(y_[r] > 0.0 ? m_.rows[r].lower : m_.rows[r].upper);
      }
    }
    work_ += m_.columns.items.size();
    return value;
  }

  void take(std::size_t v, std::int64_t value) {
    x_[v] = value;
    for (const FormTerm& t : m_.columns[v]) {
      sums_[t.index] += static_cast<double>(value) * static_cast<double>(t.coefficient);
    }
    work_ += m_.columns[v].size();
  }

  // Moves y along the subgradient, each row in its own unit.
  bool climb(double amount) {
    double squares = 0.0, steepest = 0.0;
    for (std::size_t r = 0; r < m_.rows.size(); ++r) {
      const JumpRow& row = m_.rows[r];
      const bool low = row.lower > kNoLower, high = row.upper < kNoUpper;
      const double below = low ? static_cast<double>(row.lower) - sums_[r] : -1.0;
      const double over = high ? sums_[r] - static_cast<double>(row.upper) : -1.0;
      double slope = 0.0;
      if (row.price == 0.0) {
        if (y_[r] > 0.0) slope = below;
        if (y_[r] < 0.0) slope = -over;
        if (y_[r] == 0.0) slope = below > 0.0 ? below : over > 0.0 ? -over : 0.0;
      }
      slope *= scale_[r];
      steepest += slope * slope;
      direction_[r] = (1.0 - kMemory) * slope + kMemory * direction_[r];
      squares += direction_[r] * direction_[r];
    }
    if (steepest == 0.0) return false;
    // Directions that cancel out would make a step of any length.
    const double times = amount / std::max(squares, kCancelled * steepest);
    for (std::size_t r = 0; r < m_.rows.size(); ++r) {
      const JumpRow& row = m_.rows[r];
      const double before = y_[r];
      y_[r] += times * direction_[r] * scale_[r];
      // A missing limit has no price; a price stops at zero before it changes sign.
      if (before * y_[r] < 0.0 || (y_[r] > 0.0 && row.lower == kNoLower) ||
          (y_[r] < 0.0 && row.upper == kNoUpper)) {
        y_[r] = 0.0;
      }
    }
    return true;
  }

  const JumpModel& m_;
  double above_;
  const DualLimits& limits_;
  std::vector<double> y_, direction_, sums_, scale_, reduced_;
  std::vector<std::int64_t> x_;
  JumpDuals best_;
  std::uint64_t work_ = 0, asked_ = 0;
};

}  // namespace

JumpDuals find_duals(const JumpModel& model, double above, const DualLimits& limits) {
  return Ascent(model, above, limits).run();
}

}  // namespace chainmail
