#include "random_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace chainmail {

namespace {

class Maker {
 public:
  Maker(Engine& engine, std::size_t bits) : engine_(engine), bits_(bits) {}

  ConstrainedModel make() {
    add_variables();
    model_.sense = below(2) == 0 ? Sense::minimise : Sense::maximise;
    model_.objective = expression(below(model_.variables.size() + 1), false);
    const std::size_t products = below(8);
    for (std::size_t k = 0; k < products; ++k) {
      model_.objective.products.push_back({any(), any(), whole(9)});
    }
    model_.objective.constant = whole(5);
    model_.objective.normalise();
    const std::size_t count = 1 + below(4);
    for (std::size_t k = 0; k < count; ++k) add_constraint();
    return std::move(model_);
  }

 private:
  std::size_t below(std::size_t limit) { return engine_() % limit; }
  std::uint32_t any() { return static_cast<std::uint32_t>(below(model_.variables.size())); }
  double whole(int size) {
    return static_cast<double>(below(2 * static_cast<std::size_t>(size) + 1)) - size;
  }

  void add_variables() {
    std::size_t used = 0;
    for (std::size_t v = 0; used < bits_ && v < bits_; ++v) {
      ModelVariable variable{fmt::format("x#{}", v + 1), 0.0, 1.0};
      if (below(4) == 0 && used + 3 <= bits_) {
        variable.lower = whole(3);
        variable.upper = variable.lower + static_cast<double>(below(8));
        used += 3;
      } else {
        ++used;
      }
      model_.variables.push_back(std::move(variable));
    }
  }

  Expression expression(std::size_t terms, bool decimals) {
    Expression e;
    for (std::size_t k = 0; k < terms; ++k) {
      e.linear.push_back({any(), decimals ? whole(500) / 100.0 : whole(9)});
    }
    e.normalise();
    return e;
  }

  Expression ones(std::size_t terms) {
    Expression e;
    for (std::uint32_t v = 0; v < model_.variables.size() && e.linear.size() < terms; ++v) {
      const bool binary = model_.variables[v].upper == 1.0 && model_.variables[v].lower == 0.0;
      if (binary && below(2) == 0) e.linear.push_back({v, 1.0});
    }
    return e;
  }

  // Where the left side can be, so that limits are met often enough.
  double typical(const Expression& e) {
    std::vector<std::int64_t> values;
    for (const ModelVariable& v : model_.variables) {
      const auto width = static_cast<std::size_t>(static_cast<double>(v.upper - v.lower)) + 1;
      values.push_back(static_cast<std::int64_t>(static_cast<double>(v.lower)) +
                       static_cast<std::int64_t>(below(width)));
    }
    return std::round(e(values) * 100.0) / 100.0;
  }

  void add_constraint() {
    ModelConstraint c;
    c.name = fmt::format("c{}", model_.constraints.size() + 1);
    const std::size_t kind = below(9);
    if (kind < 3) {
      c.left = ones(2 + below(5));
      c.upper = kind == 2 ? static_cast<double>(1 + below(3)) : 1.0;
      if (kind != 1) c.lower = c.upper;
    } else if (kind == 3) {
      c.left = ones(2);
      if (c.left.linear.size() == 2) {
        c.left.products = {{c.left.linear[0].variable, c.left.linear[1].variable, 1.0}};
      }
      c.left.linear.clear();
      c.lower = c.upper = 0.0;
    } else {
      c.left = expression(2 + below(6), kind == 4);
      const double middle = typical(c.left);
      if (kind != 5) c.upper = middle;
      if (kind == 5 || kind == 6) c.lower = middle;
      if (kind == 7) c.lower = middle - static_cast<double>(below(5));
    }
    model_.constraints.push_back(std::move(c));
  }

  Engine& engine_;
  std::size_t bits_;
  ConstrainedModel model_;
};

}  // namespace

ConstrainedModel random_model(Engine& engine, std::size_t bits) {
  return Maker(engine, bits).make();
}

void enrich(ConstrainedModel& model, Engine& engine) {
  const std::size_t n = model.variables.size();
  for (ModelConstraint& c : model.constraints) {
    if (!c.left.products.empty() || c.left.linear.empty()) continue;
    const auto v = static_cast<std::uint32_t>(engine() % n);
    const bool binary = model.variables[v].lower == 0.0 && model.variables[v].upper == 1.0;
    if (binary && engine() % 2 == 0) c.when = {v, engine() % 2 == 0};
    if (engine() % 3 == 0) c.price = static_cast<double>(1 + engine() % 40) / 4.0;
  }
  const std::size_t sets = engine() % 3;
  for (std::size_t k = 0; k < sets; ++k) {
    ModelSet set{fmt::format("set{}", k + 1), {}};
    for (std::uint32_t v = 0; v < n; ++v) {
      if (engine() % 3 == 0) set.variables.push_back(v);
    }
    model.sets.push_back(std::move(set));
  }
}

void raise_degree(ConstrainedModel& model, Engine& engine) {
  const std::size_t n = model.variables.size();
  std::vector<bool> stays(n, false);  // binary
  for (const ModelConstraint& c : model.constraints) {
    if (c.when) stays[c.when->variable] = true;
    for (const ProductTerm& t : c.left.products) stays[t.i] = stays[t.j] = true;
  }
  for (std::size_t v = 0; v < n; ++v) {
    ModelVariable& variable = model.variables[v];
    if (stays[v] || !is_binary(variable) || engine() % 2 != 0) continue;
    variable.lower = engine() % 8 == 0 ? 1 : -1;
    variable.upper = 1;
    variable.spin = true;
  }
  const auto value = [&] { return static_cast<double>(engine() % 41) / 4.0 - 5.0; };
  // Of those drawn; fewer where others are not wanted.
  const auto factors = [&](std::size_t count, auto wanted) {
    std::vector<std::uint32_t> chosen;
    for (std::size_t k = 0; k < count; ++k) {
      const auto v = static_cast<std::uint32_t>(engine() % n);
      if (wanted(model.variables[v])) chosen.push_back(v);
    }
    return chosen;
  };
  const std::size_t terms = 1 + engine() % 8;
  for (std::size_t k = 0; k < terms; ++k) {
    const bool spins = engine() % 2 == 0;
    const std::size_t count = spins ? 8 : 3 + engine() % 3;
    model.objective.add(factors(count, [&](const ModelVariable& v) { return !spins || v.spin; }),
                        value());
  }
  model.objective.normalise();
  for (ModelConstraint& c : model.constraints) {
    if (engine() % 3 != 0 || excludes(c)) continue;
    c.left.add(factors(2 + engine() % 3, is_binary), std::round(value()));
    c.lower -= c.left.constant;
    c.upper -= c.left.constant;
    c.left.constant = 0;
    c.left.normalise();
  }
}

void for_all_values(const ConstrainedModel& model,
                    const std::function<void(const std::vector<std::int64_t>&)>& visit) {
  std::vector<std::int64_t> values;
  for (const ModelVariable& v : model.variables) {
    values.push_back(static_cast<std::int64_t>(static_cast<double>(v.lower)));
  }
  for (;;) {
    const bool spins = std::equal(values.begin(), values.end(), model.variables.begin(),
                                  [](std::int64_t value, const ModelVariable& variable) {
                                    return !variable.spin || value != 0;
                                  });
    if (spins) visit(values);
    std::size_t v = 0;
    while (v < values.size() && static_cast<double>(values[v]) >= model.variables[v].upper) {
      values[v] = static_cast<std::int64_t>(static_cast<double>(model.variables[v].lower));
      ++v;
    }
    if (v == values.size()) return;
    ++values[v];
  }
}

bool same_meaning(const ConstrainedModel& a, const ConstrainedModel& b, Engine& engine) {
  const std::size_t n = a.variables.size();
  if (b.variables.size() != n || a.sense != b.sense) return false;
  std::map<std::string, std::size_t> index;
  for (std::size_t v = 0; v < n; ++v) index[b.variables[v].name] = v;
  for (const ModelVariable& variable : a.variables) {
    const auto found = index.find(variable.name);
    if (found == index.end() || b.variables[found->second] != variable) return false;
  }
  for (int sample = 0; sample < 20; ++sample) {
    std::vector<std::int64_t> values, moved(n);
    for (const ModelVariable& variable : a.variables) {
      const Decimal low = std::max(variable.lower, Decimal(-10));
      const Decimal high = std::min(variable.upper, low + 20);
      const auto width =
          high < low ? 1 : static_cast<std::uint64_t>(static_cast<double>(high - low)) + 1;
      values.push_back(static_cast<std::int64_t>(static_cast<double>(low)) +
                       static_cast<std::int64_t>(engine() % width));
      moved[index[variable.name]] = values.back();
    }
    const Evaluation x = evaluate(a, values), y = evaluate(b, moved);
    const double size = std::max({1.0, std::abs(x.objective), std::abs(y.objective)});
    if (std::abs(x.objective - y.objective) > 1e-9 * size) return false;
    std::set<std::string> names_x, names_y;
    for (const Violation& v : x.violations) names_x.insert(v.constraint + v.relation);
    for (const Violation& v : y.violations) names_y.insert(v.constraint + v.relation);
    if (names_x != names_y) return false;
  }
  return true;
}

}  // namespace chainmail
