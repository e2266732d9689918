#include "check/tree.hpp"

#include <algorithm>
#include <stdexcept>

namespace chainmail::checker {

namespace {

constexpr std::size_t kMostVariables = 4096;
constexpr double kLeaf = 100.0;  // a state that is judged costs as much as so many nodes

struct TooMany : std::exception {};

// A sum over the variables, of which the first few have values; `least` and `most` are what the
// others can still add.
struct Sum {
  Integer value = 0;
  std::optional<Integer> lower, upper;
  std::vector<Integer> least, most;                       // by depth
  std::optional<std::pair<std::size_t, bool>> when = {};  // only if that variable is (not) zero

  bool can_hold(std::size_t depth, const std::vector<Integer>& x) const {
    if (when && (when->first >= depth || (x[when->first] != 0) != when->second)) return true;
    return !(upper && value + least[depth] > *upper) && !(lower && value + most[depth] < *lower);
  }
};

class Tree {
 public:
  Tree(const Model& model, const Box& box, const std::optional<Rational>& answer,
       const std::optional<Linear>& also, double most)
      : model_(model), box_(box), answer_(answer), left_(most), at_(model.variables.size()) {
    if (model.variables.size() > kMostVariables) throw TooMany();
    x_.resize(model.variables.size());
    for (const Row& row : model.rows) {
      if (row.price != 0) continue;  // part of the objective: judged at the end
      add(row.terms, row.products, row.lower, row.upper);
      if (!row.when) continue;
      sums_.back().when = row.when;
      at_[row.when->first].push_back({sums_.size() - 1, 0, {}});  // looked at when it has a value
    }
    for (const Set& set : model.sets) add(set);
    if (also) add(also->terms, {}, also->lower, also->upper);
    if (!answer) return;
    const Rational sign(model.maximise ? -1 : 1);
    Terms terms;
    Products products;
    for (const auto& [v, c] : model.objective) terms[v] = sign * c;
    for (const auto& [factors, c] : model.products) products[factors] = sign * c;
    // Better by a whole step at least.
    add(terms, products, std::nullopt, sign * (*answer - model.constant), true);
  }

  std::string run() {
    if (!std::all_of(sums_.begin(), sums_.end(), [&](const Sum& s) { return s.can_hold(0, x_); })) {
      return "";
    }
    visit(0);
    return found_;
  }

 private:
  struct Step {  // of a variable
    std::size_t sum;
    Integer factor;
    // Products with variables that are not later.
    std::vector<std::pair<std::vector<std::size_t>, Integer>> with;
    bool counts = false;  // adds one if the variable is not zero
  };

  // At most one that is not zero.
  void add(const Set& set) {
    for (const std::size_t v : set.members) at_[v].push_back({sums_.size(), 0, {}, true});
    Sum sum;
    sum.upper = 1;
    sum.least.resize(at_.size() + 1);
    sum.most.resize(at_.size() + 1);
    sums_.push_back(std::move(sum));
  }

  void add(const Terms& terms, const Products& products, const std::optional<Rational>& lower,
           const std::optional<Rational>& upper, bool below = false) {
    std::vector<Rational> all;
    for (const auto& [v, c] : terms) all.push_back(c);
    for (const auto& [factors, c] : products) all.push_back(c);
    Rational unit = common_unit(all);
    if (unit == 0) unit = 1;
    const auto whole = [&](const Rational& c) { return numerator(Rational(c / unit)); };
    Sum sum;
    if (lower) sum.lower = ceil_of(*lower / unit);
    if (upper) sum.upper = below ? Integer(ceil_of(*upper / unit) - 1) : floor_of(*upper / unit);
    sum.least.resize(at_.size() + 1);
    sum.most.resize(at_.size() + 1);
    std::map<std::size_t, Step> steps;
    const auto step = [&](std::size_t v) -> Step& {
      return steps.try_emplace(v, Step{sums_.size(), 0, {}}).first->second;
    };
    const auto reach = [&](std::size_t v, const Integer& a, const Integer& b) {
      sum.least[v] += std::min(a, b);
      sum.most[v] += std::max(a, b);
    };
    for (const auto& [v, c] : terms) {
      step(v).factor += whole(c);
      reach(v, whole(c) * *box_[v].lower, whole(c) * *box_[v].upper);
    }
    for (const auto& [factors, c] : products) {
      const std::size_t last = factors.back();
      step(last).with.emplace_back(std::vector(factors.begin(), factors.end() - 1), whole(c));
      const auto range = product_range(factors, box_);
      reach(last, whole(c) * range->first, whole(c) * range->second);
    }
    for (std::size_t v = at_.size(); v-- > 0;) {
      sum.least[v] += sum.least[v + 1];
      sum.most[v] += sum.most[v + 1];
    }
    for (auto& [v, s] : steps) at_[v].push_back(std::move(s));
    sums_.push_back(std::move(sum));
  }

  void visit(std::size_t v) {
    if (v == at_.size()) {
      take(kLeaf);
      const Judgement judged = judge(model_, x_);
      if (!judged.broken.empty()) return;
      if (!answer_) {
        found_ = "there is a solution";
      } else if (model_.maximise ? judged.objective > *answer_ : judged.objective < *answer_) {
        found_ = "there is a better solution, " + text_of(judged.objective);
      }
      return;
    }
    for (x_[v] = *box_[v].lower; x_[v] <= *box_[v].upper && found_.empty(); ++x_[v]) {
      if (model_.variables[v].spin && x_[v] == 0) continue;
      take(1.0);
      bool holds = true;
      for (const Step& s : at_[v]) {
        sums_[s.sum].value += by(s, v);
        holds = holds && sums_[s.sum].can_hold(v + 1, x_);
      }
      if (holds) visit(v + 1);
      for (const Step& s : at_[v]) sums_[s.sum].value -= by(s, v);
    }
  }

  Integer by(const Step& s, std::size_t v) const {
    if (s.counts) return x_[v] == 0 ? 0 : 1;
    Integer factor = s.factor;
    for (const auto& [others, c] : s.with) {
      Integer product = c;
      for (std::size_t w : others) product *= x_[w];
      factor += product;
    }
    return factor * x_[v];
  }

  void take(double nodes) {
    left_ -= nodes;
    if (left_ < 0.0) throw TooMany();
  }

  const Model& model_;
  const Box& box_;
  const std::optional<Rational>& answer_;
  double left_;
  std::vector<Sum> sums_;
  std::vector<std::vector<Step>> at_;  // by variable
  std::vector<Integer> x_;
  std::string found_;
};

// The model with its variables in another order; to[v] is the new number of v.
Model reordered(const Model& model, const std::vector<std::size_t>& to) {
  const auto terms = [&](const Terms& from) {
    Terms all;
    for (const auto& [v, c] : from) all[to[v]] = c;
    return all;
  };
  const auto products = [&](const Products& from) {
    Products all;
    for (const auto& [factors, c] : from) {
      std::vector<std::size_t> next;
      for (std::size_t v : factors) next.push_back(to[v]);
      std::sort(next.begin(), next.end());
      all[std::move(next)] = c;
    }
    return all;
  };
  Model next = model;
  for (std::size_t v = 0; v < to.size(); ++v) next.variables[to[v]] = model.variables[v];
  next.objective = terms(model.objective);
  next.products = products(model.products);
  for (Row& row : next.rows) {
    row.terms = terms(row.terms);
    row.products = products(row.products);
    if (row.when) row.when->first = to[row.when->first];
  }
  for (Set& set : next.sets) {
    for (std::size_t& v : set.members) v = to[v];
  }
  return next;
}

// The numbers that `order` gives to variables; those it does not name come last.
std::vector<std::size_t> numbers(const std::vector<std::size_t>& order, std::size_t count) {
  std::vector<std::size_t> to(count, count);
  std::size_t next = 0;
  for (std::size_t v : order) {
    if (to[v] == count) to[v] = next++;
  }
  for (std::size_t& v : to) {
    if (v == count) v = next++;
  }
  return to;
}

}  // namespace

std::optional<std::string> visit_all(const Model& model, const Box& box,
                                     const std::optional<Rational>& answer, const Visit& visit) {
  for (std::size_t v = 0; v < model.variables.size(); ++v) {
    if (!box[v].lower || !box[v].upper) return std::nullopt;
  }
  try {
    if (visit.order.empty()) return Tree(model, box, answer, visit.also, visit.most).run();
    const std::vector<std::size_t> to = numbers(visit.order, model.variables.size());
    const Model next = reordered(model, to);
    Box bounds = box;
    for (std::size_t v = 0; v < to.size(); ++v) bounds[to[v]] = box[v];
    std::optional<Linear> also = visit.also;
    if (also) {
      also->terms.clear();
      for (const auto& [v, c] : visit.also->terms) also->terms[to[v]] = c;
    }
    return Tree(next, bounds, answer, also, visit.most).run();
  } catch (const TooMany&) {
    return std::nullopt;
  }
}

}  // namespace chainmail::checker
