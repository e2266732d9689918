// Other programs for linear models, where they are installed, run on the same model for the same
// time: CBC, GLPK and HiGHS. Their answers are evaluated on the model itself.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/answer.hpp"

namespace chainmail {

struct PeerRun {
  // What its log reported, in the user's terms, and when; the last point is the answer's.
  std::vector<std::pair<double, double>> course;
  std::optional<NamedAnswer> answer;
  bool says_optimal = false;
  double seconds = 0.0;
  std::string refused;  // why it did not run or left nothing that can be read
};

// Those found by PATH: cbc, glpsol, highs.
std::vector<std::string> installed_peers();

// What such a program can be given: linear, without prices; indicators and sets become rows.
bool peers_take(const ConstrainedModel& model);

// One thread; `stop` ends it early.
PeerRun run_peer(const std::string& name, const ConstrainedModel& model, double time_limit,
                 const std::atomic<bool>& stop);

}  // namespace chainmail
