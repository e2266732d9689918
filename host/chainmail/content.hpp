// Implementation of the public Model: one that was read, or one that is being built.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "chainmail/chainmail.hpp"
#include "run/plan.hpp"

namespace chainmail {

// Collects variables and terms as a caller adds them, and makes a source of them: spins and
// unconstrained binaries become a problem at once, anything else a constrained model.
class ModelBuilder {
 public:
  std::size_t add_variable(const std::string& name, std::int64_t lower, std::int64_t upper);
  std::size_t add_spin(const std::string& name);
  void set_title(const std::string& title) { title_ = title; }
  void set_maximise(bool maximise) { maximise_ = maximise; }
  void add_constant(double value);
  void add_linear(std::size_t variable, double coefficient);
  void add_quadratic(std::size_t first, std::size_t second, double coefficient);
  void add_product(const std::vector<std::size_t>& factors, double coefficient);
  void add_constraint(const std::string& name, std::vector<LinearTerm> terms, double lower,
                      double upper, const Model::Rule& rule);
  void add_set(const std::string& name, const std::vector<std::size_t>& variables);
  void reserve(std::size_t products) { objective_.products.reserve(products); }
  void clear_objective() { objective_ = {}; }
  void compact();

  std::size_t size() const { return variables_.size(); }
  const std::string& name(std::size_t variable) const { return variables_[variable].name; }
  bool maximises() const { return maximise_; }
  bool spins() const { return spins_; }
  bool constrained() const {
    return integers_ || !constraints_.empty() || !sets_.empty() || !objective_.monomials.empty();
  }

  Source to_source() const;

 private:
  void check(std::size_t variable, double coefficient) const;
  Problem to_problem() const;
  ConstrainedModel to_model() const;

  std::string title_;
  bool spins_ = false, integers_ = false, maximise_ = false;
  std::vector<ModelVariable> variables_;
  ExpressionOf<double> objective_;  // there may be millions of terms, so kept as given
  std::vector<ModelConstraint> constraints_;
  std::vector<ModelSet> sets_;
};

struct Model::Content {
  ModelBuilder builder;
  std::shared_ptr<const Source> source;  // of a file or a graph

  // A problem is shared with the run. A constrained model is compiled in place when first asked, so
  // each run has its own.
  std::shared_ptr<const Source> to_source() const {
    if (!source) return std::make_shared<const Source>(builder.to_source());
    return source->model ? std::make_shared<const Source>(*source) : source;
  }
};

PlanOptions plan_options(const Options& options);

// How values do on the model itself; lists every violation.
Answer judged(const Source& source, std::vector<std::int64_t> values);
// A state of spins in the values of the user's variables.
std::vector<std::int64_t> values_of(const Source& source, std::span<const Spin> spins);
std::vector<Spin> spins_of(const Problem& problem, std::span<const std::int64_t> values);

}  // namespace chainmail
