#include "reproduce/methods.hpp"

#include <fmt/format.h>

#include <charconv>

#include "reproduce/counting_device.hpp"
#include "schedule/pilot.hpp"
#include "schedule/schedule_file.hpp"
#include "solve/rehearsal.hpp"
#include "support/error.hpp"

namespace chainmail::reproduce {

namespace {

SolveOptions paper_cadence(Method method) {
  SolveOptions options;
  options.method = method;
  options.sweeps_per_swap = 50;
  options.swap_sets = SwapSets::toggle;
  return options;
}

SolveOptions fast_cadence(Method method) {
  SolveOptions options;
  options.method = method;
  options.sweeps_per_swap = 5;
  options.swap_sets = SwapSets::all;
  return options;
}

std::vector<Recipe> make_recipes() {
  std::vector<Recipe> all;
  all.push_back({"literal", "2D-PT, literal",
                 "2D-PT as in the paper: Algorithms 1 and 2, one of four swap sets every 50 sweeps",
                 3, LadderKind::literal, ColumnPenalty::ladder,
                 paper_cadence(Method::two_dimensional)});
  all.push_back({"jcolumn_mean", "J-column, P = mean",
                 "J-column as in the paper: the literal ladder, P = mean(P_j)", 3,
                 LadderKind::literal, ColumnPenalty::mean, paper_cadence(Method::jcolumn)});
  all.push_back({"standard", "2D-PT, default",
                 "2D-PT with our defaults: all swap sets every 5 sweeps", 3, LadderKind::standard,
                 ColumnPenalty::ladder, fast_cadence(Method::two_dimensional)});
  all.push_back({"jcolumn_scanned", "J-column, best P",
                 "J-column with cadence, rows and replicas of our default, at the best P of a scan",
                 3, LadderKind::standard, ColumnPenalty::scanned, fast_cadence(Method::jcolumn)});
  all.push_back({"dense", "PT, no copies", "parallel tempering without copies", 1,
                 LadderKind::dense, ColumnPenalty::ladder, fast_cadence(Method::pt), 12800});
  return all;
}

}  // namespace

const std::vector<Recipe>& recipes() {
  static const std::vector<Recipe> all = make_recipes();
  return all;
}

const Recipe& recipe(const std::string& name) {
  for (const Recipe& candidate : recipes()) {
    if (candidate.name == name) return candidate;
  }
  throw std::logic_error("no recipe " + name);
}

std::string name_of(LadderKind kind) {
  switch (kind) {
    case LadderKind::literal:
      return "literal";
    case LadderKind::standard:
      return "standard";
    case LadderKind::dense:
      return "dense";
  }
  return {};
}

Embedding embedding_for(const Problem& problem, const Recipe& recipe) {
  return embed(problem, recipe.copies, Placement::packed);
}

// One thread: the experiments run as many tasks side by side as there are cores.
std::unique_ptr<Device> device_for(const Recipe& /*recipe*/) {
  return make_device({"cpu", 1, "auto"});
}

Ladder find_ladder(const Embedding& embedding, LadderKind /*kind*/, std::uint64_t seed,
                   const std::atomic<bool>& stop) {
  const auto cpu = make_device({"cpu", 1, "auto"});
  CountingDevice counter(*cpu);
  PilotOptions pilot;
  pilot.seed = seed;
  RehearsalOptions rehearsal;
  rehearsal.seed = seed;
  const Schedule schedule =
      rehearse(embedding, run_pilot(embedding.model, counter, pilot), counter, rehearsal, stop);
  return {schedule, counter.replica_sweeps()};
}

std::string to_text(const Ladder& ladder) {
  return fmt::format("{}\n{}", ladder.replica_sweeps, schedule_to_json(ladder.schedule));
}

Ladder ladder_from_text(const std::string& text, const std::string& path) {
  Ladder ladder;
  const char* end = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data(), end, ladder.replica_sweeps);
  if (error != std::errc{} || after == end || *after != '\n') {
    throw InputError(path, 1, "expected the number of replica sweeps the pilot took");
  }
  ladder.schedule = schedule_from_json(std::string(after + 1, end), path);
  return ladder;
}

}  // namespace chainmail::reproduce
