#include "exact/minorant.hpp"

#include <algorithm>
#include <cmath>

namespace chainmail {

namespace {

constexpr std::size_t kMostWork = 30'000'000;  // terms sorted
constexpr int kMultiplierBits = 24;            // behind the point

class Search {
 public:
  explicit Search(const TreeModel& model)
      : m_(model), ends_(model.bits), rows_of_(model.bits), group_of_(model.bits, kNone) {
    for (const WholePair& p : m_.f.pairs) {
      ends_[p.i].push_back({p.j, p.value});
      ends_[p.j].push_back({p.i, p.value});
    }
    for (std::uint32_t row = 0; row < m_.forms.size(); ++row) {
      if (m_.limits[row].price != 0) continue;
      for (const FormTerm& t : m_.forms[row]) rows_of_[t.index].push_back(row);
    }
    for (std::uint32_t k = 0; k < m_.groups.size(); ++k) {
      for (std::uint32_t bit : m_.groups[k]) group_of_[bit] = k;
    }
    product_.assign(m_.bits, 0);
  }

  Minorant run() {
    Minorant found{m_, {}};
    TreeModel& linear = found.linear;
    linear.f.pairs.clear();
    linear.f.constant *= 2;
    for (WholeLimits& limits : linear.limits) limits.price *= 2;
    for (std::uint32_t i = 0; i < m_.bits; ++i) {
      for (const End& end : ends_[i]) product_[end.bit] = end.value;
      Wide least = by_groups(i);
      std::optional<MinorantRow> best;
      for (std::uint32_t row : rows_of_[i]) {
        if (work_ > kMostWork) break;
        const std::optional<ByForm> value = by_form(i, row);
        if (!value || value->least <= least) continue;
        least = value->least;
        best = {i, row, value->times};
      }
      if (best) found.rows.push_back(*best);
      linear.f.linear[i] = 2 * m_.f.linear[i] + least;
      for (const End& end : ends_[i]) product_[end.bit] = 0;
    }
    return found;
  }

 private:
  struct End {
    std::uint32_t bit;
    Wide value;
  };
  struct Item {
    Wide product;
    std::int64_t weight;
    double ratio;
  };

  struct ByForm {
    Wide least;
    double times;
  };

  // One bit of each group is one, and of the group of bit i that is i.
  Wide by_groups(std::uint32_t i) const {
    Wide least = 0;
    std::vector<std::uint32_t> touched;
    for (const End& end : ends_[i]) {
      if (group_of_[end.bit] == kNone) {
        least += std::min<Wide>(0, end.value);
      } else if (group_of_[end.bit] != group_of_[i]) {
        touched.push_back(group_of_[end.bit]);
      }
    }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (std::uint32_t group : touched) {
      Wide best = product_[m_.groups[group].front()];
      for (std::uint32_t bit : m_.groups[group]) best = std::min(best, product_[bit]);
      least += best;
    }
    return least;
  }

  // A form without negative coefficients as a knapsack whose items may be split; groups do not
  // count here. Its multiplier is that of the item which is split, rounded: any is valid.
  std::optional<ByForm> by_form(std::uint32_t i, std::uint32_t row) {
    std::vector<Item> items;
    std::int64_t own = 0;
    double size = 0.0;
    Wide outside = 0;
    for (const End& end : ends_[i]) outside += std::min<Wide>(0, end.value);
    for (const FormTerm& t : m_.forms[row]) {
      if (t.coefficient < 0) return std::nullopt;
      if (t.index == i) {
        own = t.coefficient;
        continue;
      }
      const Wide product = product_[t.index];
      outside -= std::min<Wide>(0, product);
      items.push_back({product, t.coefficient,
                       static_cast<double>(product) / static_cast<double>(t.coefficient)});
      size += std::abs(static_cast<double>(product)) + static_cast<double>(t.coefficient);
    }
    work_ += items.size() + ends_[i].size();
    const WholeLimits& limits = m_.limits[row];
    const bool low = limits.lower != kNoLower, high = limits.upper != kNoUpper;
    const Wide lower = low ? Wide{limits.lower} - own : 0, upper = Wide{limits.upper} - own;
    if (high && upper < 0) return std::nullopt;  // the bit is never one
    std::sort(items.begin(), items.end(),
              [](const Item& a, const Item& b) { return a.ratio < b.ratio; });
    Wide weight = 0;
    double split = 0.0;
    for (const Item& item : items) {
      weight += item.weight;
      const bool full = high && weight > upper;
      if (item.ratio < 0.0 ? full : low && weight - item.weight < lower && weight >= lower) {
        split = item.ratio;
        break;
      }
      if (item.ratio >= 0.0 && (!low || weight >= lower)) break;
    }
    if (!(std::abs(split) * size < 0x1.0p80)) return std::nullopt;
    const Wide scale = Wide{1} << kMultiplierBits;
    const auto y = static_cast<Wide>(std::round(std::ldexp(-split, kMultiplierBits)));
    Wide sum = scale * outside - y * (y > 0 ? upper : lower);
    for (const Item& item : items) {
      sum += std::min<Wide>(0, scale * item.product + y * item.weight);
    }
    return ByForm{divided_up(sum, scale), std::ldexp(static_cast<double>(-y), -kMultiplierBits)};
  }

  const TreeModel& m_;
  std::vector<std::vector<End>> ends_;
  std::vector<std::vector<std::uint32_t>> rows_of_;
  std::vector<std::uint32_t> group_of_;
  std::vector<Wide> product_;  // by bit: with the bit that is looked at
  std::size_t work_ = 0;
};

}  // namespace

Minorant linear_minorant(const TreeModel& model) {
  return Search(model).run();
}

TreeModel quadratic_minorant(TreeModel model) {
  for (const WholeMonomial& m : model.f.monomials) {
    if (m.value < 0) model.f.linear[m.bits.front()] += m.value;
  }
  model.f.monomials.clear();
  return model;
}

}  // namespace chainmail
