#include "jump/jump_search.hpp"

#include <algorithm>
#include <cmath>

#include "jump/cover.hpp"
#include "jump/duals.hpp"
#include "jump/jump_moves.hpp"
#include "jump/region.hpp"
#include "support/random.hpp"

namespace chainmail {

namespace {

constexpr std::uint64_t kAskEvery = 2'000'000;  // terms, a few milliseconds

// The price of violations falls while everything holds and rises while it does not.
constexpr double kEase = 0.9, kPress = 1.03, kPriceSpan = 100.0;
constexpr double kLeastTurn = 1e6;     // terms
constexpr std::uint64_t kFresh = 500;  // steps between two states kept for regions
constexpr double kShortest = 0.25, kLongest = 4.0;
constexpr double kLeastWeight = 0.25;
constexpr double kPriceAgain = 0.1;  // of the gap when rows were last priced
// As a share of the gap between bound and best: what costs more on its own is left alone for a
// turn. Beyond the whole gap nothing can be part of a better state; below it is a guess.
constexpr double kDear[] = {1.0, 0.1, 0.3, 0.03};
// A turn of one way to search begins with the brief one, in looks at all terms; the long one is all
// the time there is before the grid begins.
constexpr double kBrief = 300.0, kLong = 30'000.0;
// Of the work so far, for all that may be better as one region; and when it is tried again.
constexpr double kCoreShare = 0.1, kSmaller = 0.9, kMoreWork = 4.0;
constexpr std::uint64_t kByRule = std::uint64_t{1} << 62;  // work that only the rule ends

}  // namespace

class JumpSearch::Search : private JumpMoves {
 public:
  Search(const FormModel& model, const JumpOptions& options)
      : JumpMoves(model, options.seed), options_(options) {
    colouring_ = model_.rows.empty() && free_.empty();
    covering_ = linear_ && CoverSearch::fits(model_);
    size_ = static_cast<double>(model_.variables.size() + model_.terms.items.size() +
                                2 * model_.clashes.size());
    turn_ = std::max(kLeastTurn, kBrief * size_);
    turn_ends_ = static_cast<std::uint64_t>(turn_);
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
    const auto still_going = [&] { return going(found_.best, state_.work()); };
    const std::uint64_t ends = state_.work() + work;
    while (!done() && state_.work() < ends && (work < kByRule || below_limit())) {
      ++step_;
      state_.count(8);
      if (state_.work() > asked_ + kAskEvery) {
        asked_ = state_.work();
        take_best();
        if (!still_going()) break;
      }
      if (state_.work() > turn_ends_ && best_violated_ == 0) next_turn(still_going);
      if (way_ == Way::regions) {
        improve(*regions_);
      } else if (way_ == Way::cover) {
        improve(*cover_);
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
  bool closed() const { return closed_; }
  const std::vector<double>& multipliers() const { return duals_.row; }
  const JumpFound& found() const { return found_; }

 private:
  // Three ways to improve a feasible state take turns, each from the best state: regions, a falling
  // limit on f, and prices that rise and fall. One that found something better gets a longer turn
  // next time, one that did not a shorter one.
  void next_turn(const std::function<bool()>& going) {
    if (model_.rows.empty()) return;
    if (turn_begun_) {
      double& length = length_[static_cast<std::size_t>(way_)];
      length = std::clamp(length * (best_f_ < turn_f_ ? 2.0 : 0.5), kShortest, kLongest);
    }
    turn_begun_ = true;
    turn_f_ = best_f_;
    if (way_ == Way::prices && ++turns_ % std::size(kDear) == 0) turn_ *= 2.0;
    way_ = way_ == Way::limit                  ? Way::prices
           : way_ == Way::prices && linear_    ? Way::regions
           : way_ == Way::regions && covering_ ? Way::cover
                                               : Way::limit;
    turn_ends_ =
        state_.work() + static_cast<std::uint64_t>(turn_ * length_[static_cast<std::size_t>(way_)]);
    priced_ = way_ == Way::prices;
    if (!duals_.known()) cover_anew();  // steps of duals depend on a good f
    price_rows(going);
    if (way_ == Way::cover) return cover_anew();
    if (way_ == Way::regions) {
      if (!regions_) regions_.emplace(model_, engine_());
      // Alternately from the best, and from where the prices last led.
      from_best_ = !from_best_ || fresh_.empty();
      regions_->set(from_best_ ? kept_ : fresh_);
      if (duals_.known()) regions_->price(duals_);
      if (duals_.known() && from_best_) try_core(going);
      return;
    }
    price_ = mean_cost_;
    state_.reset_weights(first_weights_);
    state_.set(way_ == Way::prices && duals_.known() ? duals_.relaxed : kept_);
    changed_.assign(kept_.size() + 1, 0);  // all is copied
  }

  // All that may still be better, as one region. Again only where less is left than in vain, or
  // there is much more time.
  void try_core(const std::function<bool()>& going) {
    const auto size = static_cast<double>(regions_->core_size());
    const double work = kCoreShare * static_cast<double>(state_.work());
    if (size > kSmaller * core_tried_ && work < kMoreWork * core_work_) return;
    core_tried_ = size;
    core_work_ = work;
    const std::uint64_t before = regions_->work();
    const bool whole = regions_->core(static_cast<std::uint64_t>(work), going);
    state_.count(regions_->work() - before);
    adopt(*regions_);
    closed_ = whole && regions_->f() <= best_f_;
    done_ = done_ || closed_;
  }

  void cover_anew() {
    if (!covering_) return;
    if (!cover_) cover_.emplace(model_, engine_());
    const std::uint64_t before = cover_->work();
    cover_->set(kept_, duals_);
    cover_->construct();
    state_.count(cover_->work() - before);
    adopt(*cover_);
  }

  template <typename Other>
  void improve(Other& search) {
    const std::uint64_t before = search.work();
    search.step();
    state_.count(search.work() - before);
    adopt(search);
  }

  template <typename Other>
  void adopt(const Other& search) {
    if (search.f() >= best_f_) return;
    best_f_ = search.f();
    kept_.assign(search.values().begin(), search.values().end());
    changed_.assign(kept_.size() + 1, 0);
    found_.best_work = state_.work();
    pending_ = true;
    done_ = options_.target && best_f_ <= *options_.target;
  }

  // Rows start with the value of their limits as weights, and variables too expensive for any
  // better state are left alone.
  void price_rows(const std::function<bool()>& going) {
    if (!linear_) return;
    if (!duals_.known() || best_f_ - duals_.bound < kPriceAgain * priced_gap_) {
      duals_ = find_duals(model_, best_f_, {.going = going});
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
  void oscillate() {
    const bool holds = state_.violated().empty();
    JumpMove m = reducing();
    if (!holds) {
      const JumpMove down = m;
      m = mending();
      if (down.variable != kNone && down.key < m.key) m = down;
    }
    if (m.variable == kNone) return stir();
    if (!holds && m.key >= 0.0 && mend_by_pair()) return note();
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

  bool below_limit() const {
    return static_cast<double>(state_.work()) <
           (options_.work ? static_cast<double>(*options_.work) : kLong * size_);
  }

  void move() {
    if (aimed() && priced_) return oscillate();
    double change = 0.0;
    for (std::size_t k = 0; aimed() && state_.f() >= best_f_ && k < 100; ++k) {
      if (!lower(change)) {
        if (state_.violated().empty()) return stir();
        break;
      }
    }
    if (!state_.violated().empty()) {
      JumpMove mend = mending();
      // Saves what repairing will cost first, so that f is below the best when everything holds.
      if (aimed() && state_.f() + mend.cost >= best_f_ && lower(change)) mend = mending();
      if (mend.variable == kNone) return stir();
      if (mend.change >= 0.0 && mend_by_pair()) return note();
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
    const JumpMove down = reducing();
    if (down.variable == kNone) return false;
    change += down.change;
    apply(down, 1);
    return true;
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

  // All states of all clashing groups; the more there are, the longer the reverse is tabu (Hertz,
  // de Werra).
  void recolour() {
    JumpMove chosen;
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

  const JumpOptions options_;
  double size_ = 0.0;  // terms of all rows, ends of all clashes
  bool colouring_ = false, covering_ = false, done_ = false, pending_ = false;
  JumpDuals duals_;
  std::optional<RegionSearch> regions_;
  std::optional<CoverSearch> cover_;
  double priced_gap_ = 0.0;
  std::vector<double> first_weights_;
  std::uint64_t asked_ = 0;
  double best_f_ = std::numeric_limits<double>::infinity();
  std::vector<std::int64_t> kept_;   // the best
  std::vector<std::int64_t> fresh_;  // a feasible state that the prices led to recently
  std::uint64_t fresh_step_ = 0;
  bool from_best_ = false, closed_ = false;
  double core_tried_ = std::numeric_limits<double>::infinity();  // variables
  double core_work_ = 0.0;
  enum class Way { limit, prices, regions, cover } way_ = Way::limit;
  double length_[4] = {1.0, 1.0, 1.0, 1.0};  // of each one's turns, in turn_
  bool turn_begun_ = false;
  double turn_ = 0.0, turn_f_ = 0.0;
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
bool JumpSearch::closed() const {
  return search_->closed();
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
