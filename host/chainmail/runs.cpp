#include <algorithm>
#include <utility>

#include "chainmail/content.hpp"
#include "chainmail/failure.hpp"
#include "ladder/ladder_file.hpp"
#include "problem/bits.hpp"
#include "report/digest.hpp"
#include "report/html.hpp"
#include "report/json.hpp"
#include "report/summary.hpp"
#include "report/trace.hpp"
#include "run/clamp.hpp"
#include "run/devices.hpp"
#include "run/samples.hpp"

namespace chainmail {

namespace {

const std::atomic<bool> kNever{false};

const std::atomic<bool>& stop_of(const Options& options) {
  return options.stop != nullptr ? *options.stop : kNever;
}

void set_initial(PlanOptions& wanted, const Source& source, const Model& model,
                 const std::vector<std::int64_t>& values) {
  if (values.empty()) return;
  if (values.size() != model.size()) {
    throw UsageError("initial: expected " + std::to_string(model.size()) + " values, found " +
                     std::to_string(values.size()));
  }
  if (source.model) {
    for (std::size_t v = 0; v < values.size(); ++v) {
      const ModelVariable& variable = source.model->model.variables[v];
      const auto value = static_cast<double>(values[v]);
      if (value < variable.lower || value > variable.upper) {
        throw UsageError("initial: " + variable.name + " is outside its bounds");
      }
    }
    wanted.initial_values = values;
  } else {
    wanted.initial = spins_of(source.given(), values);
  }
}

// What replicas of a sampler start from, in p-bits.
std::vector<std::vector<Spin>> first_states(const Plan& plan,
                                            const std::vector<std::vector<std::int64_t>>& rows) {
  const Source& source = *plan.source;
  if (source.model && !plan.as_written() && !rows.empty()) {
    throw UsageError("initial: a model's states need the CPU, without copies");
  }
  const std::size_t replicas = plan.ladder.rows() * plan.ladder.columns();
  if (!rows.empty() && rows.size() != replicas) {
    throw UsageError("initial: expected " + std::to_string(replicas) + " states, found " +
                     std::to_string(rows.size()));
  }
  const std::size_t size =
      source.model ? source.model->model.variables.size() : source.given().size();
  std::vector<std::vector<Spin>> states;
  for (const std::vector<std::int64_t>& values : rows) {
    if (values.size() != size) {
      throw UsageError("initial: expected " + std::to_string(size) + " values, found " +
                       std::to_string(values.size()));
    }
    states.push_back(
        source.model ? spins_of(source.model->forms().encode(values))
                     : spread(plan.embedding, source.restrict(spins_of(source.given(), values))));
  }
  return states;
}

// The answers of a run in the user's variables: what the plan ran on decides what its states mean.
Answer answer_of(const Plan& plan, const TrialResult& state) {
  const Source& source = *plan.source;
  return judged(source, source.model ? model_values(plan, state.solution)
                                     : values_of(source, state.solution));
}

Answer answer_of(const Source& source, const NamedAnswer& named) {
  std::vector<std::int64_t> values;
  for (const auto& [name, value] : named.variables) values.push_back(value);
  return judged(source, std::move(values));
}

}  // namespace

const char* version() {
  return CHAINMAIL_VERSION;
}

std::vector<std::string> devices() {
  return guarded([] { return list_devices(); });
}

struct Solution::Record {
  Result result;
  std::shared_ptr<const Source> source;  // for the report's constraints and picture
  Grouping grouping;
};

std::string Solution::summary() const {
  return to_summary(record_->result);
}
std::string Solution::json() const {
  return to_json(record_->result);
}
std::string Solution::html() const {
  return to_html(record_->result, "", record_->source.get(), record_->grouping);
}
std::string Solution::trace_csv() const {
  return to_csv(record_->result);
}

Solution solve(const Model& model, const Options& options) {
  return guarded([&] {
    PlanOptions wanted = plan_options(options);
    const std::atomic<bool>& stop = stop_of(options);
    auto source = model.content().to_source();
    set_initial(wanted, *source, model, options.initial);
    if (!options.fixed.empty()) {
      source = std::make_shared<const Source>(clamped(*source, options.fixed));
    }
    const UserObjective user = source->user();
    const auto device = open_device(*source, wanted);
    const auto tell = [&](const SolveStatus& s) {
      if (!options.progress) return;
      Status status{s.fraction, s.sweeps_done, {}, s.seconds, 0.0, false};
      if (s.best) status.best = user.scale * *s.best + user.shift;
      if (s.seconds > 0.0) {
        status.updates_per_ns = static_cast<double>(s.updates) / (1e9 * s.seconds);
      }
      options.progress(status);
    };
    const auto tune = [&](double fraction, const std::string&) {
      if (options.progress) options.progress({fraction, 0, {}, 0.0, 0.0, true});
      return !stop;
    };
    const Plan planned = plan(*source, wanted, *device, stop, tune);
    auto record = std::make_shared<Solution::Record>();
    record->source = source;
    record->grouping = grouping_from(options.group);
    Result& result = record->result;
    result = run(planned, *device, stop, tell);
    if (!result.device_fault.empty() && !result.best.feasible) {
      throw DeviceError(result.device_fault);
    }
    Solution found;
    if (source->model) {
      found.best = answer_of(*source, result.answers.front());
      for (std::size_t k = 1; k < result.answers.size(); ++k) {
        found.others.push_back(answer_of(*source, result.answers[k]));
      }
    } else {
      found.best = {
          values_of(*source, result.best.solution), result.objective, result.best.feasible, {}};
      for (const TrialResult& state : result.pool) {
        found.others.push_back(answer_of(planned, state));
      }
    }
    if (planned.exact) found.trials = {found.best};
    for (const TrialResult& trial : planned.exact ? std::vector<TrialResult>() : result.per_trial) {
      found.trials.push_back(answer_of(planned, trial));
    }
    found.stopped_by = result.stopped_by;
    found.proved = result.proved;
    if (result.bound) found.bound = in_users_terms(*result.bound, result);
    found.gap = gap_to_bound(result);
    found.sweeps = result.sweeps;
    found.seconds = result.seconds;
    for (const auto& [seconds, f] : result.course) {
      found.course.emplace_back(seconds, in_users_terms(f, result));
    }
    found.notes = result.model_notes;
    if (!result.infeasible.empty()) found.notes.push_back(result.infeasible);
    if (!result.device_fault.empty()) found.notes.push_back(result.device_fault);
    if (!result.checkpoint_fault.empty()) found.notes.push_back(result.checkpoint_fault);
    found.record_ = std::move(record);
    return found;
  });
}

std::vector<Sample> sample(const Model& model, const Sampling& sampling, const Options& options) {
  return guarded([&] {
    PlanOptions wanted = plan_options(options);
    wanted.given_ladder = ladder_by_hand(sampling.betas, sampling.penalties, "betas, penalties");
    wanted.method = Method::two_dimensional;
    wanted.balanced = true;
    const Ladder& ladder = *wanted.given_ladder;
    const std::atomic<bool>& stop = stop_of(options);
    std::shared_ptr<const Source> source = model.content().to_source();
    if (!options.fixed.empty()) {
      source = std::make_shared<const Source>(clamped(*source, options.fixed));
    }
    if (source->model) {
      auto own = std::make_shared<Source>(*source);
      own->model->purpose = FormsFor::sampling;
      source = std::move(own);
    }
    const auto device = open_device(*source, wanted);
    Plan plan = chainmail::plan(*source, wanted, *device, stop);
    plan.ladder = ladder;
    SampleOptions run;
    run.rounds = sampling.samples;
    run.warmup_rounds = sampling.warmup;
    run.sweeps_per_swap = sampling.sweeps;
    run.swap_sets = wanted.swap_sets.value_or(run.swap_sets);
    run.seed = options.seed;
    run.initial = first_states(plan, sampling.initial);
    const std::size_t cells = ladder.rows() * ladder.columns();
    std::vector<Sample> samples;
    std::size_t taken = 0;
    draw_samples(plan, *device, run, true, stop, [&](const DrawnSample& drawn) {
      if (drawn.number * cells == samples.size()) samples.resize(samples.size() + cells);
      Sample& sample = samples[drawn.number * cells + drawn.row * ladder.columns() + drawn.column];
      sample = {ladder.beta[drawn.row], ladder.penalty[drawn.column], drawn.values, 0.0, drawn.g};
      if (source->model) {
        sample.objective = judged(*source, drawn.values).objective;
      } else {
        const Problem& problem = source->given();
        sample.values = values_of(*source, drawn.spins);
        sample.objective = problem.user.scale * problem.objective(drawn.spins) + problem.user.shift;
      }
      if (++taken % cells == 0 && options.progress) {
        const double done = static_cast<double>(taken) / static_cast<double>(run.rounds * cells);
        options.progress({done, drawn.burst * run.sweeps_per_swap, {}, 0.0, 0.0, false});
      }
    });
    // Cut short: what was not drawn by every cell is left out.
    const auto missing = std::find_if(samples.begin(), samples.end(),
                                      [](const Sample& s) { return s.values.empty(); });
    samples.resize(static_cast<std::size_t>(missing - samples.begin()) / cells * cells);
    return samples;
  });
}

}  // namespace chainmail
