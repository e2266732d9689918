#include "exact/one_form.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <numeric>

namespace chainmail {

namespace {

constexpr std::int64_t kMostSums = std::int64_t{1} << 26;     // of a table
constexpr std::int64_t kMostChoices = std::int64_t{1} << 27;  // bytes that remember how
constexpr std::int64_t kMostSteps = std::int64_t{1} << 29;    // of filling it
constexpr std::size_t kMostHalf = std::size_t{1} << 20;       // states of one half
constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 4;

struct Choice {
  std::int64_t sum;  // what it adds to the form, at least 0
  std::int64_t f;
  std::uint32_t bit;  // that is one, or kNone
};
using Digits = std::vector<std::vector<Choice>>;

// The form as sums from 0 on, of which those from lower to upper are allowed.
struct Sums {
  Digits digits;
  std::int64_t lower = 0, upper = 0, most = 0;
};

bool right_kind(const TreeModel& m) {
  return m.limits.size() == 1 && m.limits.front().price == 0 && m.f.pairs.empty() &&
         m.f.monomials.empty() && !m.g && m.clashes.empty() && m.unit.fits_64();
}

Sums sums_of(const TreeModel& m) {
  std::vector<std::int64_t> coefficient(m.bits, 0);
  for (const FormTerm& t : m.forms[0]) coefficient[t.index] = t.coefficient;
  std::vector<char> grouped(m.bits, 0);
  Sums sums;
  const auto choice = [&](std::uint32_t bit) {
    return Choice{coefficient[bit], static_cast<std::int64_t>(m.f.linear[bit]), bit};
  };
  for (std::size_t k = 0; k < m.groups.size(); ++k) {
    std::vector<Choice>& digit = sums.digits.emplace_back();
    for (std::uint32_t bit : m.groups[k]) {
      grouped[bit] = 1;
      digit.push_back(choice(bit));
    }
  }
  for (std::uint32_t bit = 0; bit < m.bits; ++bit) {
    if (grouped[bit] == 0) sums.digits.push_back({{0, 0, kNone}, choice(bit)});
  }
  std::int64_t shift = 0;
  for (std::vector<Choice>& digit : sums.digits) {
    const auto by_sum = [](const Choice& a, const Choice& b) { return a.sum < b.sum; };
    const auto [least, most] = std::minmax_element(digit.begin(), digit.end(), by_sum);
    const std::int64_t low = least->sum;
    sums.most += most->sum - low;
    shift += low;
    for (Choice& c : digit) c.sum -= low;
  }
  const WholeLimits& limits = m.limits.front();
  sums.lower = limits.lower == kNoLower ? 0 : std::max<std::int64_t>(0, limits.lower - shift);
  sums.upper = limits.upper == kNoUpper ? sums.most : std::min(sums.most, limits.upper - shift);
  return sums;
}

// The same counted from the other end, if less is left out than taken.
void count_from_above(Sums& sums) {
  for (std::vector<Choice>& digit : sums.digits) {
    std::int64_t most = 0;
    for (const Choice& c : digit) most = std::max(most, c.sum);
    for (Choice& c : digit) c.sum = most - c.sum;
  }
  const std::int64_t lower = sums.lower;
  sums.lower = sums.most - sums.upper;
  sums.upper = sums.most - lower;
}

void divide(Sums& sums) {
  std::int64_t factor = 0;
  for (const std::vector<Choice>& digit : sums.digits) {
    for (const Choice& c : digit) factor = std::gcd(factor, c.sum);
  }
  if (factor <= 1) return;
  for (std::vector<Choice>& digit : sums.digits) {
    for (Choice& c : digit) c.sum /= factor;
  }
  sums.lower = (sums.lower + factor - 1) / factor;
  sums.upper = sums.upper < 0 ? -1 : sums.upper / factor;
  sums.most /= factor;
}

TreeState state_of(const TreeModel& model, const std::vector<std::uint32_t>& ones) {
  TreeState state{model.f.constant, std::vector<Bit>(model.bits, 0)};
  for (std::uint32_t bit : ones) {
    if (bit == kNone) continue;
    state.x[bit] = 1;
    state.f += model.f.linear[bit];
  }
  return state;
}

bool table_fits(const Sums& sums) {
  std::int64_t choices = 0;
  for (const std::vector<Choice>& digit : sums.digits) {
    if (digit.size() > 255) return false;
    choices += static_cast<std::int64_t>(digit.size());
  }
  const std::int64_t size = sums.upper + 1;
  return size <= kMostSums && size <= kMostSteps / std::max<std::int64_t>(1, choices) &&
         size <= kMostChoices / static_cast<std::int64_t>(sums.digits.size() + 1);
}

// The least f of every sum, digit by digit.
TreeResult by_table(const TreeModel& model, const Sums& sums,
                    const std::function<bool()>& stopped) {
  TreeResult result;
  const auto size = static_cast<std::size_t>(sums.upper + 1);
  std::vector<std::int64_t> least(size, kFar), next(size);
  std::vector<std::vector<std::uint8_t>> taken;
  least[0] = 0;
  for (const std::vector<Choice>& digit : sums.digits) {
    if (stopped && stopped()) {
      result.end = TreeResult::stopped;
      return result;
    }
    std::fill(next.begin(), next.end(), kFar);
    std::vector<std::uint8_t>& choice = taken.emplace_back(size, std::uint8_t{0});
    for (std::size_t k = 0; k < digit.size(); ++k) {
      for (auto to = static_cast<std::size_t>(digit[k].sum); to < size; ++to) {
        const std::int64_t from = least[to - static_cast<std::size_t>(digit[k].sum)];
        const std::int64_t f = from == kFar ? kFar : from + digit[k].f;
        if (f >= next[to]) continue;
        next[to] = f;
        choice[to] = static_cast<std::uint8_t>(k);
      }
      result.nodes += size;
    }
    std::swap(least, next);
  }
  const auto begin = least.begin() + static_cast<std::ptrdiff_t>(sums.lower);
  const auto best = std::min_element(begin, least.end());
  if (*best == kFar) return result;
  auto sum = static_cast<std::size_t>(best - least.begin());
  std::vector<std::uint32_t> ones;
  for (std::size_t d = sums.digits.size(); d-- > 0;) {
    const Choice& c = sums.digits[d][taken[d][sum]];
    ones.push_back(c.bit);
    sum -= static_cast<std::size_t>(c.sum);
  }
  result.best.push_back(state_of(model, ones));
  return result;
}

struct Half {
  std::int64_t sum, f;
  std::uint32_t state;  // in mixed radix
};

std::vector<Half> all_states(std::span<const std::vector<Choice>> digits) {
  std::vector<Half> all{{0, 0, 0}};
  std::uint32_t radix = 1;
  for (const std::vector<Choice>& digit : digits) {
    std::vector<Half> more;
    more.reserve(all.size() * digit.size());
    for (std::uint32_t k = 0; k < digit.size(); ++k) {
      for (const Half& h : all) {
        more.push_back({h.sum + digit[k].sum, h.f + digit[k].f, h.state + k * radix});
      }
    }
    radix *= static_cast<std::uint32_t>(digit.size());
    all = std::move(more);
  }
  return all;
}

void append_ones(std::span<const std::vector<Choice>> digits, std::uint32_t state,
                 std::vector<std::uint32_t>& ones) {
  for (const std::vector<Choice>& digit : digits) {
    ones.push_back(digit[state % digit.size()].bit);
    state /= static_cast<std::uint32_t>(digit.size());
  }
}

// Where the digits are cut in two, or 0: a half would have too many states.
std::size_t middle_of(const Digits& digits) {
  std::size_t cut = 0;
  std::size_t first = 1, second = 1;
  for (; cut < digits.size() && first * digits[cut].size() <= kMostHalf; ++cut) {
    first *= digits[cut].size();
    std::size_t rest = 1;
    for (std::size_t d = cut + 1; d < digits.size() && rest <= first; ++d) {
      rest *= digits[d].size();
    }
    if (rest <= first) {
      ++cut;
      break;
    }
  }
  for (std::size_t d = cut; d < digits.size(); ++d) {
    if (second > kMostHalf / digits[d].size()) return 0;
    second *= digits[d].size();
  }
  return cut;
}

// For ascending sums of the first half, the allowed sums of the second are a window that only moves
// down; the deque holds those of its states that beat all after them.
TreeResult by_halves(const TreeModel& model, const Sums& sums, std::size_t cut,
                     const std::function<bool()>& stopped) {
  const std::span<const std::vector<Choice>> all(sums.digits);
  std::vector<Half> first = all_states(all.subspan(0, cut));
  std::vector<Half> second = all_states(all.subspan(cut));
  TreeResult result;
  result.nodes = first.size() + second.size();
  if (stopped && stopped()) {
    result.end = TreeResult::stopped;
    return result;
  }
  const auto by_sum = [](const Half& a, const Half& b) {
    return a.sum != b.sum ? a.sum < b.sum : a.state < b.state;
  };
  std::sort(first.begin(), first.end(), by_sum);
  std::sort(second.begin(), second.end(), by_sum);
  std::reverse(second.begin(), second.end());
  std::deque<const Half*> window;
  std::size_t entered = 0;
  const Half *best_first = nullptr, *best_second = nullptr;
  for (const Half& a : first) {
    for (; entered < second.size() && a.sum + second[entered].sum >= sums.lower; ++entered) {
      while (!window.empty() && window.back()->f >= second[entered].f) window.pop_back();
      window.push_back(&second[entered]);
    }
    while (!window.empty() && a.sum + window.front()->sum > sums.upper) window.pop_front();
    if (window.empty()) continue;
    if (best_first == nullptr || a.f + window.front()->f < best_first->f + best_second->f) {
      best_first = &a;
      best_second = window.front();
    }
  }
  if (best_first == nullptr) return result;
  std::vector<std::uint32_t> ones;
  append_ones(all.subspan(0, cut), best_first->state, ones);
  append_ones(all.subspan(cut), best_second->state, ones);
  result.best.push_back(state_of(model, ones));
  return result;
}

}  // namespace

std::optional<OneFormResult> solve_one_form(const TreeModel& model,
                                            const std::function<bool()>& stopped) {
  if (!right_kind(model)) return std::nullopt;
  Sums sums = sums_of(model);
  divide(sums);
  if (sums.most - sums.lower < sums.upper) count_from_above(sums);
  if (sums.lower > sums.upper) return OneFormResult{{}, "the range of its sum"};
  if (table_fits(sums)) {
    return OneFormResult{by_table(model, sums, stopped), "dynamic programming"};
  }
  const std::size_t cut = middle_of(sums.digits);
  if (cut == 0) return std::nullopt;
  return OneFormResult{by_halves(model, sums, cut, stopped), "meeting in the middle"};
}

}  // namespace chainmail
