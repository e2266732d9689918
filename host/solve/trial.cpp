#include "solve/trial.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "grid/initial_states.hpp"
#include "grid/watch.hpp"
#include "ladder/geometric.hpp"
#include "problem/bits.hpp"
#include "support/random.hpp"

namespace chainmail {

namespace {

constexpr std::uint64_t kExchangeStream = 0x65786368;
constexpr std::size_t kWalks = 6;          // replicas whose path over the grid is plotted
constexpr std::size_t kDenseTrace = 256;   // rounds recorded one by one before thinning
constexpr double kTraceGrowth = 1.02;      // then a point every 2 %
constexpr std::uint64_t kAnnealBurst = 8;  // sweeps at one temperature
constexpr std::uint64_t kFirstAnneal = 8;  // the part of the anneal's sweeps that a first one takes
// Anneals that are mended (docs/lab/defaults.md): an anneal is that part of what it takes with its
// mending, the next one so much longer; a mending begins so much colder, and then such that the
// largest component is between these parts of all spins.
constexpr std::uint64_t kMendedPart = 5, kLonger = 4;
constexpr double kMendColder = 1.5, kMendStep = 1.04, kMostOfAll = 1.0 / 40,
                 kLeastOfAll = 1.0 / 120;
// Where all rows of a ladder mend in turns with it: its first turn in sweeps, the part of a turn
// that mending takes, where it begins at first, how far apart the rows begin, and the step.
constexpr std::uint64_t kFirstTurn = 2000, kPartOfTurn = 4;
constexpr double kRowsColder = 2.2, kRowsSpread = 1.5, kRowsStep = 1.1;

}  // namespace

Trial::Trial(const Problem& problem, const Embedding& embedding, const Ladder& ladder,
             const SolveOptions& options, std::size_t number, std::size_t device_grid,
             Device& device)
    : embedding_(&embedding),
      ladder_(&ladder),
      options_(&options),
      number_(number),
      device_grid_(device_grid),
      device_(&device),
      grid_(ladder.rows(), ladder.columns(), cell_parameters(ladder, device), options.swap_sets,
            options.method == Method::two_dimensional, swap_seed(options.seed, number)),
      best_(Judge(problem, embedding, options.accepts), embedding, options.keep),
      quench_(embedding.model.f),
      anneal_sweeps_(embedding.model.forms && number == 0 ? 0 : options.search.anneal_sweeps),
      walks_(std::min(kWalks, grid_.replicas())) {
  if (options.search.exchange_every > 0 || options.search.mend_sweeps > 0)
    exchange_.emplace(embedding.model.f);
  if (options.search.grow_weights) weights_.emplace(*embedding.model.forms);
  if (options.search.quench_every > 0) {
    best_.judge_later(options.target ? options.target : options.goal);
  }
}

// With forms the first trial continues from where the anneals that found the ladder ended.
void Trial::write_initial_states() {
  const std::vector<std::vector<Spin>>& starts = ladder_->starts;
  if (number_ == 0 && options_->known) best_.offer_judged(*options_->known);
  if (done()) note_point({0, best_.result().energy, best_.result().g, best_.feasible_energy()});
  if (number_ == 0 && !starts.empty()) {
    for (std::size_t replica = 0; replica < grid_.replicas(); ++replica) {
      device_->write_spins(device_grid_, replica, starts[replica % starts.size()]);
    }
    // The coldest row starts from the best.
    for (std::size_t k = 0; options_->known && k < grid_.columns(); ++k) {
      const auto& best = options_->known->solution;
      device_->write_spins(device_grid_, grid_.replica_at(grid_.rows() - 1, k), best);
    }
    return;
  }
  if (options_->initial.empty()) {
    write_random_states(*device_, *embedding_, device_grid_, grid_.replicas(), options_->seed,
                        number_);
    return;
  }
  const std::vector<Spin> spins = spread(*embedding_, options_->initial);
  for (std::size_t replica = 0; replica < grid_.replicas(); ++replica) {
    device_->write_spins(device_grid_, replica, spins);
  }
}

std::uint64_t Trial::next_burst_sweeps() const {
  const std::uint64_t per_swap = options_->sweeps_per_swap;
  const std::uint64_t wanted =
      annealing() ? std::min(kAnnealBurst, anneal().to - sweeps_) : per_swap - sweeps_ % per_swap;
  return std::min(
      {wanted, options_->sweeps - sweeps_, most_sweeps(embedding_->pbits(), grid_.replicas())});
}

std::uint64_t Trial::length() const {
  const std::optional<double> best = best_.feasible_energy();
  if (!options_->patience || !best || *best < options_->patience->never_below) {
    return options_->sweeps;
  }
  const Patience& patience = *options_->patience;
  const auto found = static_cast<double>(patience.before + best_.result().found_at_sweep);
  const auto enough = static_cast<std::uint64_t>(patience.factor * found);
  return std::min(options_->sweeps, std::max(patience.least, enough));
}

void Trial::start_burst() {
  const std::uint64_t sweeps = next_burst_sweeps();
  if (annealing()) {
    set_rows();
  } else if (passes(options_->search.quench_every, sweeps_, sweeps_ + sweeps)) {
    device_->descend_after(device_grid_, coldest());
  }
  device_->submit(device_grid_, grid_.parameters(), sweeps, rounds_);
}

void Trial::finish_burst() {
  const BurstResult& burst = device_->wait(device_grid_);
  last_burst_ = next_burst_sweeps();
  const bool annealed = annealing(), anneal_ends = ends_anneal(sweeps_ + last_burst_);
  const bool mends = annealed && anneal().mends;
  sweeps_ += last_burst_;
  skipped_ += burst.skipped;
  ++rounds_;
  best_.offer(burst, *device_, device_grid_, sweeps_);
  const std::size_t answer = grid_.answer_replica();
  take_notes(burst, answer);
  const bool raise = options_->hold_feasible &&
                     watch_.raise(sweeps_, burst.g[answer] <= embedding_->model.feasible);
  if (raise) set_rows();
  if (annealed) {
    if (anneal_ends && mends) {
      mend(burst);
    } else if (anneal_ends) {
      std::vector<Descent> found = quench(burst, lowest(burst));
      if (options_->search.mend_sweeps > 0) keep(std::move(found.front()));
    }
    if (!annealing()) {
      if (mends) unpark();
      set_rows();
    }
    if (done()) settle();
    return;
  }
  if (due(options_->search.quench_every)) quench(burst, coldest());
  const bool exchanged = exchange_components(burst);
  // A long burst comes in pieces; replicas swap at its end.
  const std::uint64_t per_swap = options_->sweeps_per_swap;
  if (sweeps_ % per_swap == 0 || done()) {
    grid_.swap_round((sweeps_ + per_swap - 1) / per_swap, exchanged ? energies_ : burst.f, burst.g);
  }
  if (weights_ && weights_->due(sweeps_)) grow_weights();
  if (options_->search.hold_penalty) hold_penalty(burst);
  if (turn_to_mend()) {
    std::vector<Descent> found = quench(burst, coldest());
    parked_ = spins();
    keep(std::move(*std::min_element(found.begin(), found.end(),
                                     [](const auto& a, const auto& b) { return a.f < b.f; })));
  }
  if (done()) settle();
}

void Trial::look_beside(Beside& beside, const JumpGoing& going) {
  const double f = best_.feasible_energy().value_or(std::numeric_limits<double>::infinity());
  const auto state = [&] { return bits_of(best_.result().solution); };
  const std::uint64_t updates = last_burst_ * grid_.replicas() * embedding_->pbits();
  if (!beside.after(updates, f, state, going) && !beside.closed()) return;
  const std::vector<Spin> found = spins_of(beside.best().bits);
  best_.offer_state(found, beside.best().f, sweeps_);
  device_->write_spins(device_grid_, grid_.replica_at(grid_.rows() - 1, grid_.columns() - 1),
                       found);
  if (done()) settle();
}

Ladder Trial::ladder() const {
  Ladder now = *ladder_;
  if (watch_.factor() > 1.0) now.penalty.back() *= watch_.factor();
  for (double& penalty : now.penalty) penalty *= penalty_.factor();
  if (cold_end_.factor() > 1.0) {
    now.beta = geometric_rows(now.beta.front(), now.beta.back() * cold_end_.factor(), now.rows());
  }
  return now;
}

// While annealing a row is at most as cold as the common temperature of the moment, which goes from
// the hottest row's to the coldest one's. It does so twice: a short anneal gives a run that is
// stopped early its answer, the long one the ladder its states. Where a ladder would be of no use,
// anneals of twice the length each follow.
void Trial::set_rows() {
  Ladder now = ladder();
  if (annealing()) {
    const auto [from, to, mends] = anneal();
    const double done = static_cast<double>(sweeps_ - from) / static_cast<double>(to - from);
    const double cold = now.beta.back();
    const double first = anneals_on() ? options_->search.anneal_from : now.beta.front();
    for (std::size_t row = 0; row < now.rows(); ++row) {
      const double hot = mends ? std::min(cold, mend_from_ * mend_spread(row)) : first;
      const double most = hot * std::pow(cold / hot, done);
      now.beta[row] = anneals_on() || mends ? most : std::min(now.beta[row], most);
    }
  }
  grid_.set_parameters(cell_parameters(now, *device_));
}

Trial::Anneal Trial::anneal() const {
  const std::uint64_t first = std::max<std::uint64_t>(1, anneal_sweeps_ / kFirstAnneal);
  if (const std::uint64_t mend = options_->search.mend_sweeps; anneals_on() && mend > 0) {
    std::uint64_t from = 0, length = first;
    while (sweeps_ >= from + kMendedPart * length) {
      from += kMendedPart * length;
      length = std::max(anneal_sweeps_, from == kMendedPart * first ? 0 : kLonger * length);
    }
    if (sweeps_ < from + length) return {from, from + length};
    const std::uint64_t end = from + kMendedPart * length;
    from += length;
    from += (sweeps_ - from) / mend * mend;
    return {from, std::min(from + mend, end), true};
  }
  if (const auto mend = turn_to_mend()) return *mend;
  Anneal now{0, first};
  if (sweeps_ < now.to) return now;
  now = {now.to, std::max(anneal_sweeps_, now.to + 1)};
  while (sweeps_ >= now.to) now = {now.to, now.to + 2 * (now.to - now.from)};
  return now;
}

// Each turn of the ladder is followed by a quarter of it for mending, and is twice as long as its
// last.
std::optional<Trial::Anneal> Trial::turn_to_mend() const {
  const std::uint64_t mend = options_->search.mend_sweeps;
  if (mend == 0 || anneals_on() || sweeps_ < anneal_sweeps_) return {};
  std::uint64_t from = anneal_sweeps_, length = kFirstTurn;
  for (; sweeps_ >= from + length + length / kPartOfTurn; length *= 2) {
    from += length + length / kPartOfTurn;
  }
  if (sweeps_ < from + length) return {};
  from += length;
  const std::uint64_t end = from + length / kPartOfTurn;
  from += (sweeps_ - from) / mend * mend;
  return Anneal{from, std::min(from + mend, end), true};
}

// Rows that mend together begin above and below the temperature of the moment.
double Trial::mend_spread(std::size_t row) const {
  if (grid_.rows() == 1) return 1.0;
  const double place = static_cast<double>(row) / static_cast<double>(grid_.rows() - 1);
  return std::pow(kRowsSpread, place - 0.5);
}

bool Trial::passes(std::uint64_t every, std::uint64_t from, std::uint64_t to) {
  return every > 0 && to / every != from / every;
}

// Row by row from the coldest on.
std::vector<std::size_t> Trial::coldest() const {
  std::vector<std::size_t> replicas;
  for (std::size_t k = 0; k < std::min(options_->search.quench_rows, grid_.rows()); ++k) {
    for (std::size_t column = 0; column < grid_.columns(); ++column) {
      replicas.push_back(grid_.replica_at(grid_.rows() - 1 - k, column));
    }
  }
  return replicas;
}

// As many replicas as the ladder would descend from.
std::vector<std::size_t> Trial::lowest(const BurstResult& burst) const {
  std::vector<std::size_t> replicas(grid_.replicas());
  std::iota(replicas.begin(), replicas.end(), std::size_t{0});
  std::stable_sort(replicas.begin(), replicas.end(),
                   [&](std::size_t a, std::size_t b) { return burst.f[a] < burst.f[b]; });
  replicas.resize(std::min(replicas.size(), options_->search.quench_rows));
  return replicas;
}

std::vector<Descent> Trial::quench(const BurstResult& burst,
                                   const std::vector<std::size_t>& replicas) {
  const SearchOptions& search = options_->search;
  const std::vector<Parameters> parameters = grid_.parameters();
  const auto below = [&](std::size_t k) {
    return burst.descents.empty()
               ? quench_(device_->read_spins(device_grid_, replicas[k]), burst.f[replicas[k]])
               : burst.descents[k];
  };
  std::vector<Descent> found;
  for (std::size_t k = 0; k < replicas.size(); ++k) {
    Descent descent = below(k);
    ++quenches_;
    if (k < grid_.columns()) {
      cold_end_.add(parameters[replicas[k]].beta * (burst.f[replicas[k]] - descent.f));
    }
    best_.offer_state(descent.spins, descent.f, sweeps_);
    found.push_back(std::move(descent));
  }
  if (search.find_cold_end && cold_end_.colder(sweeps_, embedding_->pbits())) set_rows();
  return found;
}

// What anneals are to mend.
void Trial::keep(Descent found) {
  kept_ = std::move(found);
  if (anneals_on()) {
    mend_from_ = kMendColder * mend_hottest();
  } else if (mend_from_ == 0.0) {
    mend_from_ = kRowsColder * mend_hottest();
  }
  write_kept();
}

void Trial::write_kept() {
  for (std::size_t replica = 0; replica < grid_.replicas(); ++replica) {
    device_->write_spins(device_grid_, replica, kept_.spins);
  }
}

double Trial::mend_hottest() const {
  return anneals_on() ? options_->search.anneal_from : ladder_->beta.front();
}

// An anneal of a large problem is better here and worse there. Where it differs from the state that
// is kept, in components that do not touch, each is taken or left for itself.
void Trial::mend(const BurstResult& burst) {
  constexpr double kCold = 1e300;  // only what is better, or as good
  double largest = 0.0;            // as a share of all, on average
  std::vector<Descent> all = quench(burst, replicas_from(0));
  for (std::size_t k = 0; k < all.size(); ++k) {
    ComponentExchange::Pair pair{
        std::move(kept_.spins), std::move(all[k].spins), kCold, 0.0, kept_.f, all[k].f};
    if ((*exchange_)(pair,
                     hash_of(swap_seed(options_->seed, number_), {kExchangeStream, rounds_, k}))) {
      ++exchanges_;
    }
    kept_ = {std::move(pair.a), pair.f_a};
    largest += static_cast<double>(exchange_->largest()) /
               static_cast<double>(embedding_->pbits() * all.size());
  }
  best_.offer_state(kept_.spins, kept_.f, sweeps_);
  const double step = anneals_on() ? kMendStep : kRowsStep;
  if (largest > kMostOfAll) mend_from_ *= step;
  if (largest < kLeastOfAll) mend_from_ /= step;
  mend_from_ = std::clamp(mend_from_, mend_hottest(), ladder_->beta.back());
  write_kept();
}

// The ladder goes on from where it was.
void Trial::unpark() {
  for (std::size_t replica = 0; replica < parked_.size(); ++replica) {
    device_->write_spins(device_grid_, replica, parked_[replica]);
  }
}

bool Trial::exchange_components(const BurstResult& burst) {
  if (!exchange_ || !due(options_->search.exchange_every)) return false;
  energies_ = burst.f;
  const std::vector<Parameters> parameters = grid_.parameters();
  const std::uint64_t turn = sweeps_ / options_->search.exchange_every;
  for (std::size_t column = 0; column < grid_.columns(); ++column) {
    for (std::size_t row = turn % 2; row + 1 < grid_.rows(); row += 2) {
      const std::size_t a = grid_.replica_at(row, column), b = grid_.replica_at(row + 1, column);
      if (parameters[a].beta < options_->search.exchange_from) continue;
      ComponentExchange::Pair pair{device_->read_spins(device_grid_, a),
                                   device_->read_spins(device_grid_, b),
                                   parameters[a].beta,
                                   parameters[b].beta,
                                   energies_[a],
                                   energies_[b]};
      const std::uint64_t seed =
          hash_of(swap_seed(options_->seed, number_), {kExchangeStream, rounds_, row, column});
      if (!(*exchange_)(pair, seed)) continue;
      ++exchanges_;
      device_->write_spins(device_grid_, a, pair.a);
      device_->write_spins(device_grid_, b, pair.b);
      energies_[a] = pair.f_a;
      energies_[b] = pair.f_b;
      best_.offer_state(pair.a, pair.f_a, sweeps_);
      best_.offer_state(pair.b, pair.f_b, sweeps_);
    }
  }
  return true;
}

std::vector<std::size_t> Trial::replicas_from(std::size_t row) const {
  std::vector<std::size_t> replicas;
  for (; row < grid_.rows(); ++row) {
    for (std::size_t column = 0; column < grid_.columns(); ++column) {
      replicas.push_back(grid_.replica_at(row, column));
    }
  }
  return replicas;
}

void Trial::hold_penalty(const BurstResult& burst) {
  const std::vector<std::size_t> cold = replicas_from(grid_.rows() / 2);
  const auto feasible = std::count_if(cold.begin(), cold.end(),
                                      [&](std::size_t replica) { return burst.g[replica] == 0.0; });
  const std::uint64_t one_look =
      cold.size() * (PenaltyHold::kLookEvery / options_->sweeps_per_swap + 1);
  const auto near = [&] {
    const auto count = std::count_if(cold.begin(), cold.end(), [&](std::size_t replica) {
      return embedding_->model.forms->as_near_as_can_be(
          bits_of(device_->read_spins(device_grid_, replica)));
    });
    return static_cast<double>(count) >= PenaltyHold::kTooFew * static_cast<double>(cold.size());
  };
  if (penalty_.look(sweeps_, static_cast<std::uint64_t>(feasible), cold.size(), one_look, near)) {
    set_rows();
  }
}

void Trial::grow_weights() {
  const FormModel& model = *embedding_->model.forms;
  const std::vector<std::size_t> cold = replicas_from(grid_.rows() - (grid_.rows() + 2) / 3);
  std::vector<std::size_t> violated(model.forms.size(), 0);
  for (const std::size_t replica : cold) {
    const auto which = model.violated_forms(bits_of(device_->read_spins(device_grid_, replica)));
    for (std::size_t form = 0; form < which.size(); ++form) violated[form] += which[form] ? 1 : 0;
  }
  weights_->grow(sweeps_, violated, cold.size());
  device_->reweigh(device_grid_, weights_->weights());
}

void Trial::take_notes(const BurstResult& burst, std::size_t answer) {
  answer_energy_ = burst.f[answer];
  if (best_.is_feasible(burst, *device_, device_grid_, answer)) ++answer_feasible_;
  const bool due =
      trace_.size() < kDenseTrace || done() || at_target() ||
      static_cast<double>(sweeps_) >= kTraceGrowth * static_cast<double>(trace_.back().sweep);
  if (!due) return;
  note_point({sweeps_, burst.f[answer], burst.g[answer], best_.feasible_energy()});
}

void Trial::note_point(const TracePoint& point) {
  trace_.push_back(point);
  for (std::size_t w = 0; w < walks_.size(); ++w) walks_[w].push_back(grid_.cells()[w]);
}

bool Trial::at_target() const {
  return reached(best_.feasible_energy(), options_->target) || at_goal();
}

TrialRecord Trial::record() const {
  return {rounds_,
          sweeps_,
          skipped_,
          answer_feasible_,
          answer_energy_,
          best_.state(),
          grid_.state(),
          trace_,
          walks_,
          watch_.state(),
          cold_end_.state(),
          quenches_,
          exchanges_,
          penalty_.state(),
          weights_ ? weights_->state() : WeightGrowth::State{}};
}

std::vector<std::vector<Spin>> Trial::spins() const {
  std::vector<std::vector<Spin>> all;
  all.reserve(grid_.replicas());
  for (std::size_t replica = 0; replica < grid_.replicas(); ++replica) {
    all.push_back(device_->read_spins(device_grid_, replica));
  }
  return all;
}

void Trial::restore(const TrialRecord& record, const std::vector<std::vector<Spin>>& spins) {
  rounds_ = record.rounds;
  sweeps_ = record.sweeps;
  skipped_ = record.skipped;
  answer_feasible_ = record.answer_feasible;
  answer_energy_ = record.answer_energy;
  best_.restore(record.best);
  grid_.restore(record.grid);
  trace_ = record.trace;
  walks_ = record.walks;
  watch_.restore(record.watch);
  cold_end_.restore(record.cold_end);
  quenches_ = record.quenches;
  exchanges_ = record.exchanges;
  penalty_.restore(record.penalty);
  if (weights_) {
    weights_->restore(record.weights);
    device_->reweigh(device_grid_, weights_->weights());
  }
  set_rows();
  for (std::size_t replica = 0; replica < grid_.replicas(); ++replica) {
    device_->write_spins(device_grid_, replica, spins[replica]);
  }
}

}  // namespace chainmail
