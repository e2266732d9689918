#include "run/exact_run.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "device/group/launched.hpp"
#include "exact/exact.hpp"
#include "exact/settle.hpp"
#include "problem/bits.hpp"
#include "problem/precision.hpp"
#include "run/answers.hpp"
#include "run/bound.hpp"
#include "run/certify.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

using Clock = std::chrono::steady_clock;

// More spins than this are not tried: splitting them into parts would only waste time.
constexpr std::size_t kMostSpins = 4096, kMostCouplings = 1'000'000;
constexpr std::size_t kMostOfLong = 64;  // spins whose numbers fill a double
constexpr std::size_t kMostKept = 100'000;
constexpr std::size_t kKeptOfRounded = 3;  // the best, its mirror image, and the next

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Whether the best state is better than every other by more than `off`, but for its mirror image
// where that is as good in any numbers.
bool apart(const Problem& problem, const ExactAnswer& answer, double off) {
  const Quadratic& f = problem.objective;
  const bool mirrored = !problem.bits() && std::all_of(f.fields.begin(), f.fields.end(),
                                                       [](double h) { return h == 0.0; });
  for (std::size_t k = 1; k < answer.states.size(); ++k) {
    const std::vector<Spin> best = spins_of(answer.states[0]), next = spins_of(answer.states[k]);
    const bool mirror =
        std::equal(best.begin(), best.end(), next.begin(), [](Spin a, Spin b) { return a == -b; });
    if (!mirrored || !mirror) return f(next) - f(best) > off;
  }
  return false;
}

// Only one of several bit patterns with the same values, or they would fill the list of solutions.
void add_canonical(const CompiledForms& forms, TreeModel& model) {
  for (const CompiledForms::Expansion& e : forms.variables) {
    if (e.group || e.bits.size() < 2) continue;
    // The last weight is a remainder: it is taken only where the others cannot reach.
    std::int64_t others = 0;
    for (std::size_t k = 0; k + 1 < e.bits.size(); ++k) {
      model.forms.items.push_back({e.bits[k].weight, e.bits[k].bit});
      others += e.bits[k].weight;
    }
    model.forms.items.push_back({-(others + 1 - e.bits.back().weight), e.bits.back().bit});
    model.forms.close();
    model.limits.push_back({0, kNoUpper, 0});
  }
}

TrialResult state_of(const std::vector<Bit>& bits, double energy, double g, bool feasible) {
  TrialResult state;
  state.solution = spins_of(bits);
  state.energy = energy;
  state.g = g;
  state.feasible = feasible;
  return state;
}

class ExactRun {
 public:
  ExactRun(const Source& source, const PlanOptions& options, const std::atomic<bool>& stop)
      : source_(source), options_(options), stop_(stop) {
    wanted_.keep = options.solutions;
    wanted_.patient = options.exact.value_or(false);
    wanted_.stopped = [this] { return !why_stopped().empty(); };
  }

  std::optional<Result> run(Remainder* left) {
    if (source_.model) return run_model();
    // What doubles cannot tell apart is added up in decimals, where that is small enough.
    const bool fine = source_.problem().size() <= kMostOfLong && !source_.precision().exact();
    if (source_.problem().constraint || options_.solutions > 1 || fine) return run_problem(fine);
    Settled settled = settle(source_.problem(), wanted_);
    if (settled.answer) return result_of(source_.problem(), std::move(*settled.answer));
    if (left != nullptr) *left = {true, std::move(settled.reduction)};
    return std::nullopt;
  }

 private:
  std::string why_stopped() const {
    if (stop_) return "interrupt";
    const bool late =
        options_.time_limit > 0.0 && seconds_since(options_.start) >= options_.time_limit;
    return late ? "time limit" : "";
  }

  std::optional<Result> run_problem(bool fine) {
    const Problem& problem = source_.problem();
    if (problem.size() > kMostSpins || problem.objective.couplings.size() > kMostCouplings) {
      return std::nullopt;
    }
    // A state and its mirror image may count as one.
    if (options_.solutions > 1) wanted_.keep = 2 * options_.solutions;
    if (source_.written.rounded) wanted_.keep = std::max(wanted_.keep, kKeptOfRounded);
    const std::optional<ExactAnswer> answer =
        solve_exactly(problem, wanted_, fine ? Numbers::decimal : Numbers::binary);
    if (!answer) return std::nullopt;
    return result_of(problem, *answer);
  }

  Result result_of(const Problem& problem, ExactAnswer answer) const {
    // Of other numbers than the file's something is proved only where its values are further apart.
    const Written& written = source_.written;
    const double off = written.rounded ? 2.0 * source_.precision().slack : 0.0;
    if (off >= std::pow(10.0, written.place) && !apart(problem, answer, off)) answer.slack += off;
    const double zero = feasible_up_to(problem);
    const auto state = [&](const std::vector<Bit>& bits) {
      const std::vector<Spin> spins = spins_of(bits);
      const double g = problem.constraint ? (*problem.constraint)(spins) : 0.0;
      return state_of(bits, problem.objective(spins), g, g <= zero);
    };
    Result result = described(answer);
    result.problem = problem.name;
    result.spins = result.pbits = problem.size();
    result.names = problem.names;
    result.objective_name = problem.user.name;
    result.scale = problem.user.scale;
    result.shift = problem.user.shift;
    result.constrained = problem.constraint.has_value();
    result.bits = problem.bits();
    for (const std::vector<Bit>& bits : answer.states) result.pool.push_back(state(bits));
    if (result.pool.empty()) result.pool.push_back(state(answer.closest));
    take_best(result, answer);
    result.objective = problem.user.scale * result.best.energy + problem.user.shift;
    if (result.known_optimum) result.residual_per_spin = 0.0;
    result.model_notes = source_.notes;
    keep_distinct(result, problem, options_.solutions);
    return result;
  }

  std::optional<Result> run_model() {
    const ConstrainedModel& model = source_.model->model;
    if (!source_.model->forms().infeasible.empty()) return std::nullopt;  // proved already
    const CompiledForms* forms = &source_.model->forms();
    std::optional<TreeModel> tree = exact_tree(*forms);
    if (!tree) return std::nullopt;
    if (options_.solutions > 1) add_canonical(*forms, *tree);
    std::optional<ExactAnswer> answer;
    // Bits that only say which variables are not zero may still repeat a solution.
    for (bool enough = false; !enough; wanted_.keep *= 2) {
      answer = solve_exactly(*tree, wanted_);
      if (!answer) return std::nullopt;
      std::set<std::vector<std::int64_t>> distinct;
      for (const std::vector<Bit>& state : answer->states) distinct.insert(forms->decode(state));
      enough = distinct.size() >= options_.solutions || answer->states.size() < wanted_.keep;
      if (!enough && wanted_.keep > kMostKept) return std::nullopt;
    }
    const FormModel& f = forms->model;
    const double sign = model.sense == Sense::maximise ? -1.0 : 1.0;
    const auto state = [&](const std::vector<Bit>& bits) {
      return state_of(bits, sign * evaluate(model, forms->decode(bits)).objective, f.g(bits),
                      f.violated(bits) == 0);
    };
    Result result = described(*answer);
    result.problem = model.name;
    result.spins = result.pbits = f.bits;
    result.objective_name = model.objective_name;
    result.scale = model.sense == Sense::maximise ? -1.0 : 1.0;
    result.constrained = model.constrained();
    result.bits = true;
    result.model_notes = forms->notes;
    for (const std::vector<Bit>& bits : answer->states) result.pool.push_back(state(bits));
    if (result.pool.empty()) result.pool.push_back(state(answer->closest));
    take_best(result, *answer);
    answer_in_users_terms(result, model, options_.solutions, [&](std::span<const Spin> spins) {
      return forms->decode(bits_of(spins));
    });
    // Judged on the model as given: compiling must not have added anything.
    const bool held = std::all_of(result.answers.begin(), result.answers.end(),
                                  [](const NamedAnswer& a) { return a.feasible; });
    if (!answer->states.empty() && !held) return std::nullopt;
    const bool proof = result.proved || !result.infeasible.empty();
    if (proof && !confirm_enumeration(result, *source_.model)) return std::nullopt;
    return result;
  }

  Result described(const ExactAnswer& answer) const {
    Result result;
    result.method = "exact";
    result.device = "cpu, exact: " + answer.how;
    result.placement = "packed";
    result.swap_sets = "none";
    result.seed = options_.seed;
    result.first_trial = options_.first_trial;
    result.seconds = seconds_since(begun_);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    result.peak_memory_kib = static_cast<std::uint64_t>(usage.ru_maxrss);
    result.stopped_by = !answer.proved          ? why_stopped()
                        : answer.states.empty() ? "proof that no solution exists"
                                                : "proof";
    if (answer.proved && answer.states.empty()) {
      result.infeasible = "all states were ruled out, by " + answer.how;
    }
    return result;
  }

  // The first of the pool is the answer.
  void take_best(Result& result, const ExactAnswer& answer) const {
    result.best = result.pool.front();
    result.pool.erase(result.pool.begin());
    result.per_trial = {result.best};
    result.mean_answer_energy = result.best.energy;
    if (!answer.proved || answer.states.empty()) return;
    result.bound = result.best.energy - answer.slack;
    result.bound_by = answer.how.empty() ? "presolve" : answer.how;
    result.proved = answer.slack == 0.0;
    if (result.proved) result.known_optimum = result.best.energy;
  }

  const Source& source_;
  const PlanOptions& options_;
  const std::atomic<bool>& stop_;
  ExactOptions wanted_;
  Clock::time_point begun_ = Clock::now();
};

}  // namespace

bool settled_by_presolve(const Source& source) {
  return source.model && source.model->form_model()->bits == 0;
}

bool wants_exact(const Source& source, const PlanOptions& options, const Device& device) {
  if (options.exact) return *options.exact;
  const bool cpu = device.topology() == nullptr && options.device.name == "cpu" &&
                   options.device.precision == "auto" && options.device.moves == "single" &&
                   launched_channels().empty();
  const bool ladder = options.given_ladder || options.ladder || options.literal ||
                      options.plain_penalty || options.rows > 0 || options.columns > 0;
  const bool method = options.copies > 1 || options.placement || options.method ||
                      options.penalty || options.sweeps || options.sweeps_per_swap ||
                      options.swap_sets || options.hold_feasible;
  const bool to_its_end =
      !options.stop_at_optimum || options.first_trial > 0 || !options.checkpoint.empty();
  return (cpu || settled_by_presolve(source)) && !ladder && !method && !to_its_end;
}

std::optional<Result> run_exactly(const Source& source, const PlanOptions& options,
                                  const std::atomic<bool>& stop, Remainder* left) {
  std::optional<Result> result = ExactRun(source, options, stop).run(left);
  if (!result && options.exact && !stop) {
    throw UsageError("--exact on: the problem is too large to be solved exactly");
  }
  return result;
}

}  // namespace chainmail
