#include "solve/form_search.hpp"

#include <algorithm>
#include <cmath>

namespace chainmail {

namespace {

constexpr std::uint64_t kLookEvery = 25;         // sweeps
constexpr double kTooFew = 0.3, kTooMany = 0.9;  // of the cold half feasible
const double kCorrection = std::sqrt(1.6);
constexpr double kMostScale = 4.0;   // where states are as near to feasible as can be
constexpr double kWeightStep = 0.2;  // of its first weight, for a form all cold replicas violate
constexpr std::size_t kDenseTrace = 64, kWalks = 8;
constexpr double kTraceGrowth = 1.02;

}  // namespace

FormSearch::FormSearch(const FormModel& model, const FormSearchOptions& options, Crew& crew)
    : model_(model), plan_(model_), options_(options), crew_(crew), moves_(options.ladder.moves) {
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
  FormState seen;
  const auto observer = [&](const FormState& best, std::uint64_t sweeps) {
    if (best.better_than(seen)) {
      seen.f = best.f;
      seen.g = best.g;
      seen.feasible = best.feasible;
      best_sweep = sweeps;
    }
    return going(best);
  };
  FormStart found = find_form_ladder(plan_, crew_, options_.ladder, observer);
  record_.ladder = std::move(found.ladder);
  record_.best = std::move(found.best);
  record_.best_sweep = best_sweep;
  record_.sweeps = found.sweeps;
  record_.replica_sweeps = record_.ladder.replica_sweeps;
  record_.trace.push_back({record_.sweeps, record_.best.f, record_.best.g,
                           record_.best.feasible ? std::optional(record_.best.f) : std::nullopt});
  record_.answer_energy = record_.best.f;
  if (!going(record_.best)) return;
  make_grid();
  for (std::size_t k = 0; k < replicas_->size(); ++k) {
    replicas_->set(k, found.ends[k % found.ends.size()]);
  }
  replicas_->offer(record_.best);
}

void FormSearch::make_grid() {
  const Ladder& ladder = record_.ladder;
  const std::size_t replicas = ladder.rows() * ladder.columns();
  const std::uint64_t seed = hash_of(options_.seed, {2});
  replicas_ = options_.device == nullptr ? cpu_replicas(plan_, replicas, seed, crew_)
                                         : device_replicas(model_, *options_.device,
                                                           {.replicas = replicas,
                                                            .seed = seed,
                                                            .beta_min = ladder.beta.front(),
                                                            .beta_max = ladder.beta.back(),
                                                            .penalty_max = ladder.penalty.back()});
  grid_.emplace(ladder.rows(), ladder.columns(), cells(), options_.swap_sets, ladder.columns() > 1,
                hash_of(options_.seed, {3}));
  f_.resize(replicas);
  g_.resize(replicas);
  record_.walks.resize(std::min(kWalks, replicas));
  record_.next_look = record_.sweeps + kLookEvery;
  // The trace of the start has no replicas in cells.
  for (std::size_t w = 0; w < record_.walks.size(); ++w) {
    record_.walks[w].assign(record_.trace.size(), static_cast<std::uint32_t>(w));
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
  record_.seen = record_.seen_feasible = 0;
  record_.next_look = record_.sweeps + kLookEvery;
  // A device's weights are in its image.
  if (model_.aimless() && replicas_->engine() != nullptr) {
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
bool FormSearch::cold_half_is_near() const {
  const FormEngine* engine = replicas_->engine();
  if (engine == nullptr) return false;  // a device does not tell sums
  std::size_t near = 0, all = 0;
  for (std::size_t row = grid_->rows() / 2; row < grid_->rows(); ++row) {
    for (std::size_t column = 0; column < grid_->columns(); ++column, ++all) {
      if ((*engine)[grid_->replica_at(row, column)].as_near_as_can_be()) ++near;
    }
  }
  return static_cast<double>(near) >= kTooFew * static_cast<double>(all);
}

void FormSearch::adapt_weights() {
  FormEngine& engine = *replicas_->engine();
  std::vector<double> violated(model_.limits.size(), 0.0);
  double replicas = 0.0;
  for (std::size_t row = grid_->rows() - (grid_->rows() + 2) / 3; row < grid_->rows(); ++row) {
    for (std::size_t column = 0; column < grid_->columns(); ++column, replicas += 1.0) {
      const auto sums = engine[grid_->replica_at(row, column)].sums();
      for (std::size_t form = 0; form < sums.size(); ++form) {
        violated[form] += model_.limits[form].violation(sums[form]) > 0 ? 1.0 : 0.0;
      }
    }
  }
  double total = 0.0;
  for (std::size_t form = 0; form < violated.size(); ++form) {
    model_.limits[form].weight += kWeightStep * first_weights_[form] * violated[form] / replicas;
    total += model_.limits[form].weight / first_weights_[form];
  }
  const double mean = violated.empty() ? 1.0 : total / static_cast<double>(violated.size());
  for (FormLimits& limits : model_.limits) limits.weight /= mean;
  for (std::size_t k = 0; k < engine.size(); ++k) engine[k].refresh();
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
    const std::vector<Bit> bits = replicas_->bits(k);
    add({bits, model_.f(bits), 0.0, true});
  }
}

std::vector<FormSearch::ReplicaState> FormSearch::replica_states() const {
  std::vector<ReplicaState> states;
  for (std::size_t k = 0; k < replicas_->size(); ++k) {
    const FormEngine* engine = replicas_->engine();
    states.push_back({replicas_->bits(k), engine != nullptr ? (*engine)[k].drawn() : 0});
  }
  return states;
}

FormRecord FormSearch::full_record() const {
  FormRecord record = record_;
  if (grid_) record.grid = grid_->state();
  record.weights.clear();  // a run that was resumed has those of then
  for (const FormLimits& limits : model_.limits) record.weights.push_back(limits.weight);
  return record;
}

void FormSearch::restore(const FormRecord& record, const std::vector<ReplicaState>& replicas) {
  record_ = record;
  make_grid();
  record_.walks = record.walks;
  record_.next_look = record.next_look;
  for (std::size_t form = 0; form < model_.limits.size(); ++form) {
    model_.limits[form].weight = record.weights[form];
  }
  grid_->restore(record.grid);
  for (std::size_t k = 0; k < replicas_->size(); ++k) {
    replicas_->set(k, replicas[k].bits);
    if (FormEngine* engine = replicas_->engine()) (*engine)[k].set_drawn(replicas[k].drawn);
  }
  replicas_->offer(record_.best);
}

}  // namespace chainmail
