#include "run/source.hpp"

#include "model/model_files.hpp"
#include "problem/files.hpp"
#include "problem/formats.hpp"
#include "problem/validate.hpp"
#include "run/certify.hpp"
#include "run/looks_like.hpp"
#include "support/compressed.hpp"
#include "support/error.hpp"

namespace chainmail {

bool Source::no_objective() const {
  return model && model->model.no_objective();
}

bool Source::constrained() const {
  return model ? !model->model.constraints.empty() : problem_.constraint.has_value();
}

UserObjective Source::user() const {
  if (!model) return problem_.user;
  return {model->model.objective_name, model->model.sense == Sense::maximise ? -1.0 : 1.0, 0.0};
}

const Precision& Source::precision() const {
  if (!precision_) precision_ = precision_of(problem().objective, written.rounded);
  return *precision_;
}

std::vector<Spin> Source::lift(std::span<const Spin> free) const {
  if (spins_.empty()) return {free.begin(), free.end()};
  std::vector<Spin> full = spins_;
  auto next = free.begin();
  for (Spin& spin : full) {
    if (spin == 0) spin = *next++;
  }
  return full;
}

std::vector<Spin> Source::restrict(std::span<const Spin> full) const {
  std::vector<Spin> free;
  for (std::size_t i = 0; i < full.size(); ++i) {
    if (spins_.empty() || spins_[i] == 0) free.push_back(full[i]);
  }
  return free;
}

const CompiledForms& ModelSource::forms() const {
  if (forms_) return *forms_;
  auto made = std::make_shared<CompiledForms>(compile_forms(model, purpose));
  if (!made->infeasible.empty()) {
    proof_ = confirmed_impossible(*this, *made);
    if (proof_ == nullptr) {
      made->notes.push_back("presolve found that no solution exists (" + made->infeasible +
                            "), but the checker could not verify the proof");
      made->infeasible.clear();
    }
  }
  forms_ = std::move(made);
  return *forms_;
}

std::shared_ptr<const FormModel> ModelSource::form_model() const {
  const FormModel& made = forms().model;
  return {forms_, &made};
}

const SquaredModel& ModelSource::squares() const {
  if (!squares_) {
    squares_ = squared(model);
    validate(squares_->problem, where_);
  }
  return *squares_;
}

Source source_of(Problem problem) {
  return Source(std::move(problem));
}

Source source_of(ConstrainedModel model, const std::string& where) {
  return Source(ModelSource(std::move(model), where));
}

Source read_source(const std::string& file, const SourceOptions& options) {
  const bool detect = options.format == "detect";
  const auto model_format = detect ? model_format_of(file) : model_format_from_name(options.format);
  const auto as_model = [&](ModelFormat format) {
    ModelOptions model_options;
    if (options.colors > 0) model_options.colors = options.colors;
    Source source = source_of(read_model(file, format, model_options), file);
    source.model->file = file;
    source.model->format = name_of(format);
    source.model->colors = options.colors;
    return source;
  };
  if (model_format) return as_model(*model_format);
  if (options.colors > 0) throw UsageError("--colors belongs to graphs in DIMACS format (.col)");
  try {
    std::vector<std::string> notes;
    Written written;
    Source source(read_problem(file, detect ? Format::detect : format_from_name(options.format),
                               &notes, &written));
    source.notes = std::move(notes);
    source.written = written;
    // Bits have become spins: their numbers were added up.
    if (source.problem().bits() && !source.precision().exact()) source.written.rounded = true;
    return source;
  } catch (const HigherDegree&) {
    return as_model(ModelFormat::terms);
  } catch (const UnknownFormat& unknown) {
    const std::string guess = file == "-" ? "" : looks_like(read_text(file));
    if (!guess.empty()) {
      throw InputError(file + ": " + guess + " (formats: " + format_names() + ", " +
                       model_format_names() + ")");
    }
    throw InputError(unknown.what() + ("; constrained models: " + model_format_names()));
  }
}

}  // namespace chainmail
