#include <utility>

#include "chainmail/content.hpp"
#include "chainmail/failure.hpp"
#include "ladder/form_sampler.hpp"
#include "ladder/ladder_file.hpp"
#include "ladder/sampler.hpp"
#include "problem/bits.hpp"
#include "report/html.hpp"
#include "report/json.hpp"
#include "report/summary.hpp"
#include "report/trace.hpp"
#include "run/devices.hpp"

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
        throw UsageError("initial: " + variable.name + " is beyond its bounds");
      }
    }
    wanted.initial_values = values;
  } else {
    wanted.initial = spins_of(source.problem(), values);
  }
}

// The answers of a run in the user's variables: what the plan ran on decides what its states mean.
Answer answer_of(const Plan& plan, const TrialResult& state) {
  const Source& source = *plan.source;
  if (!plan.forms) return judged(source, values_of(source, state.solution));
  return judged(source, source.model->forms().decode(bits_of(state.solution)));
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
};

std::string Solution::summary() const {
  return to_summary(record_->result);
}
std::string Solution::json() const {
  return to_json(record_->result);
}
std::string Solution::html() const {
  return to_html(record_->result, "", record_->source.get());
}
std::string Solution::trace_csv() const {
  return to_csv(record_->result);
}

Solution solve(const Model& model, const Options& options) {
  return guarded([&] {
    PlanOptions wanted = plan_options(options);
    const std::atomic<bool>& stop = stop_of(options);
    const auto source = model.content().to_source();
    set_initial(wanted, *source, model, options.initial);
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
    for (const TrialResult& trial : result.per_trial) {
      found.trials.push_back(answer_of(planned, trial));
    }
    found.stopped_by = result.stopped_by;
    found.sweeps = result.sweeps;
    found.seconds = result.seconds;
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
    const Ladder& ladder = *wanted.given_ladder;
    const std::atomic<bool>& stop = stop_of(options);
    const auto source = model.content().to_source();
    const auto device = open_device(*source, wanted);
    const Plan plan = chainmail::plan(*source, wanted, *device, stop);
    SampleOptions run;
    run.rounds = sampling.samples;
    run.warmup_rounds = sampling.warmup;
    run.sweeps_per_swap = sampling.sweeps;
    run.swap_sets = wanted.swap_sets.value_or(run.swap_sets);
    run.seed = options.seed;
    std::vector<Sample> samples;
    const auto tell = [&](std::uint64_t round) {
      if (!options.progress) return;
      const double done = static_cast<double>(round) / static_cast<double>(run.rounds);
      options.progress({done, round * run.sweeps_per_swap, {}, 0.0, 0.0, false});
    };
    if (plan.forms) {
      if (device->topology() != nullptr) {
        throw UsageError("models with constraints are sampled on the CPU only");
      }
      const CompiledForms& forms = source->model->forms();
      FormMembers members = members_of(*plan.forms);
      sample_forms(forms.model, ladder, members, run, stop, [&](const FormSampleRound& round) {
        for (std::size_t row = 0; row < ladder.rows(); ++row) {
          for (std::size_t column = 0; column < ladder.columns(); ++column) {
            const std::size_t replica = round.grid.replica_at(row, column);
            Answer answer = judged(*source, forms.decode(round.replicas.bits(replica)));
            samples.push_back({ladder.beta[row], ladder.penalty[column], std::move(answer.values),
                               answer.objective, round.replicas.g(replica)});
          }
        }
        tell(round.number);
      });
      return samples;
    }
    const Problem& problem = source->problem();
    sample(plan.embedding, plan.ladder, *device, run, stop, [&](const SampleRound& round) {
      for (std::size_t row = 0; row < ladder.rows(); ++row) {
        for (std::size_t column = 0; column < ladder.columns(); ++column) {
          const std::vector<Spin> physical =
              round.device.read_spins(0, round.grid.replica_at(row, column));
          const std::vector<Spin> spins = decode_strict(plan.embedding, physical).spins;
          samples.push_back({ladder.beta[row], ladder.penalty[column], values_of(*source, spins),
                             problem.user.scale * problem.objective(spins) + problem.user.shift,
                             plan.embedding.model.g(physical)});
        }
      }
      tell(round.number);
    });
    return samples;
  });
}

}  // namespace chainmail
