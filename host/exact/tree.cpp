#include "exact/tree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

namespace chainmail {

namespace {

constexpr std::uint64_t kNodesPerLook = 4096;
constexpr std::uint64_t kFirstEstimate = 1024;  // nodes, then at every power of two
constexpr double kFarBeyond = 1.4;              // in the logarithm

// A level of the tree: a group, of which one bit is chosen, or a free bit. Bits are numbered in the
// order of the levels.
struct Digit {
  std::uint32_t first, count;  // its bits
  bool group;
};

// Groups first, then free bits, the heaviest first: they decide most.
struct Order {
  std::vector<Digit> digits;
  std::vector<std::uint32_t> bits;    // old numbers
  std::vector<std::uint32_t> number;  // new ones
  std::uint32_t free = 0;             // the first bit that is in no group
};

// How much a bit weighs in f, g and the forms, each by the mean of what it is made of.
std::vector<double> weights(const TreeModel& model) {
  std::vector<double> weight(model.bits, 0.0), part(model.bits);
  const auto take = [&] {
    const double sum = std::accumulate(part.begin(), part.end(), 0.0);
    for (std::size_t i = 0; i < part.size() && sum > 0.0; ++i) weight[i] += part[i] / sum;
    std::fill(part.begin(), part.end(), 0.0);
  };
  const auto add = [&](const WholeFunction& f) {
    for (std::size_t i = 0; i < part.size(); ++i) {
      part[i] += std::abs(static_cast<double>(f.linear[i]));
    }
    for (const WholePair& p : f.pairs) {
      part[p.i] += 0.5 * std::abs(static_cast<double>(p.value));
      part[p.j] += 0.5 * std::abs(static_cast<double>(p.value));
    }
    for (const WholeMonomial& m : f.monomials) {
      const double each =
          std::abs(static_cast<double>(m.value)) / static_cast<double>(m.bits.size());
      for (std::uint32_t bit : m.bits) part[bit] += each;
    }
    take();
  };
  add(model.f);
  if (model.g) add(*model.g);
  for (std::size_t k = 0; k < model.forms.size(); ++k) {
    for (const FormTerm& t : model.forms[k]) {
      part[t.index] += std::abs(static_cast<double>(t.coefficient));
    }
    take();
  }
  return weight;
}

Order order_of(const TreeModel& model) {
  Order order;
  const std::vector<double> weight = weights(model);
  std::vector<char> grouped(model.bits, 0);
  const auto add = [&](std::span<const std::uint32_t> bits, bool group) {
    order.digits.push_back({static_cast<std::uint32_t>(order.bits.size()),
                            static_cast<std::uint32_t>(bits.size()), group});
    order.bits.insert(order.bits.end(), bits.begin(), bits.end());
  };
  for (std::size_t k = 0; k < model.groups.size(); ++k) {
    for (std::uint32_t bit : model.groups[k]) grouped[bit] = 1;
    add(model.groups[k], true);
  }
  order.free = static_cast<std::uint32_t>(order.bits.size());
  std::vector<std::uint32_t> free;
  for (std::uint32_t i = 0; i < model.bits; ++i) {
    if (grouped[i] == 0) free.push_back(i);
  }
  std::stable_sort(free.begin(), free.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return weight[a] > weight[b]; });
  for (const std::uint32_t& i : free) add({&i, 1}, false);
  order.number.resize(model.bits);
  for (std::uint32_t i = 0; i < order.bits.size(); ++i) order.number[order.bits[i]] = i;
  return order;
}

// The least value a polynomial can still take while bits are fixed one after another: each product
// of bits to come is replaced by a linear function that is nowhere above it,
//   q x y >= q (x + y) / 2 for q < 0, and q (x + y - 1) / 2 for q > 0, between free bits,
//   q x y >= q x for q < 0, and 0 for q > 0, where a bit is in a group and x comes first,
//   q x y z ... likewise, where x is the first bit to come and those before it are one,
// and each bit is then set as is best for it alone. In twice f, which is whole.
template <class Int>
class LeastValue {
 public:
  LeastValue(const WholeFunction& f, const Order& order)
      : order_(order), size_(order.bits.size()), rows_(2 * size_ * size_), at_(2 * size_) {
    Int constant = static_cast<Int>(2 * f.constant);
    std::vector<Int> field(size_);
    for (std::size_t i = 0; i < size_; ++i) {
      field[i] = static_cast<Int>(2 * f.linear[order.bits[i]]);
    }
    for (const WholePair& p : f.pairs) {
      const std::uint32_t a = order.number[p.i], b = order.number[p.j];
      const std::uint32_t c = std::min(a, b), d = std::max(a, b);
      const auto q = static_cast<Int>(p.value);
      const bool free = c >= order.free;
      const Int with_c = free ? q : q < 0 ? 2 * q : 0;
      const Int with_d = free ? q : 0;
      const Int alone = free && q > 0 ? -q : 0;
      field[c] += with_c;
      field[d] += with_d;
      constant += alone;
      row(c, 1)[d] += 2 * q - with_d;
      row(c, 0)[d] -= with_d;
      at_[2 * c] -= alone;
      at_[2 * c + 1] -= alone + with_c;
    }
    add_monomials(f, field);
    levels_.resize(order.digits.size() + 1, Level{constant, 0, std::vector<Int>(size_)});
    levels_.front().field = std::move(field);
    sum_least(levels_.front(), 0);
  }

  // The later of two clashing bits gains nothing once the first is one.
  void clash(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs) {
    if (pairs.empty()) return;
    Int most = 1;
    for (Int value : levels_.front().field) most += value < 0 ? -value : value;
    for (Int value : rows_) most += value < 0 ? -value : value;
    if (most > std::numeric_limits<std::int64_t>::max() / static_cast<Int>(4 * size_)) return;
    for (const auto& [i, j] : pairs) {
      const std::uint32_t a = order_.number[i], b = order_.number[j];
      row(std::min(a, b), 1)[std::max(a, b)] += most;
    }
  }

  Int least(std::size_t level) const { return levels_[level].known + levels_[level].rest; }
  Int field(std::size_t level, std::uint32_t bit) const { return levels_[level].field[bit]; }

  // Fixes digit `level`: of a group bit `bit` is one; a free bit is `bit_value`.
  void fix(std::size_t level, std::uint32_t bit, bool bit_value) {
    const Level& from = levels_[level];
    Level& to = levels_[level + 1];
    const Digit& digit = order_.digits[level];
    to.known = from.known + at_[2 * bit + (bit_value ? 1 : 0)];
    if (bit_value) to.known += from.field[bit];
    const Int* change = row(bit, bit_value ? 1 : 0);
    for (std::size_t b = digit.first + digit.count; b < size_; ++b) {
      to.field[b] = from.field[b] + change[b];
    }
    if (!monomials_.empty()) move_on(digit, bit, bit_value, to);
    sum_least(to, level + 1);
  }

 private:
  struct Level {
    Int known, rest;
    std::vector<Int> field;
  };
  struct Monomial {
    std::vector<std::uint32_t> bits;  // in order
    Int twice;
  };

  void add_monomials(const WholeFunction& f, std::vector<Int>& field) {
    at_bit_.resize(f.monomials.empty() ? 0 : size_);
    x_.assign(at_bit_.size(), 0);
    for (const WholeMonomial& m : f.monomials) {
      Monomial next{{}, static_cast<Int>(2 * m.value)};
      for (std::uint32_t bit : m.bits) next.bits.push_back(order_.number[bit]);
      std::sort(next.bits.begin(), next.bits.end());
      for (std::size_t k = 0; k < next.bits.size(); ++k) {
        at_bit_[next.bits[k]].emplace_back(static_cast<std::uint32_t>(monomials_.size()), k);
      }
      if (next.twice < 0) field[next.bits.front()] += next.twice;
      monomials_.push_back(std::move(next));
    }
  }

  // Products whose bits are one so far go from this bit to their next, those > 0 to their last.
  void move_on(const Digit& digit, std::uint32_t bit, bool bit_value, Level& to) {
    std::fill_n(x_.begin() + digit.first, digit.count, Bit{0});
    if (!bit_value) return;
    x_[bit] = 1;
    for (const auto& [k, place] : at_bit_[bit]) {
      const Monomial& m = monomials_[k];
      if (place + 1 == m.bits.size()) continue;
      const bool alive = std::all_of(m.bits.begin(), m.bits.begin() + static_cast<int>(place),
                                     [&](std::uint32_t before) { return x_[before] != 0; });
      if (!alive) continue;
      if (m.twice < 0) {
        to.known -= m.twice;
        to.field[m.bits[place + 1]] += m.twice;
      } else if (place + 2 == m.bits.size()) {
        to.field[m.bits[place + 1]] += m.twice;
      }
    }
  }

  Int* row(std::size_t bit, std::size_t value) { return &rows_[(2 * bit + value) * size_]; }

  void sum_least(Level& level, std::size_t digit) const {
    Int rest = 0;
    for (; digit < order_.digits.size() && order_.digits[digit].group; ++digit) {
      const Digit& d = order_.digits[digit];
      const Int* first = &level.field[d.first];
      if (d.count > 0) rest += *std::min_element(first, first + d.count);
    }
    const std::size_t from = digit < order_.digits.size() ? order_.digits[digit].first : size_;
    for (std::size_t b = from; b < size_; ++b) rest += std::min<Int>(0, level.field[b]);
    level.rest = rest;
  }

  const Order& order_;
  std::size_t size_;
  std::vector<Int> rows_;  // by bit, its value and a later bit: what the field there changes by
  std::vector<Int> at_;    // the same of what is known
  std::vector<Monomial> monomials_;
  std::vector<std::vector<std::pair<std::uint32_t, std::size_t>>> at_bit_;  // and the place in it
  std::vector<Bit> x_;                                                      // fixed so far
  std::vector<Level> levels_;
};

// What the choice of a bit does to the range of a form.
struct RangeStep {
  std::uint32_t form;
  std::int64_t least, most;
};

template <class Int>
class Tree {
 public:
  Tree(const TreeModel& model, const TreeOptions& options)
      : model_(model), options_(options), order_(order_of(model)), f_(model.f, order_) {
    if (model.g) g_.emplace(*model.g, order_);
    f_.clash(model.clashes);
    clashes_.resize(model.bits);
    for (const auto& [i, j] : model.clashes) {
      const std::uint32_t a = order_.number[i], b = order_.number[j];
      clashes_[std::min(a, b)].push_back(std::max(a, b));
    }
    blocked_.assign(model.bits, 0);
    x_.assign(model.bits, 0);
    below_.assign(order_.digits.size() + 1, 0.0);
    for (std::size_t d = order_.digits.size(); d-- > 0;) {
      const Digit& digit = order_.digits[d];
      below_[d] = below_[d + 1] + (digit.group ? std::log2(std::max(1U, digit.count)) : 1.0);
    }
    turned_ = order_.digits.size();
    add_forms();
  }

  TreeResult run() {
    bool holds = true;
    for (std::size_t k = 0; k < ranges_.size(); ++k) {
      holds &= can_hold(static_cast<std::uint32_t>(k));
    }
    if (holds) visit(0);
    for (const TreeState& state : kept_) result_.best.push_back(state);
    return std::move(result_);
  }

 private:
  struct Range {
    std::int64_t least, most;
  };

  void add_forms() {
    ranges_.assign(model_.forms.size(), {0, 0});
    steps_.resize(2 * model_.bits);
    std::vector<std::vector<FormTerm>> at(order_.digits.size());  // with new numbers of bits
    std::vector<std::uint32_t> digit_of(model_.bits);
    for (std::uint32_t d = 0; d < order_.digits.size(); ++d) {
      for (std::uint32_t k = 0; k < order_.digits[d].count; ++k) {
        digit_of[order_.digits[d].first + k] = d;
      }
    }
    for (std::uint32_t form = 0; form < model_.forms.size(); ++form) {
      std::vector<std::uint32_t> digits;
      for (std::vector<FormTerm>& terms : at) terms.clear();
      for (const FormTerm& t : model_.forms[form]) {
        const std::uint32_t bit = order_.number[t.index];
        if (at[digit_of[bit]].empty()) digits.push_back(digit_of[bit]);
        at[digit_of[bit]].push_back({t.coefficient, bit});
      }
      for (std::uint32_t d : digits) add_steps(form, order_.digits[d], at[d]);
    }
    soft_ = 0;
    for (std::uint32_t form = 0; form < ranges_.size(); ++form) soft_ += price(form);
  }

  void add_steps(std::uint32_t form, const Digit& digit, const std::vector<FormTerm>& terms) {
    std::int64_t least = 0, most = 0;
    if (digit.group && terms.size() == digit.count) least = most = terms.front().coefficient;
    for (const FormTerm& t : terms) {
      least = std::min(least, t.coefficient);
      most = std::max(most, t.coefficient);
    }
    ranges_[form].least += least;
    ranges_[form].most += most;
    if (!digit.group) {
      const std::int64_t c = terms.front().coefficient;
      steps_[2 * digit.first].push_back({form, -least, -most});
      steps_[2 * digit.first + 1].push_back({form, c - least, c - most});
      return;
    }
    for (std::uint32_t bit = digit.first; bit < digit.first + digit.count; ++bit) {
      const auto term = std::find_if(terms.begin(), terms.end(),
                                     [&](const FormTerm& t) { return t.index == bit; });
      const std::int64_t c = term == terms.end() ? 0 : term->coefficient;
      steps_[2 * bit + 1].push_back({form, c - least, c - most});
    }
  }

  bool can_hold(std::uint32_t form) const {
    const WholeLimits& limits = model_.limits[form];
    return limits.price > 0 ||
           (ranges_[form].least <= limits.upper && ranges_[form].most >= limits.lower);
  }
  // What a soft form costs at least, in twice f.
  Int price(std::uint32_t form) const {
    const WholeLimits& limits = model_.limits[form];
    if (limits.price == 0) return 0;
    const std::int64_t beyond = std::max(
        {std::int64_t{0}, ranges_[form].least - limits.upper, limits.lower - ranges_[form].most});
    return static_cast<Int>(2 * limits.price) * static_cast<Int>(beyond);
  }

  Int bound(std::size_t level) const { return f_.least(level) + soft_; }
  bool hopeless(Int least) const {
    if (kept_.size() < options_.keep) return false;
    // Among states as good as the last one kept, those with smaller bits come first.
    return options_.keep == 1 ? least >= worst_ : least > worst_;
  }

  // So many nodes went into the branches below the highest level at which a second choice was made.
  // Where they are so large a power of the states there that at the same power the whole tree is
  // far beyond what is allowed, the rest is not tried.
  bool hardly_cut() const {
    if (!options_.brief || result_.nodes < kFirstEstimate || !std::has_single_bit(result_.nodes))
      return false;
    const double power =
        std::log2(static_cast<double>(result_.nodes)) / std::max(1.0, below_[turned_]);
    const double allowed = std::log2(static_cast<double>(options_.most_nodes));
    return power * below_.front() > kFarBeyond * allowed;
  }

  void visit(std::size_t level) {
    if (result_.end != TreeResult::complete) return;
    if (++result_.nodes % kNodesPerLook == 0 && options_.stopped && options_.stopped()) {
      result_.end = TreeResult::stopped;
      return;
    }
    if (result_.nodes > options_.most_nodes || hardly_cut()) {
      result_.end = TreeResult::too_many;
      return;
    }
    if (hopeless(bound(level))) return;
    if (g_ && g_->least(level) > static_cast<Int>(2 * model_.g_limit)) return;
    if (level == order_.digits.size()) {
      keep(bound(level));
      return;
    }
    const Digit& digit = order_.digits[level];
    if (!digit.group) {
      const bool first = f_.field(level, digit.first) < 0;
      choose(level, digit.first, first);
      turned_ = std::min(turned_, level);
      choose(level, digit.first, !first);
      return;
    }
    std::vector<std::uint32_t> bits(digit.count);
    std::iota(bits.begin(), bits.end(), digit.first);
    std::stable_sort(bits.begin(), bits.end(), [&](std::uint32_t a, std::uint32_t b) {
      return f_.field(level, a) < f_.field(level, b);
    });
    for (std::uint32_t bit : bits) {
      choose(level, bit, true);
      turned_ = std::min(turned_, level);
    }
  }

  void choose(std::size_t level, std::uint32_t bit, bool value) {
    if (value && blocked_[bit] > 0) return;
    const Int soft = soft_;
    bool holds = true;
    const std::vector<RangeStep>& steps = steps_[2 * bit + (value ? 1 : 0)];
    std::size_t done = 0;
    for (; done < steps.size() && holds; ++done) {
      const RangeStep& s = steps[done];
      soft_ -= price(s.form);
      ranges_[s.form].least += s.least;
      ranges_[s.form].most += s.most;
      soft_ += price(s.form);
      holds = can_hold(s.form);
    }
    if (holds) {
      x_[bit] = value ? 1 : 0;
      if (value) {
        for (std::uint32_t other : clashes_[bit]) ++blocked_[other];
      }
      f_.fix(level, bit, value);
      if (g_) g_->fix(level, bit, value);
      visit(level + 1);
      if (value) {
        for (std::uint32_t other : clashes_[bit]) --blocked_[other];
      }
      x_[bit] = 0;
    }
    while (done-- > 0) {
      ranges_[steps[done].form].least -= steps[done].least;
      ranges_[steps[done].form].most -= steps[done].most;
    }
    soft_ = soft;
  }

  void keep(Int twice) {
    TreeState state{static_cast<Wide>(twice) / 2, std::vector<Bit>(model_.bits)};
    for (std::size_t i = 0; i < model_.bits; ++i) state.x[order_.bits[i]] = x_[i];
    kept_.insert(std::move(state));
    if (kept_.size() > options_.keep) kept_.erase(std::prev(kept_.end()));
    worst_ = static_cast<Int>(2 * std::prev(kept_.end())->f);
  }

  struct Before {
    bool operator()(const TreeState& a, const TreeState& b) const {
      return a.f != b.f ? a.f < b.f : a.x < b.x;
    }
  };

  const TreeModel& model_;
  const TreeOptions& options_;
  Order order_;
  LeastValue<Int> f_;
  std::optional<LeastValue<Int>> g_;
  std::vector<std::vector<std::uint32_t>> clashes_;  // by bit: later ones
  std::vector<std::uint32_t> blocked_;               // by bit: how many clash with it
  std::vector<double> below_;                        // by level: log2 of the states from there on
  std::size_t turned_ = 0;                           // the highest level with a second choice
  std::vector<Range> ranges_;                        // by form
  std::vector<std::vector<RangeStep>> steps_;        // by bit and its value
  std::vector<Bit> x_;
  Int soft_ = 0, worst_ = 0;
  std::set<TreeState, Before> kept_;
  TreeResult result_;
};

}  // namespace

double states_log2(const TreeModel& model) {
  double states = 0.0;
  std::size_t grouped = 0;
  for (std::size_t k = 0; k < model.groups.size(); ++k) {
    states += std::log2(std::max(1.0, static_cast<double>(model.groups[k].size())));
    grouped += model.groups[k].size();
  }
  return states + static_cast<double>(model.bits - grouped);
}

TreeResult search_tree(const TreeModel& model, const TreeOptions& options) {
  bool narrow = model.unit.fits_64();
  if (model.g) {
    Wide size = model.g_limit + (model.g->constant < 0 ? -model.g->constant : model.g->constant);
    for (Wide value : model.g->linear) size += value < 0 ? -value : value;
    for (const WholePair& p : model.g->pairs) size += p.value < 0 ? -p.value : p.value;
    narrow &= size < (Wide{1} << 58);
  }
  return narrow ? Tree<std::int64_t>(model, options).run() : Tree<Wide>(model, options).run();
}

}  // namespace chainmail
