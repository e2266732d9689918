// What is to be solved, as read or built: a problem in spins, or a constrained model. A model is
// compiled as its run needs it: forms for the CPU, a problem with slack bits and squares for
// kernels, which know nothing else.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "check/proof.hpp"
#include "model/forms.hpp"
#include "problem/precision.hpp"
#include "squares/squares.hpp"

namespace chainmail {

class ModelSource {
 public:
  ModelSource(ConstrainedModel read, std::string where)
      : model(std::move(read)), where_(std::move(where)) {}

  // Proof that no solution exists, if forms() says so.
  std::shared_ptr<const checker::Proof> proof() const { return proof_; }

  const CompiledForms& forms() const;                   // both are made on first use
  std::shared_ptr<const FormModel> form_model() const;  // of these
  const SquaredModel& squares() const;                  // with slack and squares

  ConstrainedModel model;
  // What forms() are made for; set it before their first use.
  FormsFor purpose = FormsFor::solving;
  std::string file = "-", format;  // what it was read from, where it was
  std::size_t colors = 0;          // that a graph is to have

 private:
  std::string where_;
  mutable std::shared_ptr<const CompiledForms> forms_;
  mutable std::shared_ptr<const checker::Proof> proof_;
  mutable std::optional<SquaredModel> squares_;
};

class Source {
 public:
  explicit Source(Problem problem) : problem_(std::move(problem)) {}
  explicit Source(ModelSource source) : model(std::move(source)) {}

  // A problem some of whose spins are held at 1 or -1 (run/clamp.hpp), 0 standing for free ones.
  Source(Problem rest, Problem whole, std::vector<Spin> spins)
      : problem_(std::move(rest)), whole_(std::move(whole)), spins_(std::move(spins)) {}

  const Problem& problem() const { return model ? model->squares().problem : problem_; }
  // The same with spins that are held, and its states.
  const Problem& given() const { return whole_ ? *whole_ : problem(); }
  std::vector<Spin> lift(std::span<const Spin> free) const;
  std::vector<Spin> restrict(std::span<const Spin> full) const;
  std::optional<ModelSource> model;
  std::vector<std::string> notes;  // assumptions made in reading it, for the user
  Written written;                 // of a problem's file
  std::size_t held = 0;            // variables clamped

  // Whether there is nothing to minimise: the first feasible state is as good as any.
  bool no_objective() const;
  bool constrained() const;
  // How exactly doubles distinguish values of problem(), worked out once.
  const Precision& precision() const;
  UserObjective user() const;  // how f becomes what the user counts, without compiling a model

 private:
  mutable std::optional<Precision> precision_;
  Problem problem_;
  std::optional<Problem> whole_;
  std::vector<Spin> spins_;
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
