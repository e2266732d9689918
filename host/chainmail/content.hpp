// What is behind a Model of the public header: one that was read, or one that is being built.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "chainmail/chainmail.hpp"
#include "run/source.hpp"

namespace chainmail {

// Collects variables and terms as a caller adds them, and makes a source of them: spins and
// unconstrained binaries become a problem at once, anything else a constrained model.
class ModelBuilder {
 public:
  std::size_t add_variable(const std::string& name, std::int64_t lower, std::int64_t upper);
  std::size_t add_spin(const std::string& name);
  void set_maximise(bool maximise) { maximise_ = maximise; }
  void add_constant(double value);
  void add_linear(std::size_t variable, double coefficient);
  void add_quadratic(std::size_t first, std::size_t second, double coefficient);
  void add_constraint(const std::string& name, std::vector<LinearTerm> terms, double lower,
                      double upper);

  std::size_t size() const { return variables_.size(); }
  const std::string& name(std::size_t variable) const { return variables_[variable].name; }
  bool maximises() const { return maximise_; }

  Source to_source() const;

 private:
  void check(std::size_t variable, double coefficient) const;
  Problem to_problem() const;
  ConstrainedModel to_model() const;

  bool spins_ = false, integers_ = false, maximise_ = false;
  std::vector<ModelVariable> variables_;
  Expression objective_;
  std::vector<ModelConstraint> constraints_;
};

struct Model::Content {
  ModelBuilder builder;
  std::optional<Source> source;  // of a file

  Source to_source() const { return source ? *source : builder.to_source(); }
};

}  // namespace chainmail
