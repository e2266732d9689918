#include "device/cpu/form_replica.hpp"

#include <algorithm>
#include <cmath>

#include "device/cpu/form_kernels.hpp"

namespace chainmail {

namespace {

constexpr std::uint64_t kHot = 4;  // one in so many single moves raises the energy

}  // namespace

FormReplica::FormReplica(const FormTables& tables, const std::vector<FormLimits>& limits)
    : tables_(&tables),
      model_(&tables.model()),
      limits_(limits.data()),
      monomials_(tables),
      best_(model_->bits, 0),
      touched_by_(model_->forms.size(), 0) {
  set(model_->origin());
}

void FormReplica::set(std::span<const Bit> x) {
  const FormModel& m = *model_;
  x_.assign(x.begin(), x.end());
  field_ = m.linear;
  clashes_.assign(tables_->has_clashes() ? m.bits : 0, 0);
  state_.assign(m.groups.size(), 0);
  sums_.assign(m.forms.size() + kBlock, 0);
  f_ = 0.0;
  for (std::uint32_t i = 0; i < m.bits; ++i) {
    if (x_[i] == 0) continue;
    f_ += field_[i];
    for (const FormTerm& t : m.at_bit[i]) sums_[t.index] += t.coefficient;
    for (const Neighbour& n : m.pairs[i]) field_[n.spin] += n.value;
    for (std::uint32_t j : m.clashes[i]) ++clashes_[j];
    if (m.group_of[i] != kNone) state_[m.group_of[i]] = i;
  }
  f_ += monomials_.set(x_, field_);
  for (std::size_t form = 0; form < m.forms.size() && tables_->has_soft(); ++form) {
    f_ += limits_[form].price * static_cast<double>(limits_[form].violation(sums_[form]));
  }
  refresh();
  violated_ = static_cast<std::int64_t>(m.violated(x_));
  best_f_ = std::numeric_limits<double>::infinity();
  pending_ = false;
}

void FormReplica::begin(const Parameters& parameters, std::uint64_t key) {
  beta_ = parameters.beta;
  penalty_ = parameters.beta > 0.0 ? parameters.beta_penalty / parameters.beta : 0.0;
  noise_.begin(key);
  best_f_ = std::numeric_limits<double>::infinity();
  pending_ = false;
  proposals_ = raised_ = accepted_ = 0;
}

void FormReplica::end() {
  refresh();
  changed();  // one that never moved was there too
}

void FormReplica::refresh() {
  const FormModel& m = *model_;
  g_ = 0.0;
  weights_.resize(m.forms.size() + kBlock, 0.0);
  for (std::size_t form = 0; form < m.forms.size(); ++form) {
    const FormLimits& limits = limits_[form];
    weights_[form] = limits.weight;
    g_ += limits.weight * static_cast<double>(limits.violation(sums_[form]));
  }
  std::int64_t twice = 0;
  for (std::size_t i = 0; i < clashes_.size(); ++i) twice += x_[i] != 0 ? clashes_[i] : 0;
  g_ += 0.5 * static_cast<double>(twice);
}

// A draw from the exact distribution of a bit.
bool FormReplica::draw_turn(double rise) {
  ++proposals_;
  double weight = std::abs(rise);
  boltzmann_weights(&weight, 1, beta_, 0.0);
  if ((1.0 - noise_.unit()) * (1.0 + weight) >= (rise <= 0.0 ? 1.0 : weight)) return false;
  raised_ += rise > 0.0 ? 1 : 0;
  ++accepted_;
  return true;
}

bool FormReplica::accept(double rise) {
  ++proposals_;
  if (rise <= 0.0) {
    ++accepted_;
    return true;
  }
  const double x = beta_ * rise;
  if (x > 44.0 || x >= noise_.threshold()) return false;
  ++raised_;
  ++accepted_;
  return true;
}

// Without soft forms, as most models are, there is nothing to add up for f.
FormChange FormReplica::form_change(std::uint32_t bit, std::int64_t direction) const {
  return tables_->has_soft() ? change_of<true>(bit, direction) : change_of<false>(bit, direction);
}

FormChange FormReplica::shift_forms(std::uint32_t bit, std::int64_t direction) {
  return tables_->has_soft() ? shift_by<true>(bit, direction) : shift_by<false>(bit, direction);
}

template <bool kSoft>
FormChange FormReplica::change_of(std::uint32_t bit, std::int64_t direction) const {
  FormChange change;
  for (const FormTerm& t : model_->at_bit[bit]) {
    const FormLimits& limits = limits_[t.index];
    const std::int64_t sum = sums_[t.index];
    const std::int64_t more =
        limits.violation(sum + direction * t.coefficient) - limits.violation(sum);
    change.g += limits.weight * static_cast<double>(more);
    if constexpr (kSoft) change.f += limits.price * static_cast<double>(more);
  }
  return change;
}

template <bool kSoft>
FormChange FormReplica::shift_by(std::uint32_t bit, std::int64_t direction) {
  FormChange change;
  for (const FormTerm& t : model_->at_bit[bit]) {
    const FormLimits& limits = limits_[t.index];
    std::int64_t& sum = sums_[t.index];
    const std::int64_t before = limits.violation(sum);
    sum += direction * t.coefficient;
    const std::int64_t after = limits.violation(sum);
    if (!kSoft || !limits.soft()) violated_ += (after > 0 ? 1 : 0) - (before > 0 ? 1 : 0);
    change.g += limits.weight * static_cast<double>(after - before);
    if constexpr (kSoft) change.f += limits.price * static_cast<double>(after - before);
  }
  return change;
}

void FormReplica::spread_fields(std::uint32_t bit, int direction) {
  const double d = direction;
  if (tables_->has_monomials()) monomials_.turned(bit, field_);
  if (!tables_->has_pairs()) return;
  if (const double* row = tables_->dense_row(bit)) {
    add_row(field_.data(), row, d, field_.size());
  } else {
    for (const Neighbour& n : model_->pairs[bit]) field_[n.spin] += d * n.value;
  }
}

void FormReplica::spread_clashes(std::uint32_t bit, int direction) {
  if (tables_->has_clashes()) {
    violated_ += direction * clashes_[bit];
    for (std::uint32_t j : model_->clashes[bit]) clashes_[j] += direction;
  }
}

void FormReplica::keep_best() {
  best_ = x_;
  pending_ = false;
}

std::span<const Bit> FormReplica::best_bits() {
  if (pending_) keep_best();
  return best_;
}

// The bit itself and its effect on others; the caller updates the sums of forms.
void FormReplica::turn(std::uint32_t bit, double df, double dg) {
  const int direction = x_[bit] != 0 ? -1 : 1;
  x_[bit] ^= 1;
  f_ += df;
  g_ += dg;
  spread_clashes(bit, direction);
  spread_fields(bit, direction);
}

// What turning these bits adds to f, but for forms: by turning them, and back.
double FormReplica::rise_together(std::initializer_list<std::uint32_t> bits) {
  double rise = 0.0;
  const auto turn_one = [&](std::uint32_t bit) {
    const int direction = x_[bit] != 0 ? -1 : 1;
    rise += direction * field_[bit];
    x_[bit] ^= 1;
    spread_fields(bit, direction);
  };
  for (std::uint32_t bit : bits) turn_one(bit);
  const double risen = rise;
  for (auto bit = std::rbegin(bits); bit != std::rend(bits); ++bit) turn_one(*bit);
  return risen;
}

void FormReplica::changed() {
  if (violated_ == 0) note_if_better();
}

BlockState FormReplica::block_state() const {
  return {&tables_->blocks(),
          x_.data(),
          field_.data(),
          tables_->has_clashes() ? clashes_.data() : nullptr,
          sums_.data(),
          weights_.data(),
          beta_,
          penalty_,
          heat_bath_};
}

// Rejected bits are skipped in blocks. Prices of soft forms are not in the blocks.
void FormReplica::flip_free_bits() {
  if (tables_->has_soft()) {
    for (std::uint32_t bit : model_->free_bits) flip(bit);
    return;
  }
  const auto blocks = tables_->blocks().free();
  const BlockState state = block_state();
  const std::uint64_t drawn = noise_.count();
  for (BlockPlace at{0, 0};;) {
    at = first_accepted(state, blocks, at, noise_.key(), drawn);
    if (at.block == blocks.size()) break;
    ++accepted_;
    const double before = energy();
    turn_free(blocks[at.block].bits[at.lane]);
    if (energy() > before) ++raised_;
    if (++at.lane == blocks[at.block].count) at = {at.block + 1, 0};
  }
  proposals_ += model_->free_bits.size();
  noise_.skip(kBlock * blocks.size());
}

void FormReplica::flip(std::uint32_t bit) {
  const int direction = x_[bit] != 0 ? -1 : 1;
  const FormChange change = form_change(bit, direction);
  double dg = change.g;
  if (tables_->has_clashes()) dg += direction * clashes_[bit];
  const double rise = direction * field_[bit] + change.f + penalty_ * dg;
  if (heat_bath_ ? draw_turn(rise) : accept(rise)) turn_free(bit);
}

void FormReplica::turn_free(std::uint32_t bit) {
  const int direction = x_[bit] != 0 ? -1 : 1;
  if (pending_) keep_best();
  const FormChange change = shift_forms(bit, direction);
  double dg = change.g;
  if (tables_->has_clashes()) dg += direction * clashes_[bit];
  turn(bit, direction * field_[bit] + change.f, dg);
  changed();
}

// Weights of a group's states, none of which is set; with prices one by one.
double FormReplica::weigh(std::uint32_t group) {
  const auto blocks = tables_->blocks().group(group);
  scratch_.resize(kBlock * blocks.size());
  block_sums_.resize(blocks.size());
  if (!tables_->has_soft()) {
    return group_weights(block_state(), blocks, scratch_.data(), block_sums_.data());
  }
  const auto members = model_->groups[group];
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < members.size(); ++k) {
    const FormChange change = form_change(members[k], 1);
    double dg = change.g;
    if (tables_->has_clashes()) dg += clashes_[members[k]];
    scratch_[k] = field_[members[k]] + change.f + penalty_ * dg;
    least = std::min(least, scratch_[k]);
  }
  boltzmann_weights(scratch_.data(), members.size(), beta_, least);
  double total = 0.0;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    block_sums_[b] = 0.0;
    for (std::size_t l = 0; l < blocks[b].count; ++l) block_sums_[b] += scratch_[kBlock * b + l];
    total += block_sums_[b];
  }
  return total;
}

// A member by its weight: first the block, then the lane. If rounding leaves a remainder, the last
// with any weight.
std::size_t FormReplica::draw_member(double left) const {
  const auto search = [&](const double* weights, std::size_t count) {
    std::size_t chosen = 0;
    for (std::size_t k = 0; k < count; ++k) {
      if (weights[k] == 0.0) continue;
      chosen = k;
      if (left < weights[k]) break;
      left -= weights[k];
    }
    return chosen;
  };
  const std::size_t first = kBlock * search(block_sums_.data(), block_sums_.size());
  return first + search(scratch_.data() + first, std::min(kBlock, scratch_.size() - first));
}

void FormReplica::resample(std::uint32_t group) {
  const std::uint32_t old = state_[group];
  const FormChange removed = shift_forms(old, -1);
  const double total = weigh(group);
  ++proposals_;
  const std::size_t chosen = draw_member(noise_.unit() * total);
  const auto members = model_->groups[group];
  const std::uint32_t bit = members[chosen];
  if (bit == old) {
    shift_forms(old, 1);
    return;
  }
  ++accepted_;
  const auto place =
      static_cast<std::size_t>(std::find(members.begin(), members.end(), old) - members.begin());
  if (scratch_[chosen] < scratch_[place]) ++raised_;
  if (pending_) keep_best();
  const double old_clash = tables_->has_clashes() ? clashes_[old] : 0.0;
  turn(old, removed.f - field_[old], removed.g - old_clash);
  const double clash = tables_->has_clashes() ? clashes_[bit] : 0.0;
  const FormChange added = shift_forms(bit, 1);
  turn(bit, field_[bit] + added.f, added.g + clash);
  state_[group] = bit;
  changed();
}

void FormReplica::swap_groups() {
  const std::size_t groups = model_->groups.size();
  const std::uint32_t first = noise_.below(groups), second = noise_.below(groups);
  if (first == second) return;
  const std::uint32_t a = state_[first], b = state_[second];
  const std::uint32_t slot_a = tables_->slot(a), slot_b = tables_->slot(b);
  if (slot_a == slot_b) return;
  const std::uint32_t to_a = tables_->member(first, slot_b), to_b = tables_->member(second, slot_a);
  if (to_a == kNone || to_b == kNone) return;

  double df = tables_->has_monomials() ? rise_together({a, b, to_a, to_b})
                                       : field_[to_a] + field_[to_b] - field_[a] - field_[b];
  if (tables_->has_pairs() && !tables_->has_monomials()) {
    df += tables_->coupling(a, b) + tables_->coupling(to_a, to_b) - tables_->coupling(to_a, b) -
          tables_->coupling(to_b, a);
  }
  double dg = 0.0;
  if (tables_->has_clashes()) {
    const auto clash = [&](std::uint32_t i, std::uint32_t j) {
      return tables_->clash(i, j) ? 1.0 : 0.0;
    };
    dg += clashes_[to_a] + clashes_[to_b] - clashes_[a] - clashes_[b];
    dg += clash(a, b) + clash(to_a, to_b) - clash(to_a, b) - clash(to_b, a);
  }
  const std::int64_t violated_before = violated_;
  FormChange change = shift_forms(a, -1);
  change += shift_forms(b, -1);
  change += shift_forms(to_a, 1);
  change += shift_forms(to_b, 1);
  df += change.f;
  dg += change.g;
  if (!accept(df + penalty_ * dg)) {
    shift_forms(to_b, -1);
    shift_forms(to_a, -1);
    shift_forms(b, 1);
    shift_forms(a, 1);
    violated_ = violated_before;
    return;
  }
  if (pending_) keep_best();
  turn(a, df, dg);
  turn(b, 0.0, 0.0);
  turn(to_a, 0.0, 0.0);
  turn(to_b, 0.0, 0.0);
  state_[first] = to_a;
  state_[second] = to_b;
  changed();
}

// Their forms are sorted, so common ones are merged.
template <bool kSoft>
FormChange FormReplica::pair_change(std::uint32_t p, std::uint32_t q, std::int64_t dp,
                                    std::int64_t dq) const {
  FormChange change;
  const auto add = [&](std::uint32_t form, std::int64_t step) {
    const FormLimits& limits = limits_[form];
    const std::int64_t sum = sums_[form];
    const auto more = static_cast<double>(limits.violation(sum + step) - limits.violation(sum));
    change.g += limits.weight * more;
    if constexpr (kSoft) change.f += limits.price * more;
  };
  const auto of_p = model_->at_bit[p], of_q = model_->at_bit[q];
  std::size_t i = 0, j = 0;
  while (i < of_p.size() && j < of_q.size()) {
    const FormTerm &a = of_p[i], &b = of_q[j];
    if (a.index == b.index) {
      add(a.index, dp * a.coefficient + dq * b.coefficient);
    } else if (a.index < b.index) {
      add(a.index, dp * a.coefficient);
    } else {
      add(b.index, dq * b.coefficient);
    }
    i += a.index <= b.index ? 1 : 0;
    j += b.index <= a.index ? 1 : 0;
  }
  for (; i < of_p.size(); ++i) add(of_p[i].index, dp * of_p[i].coefficient);
  for (; j < of_q.size(); ++j) add(of_q[j].index, dq * of_q[j].coefficient);
  return change;
}

// Both flip.
bool FormReplica::try_pair(std::uint32_t p, std::uint32_t q, bool clash) {
  const int dp = x_[p] != 0 ? -1 : 1, dq = x_[q] != 0 ? -1 : 1;
  const FormChange change =
      tables_->has_soft() ? pair_change<true>(p, q, dp, dq) : pair_change<false>(p, q, dp, dq);
  double df = change.f;
  if (tables_->has_monomials()) {
    df += rise_together({p, q});
  } else {
    df += dp * field_[p] + dq * field_[q];
    if (tables_->has_pairs()) df += dp * dq * tables_->coupling(p, q);
  }
  double dg = change.g;
  if (tables_->has_clashes()) dg += dp * clashes_[p] + dq * clashes_[q] + (clash ? dp * dq : 0);
  if (!accept(df + penalty_ * dg)) return false;
  if (pending_) keep_best();
  shift_forms(p, dp);
  shift_forms(q, dq);
  turn(p, df, dg);
  turn(q, 0.0, 0.0);
  changed();
  return true;
}

// A form by its length and two of its free bits, uniformly: as likely as the reverse.
void FormReplica::exchange_in_form() {
  const ExchangePlace& place =
      tables_->exchange_places()[noise_.below(tables_->exchange_places().size())];
  const auto bits = tables_->exchange_bits(place.form);
  const ExchangeBit first = place.of, second = bits[noise_.below(bits.size())];
  const std::uint32_t p = first.bit, q = second.bit;
  if ((x_[p] == x_[q]) == (first.lowers == second.lowers)) return;
  try_pair(p, q, tables_->has_clashes() && tables_->clash(p, q));
}

// The second bit is drawn, by its Boltzmann weight, from all that make up for the first in a form:
// where couplings are long, a random one is hardly ever accepted. As with repair chains, the
// reverse may be more or less likely.
void FormReplica::exchange_by_weight() {
  const auto& places = tables_->exchange_places();
  const ExchangePlace& place = places[noise_.below(places.size())];
  const std::uint32_t p = place.of.bit;
  const int dp = x_[p] != 0 ? -1 : 1;
  couplings_.resize(model_->bits, 0.0);
  for (const Neighbour& n : model_->pairs[p]) couplings_[n.spin] = n.value;
  by_column_.resize(tables_->different_columns());
  ++exchanges_;
  candidates_.clear();
  scratch_.clear();
  double least = std::numeric_limits<double>::infinity();
  for (const ExchangeBit& other : tables_->exchange_bits(place.form)) {
    const std::uint32_t q = other.bit;
    if ((x_[p] == x_[q]) == (place.of.lowers == other.lowers)) continue;
    const int dq = x_[q] != 0 ? -1 : 1;
    ColumnChange& change = by_column_[tables_->columns()[q]][x_[q]];
    if (change.at != exchanges_) change = {pair_change<false>(p, q, dp, dq).g, exchanges_};
    const double clash = tables_->has_clashes() ? dq * clashes_[q] : 0.0;
    candidates_.push_back(q);
    scratch_.push_back(dq * (field_[q] + dp * couplings_[q]) + penalty_ * (change.g + clash));
    least = std::min(least, scratch_.back());
  }
  const std::uint32_t q = candidates_.empty() ? p : draw_by_weight(least);
  for (const Neighbour& n : model_->pairs[p]) couplings_[n.spin] = 0.0;
  if (q != p) try_pair(p, q, tables_->has_clashes() && tables_->clash(p, q));
}

void FormReplica::exchange_on_edge() {
  const auto& [p, q] = tables_->edges()[noise_.below(tables_->edges().size())];
  if (x_[p] == x_[q]) return;
  try_pair(p, q, true);
}

void FormReplica::sweep(const FormMoves& moves) {
  heat_bath_ = moves.heat_bath;
  const std::uint64_t proposals = proposals_, raised = raised_;
  flip_free_bits();
  for (std::uint32_t group = 0; group < model_->groups.size(); ++group) resample(group);
  const bool hot = tables_->has_pairs() && kHot * (raised_ - raised) > proposals_ - proposals;
  if (tables_->has_swaps()) {
    const auto swaps =
        static_cast<std::size_t>(moves.swaps * static_cast<double>(model_->groups.size()));
    for (std::size_t k = 0; k < swaps; ++k) swap_groups();
  }
  const auto exchanges =
      static_cast<std::size_t>(moves.exchanges * static_cast<double>(model_->free_bits.size()));
  if (!tables_->exchange_places().empty()) {
    for (std::size_t k = 0; k < exchanges; ++k) exchange_in_form();
  }
  if (!tables_->edges().empty()) {
    for (std::size_t k = 0; k < exchanges; ++k) exchange_on_edge();
  }
  // While single moves go anywhere, chains do no more, and rewrite many fields.
  if (moves.chains > 0.0 && !hot) {
    const auto variables = model_->free_bits.size() + model_->groups.size();
    const auto chains = static_cast<std::size_t>(moves.chains * static_cast<double>(variables));
    const bool alike = !tables_->columns().empty();
    for (std::size_t k = 0; k < chains; ++k) alike ? exchange_by_weight() : chain();
  }
}

}  // namespace chainmail
