#include "exact/settle.hpp"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <numeric>
#include <set>

#include "exact/min_cut.hpp"
#include "problem/bits.hpp"

namespace chainmail {

namespace {

constexpr std::size_t kMostEdges = 4'000'000;  // of a cut
constexpr double kWeightOfFields = 0.15;       // weaker fields settle nothing

// Parts, and whether a part can satisfy all its couplings: each spin equals its head or its
// negative (disjoint sets with a sign).
class Parts {
 public:
  explicit Parts(const Quadratic& f)
      : head_(f.size()), turned_(f.size(), 0), bad_(f.size(), 0), parts_(f.size()) {
    std::iota(head_.begin(), head_.end(), std::uint32_t{0});
    for (const Coupling& c : f.couplings) {
      const std::uint32_t a = find(c.i), b = find(c.j);
      const char differ = static_cast<char>(turned_[c.i] ^ turned_[c.j] ^ (c.value < 0.0 ? 1 : 0));
      if (a == b) {
        bad_[a] |= differ;
        if (parts_ == 1 && bad_[a] != 0) return;  // nothing more to learn
        continue;
      }
      const std::uint32_t low = std::min(a, b), high = std::max(a, b);
      head_[high] = low;
      turned_[high] = differ;
      bad_[low] |= bad_[high];
      --parts_;
    }
  }

  bool whole() const { return parts_ == 1; }
  std::uint32_t head(std::uint32_t i) { return find(i); }
  bool turned(std::uint32_t i) { return find(i), turned_[i] != 0; }
  bool frustrated(std::uint32_t i) { return bad_[find(i)] != 0; }

 private:
  // Afterwards i's head is the head of all, and its sign relative to that is known.
  std::uint32_t find(std::uint32_t i) {
    path_.clear();
    while (head_[i] != i) path_.push_back(i), i = head_[i];
    char sign = 0;
    for (std::size_t k = path_.size(); k-- > 0;) {
      sign = static_cast<char>(sign ^ turned_[path_[k]]);
      turned_[path_[k]] = sign;
      head_[path_[k]] = i;
    }
    return i;
  }

  std::vector<std::uint32_t> head_;
  std::vector<char> turned_, bad_;
  std::vector<std::uint32_t> path_;
  std::size_t parts_;
};

// A part by itself.
struct Part {
  std::vector<std::uint32_t> spins;  // ascending
  Quadratic f;
  bool frustrated = false;
  std::vector<char> turned;  // where it is not: what satisfies all couplings
};

std::vector<Part> parts_of(const Quadratic& f, Parts& sets) {
  std::vector<std::uint32_t> part_of(f.size()), number(f.size());
  std::vector<Part> parts;
  for (std::uint32_t i = 0; i < f.size(); ++i) {
    const std::uint32_t head = sets.head(i);
    if (head == i) {
      part_of[i] = static_cast<std::uint32_t>(parts.size());
      parts.emplace_back().frustrated = sets.frustrated(i);
    }
    Part& part = parts[part_of[i] = part_of[head]];
    number[i] = static_cast<std::uint32_t>(part.spins.size());
    part.spins.push_back(i);
    part.f.fields.push_back(f.fields[i]);
    part.turned.push_back(sets.turned(i) ? 1 : 0);
  }
  for (const Coupling& c : f.couplings) {
    parts[part_of[c.i]].f.couplings.push_back({number[c.i], number[c.j], c.value});
  }
  return parts;
}

// In whole numbers, for a cut.
struct WholeCouplings {
  std::vector<std::int64_t> fields, couplings;
  double slack = 0.0;  // what rounding them may do to differences of f
};
WholeUnit unit_of(const Quadratic& f) {
  WholeUnit unit;
  for (double h : f.fields) unit.add(h, 4.0);
  for (const Coupling& c : f.couplings) unit.add(c.value, 4.0);
  return unit;
}
WholeCouplings whole_couplings(const Quadratic& f) {
  const WholeUnit unit = unit_of(f);
  const bool exact = unit.fits_64();
  const double step = exact ? 0.0 : unit.size() * 0x1.0p-58;
  const auto whole = [&](double value) {
    return exact ? static_cast<std::int64_t>(unit.whole(value)) : std::llround(value / step);
  };
  WholeCouplings all;
  for (double h : f.fields) all.fields.push_back(whole(h));
  for (const Coupling& c : f.couplings) all.couplings.push_back(whole(c.value));
  all.slack = 2.0 * step * static_cast<double>(f.size() + f.couplings.size());
  return all;
}

bool has_fields(const Quadratic& f) {
  return std::any_of(f.fields.begin(), f.fields.end(), [](double h) { return h != 0.0; });
}

// Whether roof duality may settle anything.
bool fields_weigh(const Quadratic& f) {
  double fields = 0.0, couplings = 0.0;
  for (double h : f.fields) fields += std::abs(h);
  for (const Coupling& c : f.couplings) couplings += std::abs(c.value);
  return fields > kWeightOfFields * couplings;
}

class Settler {
 public:
  Settler(const Problem& problem, const ExactOptions& options)
      : problem_(problem), options_(options) {}

  Settled run() {
    std::feclearexcept(FE_INEXACT);
    std::optional<Reduction> reduction = Reduction::of(problem_);
    const bool rounded = std::fetestexcept(FE_INEXACT) != 0;
    // Rounded numbers are good enough for a search, but not for a proof.
    const bool reduced = reduction && !rounded;
    const Quadratic& f = reduced ? reduction->problem().objective : problem_.objective;
    value_.assign(f.size(), 0);
    std::vector<std::uint32_t> all(f.size());
    std::iota(all.begin(), all.end(), std::uint32_t{0});
    solve_parts(f, all, true);
    Settled settled;
    const auto open = static_cast<std::size_t>(std::count(value_.begin(), value_.end(), 0));
    if (open == 0) {
      ExactAnswer& answer = settled.answer.emplace();
      answer.states = {bits_of(reduced ? reduction->lift(value_) : value_)};
      answer.slack = slack_;
      for (const std::string& way : ways_) answer.how += (answer.how.empty() ? "" : ", ") + way;
      if (answer.how.empty()) answer.how = "reduction";
      return settled;
    }
    settled.reduction = std::move(reduction);
    if (open == value_.size() || slack_ > 0.0 || (settled.reduction && !reduced)) return settled;
    if (!settled.reduction) settled.reduction = Reduction::none(problem_);
    settled.reduction->settle(value_);
    return settled;
  }

 private:
  // `names` are the spins' numbers in value_.
  void solve_parts(const Quadratic& f, std::span<const std::uint32_t> names, bool with_cuts) {
    Parts sets(f);
    // Most large problems: nothing to gain.
    if (sets.whole() && sets.frustrated(0) && f.size() > options_.small &&
        !(with_cuts && fields_weigh(f))) {
      return;
    }
    for (const Part& part : parts_of(f, sets)) {
      std::vector<std::uint32_t> here;
      for (std::uint32_t i : part.spins) here.push_back(names[i]);
      if (options_.stopped && options_.stopped()) return;
      if (!part.frustrated && part.spins.size() > 1) {
        solve_unfrustrated(part, here);
      } else if (!solve_small(part.f, here) && with_cuts) {
        settle_by_roof(part.f, here);
      }
    }
  }

  bool solve_small(const Quadratic& f, std::span<const std::uint32_t> here) {
    if (f.size() == 1) {
      value_[here[0]] = f.fields[0] < 0.0 ? Spin{-1} : Spin{1};
      return true;
    }
    if (f.size() > options_.small) return false;
    Problem problem;
    problem.objective = f;
    const std::optional<TreeModel> model = tree_model(problem);
    if (!model) return false;
    const std::optional<ExactAnswer> found = solve_exactly(*model, options_);
    if (!found || !found->proved) return false;
    ways_.insert(found->how);
    for (std::size_t k = 0; k < here.size(); ++k) {
      value_[here[k]] = found->states.front()[k] != 0 ? Spin{1} : Spin{-1};
    }
    return true;
  }

  // After flipping some spins the part is a ferromagnet: the minimum cut of twice its couplings,
  // with twice its fields to the terminals.
  void solve_unfrustrated(const Part& part, std::span<const std::uint32_t> here) {
    const Quadratic& f = part.f;
    const auto turned = [&](std::size_t i) { return part.turned[i] != 0; };
    if (!has_fields(f)) {
      for (std::size_t i = 0; i < here.size(); ++i)
        value_[here[i]] = turned(i) ? Spin{-1} : Spin{1};
      ways_.insert("satisfying every coupling");
      return;
    }
    if (f.couplings.size() > kMostEdges) return;
    const WholeCouplings whole = whole_couplings(f);
    slack_ += whole.slack;
    std::vector<std::int64_t> terminal;
    for (std::size_t i = 0; i < f.size(); ++i) {
      terminal.push_back(2 * (turned(i) ? -whole.fields[i] : whole.fields[i]));
    }
    std::vector<CutEdge> edges;
    for (std::size_t k = 0; k < f.couplings.size(); ++k) {
      const Coupling& c = f.couplings[k];
      edges.push_back({c.i, c.j, 2 * std::abs(whole.couplings[k])});
    }
    const Cut cut = min_cut(terminal, edges);
    for (std::size_t i = 0; i < here.size(); ++i) {
      value_[here[i]] = (cut.with_source[i] != 0) != turned(i) ? Spin{1} : Spin{-1};
    }
    ways_.insert("a minimal cut");
  }

  // Every spin has a mirror image that should be its opposite. Spins on the source's side are up in
  // every optimum, those whose image is there are down; the rest may be anything.
  void settle_by_roof(const Quadratic& f, std::span<const std::uint32_t> here) {
    if (!fields_weigh(f) || 2 * f.couplings.size() > kMostEdges) return;
    // Sums of fields and couplings must be exact in double too.
    if (!unit_of(f).fits(52)) return;
    const WholeCouplings whole = whole_couplings(f);
    const auto size = static_cast<std::uint32_t>(f.size());
    std::vector<std::int64_t> terminal(whole.fields);
    for (std::uint32_t i = 0; i < size; ++i) terminal.push_back(-whole.fields[i]);
    std::vector<CutEdge> edges;
    for (std::size_t k = 0; k < f.couplings.size(); ++k) {
      const auto [i, j, value] = f.couplings[k];
      const std::int64_t capacity = std::abs(whole.couplings[k]);
      const bool alike = value > 0.0;
      edges.push_back({i, alike ? j : j + size, capacity});
      edges.push_back({i + size, alike ? j + size : j, capacity});
    }
    const Cut cut = min_cut(terminal, edges);
    std::vector<Spin> fixed(size, 0);
    bool any = false;
    for (std::uint32_t i = 0; i < size; ++i) {
      if (cut.with_source[i] != 0) fixed[i] = 1;
      if (cut.with_source[i + size] != 0) fixed[i] = -1;
      any |= fixed[i] != 0;
    }
    if (!any) return;
    ways_.insert("roof duality");
    // The open spins, in the fields of the settled ones.
    std::vector<std::uint32_t> number(size), names;
    Quadratic rest;
    for (std::uint32_t i = 0; i < size; ++i) {
      if (fixed[i] != 0) {
        value_[here[i]] = fixed[i];
        continue;
      }
      number[i] = static_cast<std::uint32_t>(names.size());
      names.push_back(here[i]);
      rest.fields.push_back(f.fields[i]);
    }
    for (const auto& [i, j, value] : f.couplings) {
      if (fixed[i] == 0 && fixed[j] == 0) {
        rest.couplings.push_back({number[i], number[j], value});
      } else if (fixed[i] == 0) {
        rest.fields[number[i]] += value * fixed[j];
      } else if (fixed[j] == 0) {
        rest.fields[number[j]] += value * fixed[i];
      }
    }
    solve_parts(rest, names, false);
  }

  const Problem& problem_;
  const ExactOptions& options_;
  double slack_ = 0.0;
  std::vector<Spin> value_;  // of what was left of the reduction; 0: open
  std::set<std::string> ways_;
};

}  // namespace

Settled settle(const Problem& problem, const ExactOptions& options) {
  return Settler(problem, options).run();
}

}  // namespace chainmail
