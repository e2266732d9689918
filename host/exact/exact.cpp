#include "exact/exact.hpp"

#include <algorithm>
#include <queue>
#include <set>

#include "exact/one_form.hpp"
#include "exact/tree.hpp"

namespace chainmail {

namespace {

// Up to this many states are visited one by one if needed. Larger parts are tried for some
// hundredths of a second, or some milliseconds, in the hope that their trees have few branches.
constexpr double kMostStates = 26.0, kPromising = 48.0;
constexpr std::uint64_t kMostNodes = std::uint64_t{1} << 28;
constexpr std::uint64_t kHopedNodes = std::uint64_t{1} << 20;
// A node looks at all bits.
constexpr std::uint64_t kTriedTerms = std::uint64_t{1} << 22, kLeastWide = 64;
constexpr std::uint64_t kShortWalk = 8;
constexpr std::uint64_t kAllNodes = std::uint64_t{1} << 60;
constexpr std::size_t kMostBits = 512;

class Solver {
 public:
  Solver(const TreeModel& model, const ExactOptions& options) : model_(model), options_(options) {}

  std::optional<ExactAnswer> run() {
    std::vector<TreePart> parts = parts_of(model_);
    // The largest first: if it is too large, no work was wasted.
    std::stable_sort(parts.begin(), parts.end(), [](const TreePart& a, const TreePart& b) {
      return states_log2(a.model) > states_log2(b.model);
    });
    sums_ = {{0, std::vector<Bit>(model_.bits, 0)}};
    for (const TreePart& part : parts) {
      const std::optional<TreeResult> found = solve(part.model);
      if (!found) return std::nullopt;
      if (found->end == TreeResult::stopped) answer_.proved = false;
      if (found->best.empty()) {
        if (!answer_.proved) return std::nullopt;
        return impossible();
      }
      combine(part, found->best);
    }
    for (const TreeState& sum : sums_) answer_.states.push_back(sum.x);
    for (const std::string& way : ways_) answer_.how += (answer_.how.empty() ? "" : ", ") + way;
    return std::move(answer_);
  }

 private:
  std::optional<TreeResult> solve(const TreeModel& part) {
    const double states = states_log2(part);
    // Where there are many, a node is a walk through the products of its bit.
    std::size_t factors = 0;
    for (const WholeMonomial& m : part.f.monomials) factors += m.bits.size();
    const std::uint64_t walk = 1 + factors / (kShortWalk * std::max<std::size_t>(1, part.bits));
    const std::uint64_t most = options_.patient        ? kAllNodes
                               : states <= kMostStates ? (kMostNodes - nodes_) / walk
                               : states <= kPromising
                                   ? kHopedNodes / walk
                                   : kTriedTerms / walk / std::max(kLeastWide, part.bits);
    if (part.bits > kMostBits) return by_one_form(part);
    if (options_.patient && states > kPromising) {
      if (auto found = by_one_form(part)) return found;
    }
    const bool brief = !options_.patient && states > kMostStates;
    TreeOptions tree{options_.keep, most, brief, options_.stopped};
    TreeResult found = search_tree(part, tree);
    nodes_ += found.nodes;
    if (found.end == TreeResult::too_many) return by_one_form(part);
    ways_.insert("enumeration");
    return found;
  }

  std::optional<TreeResult> by_one_form(const TreeModel& part) {
    if (options_.keep > 1) return std::nullopt;
    std::optional<OneFormResult> found = solve_one_form(part, options_.stopped);
    if (!found) return std::nullopt;
    ways_.insert(found->how);
    return std::move(found->found);
  }

  // The best sums of what was known and what is new, the least first.
  void combine(const TreePart& part, const std::vector<TreeState>& found) {
    struct Pair {
      Wide f;
      std::size_t sum, state;
      bool operator>(const Pair& o) const {
        return f != o.f ? f > o.f : sum != o.sum ? sum > o.sum : state > o.state;
      }
    };
    if (options_.keep == 1) {
      for (std::size_t k = 0; k < part.bits.size(); ++k) {
        sums_.front().x[part.bits[k]] = found.front().x[k];
      }
      return;
    }
    std::priority_queue<Pair, std::vector<Pair>, std::greater<>> next;
    for (std::size_t s = 0; s < sums_.size(); ++s) {
      next.push({sums_[s].f + found.front().f, s, 0});
    }
    std::vector<TreeState> best;
    while (!next.empty() && best.size() < options_.keep) {
      const Pair pair = next.top();
      next.pop();
      TreeState& state = best.emplace_back(TreeState{pair.f, sums_[pair.sum].x});
      for (std::size_t k = 0; k < part.bits.size(); ++k) {
        state.x[part.bits[k]] = found[pair.state].x[k];
      }
      if (pair.state + 1 < found.size()) {
        next.push({sums_[pair.sum].f + found[pair.state + 1].f, pair.sum, pair.state + 1});
      }
    }
    sums_ = std::move(best);
  }

  std::optional<ExactAnswer> impossible() {
    answer_.states.clear();
    for (const std::string& way : ways_) answer_.how += (answer_.how.empty() ? "" : ", ") + way;
    answer_.closest = closest();
    return std::move(answer_);
  }

  // Hard constraints get a price of one unit each instead, and nothing else counts.
  std::vector<Bit> closest() const {
    TreeModel soft = model_;
    soft.f = soft.g ? *soft.g : WholeFunction{0, std::vector<Wide>(soft.bits, 0), {}};
    soft.g.reset();
    for (const auto& [i, j] : soft.clashes) {
      soft.forms.items.push_back({1, i});
      soft.forms.items.push_back({1, j});
      soft.forms.close();
      soft.limits.push_back({kNoLower, 1, 0});
    }
    soft.clashes.clear();
    for (WholeLimits& limits : soft.limits) limits.price = limits.price > 0 ? 0 : 1;
    for (WholeLimits& limits : soft.limits) {
      if (limits.price == 0) limits.lower = kNoLower, limits.upper = kNoUpper;
    }
    std::vector<Bit> x(soft.bits, 0);
    std::vector<TreePart> parts = parts_of(soft);
    for (TreePart& part : parts) {
      if (part.bits.size() > kMostBits) continue;
      // Sums of forms can be of any size, so not in 64 bits.
      part.model.unit = {};
      part.model.unit.add(0x1.0p100);
      part.model.unit.add(1.0);
      const TreeResult found =
          search_tree(part.model, TreeOptions{1, kMostNodes / 8, false, options_.stopped});
      if (found.best.empty()) continue;
      for (std::size_t k = 0; k < part.bits.size(); ++k) x[part.bits[k]] = found.best.front().x[k];
    }
    for (std::size_t k = 0; k < soft.groups.size(); ++k) {  // of a part that was skipped
      const auto group = soft.groups[k];
      if (std::none_of(group.begin(), group.end(), [&](auto bit) { return x[bit] != 0; })) {
        x[group.front()] = 1;
      }
    }
    return x;
  }

  const TreeModel& model_;
  const ExactOptions& options_;
  std::vector<TreeState> sums_;
  std::set<std::string> ways_;
  std::uint64_t nodes_ = 0;
  ExactAnswer answer_;
};

}  // namespace

std::optional<ExactAnswer> solve_exactly(const TreeModel& model, const ExactOptions& options) {
  return Solver(model, options).run();
}

std::optional<ExactAnswer> solve_exactly(const Problem& problem, const ExactOptions& options,
                                         Numbers numbers) {
  const std::optional<TreeModel> model = tree_model(problem, numbers);
  if (!model) return std::nullopt;
  return solve_exactly(*model, options);
}

}  // namespace chainmail
