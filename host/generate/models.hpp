// Constrained models made to order, like the unconstrained problems of generate.hpp: the same
// options and seeds, written as LP files.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "generate/generate.hpp"
#include "model/constrained_model.hpp"

namespace chainmail {

struct ModelKind {
  std::string name;
  std::string help;
  std::vector<std::string> uses;  // long names of the options it takes besides `seed`
  ConstrainedModel (*make)(const GenerateOptions& options);
};
std::span<const ModelKind> model_kinds();
const ModelKind* find_model_kind(const std::string& name);  // or none

// Throws UsageError for an option that does not fit the kind.
ConstrainedModel generate_model(const ModelKind& kind, const GenerateOptions& options);

ConstrainedModel make_coloring(const GenerateOptions& options);
ConstrainedModel make_qkp(const GenerateOptions& options);
ConstrainedModel make_market_split(const GenerateOptions& options);
ConstrainedModel make_tsp(const GenerateOptions& options);
ConstrainedModel make_assignment(const GenerateOptions& options);
ConstrainedModel make_independent_set(const GenerateOptions& options);
ConstrainedModel make_labs(const GenerateOptions& options);
ConstrainedModel make_xorsat(const GenerateOptions& options);

}  // namespace chainmail
