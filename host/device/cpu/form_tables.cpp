#include "device/cpu/form_tables.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

namespace chainmail {

namespace {

constexpr std::size_t kLongCouplings = 24, kAlike = 8;  // of a bit; bits with the same column
constexpr std::size_t kDenseBits = 2048;
constexpr std::size_t kTableEntries = std::size_t{1} << 22;

}  // namespace

FormTables::FormTables(const FormModel& model)
    : model_(&model), blocks_(model), slot_(model.bits, kNone) {
  // Contiguous rows pay off above a few per cent of the pairs.
  if (model.bits <= kDenseBits && model.pairs.items.size() > model.bits * model.bits / 32) {
    dense_.assign(model.bits * model.bits, 0.0);
    for (std::size_t i = 0; i < model.bits; ++i) {
      for (const Neighbour& n : model.pairs[i]) dense_[i * model.bits + n.spin] = n.value;
    }
  }
  for (std::uint32_t i = 0; i < model.bits; ++i) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> shared;  // by partner
    for (std::uint32_t k : model.monomials_at[i]) {
      const auto bits = model.monomials[k];
      if (model.monomial_values[k].spins != 0) {
        for (std::uint32_t bit : bits) shared[bit].push_back(k);
        continue;
      }
      of_bits_.items.insert(of_bits_.items.end(), {k, static_cast<std::uint32_t>(bits.size() - 1)});
      std::copy_if(bits.begin(), bits.end(), std::back_inserter(of_bits_.items),
                   [&](std::uint32_t bit) { return bit != i; });
    }
    for (const auto& [partner, monomials] : shared) {
      auto& words = (partner == i ? of_spins_ : shared_).items;
      if (partner != i) {
        words.insert(words.end(), {partner, static_cast<std::uint32_t>(monomials.size())});
      }
      words.insert(words.end(), monomials.begin(), monomials.end());
    }
    of_spins_.close();
    shared_.close();
    of_bits_.close();
  }
  soft_ = std::any_of(model.limits.begin(), model.limits.end(),
                      [](const FormLimits& limits) { return limits.soft(); });
  choose_slots();
  for (std::size_t form = 0; form < model.forms.size(); ++form) {
    const std::size_t first = free_in_.items.size();
    for (const FormTerm& t : model.forms[form]) {
      if (model.group_of[t.index] != kNone) continue;
      free_in_.items.push_back({t.index, t.coefficient < 0});
    }
    free_in_.close();
    if (free_in_[form].size() < 2) continue;
    for (std::size_t k = first; k < free_in_.items.size(); ++k) {
      places_.push_back({static_cast<std::uint32_t>(form), free_in_.items[k]});
    }
  }
  number_columns();
  for (std::uint32_t i = 0; i < model.bits; ++i) {
    for (std::uint32_t j : model.clashes[i]) {
      if (i < j && model.group_of[i] == kNone && model.group_of[j] == kNone) {
        edges_.emplace_back(i, j);
      }
    }
  }
}

void FormTables::number_columns() {
  const FormModel& m = *model_;
  const bool sparse = m.pairs.items.size() < kLongCouplings * m.bits;
  if (sparse || soft_ || places_.empty() || m.groups.size() > 0) return;
  std::map<std::vector<std::pair<std::uint32_t, std::int64_t>>, std::uint32_t> numbers;
  std::vector<std::pair<std::uint32_t, std::int64_t>> key;
  column_.resize(m.bits);
  for (std::uint32_t i : m.free_bits) {
    key.clear();
    for (const FormTerm& t : m.at_bit[i]) key.emplace_back(t.index, t.coefficient);
    column_[i] = numbers.emplace(key, static_cast<std::uint32_t>(numbers.size())).first->second;
  }
  different_ = numbers.size();
  if (kAlike * different_ > m.bits) column_.clear();
}

double FormTables::coupling(std::uint32_t i, std::uint32_t j) const {
  if (!dense_.empty()) return dense_[std::size_t{i} * model_->bits + j];
  const auto list = model_->pairs[i];
  const auto found =
      std::lower_bound(list.begin(), list.end(), j,
                       [](const Neighbour& n, std::uint32_t bit) { return n.spin < bit; });
  return found != list.end() && found->spin == j ? found->value : 0.0;
}

bool FormTables::clash(std::uint32_t i, std::uint32_t j) const {
  const auto list = model_->clashes[i];
  return std::binary_search(list.begin(), list.end(), j);
}

void FormTables::choose_slots() {
  const FormModel& m = *model_;
  const std::size_t forms = m.forms.size();
  std::vector<std::uint32_t> seen(forms, kNone);
  std::size_t largest = 0;
  for (std::size_t group = 0; group < m.groups.size(); ++group) {
    const auto members = m.groups[group];
    largest = std::max(largest, members.size());
    bool distinct = true;
    for (std::uint32_t bit : members) {
      std::size_t longest = 0;
      for (const FormTerm& t : m.at_bit[bit]) {
        if (m.forms[t.index].size() <= longest) continue;
        longest = m.forms[t.index].size();
        slot_[bit] = t.index;
      }
      if (slot_[bit] == kNone || seen[slot_[bit]] == group) distinct = false;
      if (slot_[bit] != kNone) seen[slot_[bit]] = static_cast<std::uint32_t>(group);
    }
    for (std::size_t k = 0; k < members.size() && !distinct; ++k) {
      slot_[members[k]] = static_cast<std::uint32_t>(forms + k);
    }
  }
  slots_ = forms + largest;
  if (m.groups.size() * slots_ <= kTableEntries) {
    member_table_.assign(m.groups.size() * slots_, kNone);
    for (std::size_t group = 0; group < m.groups.size(); ++group) {
      for (std::uint32_t bit : m.groups[group]) member_table_[group * slots_ + slot_[bit]] = bit;
    }
    return;
  }
  for (std::size_t group = 0; group < m.groups.size(); ++group) {
    const std::size_t first = member_lists_.items.size();
    for (std::uint32_t bit : m.groups[group]) member_lists_.items.emplace_back(slot_[bit], bit);
    std::sort(member_lists_.items.begin() + static_cast<std::ptrdiff_t>(first),
              member_lists_.items.end());
    member_lists_.close();
  }
}

std::uint32_t FormTables::member(std::uint32_t group, std::uint32_t slot) const {
  if (!member_table_.empty()) return member_table_[group * slots_ + slot];
  const auto list = member_lists_[group];
  const auto found = std::lower_bound(list.begin(), list.end(), std::pair(slot, 0u));
  return found != list.end() && found->first == slot ? found->second : kNone;
}

}  // namespace chainmail
