#include "run/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "jump/beside.hpp"
#include "problem/bits.hpp"
#include "run/answers.hpp"
#include "run/as_written.hpp"
#include "run/certify.hpp"
#include "run/clamp.hpp"
#include "run/exact_run.hpp"
#include "run/plan_parts.hpp"
#include "support/error.hpp"
#include "support/random.hpp"

namespace chainmail {

namespace {

void check(const PlanOptions& options) {
  if (options.solutions > 1 && !options.checkpoint.empty()) {
    throw UsageError("--solutions and --checkpoint exclude each other");
  }
}

// Converts a state of what was solved to one of the user's problem.
void lift(const Plan& plan, TrialResult& state) {
  if (!plan.reduction || state.solution.empty()) return;
  state.solution = plan.reduction->lift(state.solution);
  state.energy = plan.source->problem().objective(state.solution);
}

void lift(const Plan& plan, Result& result) {
  if (!plan.reduction) return;
  const Problem& problem = plan.source->problem();
  result.spins = problem.size();
  result.names = problem.names;
  for (TrialResult& state : result.per_trial) lift(plan, state);
  for (TrialResult& state : result.pool) lift(plan, state);
  TrialResult best = result.best;
  lift(plan, best);
  set_best(result, plan.problem(), std::move(best));
  if (result.known_optimum) {
    result.residual_per_spin =
        (result.best.energy - *result.known_optimum) / static_cast<double>(problem.size());
  }
  result.ladder.notes.push_back(fmt::format("{} removed exactly, {} left",
                                            counted(problem.size() - plan.problem().size(), "spin"),
                                            plan.problem().size()));
}

// What the solver's f lacks of the model's.
double constant_of(const Plan& plan) {
  if (!plan.as_written()) return 0.0;
  return static_cast<double>(plan.source->model->forms().objective.constant);
}

// A search of another kind goes before the ladder of a constrained model and beside it: it is good
// at finding what is feasible at all, and at linear objectives.
Beside beside_for(const FormModel& model, const PlanOptions& options, double chains,
                  const std::vector<double>& enough) {
  constexpr std::uint64_t kJumpStream = 0x6a756d70;
  JumpOptions jump;
  jump.seed = hash_of(options.seed, {kJumpStream});
  jump.start = bits_of(options.initial);
  if (!enough.empty()) jump.target = *std::max_element(enough.begin(), enough.end());
  return {model, jump, chains};
}

}  // namespace

Accepts accepts_of(const Source& source, const Plan& plan) {
  if (!source.model || plan.as_written()) return {};
  return [&model = *source.model](std::span<const Spin> spins) {
    return evaluate(model.model, model.squares().decode(spins)).feasible();
  };
}

Plan plan(const Source& source, const PlanOptions& wanted, Device& device,
          const std::atomic<bool>& stop, const PilotObserver& observer) {
  check(wanted);
  PlanOptions options = wanted;
  options.initial = source.restrict(wanted.initial);
  Plan plan;
  plan.source = &source;
  plan.placement = placement_on(device, options);
  plan.moves = options.device.moves;
  plan.solutions = options.solutions;
  Remainder left;
  if (wants_exact(source, options, device)) plan.exact = run_exactly(source, options, stop, &left);
  if (plan.exact) return plan;
  if (wants_forms(source, options, device)) {
    const ModelSource& model = *source.model;
    plan.words = words_of(model);
    plan.embedding = embed_forms(model);
    plan.moves = "forms";
    if (!options.initial_values.empty()) {
      options.initial = spins_of(model.forms().encode(options.initial_values));
    }
  } else {
    if (!options.initial_values.empty()) {
      throw UsageError("--initial with a model's variables needs the CPU and its default method");
    }
    if (may_reduce(source, options, device)) {
      plan.reduction = left.looked ? std::move(left.reduction) : Reduction::of(source.problem());
    }
    plan.embedding = embed_problem(device, source, plan.problem(), options);
    plan.recovered = recovered_for(source, options, device, plan);
  }
  const auto start = std::chrono::steady_clock::now();
  const Judge judge(plan.problem(), plan.embedding, accepts_of(source, plan));
  BestState seen(judge, plan.embedding);
  if (plan.as_written() && !options.initial.empty()) seen.offer_judged(judge(options.initial, 0));
  std::vector<double> enough = ends_of(source, options, plan);
  TuningWatch watch;
  const auto all_found = [&] {
    return std::any_of(enough.begin(), enough.end(),
                       [&](double f) { return reached(seen.feasible_energy(), f); });
  };
  const auto note = [&](std::optional<double> f) {
    if (f && (plan.course.empty() || *f < plan.course.back().second)) {
      plan.course.emplace_back(seconds_since(start), *f);
      if (options.better) options.better(*f + constant_of(plan));
    }
  };
  watch.keep_going = [&] {
    note(seen.feasible_energy());
    return !stop && !all_found() &&
           !(options.time_limit > 0.0 && seconds_since(options.start) >= options.time_limit);
  };
  watch.look = [&](const BurstResult& burst, Device& pilot) { seen.offer(burst, pilot, 0, 0); };
  std::shared_ptr<const Beside> beside;  // goes on in the run
  // Jumps know products of two at most.
  const bool jumps_fit = plan.as_written() && source.model->model.objective.monomials.empty();
  if (jumps_fit && !options.given_ladder && !options.balanced && !resumes(options)) {
    const FormModel& forms = *plan.embedding.model.forms;
    const FormMoves moves = search_moves(options, plan.embedding);
    const auto jumps = std::make_shared<Beside>(beside_for(forms, options, moves.chains, enough));
    const JumpGoing going = [&](const JumpPoint& best, std::uint64_t) {
      if (best.feasible()) note(best.f);
      return watch.keep_going();
    };
    // Copied into watch.look, which outlives this block.
    const auto offer = [&seen, &judge, jumps] {
      if (!jumps->best().bits.empty()) {
        seen.offer_judged(judge(spins_of(jumps->best().bits), 0));
      }
    };
    const auto close = [&, jumps] {
      if (!jumps->closed() || all_found() || options.trials.value_or(1) > 1) return;
      auto closed = closed_bound(*source.model, jumps->best().bits, jumps->multipliers());
      if (!closed) return;
      plan.bound = std::move(closed);
      enough = ends_of(source, options, plan);
    };
    jumps->first(going);
    offer();
    if (watch.keep_going() && !source.no_objective()) {
      plan.bound = bound_of(source.model->forms(), jumps->multipliers());
      enough = ends_of(source, options, plan);
      close();
    }
    // A resumed run would have to know how far it was.
    if (options.checkpoint.empty() && device.topology() == nullptr) {
      beside = jumps;
      watch.look = [&, jumps, offer, close, going](const BurstResult& burst, Device& pilot) {
        seen.offer(burst, pilot, 0, 0);
        const TrialResult& best = seen.result();
        const double f = best.feasible ? best.energy : std::numeric_limits<double>::infinity();
        if (jumps->after(
                burst.f.size() * forms.bits, f, [&] { return bits_of(best.solution); }, going)) {
          offer();
        }
        close();
      };
    }
  }
  if (plan.recovered) {
    const FormModel& forms = *plan.recovered;
    Beside jump = beside_for(forms, options, moves_for(forms).chains, enough);
    const JumpPoint& first =
        jump.first([&](const JumpPoint&, std::uint64_t) { return watch.keep_going(); });
    if (!first.bits.empty()) seen.offer_judged(judge(spins_of(first.bits), 0));
    search_recovered(plan.recovered, options, enough, watch, stop, observer, judge, seen);
  }
  Ladder found;
  try {
    found = ladder_for(source, options, plan.embedding, device, stop, observer, watch);
  } catch (const TuningStopped&) {
    plan.cut_short = true;
    found = makeshift_ladder(plan.embedding);
    if (!all_found()) found.notes = {"tuning was stopped before a ladder was found"};
  }
  if (!seen.result().solution.empty()) plan.pilot_best = seen.result();
  plan.ladder = columns_for(method_for(source, options, plan.embedding), found, options.penalty);
  plan.embedding = with_multipliers(std::move(plan.embedding), plan.ladder.multipliers);
  plan.tune_seconds = seconds_since(start);
  plan.solve = solve_options(source, options, device, plan);
  plan.solve.beside = beside;
  if (const auto goal = goal_for(source, options, plan)) plan.goal = goal->name;
  fill_card(source, options, device, plan);
  if (plan.cut_short) {
    plan.solve.checkpoint.clear();  // on another ladder than the run's to come
    plan.solve.time_limit = plan.solve.time_limit > 0.0 ? 1e-6 : 0.0;
  }
  return plan;
}

Result run(const Plan& plan, Device& device, const std::atomic<bool>& stop,
           const SolveObserver& observer) {
  if (plan.exact) {
    Result result = *plan.exact;
    if (result.best.feasible) result.course = {{result.seconds, result.best.energy}};
    lift_held(*plan.source, result);
    return result;
  }
  const Source& source = *plan.source;
  const double constant = constant_of(plan);
  std::vector<std::pair<double, double>> course = plan.course;
  for (auto& [seconds, f] : course) f += constant;
  const auto note = [&](double seconds, double f) {
    if (course.empty() || f < course.back().second) course.emplace_back(seconds, f);
  };
  if (plan.pilot_best && plan.pilot_best->feasible) {
    note(plan.tune_seconds, plan.pilot_best->energy + constant);
  }
  const SolveObserver shown = [&](SolveStatus status) {
    if (status.best) {
      *status.best += constant;
      note(plan.tune_seconds + status.seconds, *status.best);
    }
    if (observer) observer(status);
  };
  Result result =
      solve(plan.problem(), plan.embedding, plan.ladder, device, plan.solve, stop, shown);
  result.tune_seconds = plan.tune_seconds;
  result.moves = plan.moves;
  result.placement = name_of(plan.placement);
  const bool ended =
      result.stopped_by == "sweeps" || result.stopped_by == "target" || result.stopped_by == "goal";
  if (!ended && plan.pilot_best && better(*plan.pilot_best, result.best)) {
    set_best(result, plan.problem(), *plan.pilot_best);
  }
  lift(plan, result);
  if (plan.recovered) {
    const std::size_t one_hots = plan.recovered->groups.size() + plan.recovered->forms.size();
    result.ladder.notes.push_back(counted(one_hots, "one-hot") +
                                  " found in penalties, searched as constraints first");
  }
  if (result.stopped_by == "goal") result.stopped_by = plan.goal;
  if (source.model) {
    answer_in_users_terms(result, source.model->model, plan.solutions,
                          [&](std::span<const Spin> spins) { return model_values(plan, spins); });
    result.model_notes =
        plan.as_written() ? source.model->forms().notes : source.model->squares().notes;
    if (plan.as_written()) {
      judge_exactly(result, *source.model);
    } else if (!source.model->model.constrained()) {
      result.best.energy = result.scale * result.objective;  // to the last digit
    }
  } else {
    result.model_notes = source.notes;
    // Of the problem as it was given: what was left of it may be exact.
    result.gap_tolerance = std::max(result.gap_tolerance, source.precision().tolerance());
    keep_distinct(result, source.problem(), plan.solutions);
  }
  std::optional<ModelBound> bound = plan.bound;
  if (!result.closed_by.empty()) {
    auto closed = closed_bound(*source.model, bits_of(result.best.solution), result.closed_by);
    if (closed && (!bound || closed->least > bound->least)) bound = std::move(closed);
  }
  tell_bound(source, bound, result);
  if (result.best.feasible) note(result.tune_seconds + result.seconds, result.best.energy);
  result.course = std::move(course);
  lift_held(source, result);
  return result;
}

std::vector<std::int64_t> model_values(const Plan& plan, std::span<const Spin> state) {
  const ModelSource& model = *plan.source->model;
  return plan.as_written() ? model.forms().decode(bits_of(state)) : model.squares().decode(state);
}

std::vector<TrialResult> best_at(const std::vector<std::uint64_t>& times, const Plan& plan,
                                 Device& device) {
  std::vector<TrialResult> found =
      best_at(times, plan.problem(), plan.embedding, plan.ladder, device, plan.solve);
  for (TrialResult& state : found) lift(plan, state);
  return found;
}

}  // namespace chainmail
