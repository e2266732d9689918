#include "run/certify.hpp"

#include <algorithm>
#include <map>

#include "check/bound.hpp"
#include "exact/bounds.hpp"
#include "model/model_files.hpp"
#include "problem/bits.hpp"
#include "run/source.hpp"
#include "support/compressed.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

constexpr double kMostNodes = 0x1.0p16;      // of the checker's own tree before a verdict
constexpr double kMostCoreNodes = 0x1.0p21;  // where multipliers cut it

class Certifier {
 public:
  Certifier(const ModelSource& source, const CompiledForms& forms)
      : source_(source), forms_(forms), told_(source.model) {}

  std::shared_ptr<const checker::Proof> confirmed(const std::vector<std::int64_t>* values,
                                                  bool enumerated, const WholeBound* bound) {
    const checker::Model model = second_reading();
    auto proof = std::make_shared<checker::Proof>();
    proof->enumerated = enumerated;
    for (const BoundStep& step : forms_.steps) {
      checker::ProofStep written;
      written.rows = rows(step.use);
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
      for (std::uint32_t use : forms_.group_uses) proof->groups.push_back(rows(use));
      for (std::size_t v = 0; v < values->size(); ++v) {
        proof->solution.emplace_back(told_.variables[v].name, std::to_string((*values)[v]));
      }
      if (bound != nullptr) add_bound(*bound, model, *proof);
    }
    if (bound != nullptr && bound->enumerated) {
      std::string fault;
      try {
        add_core(model, *proof);
        fault = checker::refuted(model, *proof, kMostCoreNodes);
      } catch (const std::runtime_error& bad) {  // a multiplier that its row does not allow
        fault = bad.what();
      }
      too_large_ = fault == checker::kTooMany;
      return fault.empty() ? proof : nullptr;
    }
    const std::string fault = checker::refuted(model, *proof, kMostNodes);
    bool holds = fault.empty() || (enumerated && fault == checker::kTooMany);
    if (!holds && enumerated) {  // perhaps it can do without what presolve found
      proof->steps.clear();
      holds = checker::refuted(model, *proof, kMostNodes).empty();
    }
    return holds ? proof : nullptr;
  }

  bool too_large() const { return too_large_; }

 private:
  // Groups get multipliers, too, so that the least of each is 0.
  void add_core(const checker::Model& model, checker::Proof& proof) const {
    std::map<std::size_t, checker::Rational> field = model.objective;
    if (model.maximise) {
      for (auto& [v, c] : field) c = -c;
    }
    const auto take = [&](const checker::ProofMultiplier& m) {
      const auto row = m.rows.empty() ? rows_.end() : rows_.find(m.rows.front().name);
      if (row == rows_.end()) return;
      for (const auto& [v, a] : row->second->terms) field[v] -= checker::Rational(m.times) * a;
    };
    for (const checker::ProofMultiplier& m : proof.multipliers) take(m);
    for (const std::vector<checker::ProofRow>& group : proof.groups) {
      const auto row = group.empty() ? rows_.end() : rows_.find(group.front().name);
      if (row == rows_.end() || row->second->terms.empty()) continue;
      std::optional<checker::Rational> least;
      for (const auto& [v, a] : row->second->terms) {
        if (const checker::Rational share = field[v] / a; !least || share < *least) least = share;
      }
      if (*least == 0) continue;
      proof.multipliers.push_back({group, {}, least->str()});
      take(proof.multipliers.back());
    }
    proof.order = order_of(model, proof);
  }

  // First what costs so much that it is decided at once, then what is left in the same rows.
  std::vector<std::string> order_of(const checker::Model& model,
                                    const checker::Proof& proof) const {
    std::vector<checker::Integer> values;
    for (const auto& [name, value] : proof.solution) values.emplace_back(value);
    checker::Rational f = checker::judge(model, values).objective;
    if (model.maximise) f = -f;
    const checker::NamedRows rows(model);
    const checker::Box box = rows.box();
    const auto better = checker::row_of_better(rows, box, proof, f);
    if (!better) return {};
    checker::Rational gap = *better->upper;
    for (const auto& [v, c] : better->terms) {
      gap -= checker::extreme(c, box[v], true).value_or(checker::Rational(0));
    }
    std::vector<std::size_t> order;
    std::vector<char> listed(model.variables.size(), 0);
    const auto list = [&](std::size_t v) {
      if (listed[v] == 0) order.push_back(v);
      listed[v] = 1;
    };
    for (const auto& [v, c] : better->terms) {
      if (v < listed.size() && abs(c) > gap) list(v);
    }
    std::vector<std::vector<std::size_t>> open;  // by row
    for (const checker::Row& row : model.rows) {
      std::vector<std::size_t>& variables = open.emplace_back();
      for (const auto& [v, a] : row.terms) {
        if (listed[v] == 0) variables.push_back(v);
      }
    }
    for (;;) {  // the row with the fewest that are left
      for (std::vector<std::size_t>& variables : open) {
        std::erase_if(variables, [&](std::size_t v) { return listed[v] != 0; });
      }
      std::erase_if(open, [](const std::vector<std::size_t>& left) { return left.empty(); });
      if (open.empty()) break;
      const auto next =
          std::min_element(open.begin(), open.end(),
                           [](const auto& a, const auto& b) { return a.size() < b.size(); });
      for (std::size_t v : *next) list(v);
    }
    std::vector<std::string> names;
    names.reserve(order.size());
    for (std::size_t v : order) names.push_back(model.variables[v].name);
    return names;
  }

  checker::Model second_reading() {
    if (std::optional<checker::Model> model = read_again(source_)) return std::move(*model);
    std::string text;
    try {
      text = to_lp(told_);
    } catch (const InputError&) {
      told_ = with_plain_names(std::move(told_));
      text = to_lp(told_);
    }
    return checker::read("lp", text, "the model");
  }

  // In the user's rows and variables: multipliers of rows as they were written, for f in its own
  // numbers. Bits that stand for no binary are in no clique.
  void add_bound(const WholeBound& bound, const checker::Model& model, checker::Proof& proof) {
    std::size_t length = 0;
    unit_ = checker::decimal(forms_.objective.unit.text(), length);
    for (const checker::Row& r : model.rows) rows_[r.name] = &r;
    for (std::size_t v = 0; v < model.variables.size(); ++v) {
      variables_[model.variables[v].name] = v;
    }
    owners_.assign(forms_.model.bits, {kNone, 0});
    for (std::uint32_t v = 0; v < forms_.variables.size(); ++v) {
      for (const FormBit& b : forms_.variables[v].bits) owners_[b.bit] = {v, b.weight};
    }
    for (std::size_t k = 0; k < bound.cliques.size(); ++k) {
      std::vector<std::string>& clique = proof.cliques.emplace_back();
      for (std::uint32_t bit : bound.cliques[k]) clique.push_back(variable(owners_[bit].first));
    }
    std::size_t at = 0;
    for (const double y : bound.multipliers) {
      if (at == forms_.model.forms.size()) break;
      if (auto m = multiplier(at++, y)) proof.multipliers.push_back(std::move(*m));
    }
    const Lists<std::uint32_t>& clashes = forms_.model.clashes;
    for (std::uint32_t i = 0; i < clashes.size(); ++i) {
      for (std::uint32_t j : clashes[i]) {
        if (j < i) continue;
        const double y = at < bound.multipliers.size() ? bound.multipliers[at++] : 0.0;
        if (y == 0.0) continue;
        proof.multipliers.push_back({{},
                                     {variable(owners_[i].first), variable(owners_[j].first)},
                                     checker::Rational(unit_ * checker::Rational(y)).str()});
      }
    }
    for (const MinorantRow& use : bound.products) {
      if (auto m = multiplier(use.form, use.times)) {
        proof.products.emplace_back(variable(owners_[use.bit].first), std::move(*m));
      }
    }
  }

  // Of the first of the rows that the form came from, of which the form is a multiple.
  std::optional<checker::ProofMultiplier> multiplier(std::size_t form, double y) const {
    const std::uint32_t use = forms_.form_uses[form];
    if (y == 0.0 || use == kNone || forms_.model.forms[form].empty()) return std::nullopt;
    checker::ProofMultiplier found{rows(use), {}, ""};
    const auto row = rows_.find(found.rows.front().name);
    const FormTerm& term = forms_.model.forms[form].front();
    const auto& [v, weight] = owners_[term.index];
    const auto in_file = variables_.find(variable(v));
    if (row == rows_.end() || in_file == variables_.end()) return std::nullopt;
    const auto written = row->second->terms.find(in_file->second);
    if (written == row->second->terms.end()) return std::nullopt;
    const checker::Rational scale = checker::Rational(term.coefficient) / weight / written->second;
    found.times = checker::Rational(unit_ * checker::Rational(y) * scale).str();
    return found;
  }

  std::string variable(std::uint32_t v) const {
    return v < told_.variables.size() ? told_.variables[v].name : forms_.variable_names[v];
  }
  std::vector<checker::ProofRow> rows(std::uint32_t use) const {
    std::vector<checker::ProofRow> list;
    for (const RowUse& r : forms_.uses[use]) list.push_back(row(r));
    return list;
  }
  checker::ProofRow row(const RowUse& use) const {
    return {forms_.row_names.empty() ? told_.constraints[use.constraint].name
                                     : forms_.row_names[use.constraint],
            use.without == kNone ? std::string() : variable(use.without)};
  }

  const ModelSource& source_;
  const CompiledForms& forms_;
  ConstrainedModel told_;
  bool too_large_ = false;
  // Of a bound:
  checker::Rational unit_;
  std::map<std::string, const checker::Row*> rows_;
  std::map<std::string, std::size_t> variables_;
  std::vector<std::pair<std::uint32_t, std::int64_t>> owners_;  // by bit: variable, weight
};

std::shared_ptr<const checker::Proof> confirmed(const ModelSource& source,
                                                const CompiledForms& forms,
                                                const std::vector<std::int64_t>* values,
                                                bool enumerated = false,
                                                const WholeBound* bound = nullptr) {
  try {
    return Certifier(source, forms).confirmed(values, enumerated, bound);
  } catch (const InputError&) {  // the second reader does not follow: then nothing is proved
    return nullptr;
  }
}

std::vector<std::int64_t> values_of(const Result& result) {
  std::vector<std::int64_t> values;
  for (const auto& [name, value] : result.answers.front().variables) values.push_back(value);
  return values;
}

}  // namespace

std::optional<checker::Model> read_again(const ModelSource& source) {
  if (source.file == "-") return std::nullopt;
  return checker::read(source.format, read_text(source.file), source.file, source.colors);
}

std::shared_ptr<const checker::Proof> confirmed_impossible(const ModelSource& source,
                                                           const CompiledForms& forms) {
  return confirmed(source, forms, nullptr);
}

bool confirm_enumeration(Result& result, const ModelSource& source) {
  const std::vector<std::int64_t> values = values_of(result);
  const bool none = !result.infeasible.empty();
  result.proof = confirmed(source, source.forms(), none ? nullptr : &values, true);
  return result.proof != nullptr;
}

Confirmed confirm_core(Result& result, const ModelSource& source, const WholeBound& bound) {
  const std::vector<std::int64_t> values = values_of(result);
  try {
    Certifier certifier(source, source.forms());
    result.proof = certifier.confirmed(&values, true, &bound);
    if (result.proof) return Confirmed::yes;
    return certifier.too_large() ? Confirmed::too_large : Confirmed::no;
  } catch (const InputError&) {  // the second reader does not follow
    return Confirmed::too_large;
  }
}

bool confirm_bound(Result& result, const ModelSource& source, const WholeBound& bound) {
  const std::vector<std::int64_t> values = values_of(result);
  result.proof = confirmed(source, source.forms(), &values, false, &bound);
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
