#include "jump/region.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace chainmail {

namespace {

constexpr double kLeastWanted = 6.0, kMostShare = 0.5;  // of the variables
constexpr double kSizes[] = {0.5, 1.0, 1.0, 2.0, 4.0};
constexpr double kGrow = 1.05, kShrink = 0.9;
constexpr std::size_t kOffered = 3;     // variables of a row, of which the cheapest is freed
constexpr std::size_t kRaised = 6;      // of those at zero, freed to repair a row
constexpr double kChain = 4.0;          // in variables of the region: what moves may pull in
constexpr std::size_t kScanned = 2000;  // terms of a long row searched for them
constexpr std::size_t kStarts = 8;      // variables, of which the one that costs most is freed
constexpr double kFillers = 2.0;        // in variables of the region
constexpr std::uint64_t kLeastWork = 20'000;
constexpr double kWorkATerm = 200.0;            // of the region's
constexpr std::uint64_t kAskEvery = 2'000'000;  // terms, a few milliseconds

}  // namespace

RegionSearch::RegionSearch(const JumpModel& model, std::uint64_t seed)
    : model_(model), engine_(seed), bound_(-std::numeric_limits<double>::infinity()) {
  cell_of_.assign(model.variables.size(), kNone);
  row_of_.assign(model.rows.size() + model.groups.size() + model.clashes.size(), kNone);
  std::int64_t common = 0;
  for (std::uint32_t v = 0; v < model.variables.size(); ++v) {
    const double cost = model.variables[v].cost;
    if (cost != std::floor(cost) || std::abs(cost) > 1e15) common = -1;
    if (common >= 0) common = std::gcd(common, static_cast<std::int64_t>(cost));
  }
  for (const JumpVariable& v : model.variables) costs_.push_back(v.cost);
  for (std::size_t g = 0; g < model.groups.size(); ++g) {
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t v : model.groups[g]) least = std::min(least, costs_[v]);
    for (std::uint32_t v : model.groups[g]) costs_[v] -= least;
  }
  grain_ = common > 0 ? static_cast<double>(common) : 0.0;
}

void RegionSearch::set(std::span<const std::int64_t> feasible) {
  x_.assign(feasible.begin(), feasible.end());
  sums_.assign(model_.rows.size(), 0);
  f_ = model_.constant;
  for (std::uint32_t v = 0; v < x_.size(); ++v) {
    f_ += model_.variables[v].cost * static_cast<double>(x_[v]);
    if (x_[v] == 0) continue;
    for (const FormTerm& t : model_.columns[v]) sums_[t.index] += t.coefficient * x_[v];
  }
  extra_total_ = 0.0;
  for (std::uint32_t v = 0; v < x_.size(); ++v) extra_total_ += extra_at(v, x_[v]);
  work_ += x_.size();
}

void RegionSearch::price(const JumpDuals& duals) {
  reduced_ = duals.reduced;
  bound_ = duals.bound;
  extra_total_ = 0.0;
  for (std::uint32_t v = 0; v < x_.size(); ++v) extra_total_ += extra_at(v, x_[v]);
}

double RegionSearch::extra_at(std::uint32_t v, std::int64_t value) const {
  if (reduced_.empty()) return 0.0;
  return reduced_[v] > 0.0 ? reduced_[v] * static_cast<double>(value)
                           : -reduced_[v] * static_cast<double>(model_.variables[v].upper - value);
}

template <typename Each>
void RegionSearch::each_row(std::uint32_t v, const Each& each) const {
  for (const FormTerm& t : model_.columns[v]) each(t.index, t.coefficient);
  const auto groups = static_cast<std::uint32_t>(model_.rows.size());
  if (model_.variables[v].group != kNone) each(groups + model_.variables[v].group, 1);
  const auto clashes = groups + static_cast<std::uint32_t>(model_.groups.size());
  for (const ClashEnd& end : model_.clashes_of[v]) each(clashes + end.clash, 1);
}

std::size_t RegionSearch::length(std::uint32_t row) const {
  const std::size_t rows = model_.rows.size(), groups = model_.groups.size();
  if (row < rows) return model_.terms[row].size();
  return row < rows + groups ? model_.groups[row - rows].size() : 2;
}

FormTerm RegionSearch::term(std::uint32_t row, std::size_t k) const {
  const std::size_t rows = model_.rows.size(), groups = model_.groups.size();
  if (row < rows) return model_.terms[row][k];
  if (row < rows + groups) return {1, model_.groups[row - rows][k]};
  const auto& ends = model_.clashes[row - rows - groups];
  return {1, k == 0 ? ends.first : ends.second};
}

std::int64_t RegionSearch::lower(std::uint32_t row) const {
  if (row < model_.rows.size()) return model_.rows[row].lower;
  return row < model_.rows.size() + model_.groups.size() ? 1 : 0;
}
std::int64_t RegionSearch::upper(std::uint32_t row) const {
  return row < model_.rows.size() ? model_.rows[row].upper : 1;
}
std::int64_t RegionSearch::sum(std::uint32_t row) const {
  if (row < model_.rows.size()) return sums_[row];
  if (row < model_.rows.size() + model_.groups.size()) return 1;
  const auto [v, w] = model_.clashes[row - model_.rows.size() - model_.groups.size()];
  return x_[v] + x_[w];
}

bool RegionSearch::add(std::uint32_t v) {
  if (cell_of_[v] != kNone) return false;
  cell_of_[v] = static_cast<std::uint32_t>(region_.size());
  region_.push_back(v);
  return true;
}

double RegionSearch::dear(std::uint32_t v) const {
  const JumpVariable& variable = model_.variables[v];
  const double cost = reduced_.empty() ? costs_[v] : reduced_[v];
  return x_[v] > 0 && variable.bit() ? -cost : cost;
}

// Walks from row to row, from a variable in one to the others there that block it.
void RegionSearch::choose() {
  region_.clear();
  const auto wanted = static_cast<std::size_t>(size_);
  start();
  std::vector<std::uint32_t> own;
  if (region_.empty()) return;
  for (std::size_t tries = 0; region_.size() < wanted && tries < 4 * wanted; ++tries) {
    if (tries % 64 == 63) start();  // parts may be apart
    const std::uint32_t from = region_[below(region_.size(), engine_)];
    own.clear();
    each_row(from, [&](std::uint32_t row, std::int64_t) { own.push_back(row); });
    work_ += own.size() + 1;
    if (own.empty()) continue;
    const std::uint32_t row = own[below(own.size(), engine_)];
    std::uint32_t chosen = kNone;
    for (std::size_t k = 0; k < kOffered; ++k) {
      const std::uint32_t v = term(row, below(length(row), engine_)).index;
      if (cell_of_[v] != kNone) continue;
      if (chosen == kNone || dear(v) < dear(chosen)) chosen = v;
    }
    if (chosen == kNone) continue;
    add(chosen);
    const std::int64_t x = x_[chosen], most = model_.variables[chosen].upper;
    const bool up = x == 0 || (x < most && below(2, engine_) == 0);
    moved_ = {{chosen, up ? 1 : x == most || below(2, engine_) == 0 ? -x : -1}};
    add_blockers();
  }
}

// A variable that costs something at its value, and what blocks its moving.
void RegionSearch::start() {
  std::uint32_t chosen = kNone;
  double most = -1.0;
  for (std::size_t k = 0; k < kStarts; ++k) {
    const std::uint32_t v = static_cast<std::uint32_t>(below(x_.size(), engine_));
    const double saved = costs_[v] * static_cast<double>(x_[v] - preferred(v));
    if (cell_of_[v] != kNone || saved <= most) continue;
    most = saved;
    chosen = v;
  }
  if (chosen == kNone) return;
  add(chosen);
  moved_ = {{chosen, preferred(chosen) - x_[chosen]}};
  if (moved_.front().second == 0) moved_.front().second = x_[chosen] > 0 ? -1 : 1;
  add_blockers();
}

// Moving it may break rows: others that repair them join and move in turn, as far as the region may
// grow.
void RegionSearch::add_blockers() {
  const auto most = static_cast<std::size_t>(kChain * size_);
  for (std::size_t k = 0; k < moved_.size(); ++k) {
    const auto [v, step] = moved_[k];
    each_row(v, [&, v = v, step = step](std::uint32_t row, std::int64_t c) {
      if (region_.size() < most) add_blockers(v, step, row, c);
    });
  }
}

void RegionSearch::add_blockers(std::uint32_t v, std::int64_t step, std::uint32_t row,
                                std::int64_t c) {
  const std::int64_t after = sum(row) + step * c;
  const std::int64_t missed = std::max(after - upper(row), lower(row) - after);
  if (missed <= 0) return;
  const bool low = after < lower(row);
  const std::size_t terms = length(row), first = below(terms, engine_);
  std::int64_t mended = 0;
  std::size_t raised = 0, seen = 0;
  for (; seen < std::min(terms, kScanned) && mended < 2 * missed; ++seen) {
    const FormTerm t = term(row, (first + seen) % terms);
    const std::int64_t x = x_[t.index];
    const bool raise = (t.coefficient > 0) == low;
    const std::int64_t room = raise ? model_.variables[t.index].upper - x : x;
    if (t.index == v || room == 0) continue;
    // Many are at zero; only a few of them are chosen.
    if (raise && x == 0 && (raised > kRaised || below(4, engine_) != 0)) continue;
    raised += raise ? 1 : 0;
    const std::int64_t size = std::abs(t.coefficient);
    const std::int64_t by = std::min(room, (missed + size - 1) / size);
    mended += by * size;
    if (add(t.index)) moved_.emplace_back(t.index, raise ? by : -by);
  }
  work_ += seen;
}

// The least sum of a row with all of the region free.
std::int64_t RegionSearch::free_least(std::uint32_t row) const {
  return row_of_[row] != kNone ? rows_[row_of_[row]].least : sum(row);
}

// Rows that the freed variables leave open may be closed by others that are compatible with those
// that stay: the cheapest of them join.
void RegionSearch::add_fillers() {
  struct Filler {
    double dear;
    std::uint32_t variable;
  };
  std::vector<Filler> fit;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const Row& open = rows_[k];
    if (open.sum >= open.lower) continue;
    std::size_t seen = 0;
    const std::size_t terms = length(rows_used_[k]);
    for (; seen < terms; ++seen) {
      const FormTerm t = term(rows_used_[k], seen);
      const std::uint32_t v = t.index;
      if (t.coefficient <= 0 || x_[v] != 0 || cell_of_[v] != kNone) continue;
      bool fits = true;
      std::size_t looked = 0;
      each_row(v, [&](std::uint32_t row, std::int64_t d) {
        ++looked;
        fits = fits && (d < 0 || free_least(row) + d <= upper(row));
      });
      work_ += looked;
      if (!fits) continue;
      cell_of_[v] = kNone - 1;
      fit.push_back({dear(v), v});
    }
    work_ += seen;
  }
  const auto most = static_cast<std::size_t>(kFillers * static_cast<double>(region_.size())) + 8;
  const std::size_t taken = std::min(most, fit.size());
  std::partial_sort(fit.begin(), fit.begin() + static_cast<std::ptrdiff_t>(taken), fit.end(),
                    [](const Filler& a, const Filler& b) {
                      return a.dear != b.dear ? a.dear < b.dear : a.variable < b.variable;
                    });
  for (const Filler& filler : fit) cell_of_[filler.variable] = kNone;
  for (std::size_t k = 0; k < taken; ++k) add(fit[k].variable);
}

// The value a variable takes if no row forbids it.
std::int64_t RegionSearch::preferred(std::uint32_t v) const {
  return costs_[v] > 0.0 ? 0 : costs_[v] < 0.0 ? model_.variables[v].upper : x_[v];
}

void RegionSearch::build() {
  for (std::uint32_t row : rows_used_) row_of_[row] = kNone;
  rows_used_.clear();
  rows_.clear();
  cells_.clear();
  columns_ = {};
  cost_ = f_;
  for (std::uint32_t v : region_) {
    const JumpVariable& variable = model_.variables[v];
    const std::int64_t value = preferred(v);
    cells_.push_back({0, variable.upper, value, costs_[v], reduced_.empty() ? 0.0 : reduced_[v]});
    cost_ += costs_[v] * static_cast<double>(value - x_[v]);
    each_row(v, [&](std::uint32_t row, std::int64_t c) {
      if (row_of_[row] == kNone) {
        row_of_[row] = static_cast<std::uint32_t>(rows_.size());
        rows_used_.push_back(row);
        const std::int64_t now = sum(row);
        rows_.push_back({lower(row), upper(row), now, now, now, 0, 0, false});
      }
      Row& r = rows_[row_of_[row]];
      const std::int64_t swing = c * variable.upper;
      r.least += std::min<std::int64_t>(0, swing) - c * x_[v];
      r.most += std::max<std::int64_t>(0, swing) - c * x_[v];
      r.sum += c * (value - x_[v]);
      r.widest = std::max(r.widest, std::abs(swing));
      ++r.open;
      columns_.items.push_back({row_of_[row], c});
    });
    columns_.close();
  }
  work_ += 2 * columns_.items.size();
}

void RegionSearch::list_terms() {
  std::vector<std::size_t>& at = terms_.start;
  at.assign(rows_.size() + 1, 0);
  for (const Column& c : columns_.items) ++at[c.row + 1];
  std::partial_sum(at.begin(), at.end(), at.begin());
  terms_.items.resize(columns_.items.size());
  std::vector<std::size_t> next(at.begin(), at.end() - 1);
  for (std::uint32_t cell = 0; cell < cells_.size(); ++cell) {
    for (const Column& c : columns_[cell]) terms_.items[next[c.row]++] = {cell, c.coefficient};
  }
}

// Beyond the bound, at least, of a cell within its limits.
double RegionSearch::extra_of(const Cell& c, std::int64_t upper_limit) const {
  return c.extra > 0.0 ? c.extra * static_cast<double>(c.lower)
                       : -c.extra * static_cast<double>(upper_limit - c.upper);
}

bool RegionSearch::fix(std::uint32_t cell, std::int64_t lower, std::int64_t upper) {
  Cell& c = cells_[cell];
  if (lower > upper) return false;
  trail_.push_back({cell, c.lower, c.upper, c.value});
  const std::int64_t all = model_.variables[region_[cell]].upper;
  const std::int64_t value = std::clamp(c.value, lower, upper);
  extra_ -= extra_of(c, all);
  change(cell, lower, upper, value);
  extra_ += extra_of(c, all);
  for (const Column& of : columns_[cell]) {
    if (rows_[of.row].queued) continue;
    rows_[of.row].queued = true;
    queue_.push_back(of.row);
  }
  return true;
}

void RegionSearch::change(std::uint32_t cell, std::int64_t lower, std::int64_t upper,
                          std::int64_t value) {
  Cell& c = cells_[cell];
  const std::int64_t rise = lower - c.lower, fall = upper - c.upper, step = value - c.value;
  const int open = (lower < upper ? 1 : 0) - (c.lower < c.upper ? 1 : 0);
  for (const Column& of : columns_[cell]) {
    Row& r = rows_[of.row];
    r.least += of.coefficient * (of.coefficient > 0 ? rise : fall);
    r.most += of.coefficient * (of.coefficient > 0 ? fall : rise);
    r.sum += of.coefficient * step;
    r.open = static_cast<std::uint32_t>(static_cast<int>(r.open) + open);
  }
  work_ += columns_[cell].size() + 1;
  cost_ += c.cost * static_cast<double>(step);
  c.lower = lower;
  c.upper = upper;
  c.value = value;
}

void RegionSearch::undo(std::size_t trail) {
  while (trail_.size() > trail) {
    const Kept kept = trail_.back();
    trail_.pop_back();
    const std::int64_t all = model_.variables[region_[kept.cell]].upper;
    extra_ -= extra_of(cells_[kept.cell], all);
    change(kept.cell, kept.lower, kept.upper, kept.value);
    extra_ += extra_of(cells_[kept.cell], all);
  }
}

bool RegionSearch::propagate() {
  bool holds = true;
  while (!queue_.empty()) {
    const std::uint32_t row = queue_.back();
    queue_.pop_back();
    rows_[row].queued = false;
    holds = holds && !pruned() && tighten(row);
  }
  return holds;
}

bool RegionSearch::tighten(std::uint32_t row) {
  const Row& r = rows_[row];
  if (r.least > r.upper || r.most < r.lower) return false;
  if (r.open == 0) return true;
  if (r.upper - r.least >= r.widest && r.most - r.lower >= r.widest) return true;
  const auto terms = terms_[row];
  work_ += terms.size();
  for (const Column& t : terms) {
    const Cell& c = cells_[t.row];
    if (c.lower == c.upper) continue;
    const std::int64_t size = std::abs(t.coefficient);
    const std::int64_t above = (r.upper - r.least) / size, below = (r.most - r.lower) / size;
    const std::int64_t width = c.upper - c.lower;
    if (above >= width && below >= width) continue;
    if (above < 0 || below < 0) return false;
    std::int64_t least = c.lower, most = c.upper;
    if (t.coefficient > 0) {
      most = std::min(most, c.lower + std::min(above, width));
      least = std::max(least, c.upper - std::min(below, width));
    } else {
      least = std::max(least, c.upper - std::min(above, width));
      most = std::min(most, c.lower + std::min(below, width));
    }
    if (!fix(t.row, least, most)) return false;
    if (r.least > r.upper || r.most < r.lower) return false;
  }
  return true;
}

// Branches on the violated row with the fewest open cells, and of these on the cheapest one that
// repairs it. False if none can.
bool RegionSearch::branch(bool& leaf) {
  std::uint32_t tightest = kNone;
  for (std::uint32_t k = 0; k < rows_.size(); ++k) {
    const Row& r = rows_[k];
    if (r.sum >= r.lower && r.sum <= r.upper) continue;
    if (tightest == kNone || r.open < rows_[tightest].open) tightest = k;
  }
  work_ += rows_.size() / 4;
  leaf = tightest == kNone;
  if (leaf) return true;
  const Row& r = rows_[tightest];
  const bool low = r.sum < r.lower;
  const std::int64_t missed = low ? r.lower - r.sum : r.sum - r.upper;
  std::uint32_t chosen = kNone;
  std::int64_t chosen_step = 0;
  double least = std::numeric_limits<double>::infinity();
  for (const Column& t : terms_[tightest]) {
    const Cell& c = cells_[t.row];
    if (c.lower == c.upper) continue;
    const bool raise = (t.coefficient > 0) == low;
    const std::int64_t room = raise ? c.upper - c.value : c.value - c.lower;
    if (room <= 0) continue;
    const std::int64_t size = std::abs(t.coefficient);
    const std::int64_t step = std::min(room, (missed + size - 1) / size);
    const double cost =
        (std::abs(c.cost) + (reduced_.empty() ? 0.0 : (raise ? c.extra : -c.extra))) *
        static_cast<double>(step);
    const double mends = static_cast<double>(std::min(missed, step * size));
    if (cost / mends >= least) continue;
    least = cost / mends;
    chosen = t.row;
    chosen_step = raise ? step : -step;
  }
  work_ += terms_[tightest].size();
  if (chosen == kNone) return false;
  const Cell c = cells_[chosen];
  const std::int64_t to = c.value + chosen_step;
  if (chosen_step > 0) {
    frames_.push_back({trail_.size(), chosen, c.lower, to - 1});
    fix(chosen, to, c.upper);
  } else {
    frames_.push_back({trail_.size(), chosen, to + 1, c.upper});
    fix(chosen, c.lower, to);
  }
  return true;
}

// Every value of the region's cells that may be better, by depth, until it has taken too long.
bool RegionSearch::enumerate(std::uint64_t work, const std::function<bool()>& going) {
  const std::uint64_t ends = work_ + work;
  std::uint64_t ask = work_ + kAskEvery;
  trail_.clear();
  frames_.clear();
  queue_.clear();
  for (std::uint32_t row = 0; row < rows_.size(); ++row) {
    queue_.push_back(row);
    rows_[row].queued = true;
  }
  bool holds = propagate();
  for (;;) {
    if (holds) holds = propagate() && !pruned();
    bool leaf = false;
    if (holds) holds = branch(leaf);
    if (holds && leaf) {
      keep();
      holds = false;
    }
    if (holds) continue;
    if (frames_.empty()) return true;
    if (work_ > ends) return false;
    if (going && work_ > ask) {
      if (!going()) return false;
      ask = work_ + kAskEvery;
    }
    const Frame frame = frames_.back();
    frames_.pop_back();
    undo(frame.trail);
    holds = fix(frame.cell, frame.lower, frame.upper);
  }
}

void RegionSearch::keep() {
  best_.clear();
  for (const Cell& c : cells_) best_.push_back(c.value);
  best_f_ = cost_;
  cutoff_ = cost_ - least_gain();
}

double RegionSearch::least_gain() const {
  return std::max(0.5 * grain_, 1e-9 * (1.0 + std::abs(f_)));
}

// The region's rows, and what the rest costs beyond the bound.
void RegionSearch::open() {
  list_terms();
  extra_ = bound_;
  if (!reduced_.empty()) {
    extra_ += extra_total_;
    for (std::uint32_t k = 0; k < region_.size(); ++k) {
      extra_ -= extra_at(region_[k], x_[region_[k]]);
    }
  }
  cutoff_ = f_ - least_gain();
  best_.clear();
}

// Takes what was found, if anything.
void RegionSearch::close() {
  for (std::size_t k = 0; k < best_.size(); ++k) {
    const std::uint32_t v = region_[k];
    const std::int64_t step = best_[k] - x_[v];
    if (step == 0) continue;
    for (const FormTerm& t : model_.columns[v]) sums_[t.index] += t.coefficient * step;
    extra_total_ += extra_at(v, best_[k]) - extra_at(v, x_[v]);
    x_[v] = best_[k];
  }
  if (!best_.empty()) f_ = best_f_;
  for (std::uint32_t v : region_) cell_of_[v] = kNone;
}

bool RegionSearch::step() {
  const std::size_t which = below(std::size(kSizes), engine_);
  size_ = std::min(std::max(kLeastWanted, wanted_ * kSizes[which]), static_cast<double>(x_.size()));
  choose();
  build();
  add_fillers();
  build();
  open();
  const bool whole =
      enumerate(kLeastWork + static_cast<std::uint64_t>(
                                 kWorkATerm * static_cast<double>(columns_.items.size())));
  if (kSizes[which] == 1.0)
    wanted_ = std::clamp(wanted_ * (whole ? kGrow : kShrink), kLeastWanted,
                         std::max(kLeastWanted, kMostShare * static_cast<double>(x_.size())));
  close();
  return !best_.empty();
}

bool RegionSearch::in_core(std::uint32_t v, double gap) const {
  const std::int64_t cheap = reduced_[v] > 0.0 ? 0 : model_.variables[v].upper;
  return std::abs(reduced_[v]) <= gap || x_[v] != cheap;
}

std::size_t RegionSearch::core_size() const {
  const double gap = core_gap();
  std::size_t size = 0;
  for (std::uint32_t v = 0; v < x_.size(); ++v) size += in_core(v, gap) ? 1 : 0;
  return size;
}

bool RegionSearch::core(std::uint64_t work, const std::function<bool()>& going) {
  if (least_gain() > 0.5 * grain_) return false;  // what is hardly better may be missed
  const double gap = core_gap();
  region_.clear();
  for (std::uint32_t v = 0; v < x_.size(); ++v) {
    if (in_core(v, gap)) add(v);
  }
  build();
  open();
  const bool whole = enumerate(work, going);
  close();
  return whole;
}

}  // namespace chainmail
