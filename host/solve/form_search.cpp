#include "solve/form_search.hpp"

#include <algorithm>
#include <cmath>

#include "jump/jump_search.hpp"

namespace chainmail {

namespace {

constexpr std::uint64_t kLookEvery = 25;                             // sweeps
constexpr double kTooFew = 0.3, kTooMany = 0.9, kFarTooMany = 0.95;  // of the cold half feasible
const double kCorrection = std::sqrt(1.6);
constexpr double kMostScale = 4.0;   // where states are as near to feasible as can be
constexpr double kWeightStep = 0.2;  // of its first weight, for a form all cold replicas violate
constexpr std::size_t kDenseTrace = 64, kWalks = 8;
constexpr double kTraceGrowth = 1.02;

}  // namespace

FormSearch::FormSearch(const FormModel& model, const FormSearchOptions& options,
                       FormMembers& members)
    : model_(model),
      plan_(model_),
      options_(options),
      members_(members),
      moves_(options.ladder.moves) {
  for (const FormLimits& limits : model_.limits) first_weights_.push_back(limits.weight);
  options_.ladder.seed = hash_of(options.seed, {1});
}

void FormSearch::start(const Going& going) {
  if (options_.given) {
    record_.ladder = *options_.given;
    make_grid();
    for (std::size_t k = 0; k < replicas_->size() && !options_.ladder.start.empty(); ++k) {
      replicas_->set(k, options_.ladder.start);
    }
    return;
  }
  std::uint64_t best_sweep = 0;
  const FormState jumped = jump_first(going);
  FormState seen;
  const auto observer = [&](const FormState& best, std::uint64_t sweeps) {
    if (best.better_than(seen)) {
      seen.f = best.f;
      seen.g = best.g;
      seen.feasible = best.feasible;
      best_sweep = sweeps;
      note_start(best, sweeps);
    }
    return going(best.better_than(jumped) ? best : jumped);
  };
  FormStart found = find_form_ladder(plan_, members_, options_.ladder, observer);
  record_.ladder = std::move(found.ladder);
  const bool jump_leads = jumped.better_than(found.best);
  record_.best = jump_leads ? jumped : std::move(found.best);
  record_.best_sweep = jump_leads ? 0 : best_sweep;
  record_.sweeps = found.sweeps;
  record_.replica_sweeps = record_.ladder.replica_sweeps;
  note_start(record_.best, record_.sweeps);
  record_.answer_energy = record_.best.f;
  if (!going(record_.best)) return;
  make_grid();
  for (std::size_t k = 0; k < replicas_->size(); ++k) {
    replicas_->set(k, found.ends[k % found.ends.size()]);
  }
  // The coldest row goes on from what is best.
  for (std::size_t k = replicas_->size() - record_.ladder.columns();
       jump_leads && k < replicas_->size(); ++k) {
    replicas_->set(k, jumped.bits);
  }
  replicas_->offer(record_.best);
}

FormState FormSearch::jump_first(const Going& going) {
  JumpOptions options;
  options.seed = hash_of(options_.seed, {4});
  options.start = options_.ladder.start;
  const auto state_of = [&](const JumpPoint& point) {
    return FormState{point.bits, point.f, point.feasible() ? 0.0 : model_.g(point.bits),
                     point.feasible()};
  };
  const JumpFound found = jump_search(
      model_, options, [&](const JumpPoint& best, std::uint64_t) { return going(state_of(best)); });
  return state_of(found.best);
}

// The course begins with the anneals that find the ladder, by the best state so far.
void FormSearch::note_start(const FormState& best, std::uint64_t sweeps) {
  std::vector<TracePoint>& trace = record_.trace;
  if (!trace.empty() && trace.back().sweep >= sweeps) trace.pop_back();
  trace.push_back({sweeps, best.f, best.g, best.feasible ? std::optional(best.f) : std::nullopt});
}

void FormSearch::make_grid() {
  const Ladder& ladder = record_.ladder;
  const std::size_t replicas = ladder.rows() * ladder.columns();
  const std::uint64_t seed = hash_of(options_.seed, {2});
  if (options_.device == nullptr) {
    replicas_ = std::make_unique<FormGroup>(plan_, replicas, seed, members_);
  } else {
    replicas_ = std::make_unique<DeviceReplicas>(model_, *options_.device,
                                                 LoadOptions{.replicas = replicas,
                                                             .seed = seed,
                                                             .beta_min = ladder.beta.front(),
                                                             .beta_max = ladder.beta.back(),
                                                             .penalty_max = ladder.penalty.back()});
  }
  grid_.emplace(ladder.rows(), ladder.columns(), cells(), options_.swap_sets, ladder.columns() > 1,
                hash_of(options_.seed, {3}));
  f_.resize(replicas);
  g_.resize(replicas);
  record_.walks.resize(std::min(kWalks, replicas));
  record_.next_look = record_.sweeps + kLookEvery;
  // The trace of the start has no replicas in cells.
  for (std::size_t w = 0; w < record_.walks.size(); ++w) {
    record_.walks[w].assign(record_.trace.size(), kNowhere);
  }
}

std::vector<Parameters> FormSearch::cells() const {
  std::vector<Parameters> all;
  for (double beta : record_.ladder.beta) {
    for (double penalty : record_.ladder.penalty) {
      all.push_back(replicas_->quantise({beta, beta * penalty * record_.scale}));
    }
  }
  return all;
}

void FormSearch::round() {
  const std::vector<Parameters> parameters = grid_->parameters();
  replicas_->burst(parameters, options_.sweeps_per_swap, moves_, record_.rounds);
  ++record_.rounds;
  record_.sweeps += options_.sweeps_per_swap;
  record_.replica_sweeps += options_.sweeps_per_swap * replicas_->size();
  for (std::size_t k = 0; k < replicas_->size(); ++k) {
    f_[k] = replicas_->f(k);
    g_[k] = replicas_->g(k);
  }
  if (replicas_->best().better_than(record_.best)) {
    record_.best = replicas_->best();
    record_.best_sweep = record_.sweeps;
  }
  if (options_.keep > 1) add_to_pool();
  grid_->swap_round(record_.rounds, f_, g_);
  take_notes();
  if (!options_.given) look_at_cold();
}

void FormSearch::take_notes() {
  const std::size_t answer = grid_->answer_replica();
  record_.answer_energy = f_[answer];
  if (replicas_->feasible(answer)) ++record_.answer_feasible;
  const bool due = record_.trace.size() < kDenseTrace ||
                   static_cast<double>(record_.sweeps) >=
                       kTraceGrowth * static_cast<double>(record_.trace.back().sweep);
  if (!due) return;
  record_.trace.push_back({record_.sweeps, f_[answer], g_[answer],
                           record_.best.feasible ? std::optional(record_.best.f) : std::nullopt});
  for (std::size_t w = 0; w < record_.walks.size(); ++w) {
    record_.walks[w].push_back(grid_->cells()[w]);
  }
}

// The penalty is right where some, but not nearly all, of the cold half is feasible.
void FormSearch::look_at_cold() {
  for (std::size_t row = grid_->rows() / 2; row < grid_->rows(); ++row) {
    for (std::size_t column = 0; column < grid_->columns(); ++column) {
      ++record_.seen;
      if (replicas_->feasible(grid_->replica_at(row, column))) ++record_.seen_feasible;
    }
  }
  if (record_.sweeps < record_.next_look) return;
  const double share =
      static_cast<double>(record_.seen_feasible) / static_cast<double>(record_.seen);
  record_.next_look = record_.sweeps + kLookEvery;
  // A device's weights are in its image.
  const bool by_weights = model_.aimless() && replicas_->group() != nullptr;
  // A little too many may be chance, and what it lowers stays lowered: look at as many again.
  const std::size_t cold = (grid_->rows() - grid_->rows() / 2) * grid_->columns();
  const std::uint64_t one_look = cold * (kLookEvery / options_.sweeps_per_swap + 1);
  const bool unsure = share > kTooMany && share < kFarTooMany && record_.seen < 2 * one_look;
  if (unsure && !by_weights) return;
  record_.seen = record_.seen_feasible = 0;
  if (by_weights) {
    adapt_weights();
    return;
  }
  if (share < kTooFew && !(record_.scale >= kMostScale && cold_half_is_near())) {
    record_.scale *= kCorrection;
  }
  if (share > kTooMany) record_.scale /= kCorrection;
  grid_->set_parameters(cells());
}

// Where equations are met by luck alone, asking for a share of feasible states would drive the
// penalty until nothing moves.
bool FormSearch::cold_half_is_near() {
  std::size_t near = 0, all = 0;
  for (std::size_t row = grid_->rows() / 2; row < grid_->rows(); ++row) {
    for (std::size_t column = 0; column < grid_->columns(); ++column, ++all) {
      if (plan_.as_near_as_can_be(replicas_->bits(grid_->replica_at(row, column)))) ++near;
    }
  }
  return static_cast<double>(near) >= kTooFew * static_cast<double>(all);
}

void FormSearch::adapt_weights() {
  std::vector<std::size_t> cold;
  for (std::size_t row = grid_->rows() - (grid_->rows() + 2) / 3; row < grid_->rows(); ++row) {
    for (std::size_t column = 0; column < grid_->columns(); ++column) {
      cold.push_back(grid_->replica_at(row, column));
    }
  }
  const std::vector<std::size_t> violated = replicas_->group()->violated(cold);
  std::vector<double> weights;
  double total = 0.0;
  for (std::size_t form = 0; form < violated.size(); ++form) {
    const double share = static_cast<double>(violated[form]) / static_cast<double>(cold.size());
    weights.push_back(model_.limits[form].weight + kWeightStep * first_weights_[form] * share);
    total += weights.back() / first_weights_[form];
  }
  const double mean = violated.empty() ? 1.0 : total / static_cast<double>(violated.size());
  for (double& weight : weights) weight /= mean;
  replicas_->group()->set_weights(model_, weights);
}

void FormSearch::add_to_pool() {
  std::vector<FormState>& pool = record_.pool;
  const auto add = [&](FormState state) {
    if (pool.size() == options_.keep && state.f >= pool.back().f) return;
    const auto same = [&](const FormState& other) { return other.bits == state.bits; };
    if (std::any_of(pool.begin(), pool.end(), same)) return;
    const auto place =
        std::upper_bound(pool.begin(), pool.end(), state.f,
                         [](double f, const FormState& other) { return f < other.f; });
    pool.insert(place, std::move(state));
    if (pool.size() > options_.keep) pool.pop_back();
  };
  if (record_.best.feasible) add(record_.best);
  for (std::size_t k = 0; k < replicas_->size(); ++k) {
    if (!replicas_->feasible(k)) continue;
    if (pool.size() == options_.keep && replicas_->f(k) >= pool.back().f) continue;
    std::vector<Bit> bits = replicas_->bits(k);
    const double f = options_.device == nullptr ? replicas_->f(k) : model_.f(bits);
    add({std::move(bits), f, 0.0, true});
  }
}

std::vector<FormSnapshot> FormSearch::snapshots() {
  std::vector<FormSnapshot> all;
  for (std::size_t k = 0; k < replicas_->size(); ++k) all.push_back(replicas_->snapshot(k));
  return all;
}

FormRecord FormSearch::full_record() const {
  FormRecord record = record_;
  if (grid_) record.grid = grid_->state();
  record.weights.clear();  // a run that was resumed has those of then
  for (const FormLimits& limits : model_.limits) record.weights.push_back(limits.weight);
  return record;
}

void FormSearch::restore(const FormRecord& record, const std::vector<FormSnapshot>& replicas) {
  record_ = record;
  make_grid();
  record_.walks = record.walks;
  record_.next_look = record.next_look;
  if (FormGroup* group = replicas_->group()) group->set_weights(model_, record.weights);
  grid_->restore(record.grid);
  for (std::size_t k = 0; k < replicas_->size(); ++k) replicas_->restore(k, replicas[k]);
  replicas_->offer(record_.best);
}

}  // namespace chainmail
