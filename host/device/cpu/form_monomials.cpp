#include "device/cpu/form_monomials.hpp"

namespace chainmail {

namespace {

// A number, how many follow, and those.
template <typename Visit>
void for_each(std::span<const std::uint32_t> lists, Visit visit) {
  for (std::size_t at = 0; at < lists.size();) {
    const std::uint32_t number = lists[at], count = lists[at + 1];
    visit(number, lists.subspan(at + 2, count));
    at += 2 + count;
  }
}

// In four sums, so that additions need not wait for each other.
double sum_at(std::span<const std::uint32_t> places, const double* values) {
  double sums[4] = {};
  std::size_t k = 0;
  for (; k + 4 <= places.size(); k += 4) {
    for (std::size_t l = 0; l < 4; ++l) sums[l] += values[places[k + l]];
  }
  for (; k < places.size(); ++k) sums[0] += values[places[k]];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

double FormMonomials::set(std::span<const Bit> x, std::span<double> field) {
  const FormModel& m = tables_->model();
  spin_.clear();
  for (Bit bit : x) spin_.push_back(bit != 0 ? 1.0 : -1.0);
  now_.assign(m.monomials.size(), 0.0);
  off_.assign(m.monomials.size(), 0);
  double f = 0.0;
  for (std::size_t k = 0; k < m.monomials.size(); ++k) {
    const auto bits = m.monomials[k];
    const auto [value, spins] = m.monomial_values[k];
    if (spins != 0) {
      now_[k] = value;
      for (std::uint32_t bit : bits) now_[k] *= spin_[bit];
      for (std::uint32_t bit : bits) field[bit] += 2.0 * now_[k] * spin_[bit];
      f += now_[k];
      continue;
    }
    for (std::uint32_t bit : bits) off_[k] += x[bit] != 0 ? 0 : 1;
    if (off_[k] == 0) f += value;
    for (std::uint32_t bit : bits) {
      if (off_[k] == (x[bit] != 0 ? 0 : 1)) field[bit] += value;
    }
  }
  return f;
}

void FormMonomials::turned(std::uint32_t bit, std::span<double> field) {
  spin_[bit] = -spin_[bit];
  // Of spins: the sign changes, and with it all it adds: 2 now s before, so 4 now s more.
  for (std::uint32_t k : tables_->products_of_spins(bit)) now_[k] = -now_[k];
  for_each(tables_->shared_products(bit), [&](std::uint32_t other, auto shared) {
    field[other] += 4.0 * spin_[other] * sum_at(shared, now_.data());
  });
  // Of bits: only where no other is zero do the others gain or lose it; where one is, that one.
  const bool on = spin_[bit] > 0.0;
  for_each(tables_->products_of_bits(bit), [&](std::uint32_t k, auto others) {
    const std::uint32_t zeros = on ? --off_[k] : off_[k]++;  // among the others
    if (zeros > 1) return;
    const double value = tables_->model().monomial_values[k].value;
    for (std::uint32_t other : others) {
      if (zeros == 0 || spin_[other] < 0.0) field[other] += on ? value : -value;
    }
  });
}

}  // namespace chainmail
