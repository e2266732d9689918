// The methods that are compared, each a named set of solver options: what a line in a legend
// means, exactly.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "run/plan.hpp"

namespace chainmail::reproduce {

enum class ColumnPenalty { ladder, mean, scanned };

struct Recipe {
  std::string name;   // in files
  std::string label;  // in legends
  std::string about;  // one line, for captions and docs
  PlanOptions options;
  ColumnPenalty penalty = ColumnPenalty::ladder;
  // Stops at the planted optimum and at this many sweeps at most: methods that solve at once.
  std::uint64_t at_most = 0;
};

// literal, jcolumn_mean, standard, jcolumn_scanned, chain, dense.
const std::vector<Recipe>& recipes();
const Recipe& recipe(std::string_view name);

// Recipes with the same name of a ladder share it: all rows and columns, whatever the method.
std::string ladder_name(const Recipe& recipe);
Ladder ladder_for(const Problem& problem, const Recipe& recipe, std::uint64_t seed,
                  const std::atomic<bool>& stop);

// What the recipe does on such a ladder.
PlanOptions on_ladder(const Recipe& recipe, const Ladder& ladder);

}  // namespace chainmail::reproduce
