// The methods that are compared, each a named set of solver options: what a line in a legend
// means, exactly.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "embedding/embedding.hpp"
#include "schedule/schedule.hpp"
#include "solve/solver.hpp"

namespace chainmail::reproduce {

enum class LadderKind { literal, standard, dense };
enum class ColumnPenalty { ladder, mean, scanned };

struct Recipe {
  std::string name;   // in files
  std::string label;  // in legends
  std::string about;  // one line, for captions and docs
  std::size_t copies = 3;
  LadderKind ladder = LadderKind::standard;
  ColumnPenalty penalty = ColumnPenalty::ladder;
  SolveOptions options = {};
  // Stops at the planted optimum and at this many sweeps at most: methods that solve at once.
  std::uint64_t at_most = 0;
};

// literal, jcolumn_mean, standard, jcolumn_scanned, chain, dense.
const std::vector<Recipe>& recipes();
const Recipe& recipe(const std::string& name);

struct Ladder {
  Schedule schedule;
  std::uint64_t replica_sweeps = 0;  // spent to find it
};
Ladder find_ladder(const Embedding& embedding, LadderKind kind, std::uint64_t seed,
                   const std::atomic<bool>& stop);
std::string name_of(LadderKind kind);

Embedding embedding_for(const Problem& problem, const Recipe& recipe);
std::unique_ptr<Device> device_for(const Recipe& recipe);

std::string to_text(const Ladder& ladder);
Ladder ladder_from_text(const std::string& text, const std::string& path);

}  // namespace chainmail::reproduce
