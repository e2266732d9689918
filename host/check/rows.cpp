#include "check/rows.hpp"

namespace chainmail::checker {

namespace {

// A sum of nothing but products.
bool products_cannot_hold(const Row& row, const Box& box) {
  Rational least = 0;
  for (const auto& [factors, c] : row.products) {
    const std::optional<Rational> low = least_product(c, factors, box);
    if (!low) return false;
    least += *low;
  }
  return row.terms.empty() && row.upper && least > *row.upper;
}

// Whether it holds for sure: a conditional one only where its variable is fixed.
bool counts(const Row& row, const Box& box) {
  if (row.price != 0) return false;
  if (!row.when) return true;
  const Bounds& z = box[row.when->first];
  return z.fixed() && (*z.lower != 0) == row.when->second;
}

bool join(Linear& all, Linear next) {
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

}  // namespace

NamedRows::NamedRows(Model model) : model_(std::move(model)) {
  spell_out_sets();
  for (std::size_t v = 0; v < model_.variables.size(); ++v) {
    variables_[model_.variables[v].name] = v;
  }
  for (std::size_t r = 0; r < model_.rows.size(); ++r) rows_[model_.rows[r].name] = r;
}

// At most one non-zero, as rows: each variable that is not binary gets a binary that is one if it
// is not zero.
void NamedRows::spell_out_sets() {
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

Box NamedRows::box() const {
  Box box;
  for (const Variable& variable : model_.variables) {
    Bounds& b = box.emplace_back();
    if (variable.lower) b.lower = ceil_of(*variable.lower);
    if (variable.upper) b.upper = floor_of(*variable.upper);
  }
  return box;
}

std::optional<std::size_t> NamedRows::variable(const std::string& name) const {
  const auto found = variables_.find(name);
  return found == variables_.end() ? std::nullopt : std::optional(found->second);
}

// Both sides of a conditional equation have one name, the second with a ' appended.
const Row* NamedRows::row(const std::string& name) const {
  auto found = rows_.find(name);
  if (found == rows_.end() && name.ends_with('\''))
    found = rows_.find(name.substr(0, name.size() - 1));
  return found == rows_.end() ? nullptr : &model_.rows[found->second];
}

std::optional<Linear> NamedRows::together(const std::vector<ProofRow>& rows, const Box& box) const {
  std::optional<Linear> all;
  for (const ProofRow& used : rows) {
    const Row* found = row(used.name);
    if (found == nullptr || !counts(*found, box) || !found->products.empty()) return {};
    Linear next{found->terms, found->lower, found->upper};
    if (!used.without.empty() && !put_away(used.without, next, box)) return {};
    next = reduced(std::move(next), box);
    if (!all) {
      all = std::move(next);
    } else if (!join(*all, std::move(next))) {
      return {};
    }
  }
  return all;
}

bool NamedRows::impossible(const std::vector<ProofRow>& rows, const Box& box) const {
  const Row* first = rows.empty() ? nullptr : row(rows.front().name);
  if (first != nullptr && !first->products.empty()) {
    return rows.size() == 1 && counts(*first, box) && products_cannot_hold(*first, box);
  }
  const std::optional<Linear> all = together(rows, box);
  return all && cannot_hold(*all, box);
}

bool NamedRows::put_away(const std::string& name, Linear& row, const Box& box) const {
  const auto v = variable(name);
  if (!v || row.terms.count(*v) == 0) return false;
  const Rational c = row.terms[*v];
  const auto low = extreme(c, box[*v], true), high = extreme(c, box[*v], false);
  row.terms.erase(*v);
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

std::set<std::pair<std::size_t, std::size_t>> NamedRows::clashes(const Box& given) const {
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  Box box = given;
  const auto both_one = [&](std::size_t a, std::size_t b, const auto& impossible) {
    if (a == b || !given[a].binary() || !given[b].binary()) return;
    box[a].lower = box[b].lower = 1;
    if (impossible()) pairs.emplace(std::min(a, b), std::max(a, b));
    box[a].lower = box[b].lower = 0;
  };
  for (const Row& row : model_.rows) {
    if (!counts(row, given)) continue;
    for (const auto& [factors, c] : row.products) {
      if (factors.size() > 2) continue;
      both_one(factors[0], factors[1], [&] { return products_cannot_hold(row, box); });
    }
    if (!row.products.empty()) continue;
    const Linear left = reduced({row.terms, row.lower, row.upper}, given);
    if (left.terms.size() > 3) continue;
    for (auto a = left.terms.begin(); a != left.terms.end(); ++a) {
      for (auto b = std::next(a); b != left.terms.end(); ++b) {
        both_one(a->first, b->first, [&] { return cannot_hold(left, box); });
      }
    }
  }
  return pairs;
}

}  // namespace chainmail::checker
