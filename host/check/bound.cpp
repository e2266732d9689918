#include "check/bound.hpp"

#include <algorithm>
#include <stdexcept>

namespace chainmail::checker {

namespace {

struct Function {
  Rational constant = 0;
  Terms terms;
  Products products;
};

Function minimised(const Model& model) {
  const Rational sign(model.maximise ? -1 : 1);
  Function f{sign * model.constant, model.objective, model.products};
  for (auto& [v, c] : f.terms) c *= sign;
  for (auto& [factors, c] : f.products) c *= sign;
  return f;
}

class Bound {
 public:
  Bound(const NamedRows& rows, const Box& box, const Proof& proof)
      : rows_(rows), box_(box), proof_(proof), f_(minimised(rows.model())) {}

  std::optional<Rational> run() {
    substitute();
    fold_fixed();
    bool clashes = !proof_.cliques.empty();
    for (const ProofMultiplier& m : proof_.multipliers) clashes = clashes || !m.clique.empty();
    if (clashes) clashes_ = rows_.clashes(box_);
    for (const std::vector<ProofRow>& group : proof_.groups) add_group(group);
    for (const std::vector<std::string>& clique : proof_.cliques) add_set(members(clique), false);
    std::optional<Rational> best;
    for (const auto way :
         {&Bound::products_apart, &Bound::products_halved, &Bound::products_by_row}) {
      std::optional<Function> linear = (this->*way)();
      if (!linear) continue;
      std::set<std::string> priced;
      for (const ProofMultiplier& m : proof_.multipliers) take(m, *linear, &priced);
      const std::optional<Rational> least = least_of(*linear, std::nullopt);
      if (least && (!best || *least > *best)) best = least;
      if (f_.products.empty()) break;
    }
    if (best) *best = next_value(*best);
    return best;
  }

  std::optional<Linear> row_of_better(const Rational& answer) {
    substitute();
    fold_fixed();
    if (!f_.products.empty()) return std::nullopt;
    Function linear = f_;
    std::set<std::string> priced;
    for (const ProofMultiplier& m : proof_.multipliers) take(m, linear, &priced);
    const Rational unit = unit_of_f();
    Rational most = answer;  // of f, below the answer
    if (unit != 0) most = f_.constant + Rational(ceil_of((answer - f_.constant) / unit) - 1) * unit;
    return Linear{std::move(linear.terms), std::nullopt, most - linear.constant};
  }

 private:
  struct AtMostOne {
    std::size_t size;
    bool exactly;
  };

  // Equations added to the objective so that a variable goes.
  void substitute() {
    for (const ProofRow& used : proof_.substitutions) {
      const Row* row = rows_.row(used.name);
      const auto v = rows_.variable(used.without);
      if (row == nullptr || row->when || row->price != 0 || !row->products.empty() || !v ||
          !row->lower || row->lower != row->upper) {
        throw std::runtime_error("'" + used.name + "' is no equation");
      }
      const auto a = row->terms.find(*v);
      if (a == row->terms.end() || a->second == 0) {
        throw std::runtime_error("'" + used.name + "' has no '" + used.without + "'");
      }
      const auto c = f_.terms.find(*v);
      if (c == f_.terms.end()) continue;
      const Rational factor = c->second / a->second;
      for (const auto& [w, value] : row->terms) f_.terms[w] -= factor * value;
      f_.constant += factor * *row->lower;
    }
  }

  // Leaves products of different variables that are open, and powers of integers.
  void fold_fixed() {
    Products open;
    for (const auto& [factors, value] : f_.products) {
      Rational c = value;
      std::vector<std::size_t> left;
      for (std::size_t v : factors) {
        const bool again = !left.empty() && left.back() == v;
        if (box_[v].fixed()) {
          c *= Rational(*box_[v].lower);
        } else if (again && rows_.model().variables[v].spin) {
          left.pop_back();
        } else if (!again || !box_[v].binary()) {
          left.push_back(v);
        }
      }
      if (left.empty()) {
        f_.constant += c;
      } else if (left.size() == 1) {
        f_.terms[left.front()] += c;
      } else {
        open[left] += c;
      }
    }
    std::erase_if(open, [](const auto& product) { return product.second == 0; });
    f_.products = std::move(open);
    for (auto& [v, c] : f_.terms) {
      if (!box_[v].fixed()) continue;
      f_.constant += c * Rational(*box_[v].lower);
      c = 0;
    }
  }

  std::vector<std::size_t> members(const std::vector<std::string>& names) const {
    std::vector<std::size_t> found;
    for (const std::string& name : names) {
      const auto v = rows_.variable(name);
      if (!v || !box_[*v].binary()) throw std::runtime_error("'" + name + "' is no open binary");
      for (std::size_t w : found) {
        if (clashes_.count({std::min(*v, w), std::max(*v, w)}) == 0) {
          throw std::runtime_error("'" + name + "' and '" + rows_.model().variables[w].name +
                                   "' do not exclude each other");
        }
      }
      found.push_back(*v);
    }
    return found;
  }

  void add_set(const std::vector<std::size_t>& variables, bool exactly) {
    for (std::size_t v : variables) {
      if (!set_of_.emplace(v, sets_.size()).second) {
        throw std::runtime_error("'" + rows_.model().variables[v].name + "' is in two groups");
      }
    }
    sets_.push_back({variables.size(), exactly});
  }

  // Rows that say sum <= 1 over binaries, or sum = 1, but for a factor.
  void add_group(const std::vector<ProofRow>& group) {
    const std::string name = group.empty() ? "" : group.front().name;
    std::optional<Linear> one = rows_.together(group, box_);
    if (!one || one->terms.empty()) throw std::runtime_error("'" + name + "' is no group");
    const Rational unit = one->terms.begin()->second;
    if (unit < 0) std::swap(one->lower, one->upper);
    const std::optional<Rational>&upper = one->upper, &lower = one->lower;
    std::vector<std::size_t> variables;
    for (const auto& [v, c] : one->terms) {
      if (c != unit || !box_[v].binary()) throw std::runtime_error("'" + name + "' is no group");
      variables.push_back(v);
    }
    if (!upper || *upper / unit >= 2) throw std::runtime_error("'" + name + "' is no group");
    add_set(variables, lower && *lower / unit > 0);
  }

  bool together_never(const std::vector<std::size_t>& factors) const {
    std::map<std::size_t, std::size_t> chosen;  // by set
    return std::any_of(factors.begin(), factors.end(), [&](std::size_t v) {
      const auto set = set_of_.find(v);
      return set != set_of_.end() && chosen.try_emplace(set->second, v).first->second != v;
    });
  }
  bool all_binary() const {
    return std::all_of(f_.products.begin(), f_.products.end(), [&](const auto& product) {
      return std::all_of(product.first.begin(), product.first.end(),
                         [&](std::size_t v) { return box_[v].binary(); });
    });
  }
  // A longer product of binaries: c x y z >= c x for c < 0, and 0 for c > 0.
  static bool take_longer(const std::vector<std::size_t>& factors, const Rational& c,
                          Function& linear) {
    if (factors.size() > 2 && c < 0) linear.terms[factors.front()] += c;
    return factors.size() > 2;
  }

  // Linear functions below the products: each by itself ...
  std::optional<Function> products_apart() const {
    Function linear{f_.constant, f_.terms, {}};
    for (const auto& [factors, c] : f_.products) {
      if (together_never(factors)) continue;
      const auto low = least_product(c, factors, box_);
      if (!low) return {};
      linear.constant += *low;
    }
    return linear;
  }

  // ... x y >= (x + y - 1) / 2, x y <= (x + y) / 2, x y <= x ...
  std::optional<Function> products_halved() const {
    if (!all_binary()) return {};
    Function linear{f_.constant, f_.terms, {}};
    for (const auto& [factors, c] : f_.products) {
      if (together_never(factors) || take_longer(factors, c, linear)) continue;
      const std::size_t i = factors[0], j = factors[1];
      const bool grouped = set_of_.count(i) + set_of_.count(j) > 0;
      if (grouped && c > 0) continue;
      linear.terms[i] += grouped ? c : Rational(c / 2);
      if (!grouped) linear.terms[j] += c / 2;
      if (c > 0) linear.constant -= c / 2;
    }
    return linear;
  }

  // ... half of what all products of a variable come to while it is one, at both ends.
  std::optional<Function> products_by_row() const {
    if (!all_binary()) return {};
    Function linear{f_.constant, f_.terms, {}};
    std::map<std::size_t, Terms> ends;
    for (const auto& [factors, c] : f_.products) {
      if (take_longer(factors, c, linear)) continue;
      ends[factors[0]][factors[1]] = c;
      ends[factors[1]][factors[0]] = c;
    }
    std::map<std::size_t, const ProofMultiplier*> by_row;
    for (const auto& [name, multiplier] : proof_.products) {
      if (const auto v = rows_.variable(name)) by_row[*v] = &multiplier;
    }
    for (auto& [i, costs] : ends) {
      std::vector<Rational> steps;
      for (const auto& [j, c] : costs) steps.push_back(c);
      const Rational unit = common_unit(steps);
      Function sum{0, std::move(costs), {}};
      if (const auto found = by_row.find(i); found != by_row.end()) {
        take(*found->second, sum, nullptr);
      }
      sum.constant += sum.terms[i];  // it is one
      sum.terms.erase(i);
      const std::optional<Rational> least = least_of(sum, i);
      if (!least) return {};
      linear.terms[i] += Rational(ceil_of(*least / unit)) * unit / 2;
    }
    return linear;
  }

  // Adds y (side - a x), nowhere above zero where the row holds. A soft one may be missed, at its
  // price, once.
  void take(const ProofMultiplier& m, Function& linear, std::set<std::string>* priced) const {
    const Rational y(m.times);
    Linear row;
    const std::string name = m.rows.empty() ? "" : m.rows.front().name;
    const Row* soft = m.rows.size() == 1 ? rows_.row(name) : nullptr;
    if (soft != nullptr && soft->price == 0) soft = nullptr;
    if (!m.clique.empty()) {
      for (std::size_t v : members(m.clique)) row.terms[v] = 1;
      row.upper = 1;
    } else if (soft != nullptr) {
      if (priced == nullptr || !priced->insert(name).second || soft->when ||
          !soft->products.empty() || !m.rows.front().without.empty() || abs(y) > soft->price) {
        throw std::runtime_error("'" + name + "' may be missed, at a lower price");
      }
      row = {soft->terms, soft->lower, soft->upper};
    } else {
      std::optional<Linear> all = rows_.together(m.rows, box_);
      if (!all) throw std::runtime_error("'" + name + "' cannot be multiplied");
      row = std::move(*all);
    }
    const std::optional<Rational>& side = y > 0 ? row.lower : row.upper;
    if (!side) throw std::runtime_error("'" + name + "' has a multiplier of the wrong sign");
    linear.constant += y * *side;
    for (const auto& [v, a] : row.terms) linear.terms[v] -= y * a;
  }

  // Of a linear function; `one` is a variable that is one, so that the others of its set are not.
  std::optional<Rational> least_of(const Function& linear, std::optional<std::size_t> one) const {
    Rational sum = linear.constant;
    std::map<std::size_t, std::pair<Rational, std::size_t>> sets;  // least and number of terms
    const auto taken = one ? set_of_.find(*one) : set_of_.end();
    for (const auto& [v, c] : linear.terms) {
      if (c == 0) continue;
      const auto in = set_of_.find(v);
      if (in == set_of_.end()) {
        const auto low = extreme(c, box_[v], true);
        if (!low) return {};
        sum += *low;
      } else if (taken == set_of_.end() || in->second != taken->second) {
        const auto [at, first] = sets.try_emplace(in->second, c, 0);
        at->second.first = std::min(at->second.first, c);
        ++at->second.second;
      }
    }
    for (const auto& [k, set] : sets) {
      const bool all = sets_[k].exactly && set.second == sets_[k].size;
      sum += all ? set.first : std::min(Rational(0), set.first);
    }
    return sum;
  }

  // Rounds up to what f can be.
  Rational next_value(const Rational& bound) const {
    const Rational unit = unit_of_f();
    if (unit == 0) return bound;
    return f_.constant + Rational(ceil_of((bound - f_.constant) / unit)) * unit;
  }

  // f is its constant and whole multiples of this; 0: it is the constant.
  Rational unit_of_f() const {
    std::vector<Rational> steps;
    for (const auto& [v, c] : f_.terms) steps.push_back(c);
    for (const auto& [factors, c] : f_.products) steps.push_back(c);
    for (const Row& row : rows_.model().rows) {
      if (row.price == 0) continue;
      Rational fixed = 0;
      for (const auto& [v, a] : row.terms) {
        if (!box_[v].fixed()) steps.push_back(row.price * a);
        if (box_[v].fixed()) fixed += a * Rational(*box_[v].lower);
      }
      for (const auto& [factors, a] : row.products) steps.push_back(row.price * a);
      if (row.lower) steps.push_back(row.price * (*row.lower - fixed));
      if (row.upper) steps.push_back(row.price * (*row.upper - fixed));
    }
    return common_unit(steps);
  }

  const NamedRows& rows_;
  const Box& box_;
  const Proof& proof_;
  Function f_;
  std::set<std::pair<std::size_t, std::size_t>> clashes_;
  std::map<std::size_t, std::size_t> set_of_;  // by variable
  std::vector<AtMostOne> sets_;
};

}  // namespace

std::optional<Rational> least_objective(const NamedRows& rows, const Box& box, const Proof& proof) {
  return Bound(rows, box, proof).run();
}

std::optional<Linear> row_of_better(const NamedRows& rows, const Box& box, const Proof& proof,
                                    const Rational& answer) {
  return Bound(rows, box, proof).row_of_better(answer);
}

}  // namespace chainmail::checker
