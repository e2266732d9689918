#include "jump/jump_search.hpp"

#include <algorithm>
#include <cmath>

#include "jump/duals.hpp"
#include "jump/jump_state.hpp"
#include "jump/region.hpp"
#include "support/random.hpp"

namespace chainmail {

namespace {

constexpr std::uint64_t kAskEvery = 2'000'000;  // terms, a few milliseconds
constexpr std::size_t kLooked = 1000;           // terms of a long row, or reducing moves
constexpr std::size_t kSampledRows = 2;         // of those violated
constexpr std::size_t kLookedGroups = 40, kLookedMembers = 40;

// The price of violations falls while everything holds and rises while it does not.
constexpr double kEase = 0.9, kPress = 1.03, kPriceSpan = 100.0;
constexpr double kLeastTurn = 1e6;     // terms
constexpr std::uint64_t kFresh = 500;  // steps between two states kept for regions
constexpr double kShortest = 0.25, kLongest = 4.0;
constexpr double kLeastWeight = 0.25;
// As a share of the gap between bound and best: what costs more on its own is left alone for a
// turn. Beyond the whole gap nothing can be part of a better state; below it is a guess.
constexpr double kDear[] = {1.0, 0.1, 0.3, 0.03};
// A turn of one way to search begins with the brief one, in looks at all terms; the long one is all
// the time there is before the grid begins.
constexpr double kBrief = 300.0, kLong = 30'000.0;
constexpr std::uint64_t kByRule = std::uint64_t{1} << 62;  // work that only the rule ends

struct Move {
  std::uint32_t variable = kNone;
  std::int64_t step = 0;
  double change = 0.0, cost = 0.0, key = std::numeric_limits<double>::infinity();
};

}  // namespace

class JumpSearch::Search {
 public:
  Search(const FormModel& model, const JumpOptions& options)
      : shared_(std::make_shared<const JumpModel>(model)),
        model_(*shared_),
        options_(options),
        state_(model_),
        engine_(options.seed) {
    const std::size_t n = model_.variables.size();
    until_.assign(n, 0);
    last_.assign(n, 0);
    double costs = 0.0, count = 0.0;
    per_cost_.assign(n, 0.0);
    barred_.assign(n, 0);
    for (const JumpVariable& v : model_.variables) {
      if (v.group == kNone)
        free_.push_back(static_cast<std::uint32_t>(&v - model_.variables.data()));
      if (v.cost == 0.0) continue;
      costs += std::abs(v.cost);
      if (v.bit())
        per_cost_[static_cast<std::size_t>(&v - model_.variables.data())] = 1.0 / std::abs(v.cost);
      count += 1.0;
    }
    mean_cost_ = count > 0.0 ? costs / count : 1.0;
    price_ = mean_cost_;
    colouring_ = model_.rows.empty() && free_.empty();
    size_ = static_cast<double>(n + model_.terms.items.size() + 2 * model_.clashes.size());
    turn_ = std::max(kLeastTurn, kBrief * size_);
    turn_ends_ = static_cast<std::uint64_t>(turn_);
    linear_ =
        model_.pairs.items.empty() && std::none_of(model_.rows.begin(), model_.rows.end(),
                                                   [](const JumpRow& r) { return r.price > 0.0; });
    if (!options.start.empty()) {
      state_.set(model_.values(options.start));
    } else {
      std::vector<Bit> x(model.bits, 0);
      for (std::size_t g = 0; g < model.groups.size(); ++g) x[model.groups[g].front()] = 1;
      state_.set(model_.values(x));
    }
    note();
  }

  void run(std::uint64_t work, const JumpGoing& going) {
    const std::uint64_t ends = state_.work() + work;
    while (!done() && state_.work() < ends && (work < kByRule || below_limit())) {
      ++step_;
      state_.count(8);
      if (state_.work() > asked_ + kAskEvery) {
        asked_ = state_.work();
        take_best();
        if (!going(found_.best, state_.work())) break;
      }
      if (state_.work() > turn_ends_ && best_violated_ == 0) next_turn();
      if (way_ == Way::regions) {
        free_region();
      } else if (colouring_ && model_.no_objective) {
        recolour();
      } else {
        move();
      }
    }
    take_best();
    found_.work = state_.work();
    found_.steps = step_;
  }

  void take(std::span<const Bit> bits) {
    const std::vector<std::int64_t> values = model_.values(bits);
    state_.set(values);
    changed_.assign(values.size() + 1, 0);  // all is copied
    note();
    turn_ends_ = state_.work();  // a turn begins from it
  }

  bool done() const { return done_ || (aimed() && !linear_ && !options_.work); }
  const std::vector<double>& multipliers() const { return duals_.row; }
  const JumpFound& found() const { return found_; }

 private:
  // Three ways to improve a feasible state take turns, each from the best state: regions, a falling
  // limit on f, and prices that rise and fall. One that found something better gets a longer turn
  // next time, one that did not a shorter one.
  void next_turn() {
    if (model_.rows.empty()) return;
    if (turn_begun_) {
      double& length = length_[static_cast<std::size_t>(way_)];
      length = std::clamp(length * (best_f_ < turn_f_ ? 2.0 : 0.5), kShortest, kLongest);
    }
    turn_begun_ = true;
    turn_f_ = best_f_;
    if (way_ == Way::prices && ++turns_ % std::size(kDear) == 0) turn_ *= 2.0;
    way_ = way_ == Way::limit               ? Way::prices
           : way_ == Way::prices && linear_ ? Way::regions
                                            : Way::limit;
    turn_ends_ =
        state_.work() + static_cast<std::uint64_t>(turn_ * length_[static_cast<std::size_t>(way_)]);
    price_rows();
    if (way_ == Way::regions) {
      if (!regions_) regions_.emplace(model_, engine_());
      // Alternately from the best, and from where the prices last led.
      from_best_ = !from_best_ || fresh_.empty();
      regions_->set(from_best_ ? kept_ : fresh_);
      if (duals_.known()) regions_->price(duals_);
      return;
    }
    price_ = mean_cost_;
    state_.reset_weights(first_weights_);
    state_.set(way_ == Way::prices && duals_.known() ? duals_.relaxed : kept_);
    changed_.assign(kept_.size() + 1, 0);  // all is copied
  }

  void free_region() {
    const std::uint64_t before = regions_->work();
    const bool lower = regions_->step();
    state_.count(regions_->work() - before);
    if (!lower || regions_->f() >= best_f_) return;
    best_f_ = regions_->f();
    kept_.assign(regions_->values().begin(), regions_->values().end());
    changed_.assign(kept_.size() + 1, 0);
    found_.best_work = state_.work();
    pending_ = true;
    done_ = options_.target && best_f_ <= *options_.target;
  }

  // Rows start with the value of their limits as weights, and variables too expensive for any
  // better state are left alone.
  void price_rows() {
    if (!linear_) return;
    if (!duals_.known() || best_f_ - duals_.bound < 0.5 * priced_gap_) {
      duals_ = find_duals(model_, best_f_);
      priced_gap_ = best_f_ - duals_.bound;
      state_.count(duals_.work);
      first_weights_.clear();
      for (std::size_t r = 0; r < model_.rows.size(); ++r) {
        const double worth = std::abs(duals_.row[r]) / (model_.rows[r].unit * mean_cost_);
        first_weights_.push_back(std::max(kLeastWeight, worth));
      }
    }
    const double gap = kDear[turns_ % std::size(kDear)] * (best_f_ - duals_.bound);
    for (std::size_t v = 0; v < barred_.size(); ++v) {
      const double reduced = duals_.reduced[v];
      barred_[v] = reduced > gap ? 1 : -reduced > gap ? -1 : 0;
    }
  }
  bool barred(std::uint32_t v, std::int64_t step) const { return barred_[v] * step > 0; }

  void oscillate() {
    const bool holds = state_.violated().empty();
    Move m = reducing();
    if (!holds) {
      const Move down = m;
      m = mending();
      if (down.variable != kNone && down.key < m.key) m = down;
    }
    if (m.variable == kNone) return stir();
    apply(m, 3 + below(10, engine_));
    price_ = std::clamp(price_ * (state_.violated().empty() ? kEase : kPress),
                        mean_cost_ / kPriceSpan, mean_cost_ * kPriceSpan);
    if (m.key >= 0.0 && !state_.violated().empty()) state_.raise_weights();
    note();
    if (state_.violated().empty() && step_ > fresh_step_ + kFresh) {
      fresh_step_ = step_;
      fresh_.assign(state_.values().begin(), state_.values().end());
    }
  }

  bool aimed() const { return best_violated_ == 0; }  // a feasible state is to be improved

  bool below_limit() const {
    return static_cast<double>(state_.work()) <
           (options_.work ? static_cast<double>(*options_.work) : kLong * size_);
  }

  void move() {
    if (aimed() && way_ == Way::prices) return oscillate();
    double change = 0.0;
    for (std::size_t k = 0; aimed() && state_.f() >= best_f_ && k < 100; ++k) {
      if (!lower(change)) {
        if (state_.violated().empty()) return stir();
        break;
      }
    }
    if (!state_.violated().empty()) {
      Move mend = mending();
      // Saves what repairing will cost first, so that f is below the best when everything holds.
      if (aimed() && state_.f() + mend.cost >= best_f_ && lower(change)) mend = mending();
      if (mend.variable == kNone) return stir();
      change += mend.change;
      apply(mend, tenure());
      if (!state_.violated().empty() && (aimed() || change >= 0.0)) state_.raise_weights();
    }
    note();
  }

  // No move lowers f or repairs anything: take any move.
  void stir() {
    const auto v = static_cast<std::uint32_t>(below(model_.variables.size(), engine_));
    const JumpVariable& variable = model_.variables[v];
    if (variable.group != kNone && state_.state(variable.group) == v) return;
    const auto to =
        static_cast<std::int64_t>(below(static_cast<std::uint64_t>(variable.upper) + 1, engine_));
    const std::int64_t step = variable.group != kNone ? 1 : to - state_.value(v);
    if (step != 0) apply({v, step}, tenure());
    note();
  }

  bool lower(double& change) {
    const Move down = reducing();
    if (down.variable == kNone) return false;
    change += down.change;
    apply(down, 1);
    return true;
  }

  std::uint64_t tenure() { return model_.rows.empty() ? 2 : 3 + below(10, engine_); }

  void apply(const Move& m, std::uint64_t tenure) {
    const std::uint32_t group = model_.variables[m.variable].group;
    if (group != kNone) {
      const std::uint32_t from = state_.state(group);
      until_[from] = step_ + tenure;
      last_[from] = last_[m.variable] = step_;
      note_changed(from);
      note_changed(m.variable);
      state_.move_group(group, m.variable);
      return;
    }
    until_[m.variable] = step_ + tenure;
    last_[m.variable] = step_;
    note_changed(m.variable);
    state_.shift(m.variable, m.step);
  }

  void note() {
    const std::size_t violated = state_.violated().size();
    if (violated > best_violated_) return;
    if (violated == 0) {
      if (best_violated_ == 0 && state_.f() >= best_f_) return;
      best_f_ = state_.f();
      best_violated_ = 0;
      keep();
      done_ = model_.no_objective || (options_.target && best_f_ <= *options_.target);
      return;
    }
    if (violated == best_violated_) return;
    best_violated_ = violated;
    best_f_ = state_.f();
    keep();
  }

  void note_changed(std::uint32_t v) {
    if (changed_.size() <= kept_.size()) changed_.push_back(v);  // beyond that all is copied
  }

  void keep() {
    found_.best_work = state_.work();
    pending_ = true;
    if (kept_.empty() || changed_.size() > kept_.size()) {
      kept_.assign(state_.values().begin(), state_.values().end());
    } else {
      for (std::uint32_t v : changed_) kept_[v] = state_.value(v);
    }
    changed_.clear();
  }

  void take_best() {
    if (!pending_) return;
    pending_ = false;
    found_.best = {model_.bits(kept_), best_f_, best_violated_};
  }

  // Moves that lower f, by what they break relative to what they gain.
  Move reducing() {
    best_move_ = {};
    const auto offer = [&](std::uint32_t v, std::int64_t step, double change, double cost) {
      if (cost >= 0.0 || barred(v, step)) return;
      if (until_[v] > step_) return;
      better({v, step, change, cost,
              way_ == Way::prices ? change * price_ + cost
              : change > 0.0      ? change / -cost
                                  : cost});
    };
    if (linear_) {
      const auto all = state_.reducers();
      const std::size_t stride = all.size() / kLooked + 1;
      state_.count(all.size() / stride);
      for (std::size_t k = stride > 1 ? below(stride, engine_) : 0; k < all.size(); k += stride) {
        const std::uint32_t v = all[k];
        if (per_cost_[v] == 0.0) {
          offer_lower(v, offer);
          continue;
        }
        const double change = state_.turned(v);
        const double key = way_ == Way::prices ? change * price_ - 1.0 / per_cost_[v]
                           : change > 0.0      ? change * per_cost_[v]
                                               : -1.0 / per_cost_[v];
        if (key > best_move_.key) continue;
        if (until_[v] > step_ || barred(v, state_.value(v) != 0 ? -1 : 1)) continue;
        better({v, state_.value(v) != 0 ? -1 : 1, change, -1.0 / per_cost_[v], key});
      }
    } else {
      for (std::size_t k = 0; k < std::min(free_.size(), kLooked); ++k) {
        offer_lower(free_[below(free_.size(), engine_)], offer);
      }
      state_.count(kLooked);
    }
    const std::size_t groups = std::min(model_.groups.size(), kLookedGroups);
    for (std::size_t k = 0; k < groups; ++k) {
      const auto g = static_cast<std::uint32_t>(
          groups == model_.groups.size() ? k : below(model_.groups.size(), engine_));
      each_member(g, [&](std::uint32_t v) {
        const double cost = state_.group_cost(g, v);
        if (cost < 0.0) offer(v, 1, state_.group_moved(g, v), cost);
      });
    }
    return best_move_;
  }

  template <typename Offer>
  void offer_lower(std::uint32_t v, const Offer& offer) {
    const JumpVariable& variable = model_.variables[v];
    const std::int64_t x = state_.value(v);
    if (variable.bit()) {
      const std::int64_t step = x != 0 ? -1 : 1;
      offer(v, step, state_.turned(v), state_.cost(v, step));
      return;
    }
    const std::int64_t sign = state_.cost(v, 1) > 0.0 ? -1 : 1;
    const std::int64_t room = sign > 0 ? variable.upper - x : x;
    if (room == 0) return;
    const std::int64_t free = std::clamp<std::int64_t>(reach(v, sign), 1, room);
    state_.count(3 * model_.columns[v].size());
    for (std::int64_t step : {free, std::int64_t{1}, room}) {
      offer(v, sign * step, state_.shifted(v, sign * step), state_.cost(v, sign * step));
    }
  }

  // How many steps in this direction break nothing that holds.
  std::int64_t reach(std::uint32_t v, std::int64_t sign) const {
    std::int64_t most = kNoUpper;
    for (const FormTerm& t : model_.columns[v]) {
      const JumpRow& r = model_.rows[t.index];
      const std::int64_t rate = sign * t.coefficient, sum = state_.sum(t.index);
      if (r.violation(sum) > 0) continue;
      if (rate > 0 && r.upper < kNoUpper) most = std::min(most, (r.upper - sum) / rate);
      if (rate < 0 && r.lower > kNoLower) most = std::min(most, (sum - r.lower) / -rate);
    }
    return most;
  }

  template <typename Each>
  void each_member(std::uint32_t g, const Each& each) {
    const auto members = model_.groups[g];
    const std::size_t stride = members.size() / kLookedMembers + 1;
    state_.count(2 * members.size() / stride);
    for (std::size_t k = stride > 1 ? below(stride, engine_) : 0; k < members.size(); k += stride) {
      if (members[k] != state_.state(g)) each(members[k]);
    }
  }

  // The best move that reduces a violation; if all are tabu, the oldest.
  Move mending() {
    best_move_ = {};
    oldest_ = {};
    const auto violated = state_.violated();
    std::size_t looked = 0;
    for (std::size_t k = 0; k < std::min(violated.size(), kSampledRows) && looked < kLooked; ++k) {
      const std::uint32_t what = violated[below(violated.size(), engine_)];
      if (what < model_.rows.size()) {
        offer_row(what);
        looked += model_.terms[what].size();
      } else {
        const auto [v, w] = model_.clashes[what - model_.rows.size()];
        offer_off(v);
        offer_off(w);
        if (aimed()) break;
      }
    }
    return best_move_.variable != kNone ? best_move_ : oldest_;
  }

  void offer_mend(std::uint32_t v, std::int64_t step, double change, double cost) {
    if (barred(v, step)) return;
    // Expensive moves count less: what they repair divided by what they cost.
    const double dear = 1.0 + std::max(0.0, cost) / mean_cost_;
    const Move m{v, step, change, cost,
                 way_ == Way::prices ? change * price_ + cost
                 : change < 0.0      ? change / dear
                                     : change * dear};
    if (oldest_.variable == kNone || last_[v] < last_[oldest_.variable]) oldest_ = m;
    if (until_[v] <= step_) better(m);
  }

  void better(const Move& m) {
    if (m.key > best_move_.key) return;
    if (m.key == best_move_.key && last_[m.variable] >= last_[best_move_.variable]) return;
    best_move_ = m;
  }

  void offer_off(std::uint32_t v) {
    const std::uint32_t g = model_.variables[v].group;
    if (g == kNone) {
      offer_mend(v, -1, state_.turned(v), state_.cost(v, -1));
      return;
    }
    each_member(g, [&](std::uint32_t to) {
      offer_mend(to, 1, state_.group_moved(g, to), state_.group_cost(g, to));
    });
  }

  void offer_row(std::uint32_t row) {
    const JumpRow& r = model_.rows[row];
    const auto terms = model_.terms[row];
    const std::int64_t sum = state_.sum(row);
    const bool above = sum > r.upper;
    // There are few ones, and all are tried; of zeros in a long row only some.
    const std::size_t stride = terms.size() / kLooked + 1;
    std::size_t turn = stride > 1 ? below(stride, engine_) : 0;
    state_.count(terms.size());
    for (const FormTerm& t : terms) {
      const std::uint32_t v = t.index;
      const JumpVariable& variable = model_.variables[v];
      const std::int64_t sign = (t.coefficient > 0) == above ? -1 : 1;
      const std::int64_t x = state_.value(v);
      const std::int64_t room = sign > 0 ? variable.upper - x : x;
      if (room == 0) continue;
      if (sign > 0 && ++turn % stride != 0) continue;
      if (variable.group != kNone) {
        if (sign > 0) {
          offer_mend(v, 1, state_.group_moved(variable.group, v),
                     state_.group_cost(variable.group, v));
        } else {
          offer_off(v);
        }
      } else if (variable.bit()) {
        offer_mend(v, sign, state_.turned(v), state_.cost(v, sign));
      } else {
        const std::int64_t rate = std::abs(t.coefficient);
        const std::int64_t need = r.violation(sum);
        state_.count(4 * model_.columns[v].size());
        for (std::int64_t step : {(need + rate - 1) / rate, need / rate, reach(v, sign), room}) {
          step = std::min(step, room);
          if (step > 0)
            offer_mend(v, sign * step, state_.shifted(v, sign * step), state_.cost(v, sign * step));
        }
      }
    }
  }

  // All states of all clashing groups; the more there are, the longer the reverse is tabu (Hertz,
  // de Werra).
  void recolour() {
    Move chosen;
    std::size_t same = 0;
    std::uint32_t from_group = kNone;
    for (std::uint32_t g = 0; g < model_.groups.size(); ++g) {
      const std::uint32_t from = state_.state(g);
      const double gain = state_.turned(from);
      if (gain >= 0.0) continue;
      const auto members = model_.groups[g];
      state_.count(members.size());
      for (std::uint32_t to : members) {
        if (to == from) continue;
        const double change = gain + state_.turned(to);
        if (change > chosen.key) continue;
        if (until_[to] > step_ && static_cast<double>(state_.violated().size()) + change >=
                                      static_cast<double>(best_violated_)) {
          continue;
        }
        same = change < chosen.key ? 1 : same + 1;
        if (same > 1 && below(same, engine_) != 0) continue;
        chosen = {to, 1, change, 0.0, change};
        from_group = g;
      }
    }
    state_.count(model_.groups.size());
    if (from_group == kNone) return;
    apply(chosen, static_cast<std::uint64_t>(
                      0.6 * (static_cast<double>(state_.violated().size()) + chosen.change)) +
                      below(10, engine_));
    note();
  }

  std::shared_ptr<const JumpModel> shared_;  // by copies
  const JumpModel& model_;
  const JumpOptions options_;
  JumpState state_;
  Engine engine_;
  double size_ = 0.0;    // terms of all rows, ends of all clashes
  bool linear_ = false;  // f is
  bool colouring_ = false, done_ = false, pending_ = false;
  double mean_cost_ = 1.0;
  std::vector<std::uint32_t> free_;
  JumpDuals duals_;
  std::optional<RegionSearch> regions_;
  double priced_gap_ = 0.0;
  std::vector<double> first_weights_;
  std::vector<signed char> barred_;  // by variable: 1 may not rise, -1 may not fall
  std::vector<double> per_cost_;     // by bit: 1 / |cost|
  std::vector<std::uint64_t> until_, last_;
  std::uint64_t step_ = 0, asked_ = 0;
  std::size_t best_violated_ = std::numeric_limits<std::size_t>::max();
  double best_f_ = std::numeric_limits<double>::infinity();
  std::vector<std::int64_t> kept_;      // the best
  std::vector<std::uint32_t> changed_;  // since then, once or more
  Move best_move_, oldest_;
  std::vector<std::int64_t> fresh_;  // a feasible state that the prices led to recently
  std::uint64_t fresh_step_ = 0;
  bool from_best_ = false;
  enum class Way { limit, prices, regions } way_ = Way::limit;
  double length_[3] = {1.0, 1.0, 1.0};  // of each one's turns, in turn_
  bool turn_begun_ = false;
  double price_ = 1.0, turn_ = 0.0, turn_f_ = 0.0;
  std::uint64_t turn_ends_ = 0, turns_ = 0;
  JumpFound found_;
};

JumpSearch::JumpSearch(const FormModel& model, const JumpOptions& options)
    : search_(std::make_unique<Search>(model, options)) {}
JumpSearch::JumpSearch(const JumpSearch& other)
    : search_(std::make_unique<Search>(*other.search_)) {}
JumpSearch::~JumpSearch() = default;

void JumpSearch::run(const JumpGoing& going) {
  search_->run(kByRule, going);
}
void JumpSearch::run(std::uint64_t work, const JumpGoing& going) {
  search_->run(work, going);
}
void JumpSearch::take(std::span<const Bit> bits) {
  search_->take(bits);
}
bool JumpSearch::done() const {
  return search_->done();
}
const JumpFound& JumpSearch::found() const {
  return search_->found();
}
const std::vector<double>& JumpSearch::multipliers() const {
  return search_->multipliers();
}

JumpFound jump_search(const FormModel& model, const JumpOptions& options, const JumpGoing& going) {
  JumpSearch search(model, options);
  search.run(going);
  return search.found();
}

}  // namespace chainmail
