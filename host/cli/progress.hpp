// A live progress line on standard error, for people only: silent unless it is a terminal, so
// logs and pipes never see it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace chainmail {

class Progress {
 public:
  Progress(bool enabled, std::string label);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Redraws at most ten times a second and costs next to nothing in between.
  void update(double fraction, const std::string& text);
  // Erases the line; what is printed next starts in a clean first column.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  std::string label_;
  bool active_ = false, unicode_ = false, drawn_ = false;
  Clock::time_point start_, last_;
};

// What a solver reports while it runs: "102k sweeps  best -41.2 (feasible)  2.31 updates/ns".
struct ProgressFacts {
  std::uint64_t sweeps = 0;
  std::optional<double> best;  // in the user's terms
  double updates_per_ns = 0.0;
  bool constrained = false;
};
std::string progress_text(const ProgressFacts& facts);

// One line of at most `columns` characters. The text wins over the bar, the percentage over both.
struct ProgressLine {
  std::string label, text;
  double fraction = 0.0;
  double elapsed = 0.0;  // seconds, for the time left
  bool unicode = true;
};
std::string progress_line(const ProgressLine& line, std::size_t columns);

}  // namespace chainmail
