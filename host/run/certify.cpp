#include "run/certify.hpp"

#include "check/model.hpp"
#include "model/model_files.hpp"
#include "problem/bits.hpp"
#include "run/source.hpp"
#include "support/compressed.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

constexpr double kMostStates = 4096;  // looked at once more, each in rational numbers

class Certifier {
 public:
  Certifier(const ModelSource& source, const CompiledForms& forms)
      : source_(source), forms_(forms), told_(source.model) {}

  std::shared_ptr<const checker::Proof> confirmed(const std::vector<std::int64_t>* values,
                                                  bool enumerated) {
    const checker::Model model = second_reading();
    auto proof = std::make_shared<checker::Proof>();
    proof->enumerated = enumerated;
    for (const BoundStep& step : forms_.steps) {
      checker::ProofStep written;
      for (const RowUse& use : forms_.uses[step.use]) written.rows.push_back(row(use));
      if (step.variable != kNone) written.variable = variable(step.variable);
      written.upper = step.upper;
      if (step.variable != kNone) written.value = std::to_string(step.value);
      proof->steps.push_back(std::move(written));
    }
    if (values != nullptr) {
      proof->optimal = true;
      for (const SlackOf& slack : forms_.slacks) {
        proof->substitutions.push_back(row({slack.constraint, slack.variable}));
      }
      for (std::uint32_t c : forms_.group_rows) proof->groups.push_back(row({c, kNone}).name);
      for (std::size_t v = 0; v < values->size(); ++v) {
        proof->solution.emplace_back(told_.variables[v].name, std::to_string((*values)[v]));
      }
    }
    const std::string fault = checker::refuted(model, *proof, kMostStates);
    bool holds = fault.empty() || (enumerated && fault == checker::kTooMany);
    if (!holds && enumerated) {  // perhaps it can do without what presolve found
      proof->steps.clear();
      holds = checker::refuted(model, *proof, kMostStates).empty();
    }
    return holds ? proof : nullptr;
  }

 private:
  checker::Model second_reading() {
    if (checker::reads(source_.format) && source_.file != "-") {
      return checker::read(source_.format, read_text(source_.file), source_.file);
    }
    std::string text;
    try {
      text = to_lp(told_);
    } catch (const InputError&) {
      told_ = with_plain_names(std::move(told_));
      text = to_lp(told_);
    }
    return checker::read("lp", text, "the model");
  }

  std::string variable(std::uint32_t v) const {
    return v < told_.variables.size() ? told_.variables[v].name : forms_.variable_names[v];
  }
  checker::ProofRow row(const RowUse& use) const {
    return {forms_.row_names.empty() ? told_.constraints[use.constraint].name
                                     : forms_.row_names[use.constraint],
            use.without == kNone ? std::string() : variable(use.without)};
  }

  const ModelSource& source_;
  const CompiledForms& forms_;
  ConstrainedModel told_;
};

std::shared_ptr<const checker::Proof> confirmed(const ModelSource& source,
                                                const CompiledForms& forms,
                                                const std::vector<std::int64_t>* values,
                                                bool enumerated = false) {
  try {
    return Certifier(source, forms).confirmed(values, enumerated);
  } catch (const InputError&) {  // the second reader does not follow: then nothing is proved
    return nullptr;
  }
}

}  // namespace

std::shared_ptr<const checker::Proof> confirmed_impossible(const ModelSource& source,
                                                           const CompiledForms& forms) {
  return confirmed(source, forms, nullptr);
}

bool confirm_enumeration(Result& result, const ModelSource& source) {
  std::vector<std::int64_t> values;
  for (const auto& [name, value] : result.answers.front().variables) values.push_back(value);
  const bool none = !result.infeasible.empty();
  result.proof = confirmed(source, source.forms(), none ? nullptr : &values, true);
  return result.proof != nullptr;
}

void judge_exactly(Result& result, const ModelSource& source) {
  const CompiledForms& forms = source.forms();
  const auto constant = static_cast<double>(forms.objective.constant);
  const auto values_of = [&](const TrialResult& state) {
    return forms.decode(bits_of(state.solution));
  };
  const auto tell = [&](TrialResult& state) {
    if (state.solution.size() != forms.model.bits) return;  // a trial that found nothing
    state.energy = result.scale * evaluate(source.model, values_of(state)).objective;
  };
  tell(result.best);
  for (TrialResult& trial : result.per_trial) tell(trial);
  for (TrialResult& state : result.pool) tell(state);
  result.mean_answer_energy += constant;
  for (TracePoint& point : result.trace) {
    point.energy += constant;
    if (point.best) *point.best += constant;
  }
  result.infeasible = forms.infeasible;
  result.proof = source.proof();
  result.known_optimum.reset();
  result.proved = false;
  const std::optional<Decimal>& exact = result.answers.front().exact;
  if (!result.best.feasible || !forms.bound || !exact || result.no_objective) return;
  const Decimal f = source.model.sense == Sense::maximise ? -*exact : *exact;
  if (f > *forms.bound) return;
  const std::vector<std::int64_t> values = values_of(result.best);
  result.proof = confirmed(source, forms, &values);
  if (result.proof == nullptr) {
    result.model_notes.push_back(
        "the answer is as good as its bound, but the checker could not verify the proof");
    return;
  }
  result.proved = true;
  result.known_optimum = result.bound = result.best.energy;
  result.bound_by = "the least value of each term";
}

}  // namespace chainmail
