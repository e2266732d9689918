// What is to be solved, as it was read or built: a problem in spins, and behind it the constrained
// model it was compiled from where there is one.
#pragma once

#include <optional>
#include <string>

#include "model/compile.hpp"
#include "problem/problem.hpp"

namespace chainmail {

struct ModelSource {
  ConstrainedModel model;
  CompiledModel compiled;
};

struct Source {
  Problem problem;
  std::optional<ModelSource> model;

  // Whether there is nothing to minimise: the first feasible state is as good as any.
  bool aimless() const;
};

struct SourceOptions {
  std::string format = "detect";  // a format's name, of problems or of models
  std::size_t colors = 0;         // of a graph that is to be coloured
};
Source read_source(const std::string& file, const SourceOptions& options = {});

Source source_of(Problem problem);
// `where` names the model in errors.
Source source_of(ConstrainedModel model, const std::string& where);

}  // namespace chainmail
