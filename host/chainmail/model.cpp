#include <utility>

#include "chainmail/content.hpp"
#include "chainmail/failure.hpp"
#include "model/model_files.hpp"
#include "problem/entries.hpp"
#include "problem/files.hpp"
#include "problem/max_cut.hpp"
#include "problem/precision.hpp"
#include "problem/validate.hpp"
#include "support/atomic_file.hpp"

namespace chainmail {

Model::Model() : content_(std::make_unique<Content>()) {}
Model::Model(std::unique_ptr<Content> content) : content_(std::move(content)) {}
Model::Model(const Model& other) : content_(std::make_unique<Content>(*other.content_)) {}
Model::Model(Model&& other) noexcept = default;
Model::~Model() = default;
Model& Model::operator=(Model other) {
  std::swap(content_, other.content_);
  return *this;
}

Model Model::read(const std::string& file, const std::string& format, std::size_t colors) {
  return guarded([&] {
    auto content = std::make_unique<Content>();
    content->source = std::make_shared<const Source>(read_source(file, {format, colors}));
    return Model(std::move(content));
  });
}

Model Model::max_cut(std::size_t vertices, const std::vector<Edge>& edges) {
  return guarded([&] {
    if (vertices > kMaxSpins) {
      throw InputError("graph: at most " + std::to_string(kMaxSpins) + " vertices are supported");
    }
    Quadratic graph;
    graph.couplings.reserve(edges.size());
    for (const Edge& edge : edges) {
      if (edge.first >= vertices || edge.second >= vertices) {
        throw UsageError("graph: expected vertices below " + std::to_string(vertices));
      }
      if (edge.first == edge.second) continue;  // is never cut
      graph.couplings.push_back({static_cast<std::uint32_t>(edge.first),
                                 static_cast<std::uint32_t>(edge.second), edge.weight});
    }
    graph.normalise();
    Problem problem = chainmail::max_cut(vertices, std::move(graph.couplings));
    validate(problem, "graph");
    auto content = std::make_unique<Content>();
    content->source = std::make_shared<const Source>(source_of(std::move(problem)));
    return Model(std::move(content));
  });
}

void Model::write(const std::string& file) const {
  guarded([&] {
    const auto source = content_->to_source();
    if (!source->model) return write_problem(file, source->problem());
    if (model_format_of(file) != ModelFormat::lp) {
      throw UsageError(file + ": a model with constraints or integers is written as .lp");
    }
    write_file(file, to_lp(source->model->model));
  });
}

Model::Content& Model::changeable() {
  if (content_->source)
    throw Failure(Failure::usage,
                  "cannot add to a model that was read from a file or made from a graph");
  return *content_;
}

void Model::set_name(const std::string& name) {
  guarded([&] { changeable().builder.set_title(name); });
}
Model::Variable Model::add_binary(const std::string& name) {
  return guarded([&] { return changeable().builder.add_variable(name, 0, 1); });
}
Model::Variable Model::add_integer(std::int64_t lower, std::int64_t upper,
                                   const std::string& name) {
  return guarded([&] { return changeable().builder.add_variable(name, lower, upper); });
}
Model::Variable Model::add_spin(const std::string& name) {
  return guarded([&] { return changeable().builder.add_spin(name); });
}

void Model::set_sense(Sense sense) {
  changeable().builder.set_maximise(sense == maximise);
}
void Model::add_constant(double value) {
  guarded([&] { changeable().builder.add_constant(value); });
}
void Model::add_linear(Variable variable, double coefficient) {
  guarded([&] { changeable().builder.add_linear(variable, coefficient); });
}
void Model::add_quadratic(Variable first, Variable second, double coefficient) {
  guarded([&] { changeable().builder.add_quadratic(first, second, coefficient); });
}
void Model::add_product(const std::vector<Variable>& factors, double coefficient) {
  guarded([&] { changeable().builder.add_product(factors, coefficient); });
}
void Model::add_constraint(const std::string& name, const std::vector<Term>& terms, double lower,
                           double upper) {
  add_constraint(name, terms, lower, upper, Rule());
}
void Model::add_constraint(const std::string& name, const std::vector<Term>& terms, double lower,
                           double upper, const Rule& rule) {
  guarded([&] {
    std::vector<LinearTerm> linear;
    linear.reserve(terms.size());
    for (const Term& term : terms) {
      linear.push_back({static_cast<std::uint32_t>(term.variable), term.coefficient});
    }
    changeable().builder.add_constraint(name, std::move(linear), lower, upper, rule);
  });
}
void Model::add_set(const std::string& name, const std::vector<Variable>& variables) {
  guarded([&] { changeable().builder.add_set(name, variables); });
}

void Model::clear_objective() {
  changeable().builder.clear_objective();
}
void Model::reserve(std::size_t products) {
  changeable().builder.reserve(products);
}
void Model::compact() {
  changeable().builder.compact();
}

std::size_t Model::size() const {
  if (!content_->source) return content_->builder.size();
  const Source& source = *content_->source;
  return source.model ? source.model->model.variables.size() : source.problem().size();
}

std::string Model::name(Variable variable) const {
  if (variable >= size()) throw Failure(Failure::usage, "no such variable");
  if (!content_->source) return content_->builder.name(variable);
  const Source& source = *content_->source;
  if (source.model) return source.model->model.variables[variable].name;
  return source.problem().names.empty() ? std::to_string(variable)
                                        : source.problem().names[variable];
}

Model::Sense Model::sense() const {
  if (!content_->source) return content_->builder.maximises() ? maximise : minimise;
  const Source& source = *content_->source;
  const bool down = source.model ? source.model->model.sense == chainmail::Sense::maximise
                                 : source.problem().user.scale < 0;
  return down ? maximise : minimise;
}

std::vector<std::pair<Model::Variable, Model::Variable>> Model::edges() const {
  return guarded([&] {
    const auto source = content_->to_source();
    std::vector<std::pair<Variable, Variable>> pairs;
    if (!source->model) {
      for (const Coupling& c : source->problem().objective.couplings) pairs.emplace_back(c.i, c.j);
      return pairs;
    }
    for (const ProductTerm& t : source->model->model.objective.products) {
      if (t.i != t.j) pairs.emplace_back(t.i, t.j);
    }
    return pairs;
  });
}

bool Model::spins() const {
  if (!content_->source) return content_->builder.spins();
  return !content_->source->model && !content_->source->problem().bits();
}

bool Model::constrained() const {
  if (!content_->source) return content_->builder.constrained();
  return content_->source->model || content_->source->problem().constraint;
}

std::optional<double> Model::known_optimum() const {
  if (!content_->source) return std::nullopt;
  const Problem& problem = content_->source->problem();
  if (!problem.known_optimum) return std::nullopt;
  return problem.user.scale * *problem.known_optimum + problem.user.shift;
}

// ---- answers ---------------------------------------------------------------------------------

std::vector<std::int64_t> values_of(const Source& source, std::span<const Spin> spins) {
  if (source.model) return source.model->squares().decode(spins);
  const std::int64_t down = source.given().bits() ? 0 : -1;
  std::vector<std::int64_t> values;
  values.reserve(spins.size());
  for (Spin spin : spins) values.push_back(spin > 0 ? 1 : down);
  return values;
}

std::vector<Spin> spins_of(const Problem& problem, std::span<const std::int64_t> values) {
  const std::int64_t down = problem.bits() ? 0 : -1;
  std::vector<Spin> spins;
  spins.reserve(values.size());
  for (std::int64_t value : values) {
    if (value != 1 && value != down) {
      throw UsageError("expected values " + std::to_string(down) + " and 1, found " +
                       std::to_string(value));
    }
    spins.push_back(value == 1 ? 1 : -1);
  }
  return spins;
}

Answer judged(const Source& source, std::vector<std::int64_t> values) {
  Answer answer;
  if (source.model) {
    const Evaluation evaluation = evaluate(source.model->model, values);
    answer.objective = evaluation.objective;
    answer.feasible = evaluation.feasible();
    for (const Violation& v : evaluation.violations) {
      answer.violations.push_back({v.constraint, v.left, v.relation, v.right});
    }
  } else {
    const Problem& problem = source.given();
    const std::vector<Spin> spins = spins_of(problem, values);
    answer.objective = problem.user.scale * problem.objective(spins) + problem.user.shift;
    answer.feasible =
        !problem.constraint || (*problem.constraint)(spins) <= feasible_up_to(problem);
  }
  answer.values = std::move(values);
  return answer;
}

Answer evaluate(const Model& model, std::span<const std::int64_t> values) {
  return guarded([&] {
    if (values.size() != model.size()) {
      throw UsageError("expected " + std::to_string(model.size()) + " values, found " +
                       std::to_string(values.size()));
    }
    return judged(*model.content().to_source(), {values.begin(), values.end()});
  });
}

}  // namespace chainmail
