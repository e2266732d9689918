#include "check/proof.hpp"

#include <set>

#include "check/bound.hpp"
#include "check/tree.hpp"

namespace chainmail::checker {

namespace {

class Checker {
 public:
  Checker(const Model& model, const Proof& proof, double most)
      : given_(model), rows_(model), proof_(proof), most_(most), box_(rows_.box()) {}

  std::string run() {
    bool contradiction =
        std::any_of(box_.begin(), box_.end(), [](const Bounds& b) { return b.empty(); });
    for (std::size_t k = 0; k < proof_.steps.size() && !contradiction; ++k) {
      const std::string fault = follow(proof_.steps[k], contradiction);
      if (!fault.empty()) return "step " + std::to_string(k + 1) + ": " + fault;
    }
    if (contradiction) {
      return proof_.optimal ? "the steps end in a contradiction, so nothing is optimal" : "";
    }
    if (!proof_.optimal && !proof_.enumerated) return "the steps end without a contradiction";
    std::optional<Rational> answer;
    if (proof_.optimal) {
      const Judgement judged = judge(given_, answer_values());
      if (!judged.broken.empty()) return "the answer violates '" + judged.broken.front().name + "'";
      answer = judged.objective;
    }
    if (!proof_.enumerated) return optimal(*answer);
    return visit_all(given_, box_, answer, visit(answer)).value_or(kTooMany);
  }

 private:
  Visit visit(const std::optional<Rational>& answer) const {
    Visit visit;
    visit.most = most_;
    for (const std::string& name : proof_.order) {
      const auto v = rows_.variable(name);
      if (!v || *v >= given_.variables.size())
        throw std::runtime_error("no variable '" + name + "'");
      visit.order.push_back(*v);
    }
    if (!answer || proof_.multipliers.empty()) return visit;
    visit.also = row_of_better(rows_, box_, proof_, given_.maximise ? Rational(-*answer) : *answer);
    // Rows of products speak of variables that the tree does not have.
    if (visit.also && !visit.also->terms.empty() &&
        visit.also->terms.rbegin()->first >= given_.variables.size()) {
      visit.also.reset();
    }
    return visit;
  }

  std::string follow(const ProofStep& step, bool& contradiction) {
    if (step.variable.empty()) {
      contradiction = rows_.impossible(step.rows, box_);
      return contradiction ? "" : "the row can hold";
    }
    const auto v = rows_.variable(step.variable);
    if (!v) return "no variable '" + step.variable + "'";
    Integer value;
    try {
      value = Integer(step.value);
    } catch (const std::exception&) {
      return "'" + step.value + "' is not a whole number";
    }
    Bounds& b = box_[*v];
    const Bounds before = b;
    (step.upper ? b.lower : b.upper) = step.upper ? Integer(value + 1) : Integer(value - 1);
    if (step.upper && before.lower && *before.lower > value + 1) b.lower = before.lower;
    if (!step.upper && before.upper && *before.upper < value - 1) b.upper = before.upper;
    if (rows_.model().variables[*v].spin) {  // not 0
      if (b.lower && *b.lower == 0) b.lower = 1;
      if (b.upper && *b.upper == 0) b.upper = -1;
    }
    const bool follows = b.empty() || rows_.impossible(step.rows, box_);
    b = before;
    if (!follows) return "the bound of '" + step.variable + "' does not follow";
    if (step.upper && (!b.upper || *b.upper > value)) b.upper = value;
    if (!step.upper && (!b.lower || *b.lower < value)) b.lower = value;
    contradiction = b.empty();
    return "";
  }

  std::vector<Integer> answer_values() const {
    std::vector<Integer> values(given_.variables.size());
    std::set<std::size_t> known;
    for (const auto& [name, text] : proof_.solution) {
      const auto v = rows_.variable(name);
      if (!v || *v >= values.size() || !known.insert(*v).second) {
        throw std::runtime_error("the answer has '" + name + "'");
      }
      values[*v] = Integer(text);
    }
    for (std::size_t v = 0; v < values.size(); ++v) {
      if (known.count(v) > 0) continue;
      throw std::runtime_error("the answer has no value for '" + given_.variables[v].name + "'");
    }
    return values;
  }

  std::string optimal(const Rational& answer) const {
    const Rational f = given_.maximise ? Rational(-answer) : answer;
    std::optional<Rational> bound = least_objective(rows_, box_, {});
    if (!bound || f > *bound) {  // term by term is not enough
      const std::optional<Rational> better = least_objective(rows_, box_, proof_);
      if (!bound || (better && *better > *bound)) bound = better;
    }
    if (!bound) return "the objective has no bound";
    if (f > *bound) {
      return "the answer is " + text_of(f) + " and may be as low as " + text_of(*bound);
    }
    return "";
  }

  const Model& given_;
  NamedRows rows_;
  const Proof& proof_;
  double most_;
  Box box_;
};

}  // namespace

std::string refuted(const Model& model, const Proof& proof, double most) {
  try {
    return Checker(model, proof, most).run();
  } catch (const std::runtime_error& fault) {  // not a number, or what does not hold
    return fault.what();
  }
}

}  // namespace chainmail::checker
