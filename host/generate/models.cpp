#include "generate/models.hpp"

#include <array>

#include "generate/kinds.hpp"

namespace chainmail {

std::span<const ModelKind> model_kinds() {
  static const std::array<ModelKind, 8> kinds = {{
      {"coloring",
       "graph colouring: --graph mycielski (n: how often applied) or queens (n x n board), "
       "--colors",
       {"n", "graph", "colors"},
       make_coloring},
      {"qkp",
       "quadratic knapsack of n items, --density of pair profits 0.5",
       {"n", "density"},
       make_qkp},
      {"market-split",
       "n equations over 10 (n - 1) binaries, a solution planted",
       {"n"},
       make_market_split},
      {"tsp", "shortest round trip through n random places, one-hot by position", {"n"}, make_tsp},
      {"assignment",
       "n jobs to n/5 machines of limited capacity at least cost",
       {"n"},
       make_assignment},
      {"independent-set",
       "largest set of n vertices without a joined pair, --degree 4 on average",
       {"n", "degree"},
       make_independent_set},
      {"labs",
       "binary sequence of n spins with the least autocorrelation (degree 4)",
       {"n"},
       make_labs},
      {"3r3x",
       "n equations s s s = b over n spins, each in three, a solution planted",
       {"n"},
       make_xorsat},
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
  check_uses(kind.name, kind.uses, options);
  ConstrainedModel model = kind.make(options);
  validate(model, kind.name);
  return model;
}

}  // namespace chainmail
