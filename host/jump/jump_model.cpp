#include "jump/jump_model.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "support/random.hpp"

namespace chainmail {

namespace {

// A column divided by its common factor; columns that are then equal are equivalent.
struct Direction {
  std::int64_t factor = 0;
  std::uint64_t hash = 0;
};

Direction direction_of(std::span<const FormTerm> column) {
  Direction d;
  for (const FormTerm& t : column) d.factor = std::gcd(d.factor, t.coefficient);
  if (d.factor == 0) return d;
  d.hash = column.size();
  for (const FormTerm& t : column) {
    d.hash = hash_of(d.hash, {t.index, static_cast<std::uint64_t>(t.coefficient / d.factor)});
  }
  return d;
}

bool is_multiple(std::span<const FormTerm> column, std::span<const FormTerm> of,
                 std::int64_t times) {
  return std::equal(column.begin(), column.end(), of.begin(), of.end(),
                    [&](const FormTerm& a, const FormTerm& b) {
                      return a.index == b.index && a.coefficient == times * b.coefficient;
                    });
}

}  // namespace

JumpModel::JumpModel(const FormModel& model) : source_(&model) {
  constant = model.constant;
  no_objective = model.no_objective();
  find_integers();
  add_variables();
  add_rows();
  add_clashes_and_pairs();
}

// Free bits whose columns and costs are multiples of one another, and whose weights reach every
// value between, are one integer.
void JumpModel::find_integers() {
  const FormModel& m = *source_;
  merged_.assign(m.bits, kNone);
  weight_of_.assign(m.bits, 1);
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> alike;
  std::vector<std::int64_t> factor(m.bits, 0);
  for (std::uint32_t i : m.free_bits) {
    if (!m.clashes[i].empty() || !m.pairs[i].empty() || m.at_bit[i].empty()) continue;
    const Direction d = direction_of(m.at_bit[i]);
    factor[i] = d.factor;
    alike[d.hash].push_back(i);
  }
  for (auto& [hash, bits] : alike) {
    if (bits.size() < 2) continue;
    std::stable_sort(bits.begin(), bits.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return factor[a] < factor[b]; });
    const std::uint32_t first = bits.front();
    std::int64_t reached = 0;
    for (std::uint32_t i : bits) {
      const std::int64_t times = factor[i] / factor[first];
      if (factor[i] % factor[first] != 0 || times > reached + 1) break;
      if (!is_multiple(m.at_bit[i], m.at_bit[first], times)) continue;
      if (m.linear[i] != static_cast<double>(times) * m.linear[first]) continue;
      merged_[i] = first;
      weight_of_[i] = times;
      reached += times;
    }
    if (reached == 1) merged_[first] = kNone;
  }
}

void JumpModel::add_variables() {
  const FormModel& m = *source_;
  variable_of_.assign(m.bits, kNone);
  std::vector<std::vector<std::uint32_t>> parts(m.bits);
  for (std::uint32_t i = 0; i < m.bits; ++i) {
    if (merged_[i] != kNone) parts[merged_[i]].push_back(i);
  }
  const auto add = [&](std::span<const std::uint32_t> bits, JumpVariable v, bool by_state) {
    for (std::uint32_t bit : bits) {
      variable_of_[bit] = static_cast<std::uint32_t>(variables.size());
      bits_of_.items.push_back(bit);
    }
    bits_of_.close();
    by_state_.push_back(by_state ? 1 : 0);
    variables.push_back(v);
  };
  for (std::uint32_t i : m.free_bits) {
    if (merged_[i] != kNone && merged_[i] != i) continue;
    if (merged_[i] == kNone) {
      add({&i, 1}, {1, m.linear[i], kNone}, false);
      continue;
    }
    std::stable_sort(parts[i].begin(), parts[i].end(), [&](std::uint32_t a, std::uint32_t b) {
      return weight_of_[a] < weight_of_[b];
    });
    std::int64_t upper = 0;
    for (std::uint32_t bit : parts[i]) upper += weight_of_[bit];
    add(parts[i], {upper, m.linear[i], kNone}, false);
  }
  for (std::size_t k = 0; k < m.groups.size(); ++k) {
    const auto members = m.groups[k];
    // State 0 does nothing, state k does what state 1 does, k times.
    bool integer = members.size() > 2 && m.at_bit[members[0]].empty();
    for (std::size_t s = 0; s < members.size() && integer; ++s) {
      const std::uint32_t bit = members[s];
      integer = m.clashes[bit].empty() && m.pairs[bit].empty();
      const auto times = static_cast<std::int64_t>(s);
      if (s == 0) continue;
      integer = integer && is_multiple(m.at_bit[bit], m.at_bit[members[1]], times) &&
                m.linear[bit] - m.linear[members[0]] ==
                    static_cast<double>(times) * (m.linear[members[1]] - m.linear[members[0]]);
    }
    if (integer) {
      constant += m.linear[members[0]];
      for (std::size_t s = 0; s < members.size(); ++s) {
        weight_of_[members[s]] = static_cast<std::int64_t>(s);
      }
      add(members,
          {static_cast<std::int64_t>(members.size()) - 1,
           m.linear[members[1]] - m.linear[members[0]], kNone},
          true);
      continue;
    }
    for (std::uint32_t bit : members) {
      groups.items.push_back(static_cast<std::uint32_t>(variables.size()));
      add({&bit, 1}, {1, m.linear[bit], static_cast<std::uint32_t>(groups.size())}, false);
    }
    groups.close();
  }
}

void JumpModel::add_rows() {
  const FormModel& m = *source_;
  for (std::size_t v = 0; v < variables.size(); ++v) {
    const std::uint32_t bit = bits_of_[v][by_state_[v] != 0 ? 1 : 0];
    for (const FormTerm& t : m.at_bit[bit]) columns.items.push_back(t);
    columns.close();
  }
  std::vector<std::size_t> count(m.forms.size() + 1, 0);
  for (const FormTerm& t : columns.items) ++count[t.index + 1];
  for (std::size_t r = 0; r < m.forms.size(); ++r) count[r + 1] += count[r];
  terms.start = count;
  terms.items.resize(columns.items.size());
  for (std::size_t v = 0; v < variables.size(); ++v) {
    for (const FormTerm& t : columns[v]) {
      terms.items[count[t.index]++] = {t.coefficient, static_cast<std::uint32_t>(v)};
    }
  }
  for (std::size_t r = 0; r < m.forms.size(); ++r) {
    const FormLimits& limits = m.limits[r];
    double squares = 0.0;
    std::int64_t largest = 0;
    bool plain = true;
    for (const FormTerm& t : terms[r]) {
      const JumpVariable& v = variables[t.index];
      const double swing = static_cast<double>(t.coefficient) * static_cast<double>(v.upper);
      squares += swing * swing;
      largest = std::max(largest, std::abs(t.coefficient));
      plain = plain && v.bit() && t.coefficient == 1;
    }
    const double rms = std::sqrt(squares / std::max(1.0, static_cast<double>(terms[r].size())));
    const double unit = 0.5 * std::exp2(-std::round(std::log2(std::max(1.0, rms))));
    rows.push_back({limits.lower, limits.upper, unit, limits.price, largest, plain});
  }
  entangled.assign(groups.size(), 0);
  std::vector<std::uint32_t> seen(rows.size(), kNone);
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    for (std::uint32_t v : groups[g]) {
      for (const FormTerm& t : columns[v]) {
        if (seen[t.index] == g) entangled[g] = 1;
        seen[t.index] = g;
      }
    }
  }
}

void JumpModel::add_clashes_and_pairs() {
  const FormModel& m = *source_;
  std::vector<std::size_t> at(variables.size() + 1, 0);
  for (std::uint32_t i = 0; i < m.bits; ++i) {
    for (std::uint32_t j : m.clashes[i]) {
      ++at[variable_of_[i] + 1];
      if (i < j) clashes.emplace_back(variable_of_[i], variable_of_[j]);
    }
  }
  std::partial_sum(at.begin(), at.end(), at.begin());
  clashes_of.start = at;
  clashes_of.items.resize(at.back());
  for (std::uint32_t k = 0; k < clashes.size(); ++k) {
    const auto [v, w] = clashes[k];
    clashes_of.items[at[v]++] = {w, k};
    clashes_of.items[at[w]++] = {v, k};
  }
  for (std::size_t v = 0; v < variables.size(); ++v) {
    for (const Neighbour& n : m.pairs[bits_of_[v].front()]) {
      pairs.items.push_back({variable_of_[n.spin], n.value});
    }
    pairs.close();
  }
}

std::vector<Bit> JumpModel::bits(std::span<const std::int64_t> values) const {
  std::vector<Bit> x(source_->bits, 0);
  for (std::size_t v = 0; v < variables.size(); ++v) {
    const auto parts = bits_of_[v];
    if (by_state_[v] != 0) {
      x[parts[static_cast<std::size_t>(values[v])]] = 1;
      continue;
    }
    std::int64_t rest = values[v];
    for (std::size_t k = parts.size(); k-- > 0;) {
      if (weight_of_[parts[k]] > rest) continue;
      x[parts[k]] = 1;
      rest -= weight_of_[parts[k]];
    }
  }
  return x;
}

std::vector<std::int64_t> JumpModel::values(std::span<const Bit> x) const {
  std::vector<std::int64_t> values(variables.size(), 0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] != 0) values[variable_of_[i]] += weight_of_[i];
  }
  return values;
}

}  // namespace chainmail
