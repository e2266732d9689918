// The methods that are compared, each a named set of solver options: what a line in a legend
// means, exactly.
#pragma once

#include <string>
#include <vector>

#include "embedding/embedding.hpp"
#include "ladder/choose.hpp"
#include "solve/solver.hpp"

namespace chainmail::reproduce {

enum class ColumnPenalty { ladder, mean, scanned };

struct Recipe {
  std::string name;   // in files
  std::string label;  // in legends
  std::string about;  // one line, for captions and docs
  std::size_t copies = 3;
  std::string moves = "single";
  LadderKind ladder = LadderKind::window;
  ColumnPenalty penalty = ColumnPenalty::ladder;
  SolveOptions options = {};
  // Stops at the planted optimum and at this many sweeps at most: methods that solve at once.
  std::uint64_t at_most = 0;
};

// literal, jcolumn_mean, standard, jcolumn_scanned, chain, dense.
const std::vector<Recipe>& recipes();
const Recipe& recipe(const std::string& name);

Embedding embedding_for(const Problem& problem, const Recipe& recipe);

// One thread: experiments run as many tasks side by side as there are cores.
std::unique_ptr<Device> device_for(const Recipe& recipe);

// Recipes with the same name of a ladder share it.
std::string ladder_name(const Recipe& recipe);
Ladder ladder_for(const Embedding& embedding, const Recipe& recipe, std::uint64_t seed,
                  const std::atomic<bool>& stop);

// The ladder as the recipe's method runs it; `scanned` is the one penalty of a scan.
Ladder columns_of(const Recipe& recipe, const Ladder& ladder, std::optional<double> scanned);

}  // namespace chainmail::reproduce
