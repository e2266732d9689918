#include "model/one_hots.hpp"

#include <algorithm>
#include <numeric>

#include "problem/form_model.hpp"

namespace chainmail {

namespace {

constexpr std::size_t kStarts = 8;  // covers that are tried, each begun with another equation

bool unit_binaries(const WholeModel& model, const WholeForm& form) {
  return std::all_of(form.terms.begin(), form.terms.end(), [&](const WholeTerm64& t) {
    const WholeInterval& b = model.bounds[t.variable];
    return t.coefficient == 1 && b.lower == 0 && b.upper == 1;
  });
}

struct Cover {
  std::vector<std::uint32_t> forms;
  std::size_t variables = 0;
};

class Covering {
 public:
  explicit Covering(const WholeModel& model) : model_(model) {}

  // Takes `first`, then the others in order, each that touches nothing taken.
  Cover begun_with(std::uint32_t first, const std::vector<std::uint32_t>& order) {
    taken_.assign(model_.bounds.size(), 0);
    Cover cover;
    take(first, cover);
    for (std::uint32_t form : order) take(form, cover);
    return cover;
  }
  void add(const std::vector<std::uint32_t>& order, Cover& cover) {
    for (std::uint32_t form : order) take(form, cover);
  }

 private:
  void take(std::uint32_t form, Cover& cover) {
    const auto& terms = model_.forms[form].terms;
    for (const WholeTerm64& t : terms) {
      if (taken_[t.variable] != 0) return;
    }
    for (const WholeTerm64& t : terms) taken_[t.variable] = 1;
    cover.forms.push_back(form);
    cover.variables += terms.size();
  }

  const WholeModel& model_;
  std::vector<char> taken_;
};

// Equations of one family (the rows of a permutation, say) touch the same others and are written
// one after another; so a cover begun with one of them continues with its family.
std::vector<std::uint32_t> starts_of(const WholeModel& model,
                                     const std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> starts;
  std::vector<char> touched(model.bounds.size(), 0);
  for (std::uint32_t form : order) {
    const auto& terms = model.forms[form].terms;
    const bool fresh = std::any_of(terms.begin(), terms.end(),
                                   [&](const WholeTerm64& t) { return touched[t.variable] == 0; });
    if (starts.empty() || !fresh) starts.push_back(form);
    for (const WholeTerm64& t : terms) touched[t.variable] = 1;
    if (starts.size() == kStarts) break;
  }
  return starts;
}

}  // namespace

OneHots choose_one_hots(const WholeModel& model) {
  std::vector<std::uint32_t> equations, at_most;
  for (std::uint32_t k = 0; k < model.forms.size(); ++k) {
    const WholeForm& form = model.forms[k];
    if (form.upper != 1 || form.terms.size() < 2 || !unit_binaries(model, form)) continue;
    if (form.lower == 1) equations.push_back(k);
    if (form.lower < 1 && form.terms.size() > 2) at_most.push_back(k);
  }
  const auto longest_first = [&](std::uint32_t a, std::uint32_t b) {
    return model.forms[a].terms.size() > model.forms[b].terms.size();
  };
  std::stable_sort(equations.begin(), equations.end(), longest_first);
  std::stable_sort(at_most.begin(), at_most.end(), longest_first);

  OneHots chosen;
  Covering covering(model);
  Cover best;
  std::uint32_t first = kNone;
  for (std::uint32_t start : starts_of(model, equations)) {
    Cover cover = covering.begun_with(start, equations);
    if (cover.variables <= best.variables) continue;
    best = std::move(cover);
    first = start;
  }
  chosen.exactly_one = best.forms;
  if (first != kNone) {
    Cover cover = covering.begun_with(first, equations);
    cover.forms.clear();
    covering.add(at_most, cover);
    chosen.at_most_one = std::move(cover.forms);
  } else if (!at_most.empty()) {
    chosen.at_most_one = covering.begun_with(at_most.front(), at_most).forms;
  }
  return chosen;
}

}  // namespace chainmail
