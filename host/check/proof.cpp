#include "check/proof.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "check/model.hpp"
#include "support/error.hpp"

namespace chainmail::checker {

namespace {

using Json = nlohmann::ordered_json;

Integer floor_of(const Rational& value) {
  const Integer over = numerator(value), under = denominator(value);
  Integer quotient = over / under;
  if (over % under != 0 && over < 0) --quotient;
  return quotient;
}
Integer ceil_of(const Rational& value) {
  return -floor_of(-value);
}

struct Bounds {
  std::optional<Integer> lower, upper;
  bool fixed() const { return lower && upper && *lower == *upper; }
  bool empty() const { return lower && upper && *lower > *upper; }
};
using Box = std::vector<Bounds>;

// lower <= sum of terms <= upper
struct Linear {
  Terms terms;
  std::optional<Rational> lower, upper;
};

std::optional<Rational> extreme(const Rational& c, const Bounds& b, bool least) {
  const std::optional<Integer>& at = (c > 0) == least ? b.lower : b.upper;
  if (!at) return std::nullopt;
  return c * Rational(*at);
}

// Removes fixed variables from the terms, and rounds the limits to what whole values can reach.
Linear reduced(Linear row, const Box& box) {
  Integer divisor = 1, factor = 0;
  for (auto t = row.terms.begin(); t != row.terms.end();) {
    const Bounds& b = box[t->first];
    if (b.fixed() || t->second == 0) {
      const Rational shift = b.fixed() ? Rational(t->second * Rational(*b.lower)) : Rational(0);
      if (row.lower) *row.lower -= shift;
      if (row.upper) *row.upper -= shift;
      t = row.terms.erase(t);
    } else {
      divisor = lcm(divisor, denominator(t->second));
      ++t;
    }
  }
  for (const auto& [v, c] : row.terms)
    factor = gcd(factor, Integer(numerator(Rational(c * divisor))));
  if (factor == 0) return row;
  const Rational unit(factor, divisor);
  if (row.lower) row.lower = Rational(ceil_of(*row.lower / unit)) * unit;
  if (row.upper) row.upper = Rational(floor_of(*row.upper / unit)) * unit;
  return row;
}

bool cannot_hold(const Linear& given, const Box& box) {
  const Linear row = reduced(given, box);
  if (row.lower && row.upper && *row.lower > *row.upper) return true;
  std::optional<Rational> least(0), most(0);
  for (const auto& [v, c] : row.terms) {
    const auto low = extreme(c, box[v], true), high = extreme(c, box[v], false);
    if (least && low)
      *least += *low;
    else
      least.reset();
    if (most && high)
      *most += *high;
    else
      most.reset();
  }
  return (row.upper && least && *least > *row.upper) || (row.lower && most && *most < *row.lower);
}

class Checker {
 public:
  Checker(Model model, const Proof& proof, double most)
      : given_(model.variables.size()), model_(std::move(model)), proof_(proof), most_(most) {
    if (proof.enumerated) plain_ = model_;
    spell_out_sets();
    for (std::size_t v = 0; v < model_.variables.size(); ++v) {
      const Variable& variable = model_.variables[v];
      variables_[variable.name] = v;
      Bounds b;
      if (variable.lower) b.lower = ceil_of(*variable.lower);
      if (variable.upper) b.upper = floor_of(*variable.upper);
      box_.push_back(b);
    }
    for (std::size_t r = 0; r < model_.rows.size(); ++r) rows_[model_.rows[r].name] = r;
  }

  std::string run() {
    bool contradiction =
        std::any_of(box_.begin(), box_.end(), [](const Bounds& b) { return b.empty(); });
    for (std::size_t k = 0; k < proof_.steps.size() && !contradiction; ++k) {
      const std::string fault = follow(proof_.steps[k], contradiction);
      if (!fault.empty()) return "step " + std::to_string(k + 1) + ": " + fault;
    }
    if (proof_.enumerated && !contradiction) return enumerated();
    if (!proof_.optimal) return contradiction ? "" : "the steps end without a contradiction";
    if (contradiction) return "the steps end in a contradiction, so nothing is optimal";
    return optimal();
  }

 private:
  // At most one non-zero, as rows: each variable that is not binary gets a binary that is one if it
  // is not zero.
  void spell_out_sets() {
    for (const Set& set : model_.sets) {
      Row one;
      one.name = set.name;
      one.upper = 1;
      for (std::size_t v : set.members) {
        const Variable member = model_.variables[v];
        std::size_t z = v;
        if (!(member.lower && member.upper && *member.lower >= 0 && *member.upper <= 1)) {
          z = model_.variables.size();
          model_.variables.push_back(
              {"nonzero(" + member.name + "," + set.name + ")", Rational(0), Rational(1)});
          if (member.lower && member.upper) {
            const Rational low(ceil_of(*member.lower)), high(floor_of(*member.upper));
            if (low > 0 || high < 0) model_.variables.back().lower = 1;
            for (const bool upper : {true, false}) {
              Row row;
              row.name = set.name + "(" + member.name + "," + (upper ? "most)" : "least)");
              row.terms[v] = 1;
              row.terms[z] = upper ? Rational(-high) : Rational(-low);
              (upper ? row.upper : row.lower) = 0;
              model_.rows.push_back(std::move(row));
            }
          }
        }
        one.terms[z] += 1;
      }
      model_.rows.push_back(std::move(one));
    }
    model_.sets.clear();
  }

  // Both sides of a conditional equation have one name, the second with a ' appended.
  const Row* row_named(const std::string& name) const {
    auto found = rows_.find(name);
    if (found == rows_.end() && name.ends_with('\''))
      found = rows_.find(name.substr(0, name.size() - 1));
    return found == rows_.end() ? nullptr : &model_.rows[found->second];
  }

  // Whether the rows have no solution in a box.
  bool impossible(const std::vector<ProofRow>& rows, const Box& box) const {
    std::optional<Linear> all;
    for (const ProofRow& used : rows) {
      const Row* row = row_named(used.name);
      if (row == nullptr || row->price != 0) return false;
      if (row->when) {
        const Bounds& z = box[row->when->first];
        if (!z.fixed() || (*z.lower != 0) != row->when->second) return false;
      }
      if (!row->products.empty()) return rows.size() == 1 && products_cannot_hold(*row, box);
      Linear next{row->terms, row->lower, row->upper};
      if (!used.without.empty() && !put_away(used.without, next, box)) return false;
      next = reduced(std::move(next), box);
      if (!all) {
        all = std::move(next);
      } else if (!join(*all, std::move(next))) {
        return false;
      }
    }
    return all && cannot_hold(*all, box);
  }

  // A sum of products of two non-negative values with non-negative factors.
  static bool products_cannot_hold(const Row& row, const Box& box) {
    Rational least = 0;
    for (const auto& [pair, c] : row.products) {
      const auto &a = box[pair.first].lower, &b = box[pair.second].lower;
      if (c < 0 || !a || !b || *a < 0 || *b < 0) return false;
      least += c * Rational(*a * *b);
    }
    return row.terms.empty() && row.upper && least > *row.upper;
  }

  bool put_away(const std::string& name, Linear& row, const Box& box) const {
    const auto v = variables_.find(name);
    if (v == variables_.end() || row.terms.count(v->second) == 0) return false;
    const Rational c = row.terms[v->second];
    const auto low = extreme(c, box[v->second], true), high = extreme(c, box[v->second], false);
    row.terms.erase(v->second);
    if (row.lower && high)
      *row.lower -= *high;
    else
      row.lower.reset();
    if (row.upper && low)
      *row.upper -= *low;
    else
      row.upper.reset();
    return true;
  }

  static bool join(Linear& all, Linear next) {
    if (all.terms.size() != next.terms.size()) return false;
    const Rational factor = all.terms.empty()
                                ? Rational(1)
                                : Rational(next.terms.begin()->second / all.terms.begin()->second);
    for (auto a = all.terms.begin(), b = next.terms.begin(); a != all.terms.end(); ++a, ++b) {
      if (a->first != b->first || b->second != factor * a->second) return false;
    }
    if (next.lower) *next.lower /= factor;
    if (next.upper) *next.upper /= factor;
    if (factor < 0) std::swap(next.lower, next.upper);
    if (next.lower && (!all.lower || *next.lower > *all.lower)) all.lower = next.lower;
    if (next.upper && (!all.upper || *next.upper < *all.upper)) all.upper = next.upper;
    return true;
  }

  std::string follow(const ProofStep& step, bool& contradiction) {
    if (step.variable.empty()) {
      contradiction = impossible(step.rows, box_);
      return contradiction ? "" : "the row can hold";
    }
    const auto v = variables_.find(step.variable);
    if (v == variables_.end()) return "no variable '" + step.variable + "'";
    Integer value;
    try {
      value = Integer(step.value);
    } catch (const std::exception&) {
      return "'" + step.value + "' is not a whole number";
    }
    Bounds& b = box_[v->second];
    const Bounds before = b;
    (step.upper ? b.lower : b.upper) = step.upper ? Integer(value + 1) : Integer(value - 1);
    if (step.upper && before.lower && *before.lower > value + 1) b.lower = before.lower;
    if (!step.upper && before.upper && *before.upper < value - 1) b.upper = before.upper;
    const bool follows = b.empty() || impossible(step.rows, box_);
    b = before;
    if (!follows) return "the bound of '" + step.variable + "' does not follow";
    if (step.upper && (!b.upper || *b.upper > value)) b.upper = value;
    if (!step.upper && (!b.lower || *b.lower < value)) b.lower = value;
    contradiction = b.empty();
    return "";
  }

  // Every state of the box, on the model as it was read.
  std::string enumerated() const {
    double states = 1.0;
    std::vector<Integer> x;
    for (std::size_t v = 0; v < given_; ++v) {
      if (!box_[v].lower || !box_[v].upper) return kTooMany;
      states *= Integer(*box_[v].upper - *box_[v].lower).convert_to<double>() + 1.0;
      x.push_back(*box_[v].lower);
    }
    if (states > most_) return kTooMany;
    std::optional<Rational> answer;
    if (proof_.optimal) {
      std::vector<Integer> values(given_);
      for (const auto& [name, text] : proof_.solution) {
        const auto v = variables_.find(name);
        if (v == variables_.end() || v->second >= given_) return "the answer has '" + name + "'";
        values[v->second] = Integer(text);
      }
      const Judgement judged = judge(plain_, values);
      if (!judged.broken.empty()) return "the answer violates '" + judged.broken.front().name + "'";
      answer = judged.objective;
    }
    for (;;) {
      const Judgement judged = judge(plain_, x);
      if (judged.broken.empty()) {
        if (!answer) return "there is a solution";
        const bool better =
            plain_.maximise ? judged.objective > *answer : judged.objective < *answer;
        if (better) return "there is a better solution, " + text_of(judged.objective);
      }
      std::size_t v = 0;
      for (; v < x.size() && x[v] == *box_[v].upper; ++v) x[v] = *box_[v].lower;
      if (v == x.size()) return "";
      ++x[v];
    }
  }

  std::string optimal() {
    std::vector<Integer> values(model_.variables.size());
    std::set<std::string> given;
    std::size_t count = 0;
    for (const auto& [name, text] : proof_.solution) {
      const auto v = variables_.find(name);
      if (v == variables_.end() || !given.insert(name).second)
        return "the answer has '" + name + "'";
      values[v->second] = Integer(text);
      ++count;
    }
    // The variables added for sets come last, and say whether a member is not zero.
    for (std::size_t v = count; v < values.size(); ++v) {
      const std::string& name = model_.variables[v].name;
      if (!name.starts_with("nonzero(")) return "the answer has no value for '" + name + "'";
      for (std::size_t w = 0; w < count; ++w) {
        if (name.starts_with("nonzero(" + model_.variables[w].name + ",")) {
          values[v] = values[w] != 0 ? 1 : 0;
        }
      }
    }
    const Judgement judged = judge(model_, values);
    if (!judged.broken.empty()) return "the answer violates '" + judged.broken.front().name + "'";
    const Rational sign(model_.maximise ? -1 : 1);
    const std::optional<Rational> bound = least(sign);
    if (!bound) return "the objective has no bound";
    const Rational f = sign * judged.objective;
    if (f > *bound) {
      return "the answer is " + text_of(f) + " and may be as low as " + text_of(*bound);
    }
    return "";
  }

  // The least that sign * objective can be in the box: of its terms one by one, or of those that
  // are left after the substitutions, groups together.
  std::optional<Rational> least(const Rational& sign) const {
    Terms terms;
    for (const auto& [v, c] : model_.objective) terms[v] = sign * c;
    std::optional<Rational> plain = least(sign, terms, sign * model_.constant, {});
    Rational constant = sign * model_.constant;
    for (const ProofRow& used : proof_.substitutions) {
      const Row* row = row_named(used.name);
      const auto v = variables_.find(used.without);
      if (row == nullptr || row->when || row->price != 0 || v == variables_.end()) return plain;
      if (!row->lower || !row->upper || *row->lower != *row->upper) return plain;
      const auto a = row->terms.find(v->second);
      const auto c = terms.find(v->second);
      if (a == row->terms.end() || a->second == 0 || c == terms.end()) return plain;
      const Rational factor = c->second / a->second;
      for (const auto& [w, value] : row->terms) terms[w] -= factor * value;
      constant += factor * *row->lower;
    }
    const std::optional<Rational> grouped = least(sign, terms, constant, proof_.groups);
    if (!plain || !grouped) return plain ? plain : grouped;
    return std::max(*plain, *grouped);
  }

  std::optional<Rational> least(const Rational& sign, const Terms& terms, Rational sum,
                                const std::vector<std::string>& groups) const {
    std::map<std::size_t, std::size_t> group_of;  // by variable
    std::vector<std::optional<Rational>> best;    // of each group; nothing yet: none was seen
    for (const std::string& name : groups) {
      const Row* row = row_named(name);
      if (row == nullptr || row->when || row->price != 0 || !row->products.empty()) return {};
      const Linear one = reduced({row->terms, row->lower, row->upper}, box_);
      if (one.terms.empty() || !one.upper) return {};
      const Rational unit = one.terms.begin()->second;
      const bool exactly = one.lower && *one.lower > 0;
      for (const auto& [v, c] : one.terms) {
        const Bounds& b = box_[v];
        const bool binary = b.lower && b.upper && *b.lower == 0 && *b.upper == 1;
        if (c != unit || unit <= 0 || !binary || group_of.count(v) != 0) return {};
        group_of[v] = best.size();
      }
      if (*one.upper >= 2 * unit) return {};
      best.emplace_back();
      if (!exactly) best.back() = Rational(0);
      for (const auto& [v, c] : one.terms) {
        const auto found = terms.find(v);
        const Rational cost = found == terms.end() ? Rational(0) : found->second;
        if (!best.back() || cost < *best.back()) best.back() = cost;
      }
    }
    for (const auto& value : best) sum += *value;
    for (const auto& [v, c] : terms) {
      if (group_of.count(v) != 0 || c == 0) continue;
      const auto low = extreme(c, box_[v], true);
      if (!low) return {};
      sum += *low;
    }
    for (const auto& [pair, value] : model_.products) {
      const Rational c = sign * value;
      const auto a = group_of.find(pair.first), b = group_of.find(pair.second);
      const bool apart = pair.first != pair.second && a != group_of.end() && b != group_of.end() &&
                         a->second == b->second;
      if (apart || c == 0) continue;
      const std::optional<Rational> low = least_product(c, pair.first, pair.second);
      if (!low) return {};
      sum += *low;
    }
    return sum;
  }

  std::optional<Rational> least_product(const Rational& c, std::size_t i, std::size_t j) const {
    const Bounds &a = box_[i], &b = box_[j];
    if (!a.lower || !a.upper || !b.lower || !b.upper) return {};
    std::optional<Rational> low;
    const auto corner = [&](const Integer& x, const Integer& y) {
      const Rational value = c * Rational(x * y);
      if (!low || value < *low) low = value;
    };
    corner(*a.lower, *b.lower);
    corner(*a.upper, *b.upper);
    if (i != j) {
      corner(*a.lower, *b.upper);
      corner(*a.upper, *b.lower);
    } else if (*a.lower < 0 && *a.upper > 0) {
      corner(0, 0);
    }
    return low;
  }

  std::size_t given_;  // variables of the model; the others were added for sets
  Model model_, plain_;
  const Proof& proof_;
  double most_;
  Box box_;
  std::map<std::string, std::size_t> variables_, rows_;
};

Json rows_json(const std::vector<ProofRow>& rows) {
  Json list = Json::array();
  for (const ProofRow& row : rows) {
    if (row.without.empty()) {
      list.push_back(row.name);
    } else {
      list.push_back({{"row", row.name}, {"without", row.without}});
    }
  }
  return list;
}

std::vector<ProofRow> rows_from(const Json& list) {
  std::vector<ProofRow> rows;
  for (const Json& row : list) {
    if (row.is_string()) {
      rows.push_back({row.get<std::string>(), ""});
    } else {
      rows.push_back({row.at("row").get<std::string>(), row.at("without").get<std::string>()});
    }
  }
  return rows;
}

}  // namespace

std::string to_json(const Proof& proof) {
  std::string text = "{\n \"format\": \"chainmail-proof\",\n \"version\": 1,\n \"claim\": ";
  text += proof.optimal ? "\"optimal\"" : "\"no solution\"";
  if (proof.enumerated) text += ",\n \"enumerated\": true";
  text += ",\n \"steps\": [";
  for (std::size_t k = 0; k < proof.steps.size(); ++k) {
    const ProofStep& step = proof.steps[k];
    Json json = {{"rows", rows_json(step.rows)}};
    if (!step.variable.empty()) {
      json["variable"] = step.variable;
      json[step.upper ? "at_most" : "at_least"] = step.value;
    }
    text += (k == 0 ? "\n  " : ",\n  ") + json.dump();
  }
  text += "\n ]";
  if (proof.optimal) {
    Json solution = Json::object();
    for (const auto& [name, value] : proof.solution) solution[name] = value;
    text += ",\n \"substitutions\": " + rows_json(proof.substitutions).dump();
    text += ",\n \"groups\": " + Json(proof.groups).dump();
    text += ",\n \"solution\": " + solution.dump();
  }
  return text + "\n}\n";
}

Proof read_proof(std::string_view text, const std::string& path) {
  try {
    const Json json = Json::parse(text);
    if (json.at("format") != "chainmail-proof" || json.at("version") != 1) {
      throw InputError(path + ": expected a proof of chainmail, version 1");
    }
    Proof proof;
    proof.optimal = json.at("claim") == "optimal";
    proof.enumerated = json.value("enumerated", false);
    for (const Json& step : json.at("steps")) {
      ProofStep next{rows_from(step.at("rows")), step.value("variable", ""),
                     step.contains("at_most"), ""};
      if (!next.variable.empty())
        next.value = step.at(next.upper ? "at_most" : "at_least").get<std::string>();
      proof.steps.push_back(std::move(next));
    }
    if (!proof.optimal) return proof;
    proof.substitutions = rows_from(json.at("substitutions"));
    proof.groups = json.at("groups").get<std::vector<std::string>>();
    for (const auto& [name, value] : json.at("solution").items()) {
      proof.solution.emplace_back(name, value.get<std::string>());
    }
    return proof;
  } catch (const nlohmann::json::exception& fault) {
    throw InputError(path + ": expected a proof of chainmail: " + fault.what());
  }
}

std::string refuted(const Model& model, const Proof& proof, double most) {
  try {
    return Checker(model, proof, most).run();
  } catch (const std::runtime_error& fault) {  // not a number
    return fault.what();
  }
}

}  // namespace chainmail::checker
