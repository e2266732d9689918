#include "generate/models.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "support/error.hpp"

namespace chainmail {

std::span<const ModelKind> model_kinds() {
  static const std::array<ModelKind, 5> kinds = {{
      {"coloring",
       "graph colouring: --graph mycielski (n: how often applied) or queens (n x n board), "
       "--colors",
       {"graph", "colors"},
       make_coloring},
      {"qkp",
       "quadratic knapsack of n items, --density of pair profits 0.5",
       {"density"},
       make_qkp},
      {"market-split",
       "n equations over 10 (n - 1) binaries, a solution planted",
       {},
       make_market_split},
      {"tsp", "shortest round trip through n random places, one-hot by position", {}, make_tsp},
      {"assignment",
       "n jobs to n/5 machines of limited capacity at least cost",
       {},
       make_assignment},
  }};
  return kinds;
}

const ModelKind* find_model_kind(const std::string& name) {
  for (const ModelKind& kind : model_kinds()) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

ConstrainedModel generate_model(const ModelKind& kind, const GenerateOptions& options) {
  const auto check = [&](bool given, const std::string& option) {
    if (!given || std::find(kind.uses.begin(), kind.uses.end(), option) != kind.uses.end()) return;
    throw UsageError(fmt::format("{} takes no --{}", kind.name, option));
  };
  check(options.alpha.has_value(), "alpha");
  check(options.degree.has_value(), "degree");
  check(options.density.has_value(), "density");
  check(options.snr_db.has_value(), "snr");
  check(options.integer, "integer");
  check(options.gaussian, "gaussian");
  check(options.graph.has_value(), "graph");
  check(options.colors.has_value(), "colors");
  ConstrainedModel model = kind.make(options);
  validate(model, kind.name);
  return model;
}

}  // namespace chainmail
