#include "problem/form_model.hpp"

#include <algorithm>

namespace chainmail {

namespace {

std::int64_t sum_of(std::span<const FormTerm> terms, std::span<const Bit> x) {
  std::int64_t sum = 0;
  for (const FormTerm& t : terms) sum += t.coefficient * x[t.index];
  return sum;
}

std::size_t ones_of(std::span<const std::uint32_t> bits, std::span<const Bit> x) {
  std::size_t ones = 0;
  for (std::uint32_t bit : bits) ones += x[bit];
  return ones;
}

// Lists of bits as lists by bit: `bit` of an item, and what stands for it there, given its list.
template <typename Item, typename To, typename BitOf, typename Turned>
void by_bit(const Lists<Item>& lists, std::size_t bits, Lists<To>& to, BitOf bit, Turned turned) {
  std::vector<std::size_t> count(bits + 1, 0);
  for (const Item& item : lists.items) ++count[bit(item) + 1];
  for (std::size_t i = 0; i < bits; ++i) count[i + 1] += count[i];
  to.start = count;
  to.items.resize(lists.items.size());
  for (std::size_t k = 0; k < lists.size(); ++k) {
    for (const Item& item : lists[k]) {
      to.items[count[bit(item)]++] = turned(item, static_cast<std::uint32_t>(k));
    }
  }
}

}  // namespace

void FormModel::finish() {
  by_bit(
      forms, bits, at_bit, [](const FormTerm& t) { return t.index; },
      [](const FormTerm& t, std::uint32_t form) {
        return FormTerm{t.coefficient, form};
      });
  by_bit(
      monomials, bits, monomials_at, [](std::uint32_t bit) { return bit; },
      [](std::uint32_t, std::uint32_t monomial) { return monomial; });
  group_of.assign(bits, kNone);
  for (std::size_t group = 0; group < groups.size(); ++group) {
    for (std::uint32_t bit : groups[group]) group_of[bit] = static_cast<std::uint32_t>(group);
  }
  free_bits.clear();
  for (std::size_t i = 0; i < bits; ++i) {
    if (group_of[i] == kNone) free_bits.push_back(static_cast<std::uint32_t>(i));
  }
  reach.assign(forms.size(), 0);
  for (std::size_t row = 0; row < forms.size(); ++row) {
    if (limits[row].soft() || limits[row].lower != limits[row].upper) continue;
    std::int64_t least = kNoUpper, second = kNoUpper;
    for (const FormTerm& t : forms[row]) {
      const std::int64_t size = t.coefficient < 0 ? -t.coefficient : t.coefficient;
      second = std::min(second, std::max(least, size));
      least = std::min(least, size);
    }
    if (second < kNoUpper) reach[row] = second;
  }
}

bool FormModel::no_objective() const {
  return pairs.items.empty() && monomial_values.empty() &&
         std::none_of(limits.begin(), limits.end(), [](const FormLimits& l) { return l.soft(); }) &&
         std::all_of(linear.begin(), linear.end(), [](double value) { return value == 0.0; });
}

double FormModel::f(std::span<const Bit> x) const {
  double value = constant;
  for (std::size_t i = 0; i < bits; ++i) {
    if (x[i] == 0) continue;
    value += linear[i];
    for (const Neighbour& n : pairs[i]) {
      if (n.spin > i && x[n.spin] != 0) value += n.value;
    }
  }
  for (std::size_t k = 0; k < monomials.size(); ++k) {
    const std::size_t ones = ones_of(monomials[k], x), all = monomials[k].size();
    if (monomial_values[k].spins != 0) {
      value += (all - ones) % 2 == 0 ? monomial_values[k].value : -monomial_values[k].value;
    } else if (ones == all) {
      value += monomial_values[k].value;
    }
  }
  for (std::size_t row = 0; row < forms.size(); ++row) {
    if (!limits[row].soft()) continue;
    value += limits[row].price * static_cast<double>(limits[row].violation(sum_of(forms[row], x)));
  }
  return value;
}

double FormModel::g(std::span<const Bit> x) const {
  double value = 0.0;
  for (std::size_t row = 0; row < forms.size(); ++row) {
    const std::int64_t amount = limits[row].violation(sum_of(forms[row], x));
    value += limits[row].weight * static_cast<double>(amount);
  }
  for (std::size_t i = 0; i < bits; ++i) {
    if (x[i] == 0) continue;
    for (std::uint32_t j : clashes[i]) value += j > i && x[j] != 0 ? 1.0 : 0.0;
  }
  return value;
}

std::size_t FormModel::violated(std::span<const Bit> x) const {
  std::size_t count = 0;
  for (std::size_t row = 0; row < forms.size(); ++row) {
    if (!limits[row].soft() && limits[row].violation(sum_of(forms[row], x)) > 0) ++count;
  }
  for (std::size_t i = 0; i < bits; ++i) {
    if (x[i] == 0) continue;
    for (std::uint32_t j : clashes[i]) count += j > i && x[j] != 0 ? 1 : 0;
  }
  for (std::size_t group = 0; group < groups.size(); ++group) {
    count += ones_of(groups[group], x) != 1 ? 1 : 0;
  }
  return count;
}

bool FormModel::as_near_as_can_be(std::span<const Bit> x) const {
  std::size_t near = 0;
  for (std::size_t row = 0; row < forms.size(); ++row) {
    if (reach[row] == 0) continue;
    const std::int64_t amount = limits[row].violation(sum_of(forms[row], x));
    if (amount > 0 && amount < reach[row]) ++near;
  }
  return near == violated(x);
}

std::vector<bool> FormModel::violated_forms(std::span<const Bit> x) const {
  std::vector<bool> which(forms.size());
  for (std::size_t row = 0; row < forms.size(); ++row) {
    which[row] = limits[row].violation(sum_of(forms[row], x)) > 0;
  }
  return which;
}

std::vector<Bit> FormModel::origin() const {
  std::vector<Bit> x(bits, 0);
  for (std::size_t group = 0; group < groups.size(); ++group) x[groups[group].front()] = 1;
  return x;
}

bool FormModel::groups_hold(std::span<const Bit> x) const {
  for (std::size_t group = 0; group < groups.size(); ++group) {
    if (ones_of(groups[group], x) != 1) return false;
  }
  return true;
}

}  // namespace chainmail
