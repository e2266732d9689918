#include "run/source.hpp"

#include "model/model_files.hpp"
#include "problem/files.hpp"
#include "problem/validate.hpp"
#include "support/error.hpp"

namespace chainmail {

bool Source::aimless() const {
  return model && model->model.objective.linear.empty() && model->model.objective.products.empty();
}

Source source_of(Problem problem) {
  return {std::move(problem), std::nullopt};
}

Source source_of(ConstrainedModel model, const std::string& where) {
  CompiledModel compiled = compile(model);
  validate(compiled.problem, where);
  Problem problem = compiled.problem;
  return {std::move(problem), ModelSource{std::move(model), std::move(compiled)}};
}

Source read_source(const std::string& file, const SourceOptions& options) {
  const bool detect = options.format == "detect";
  const auto model_format = detect ? model_format_of(file) : model_format_from_name(options.format);
  if (model_format) {
    ModelOptions model_options;
    if (options.colors > 0) model_options.colors = options.colors;
    return source_of(read_model(file, *model_format, model_options), file);
  }
  if (options.colors > 0) throw UsageError("--colors belongs to graphs in DIMACS format (.col)");
  return source_of(read_problem(file, detect ? Format::detect : format_from_name(options.format)));
}

}  // namespace chainmail
