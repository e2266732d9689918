#include "chainmail/chainmail.hpp"

#include <algorithm>
#include <utility>

#include "chainmail/content.hpp"
#include "ladder/ladder_file.hpp"
#include "ladder/sampler.hpp"
#include "report/html.hpp"
#include "report/json.hpp"
#include "report/trace.hpp"
#include "run/plan.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

const std::atomic<bool> kNever{false};

// Every call that can fail goes through here, so that users meet one kind of exception.
template <typename Call>
auto guarded(const Call& call) {
  try {
    return call();
  } catch (const InputError& error) {
    throw Failure(Failure::input, error.what());
  } catch (const UsageError& error) {
    throw Failure(Failure::usage, error.what());
  } catch (const DeviceError& error) {
    throw Failure(Failure::device, error.what());
  }
}

Answer answer_of(const NamedAnswer& named) {
  Answer answer{{}, named.objective, named.feasible, {}};
  for (const auto& [name, value] : named.variables) answer.values.push_back(value);
  for (const Violation& v : named.violations) {
    answer.violations.push_back({v.constraint, v.left, v.relation, v.right});
  }
  return answer;
}

// A state of spins in the values of the user's variables.
std::vector<std::int64_t> values_of(const Source& source, std::span<const Spin> spins) {
  if (source.model) return source.model->compiled().decode(spins);
  const std::int64_t down = source.problem().bits() ? 0 : -1;
  std::vector<std::int64_t> values(spins.size());
  std::transform(spins.begin(), spins.end(), values.begin(),
                 [&](Spin spin) { return spin > 0 ? 1 : down; });
  return values;
}

double objective_of(const Problem& problem, std::span<const Spin> spins) {
  return problem.user.scale * problem.objective(spins) + problem.user.shift;
}

PlanOptions plan_options(const Options& options) {
  PlanOptions wanted;
  wanted.device.name = options.device;
  wanted.device.threads = options.threads;
  wanted.copies = options.copies;
  wanted.seed = options.seed;
  return wanted;
}

}  // namespace

const char* version() {
  return CHAINMAIL_VERSION;
}

// ---- models ----------------------------------------------------------------------------------

Model::Model() : content_(std::make_unique<Content>()) {}
Model::Model(std::unique_ptr<Content> content) : content_(std::move(content)) {}
Model::Model(const Model& other) : content_(std::make_unique<Content>(*other.content_)) {}
Model::Model(Model&& other) noexcept = default;
Model::~Model() = default;
Model& Model::operator=(Model other) {
  std::swap(content_, other.content_);
  return *this;
}

Model Model::read(const std::string& file, const std::string& format) {
  return guarded([&] {
    auto content = std::make_unique<Content>();
    content->source = read_source(file, {format, 0});
    return Model(std::move(content));
  });
}

Model::Content& Model::changeable() {
  if (content_->source) throw Failure(Failure::usage, "a model that was read cannot be added to");
  return *content_;
}

Model::Variable Model::add_binary(const std::string& name) {
  return guarded([&] { return changeable().builder.add_variable(name, 0, 1); });
}
Model::Variable Model::add_integer(std::int64_t lower, std::int64_t upper,
                                   const std::string& name) {
  return guarded([&] { return changeable().builder.add_variable(name, lower, upper); });
}
Model::Variable Model::add_spin(const std::string& name) {
  return guarded([&] { return changeable().builder.add_spin(name); });
}

void Model::set_sense(Sense sense) {
  changeable().builder.set_maximise(sense == maximise);
}
void Model::add_constant(double value) {
  guarded([&] { changeable().builder.add_constant(value); });
}
void Model::add_linear(Variable variable, double coefficient) {
  guarded([&] { changeable().builder.add_linear(variable, coefficient); });
}
void Model::add_quadratic(Variable first, Variable second, double coefficient) {
  guarded([&] { changeable().builder.add_quadratic(first, second, coefficient); });
}
void Model::add_constraint(const std::string& name, const std::vector<Term>& terms, double lower,
                           double upper) {
  std::vector<LinearTerm> linear;
  for (const Term& term : terms) {
    linear.push_back({static_cast<std::uint32_t>(term.variable), term.coefficient});
  }
  guarded([&] { changeable().builder.add_constraint(name, std::move(linear), lower, upper); });
}

std::size_t Model::size() const {
  if (!content_->source) return content_->builder.size();
  const Source& source = *content_->source;
  return source.model ? source.model->model.variables.size() : source.problem().size();
}

std::string Model::name(Variable variable) const {
  if (variable >= size()) throw Failure(Failure::usage, "no such variable");
  if (!content_->source) return content_->builder.name(variable);
  const Source& source = *content_->source;
  if (source.model) return source.model->model.variables[variable].name;
  return source.problem().names.empty() ? std::to_string(variable)
                                        : source.problem().names[variable];
}

Model::Sense Model::sense() const {
  if (!content_->source) return content_->builder.maximises() ? maximise : minimise;
  const Source& source = *content_->source;
  const bool down = source.model ? source.model->model.sense == chainmail::Sense::maximise
                                 : source.problem().user.scale < 0;
  return down ? maximise : minimise;
}

std::optional<double> Model::known_optimum() const {
  if (!content_->source) return std::nullopt;
  const Problem& problem = content_->source->problem();
  if (!problem.known_optimum) return std::nullopt;
  return problem.user.scale * *problem.known_optimum + problem.user.shift;
}

Answer evaluate(const Model& model, std::span<const std::int64_t> values) {
  return guarded([&] {
    const Source source = model.content().to_source();
    if (values.size() != model.size()) {
      throw UsageError("expected " + std::to_string(model.size()) + " values, found " +
                       std::to_string(values.size()));
    }
    if (source.model) return answer_of(named_answer(source.model->model, values));
    const std::int64_t down = source.problem().bits() ? 0 : -1;
    std::vector<Spin> spins;
    for (std::int64_t value : values) {
      if (value != 1 && value != down) {
        throw UsageError("expected values " + std::to_string(down) + " and 1, found " +
                         std::to_string(value));
      }
      spins.push_back(value == 1 ? 1 : -1);
    }
    const auto& g = source.problem().constraint;
    const bool feasible = !g || (*g)(spins) <= kFeasible;
    return Answer{
        {values.begin(), values.end()}, objective_of(source.problem(), spins), feasible, {}};
  });
}

// ---- runs ------------------------------------------------------------------------------------

struct Solution::Record {
  Result result;
};

std::string Solution::json() const {
  return to_json(record_->result);
}
std::string Solution::html() const {
  return to_html(record_->result);
}
std::string Solution::trace_csv() const {
  return to_csv(record_->result);
}

Solution solve(const Model& model, const Options& options) {
  return guarded([&] {
    PlanOptions wanted = plan_options(options);
    if (options.sweeps > 0) wanted.sweeps = options.sweeps;
    wanted.time_limit = options.time_limit;
    wanted.target = options.target;
    wanted.solutions = options.solutions;
    wanted.trials = options.trials;
    const std::atomic<bool>& stop = options.stop != nullptr ? *options.stop : kNever;
    const Source source = model.content().to_source();
    const UserObjective user = source.user();
    const auto device = open_device(source, wanted);
    const auto tell = [&](const SolveStatus& s) {
      if (!options.progress) return;
      Status status{s.fraction, s.sweeps_done, {}, s.seconds};
      if (s.best) status.best = user.scale * *s.best + user.shift;
      options.progress(status);
    };
    const auto tune = [&](double, const std::string&) { return !stop; };
    auto record = std::make_shared<Solution::Record>();
    Result& result = record->result;
    result = run(plan(source, wanted, *device, stop, tune), *device, stop, tell);
    if (!result.device_fault.empty() && !result.best.feasible) {
      throw DeviceError(result.device_fault);
    }
    Solution found;
    if (source.model) {
      found.best = answer_of(result.answers.front());
      for (std::size_t k = 1; k < result.answers.size(); ++k) {
        found.others.push_back(answer_of(result.answers[k]));
      }
    } else {
      found.best = {
          values_of(source, result.best.solution), result.objective, result.best.feasible, {}};
    }
    found.stopped_by = result.stopped_by;
    found.sweeps = result.sweeps;
    found.seconds = result.seconds;
    found.notes = result.model_notes;
    found.record_ = std::move(record);
    return found;
  });
}

std::vector<Sample> sample(const Model& model, const Sampling& sampling, const Options& options) {
  return guarded([&] {
    PlanOptions wanted = plan_options(options);
    Ladder ladder;
    ladder.beta = sampling.betas;
    ladder.penalty = sampling.penalties;
    check_ladder(ladder, "betas, penalties");
    wanted.given_ladder = ladder;
    wanted.method = Method::two_dimensional;
    const std::atomic<bool>& stop = options.stop != nullptr ? *options.stop : kNever;
    const Source source = model.content().to_source();
    const auto device = open_device(source, wanted);
    const Plan plan = chainmail::plan(source, wanted, *device, stop);
    SampleOptions run;
    run.rounds = sampling.samples;
    run.warmup_rounds = sampling.warmup;
    run.sweeps_per_swap = sampling.sweeps;
    run.seed = options.seed;
    std::vector<Sample> samples;
    sample(plan.embedding, plan.ladder, *device, run, stop, [&](const SampleRound& round) {
      for (std::size_t row = 0; row < ladder.rows(); ++row) {
        for (std::size_t column = 0; column < ladder.columns(); ++column) {
          const std::vector<Spin> physical =
              round.device.read_spins(0, round.grid.replica_at(row, column));
          const std::vector<Spin> spins = decode_strict(plan.embedding, physical).spins;
          samples.push_back({ladder.beta[row], ladder.penalty[column], values_of(source, spins),
                             objective_of(source.problem(), spins),
                             plan.embedding.model.g(physical)});
        }
      }
    });
    return samples;
  });
}

}  // namespace chainmail
