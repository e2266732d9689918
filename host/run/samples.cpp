#include "run/samples.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ladder/form_sampler.hpp"
#include "support/error.hpp"
#include "topology/topology.hpp"

namespace chainmail {

namespace {

// So many bursts for a sample, and some to begin with, are more than any sensible model needs.
constexpr std::uint64_t kMostBursts = 1000, kFirstBursts = 100000;

// Which states count. A state that is not canonical is passed over; the chain of those that are
// left has the distribution of values, for a chain watched on some of its states keeps theirs.
class Quota {
 public:
  Quota(const Ladder& ladder, const SampleOptions& options, bool all)
      : each_(options.rounds),
        first_(all ? 0 : ladder.rows() * ladder.columns() - 1),
        taken_(ladder.rows() * ladder.columns(), 0),
        open_(taken_.size() - first_) {}

  std::size_t first() const { return first_; }
  std::size_t cells() const { return taken_.size(); }
  bool wants(std::size_t cell) const { return taken_[cell] < each_; }
  std::uint64_t take(std::size_t cell) {
    if (taken_[cell] + 1 == each_) --open_;
    return taken_[cell]++;
  }
  bool unfinished(std::uint64_t bursts) const {
    if (open_ > 0 && bursts > kFirstBursts && bursts / kMostBursts > each_) {
      throw InputError(
          "hardly any state stands for its values alone, so samples would take for ever: the model "
          "has too many integers of over 4096 values, or in sets");
    }
    return open_ > 0;
  }

 private:
  std::uint64_t each_;
  std::size_t first_;
  std::vector<std::uint64_t> taken_;
  std::size_t open_;
};

// Slack bits have a distribution of their own, which would be summed over.
void refuse_slack(const CompiledModel& compiled) {
  for (const CompiledConstraint& c : compiled.constraints) {
    if (c.slack_bits == 0) continue;
    throw UsageError(fmt::format(
        "constraint '{}' needs slack bits in spins, which samples would be of too; sample the "
        "model as it is written: on the CPU, without copies and ladders for spins",
        c.name));
  }
}

void draw_forms(const Plan& plan, Device& device, SampleOptions options, bool all,
                const std::atomic<bool>& stop,
                const std::function<void(const DrawnSample&)>& take) {
  if (device.topology() != nullptr) {
    throw UsageError("models with constraints are sampled on the CPU only");
  }
  const ConstrainedModel& model = plan.source->model->model;
  const CompiledForms& forms = plan.source->model->forms();
  const double sign = model.sense == Sense::minimise ? 1.0 : -1.0;
  const std::size_t columns = plan.ladder.columns();
  Quota quota(plan.ladder, options, all);
  std::uint64_t bursts = 0;
  options.unfinished = [&] { return quota.unfinished(bursts); };
  FormMembers members = members_of(*plan.forms);
  sample_forms(forms.model, plan.ladder, members, options, stop, [&](const FormSampleRound& round) {
    bursts = round.number;
    for (std::size_t cell = quota.first(); cell < quota.cells(); ++cell) {
      const std::size_t row = cell / columns, column = cell % columns;
      const std::size_t replica = round.grid.replica_at(row, column);
      const auto bits = round.replicas.bits(replica);
      if (!quota.wants(cell) || !forms.is_canonical(bits)) continue;
      std::vector<std::int64_t> values = forms.decode(bits);
      const double f = sign * static_cast<double>(evaluate(model, values).objective);
      take({round.number,
            row,
            column,
            quota.take(cell),
            f,
            round.replicas.g(replica),
            {},
            std::move(values)});
    }
  });
}

}  // namespace

void draw_samples(const Plan& plan, Device& device, SampleOptions options, bool all,
                  const std::atomic<bool>& stop,
                  const std::function<void(const DrawnSample&)>& take) {
  if (plan.forms) return draw_forms(plan, device, options, all, stop, take);
  const CompiledModel* model = plan.source->model ? &plan.source->model->compiled() : nullptr;
  if (model != nullptr) refuse_slack(*model);
  const Embedding& embedding = plan.embedding;
  const std::size_t columns = plan.ladder.columns();
  Quota quota(plan.ladder, options, all);
  std::uint64_t bursts = 0;
  options.unfinished = [&] { return quota.unfinished(bursts); };
  sample(embedding, plan.ladder, device, options, stop, [&](const SampleRound& round) {
    bursts = round.number;
    for (std::size_t cell = quota.first(); cell < quota.cells(); ++cell) {
      const std::size_t row = cell / columns, column = cell % columns;
      if (!quota.wants(cell)) continue;
      const std::vector<Spin> physical =
          round.device.read_spins(0, round.grid.replica_at(row, column));
      std::vector<Spin> spins = decode_strict(embedding, physical).spins;
      if (model != nullptr && !model->is_canonical(spins)) continue;
      std::vector<std::int64_t> values;
      if (model != nullptr) values = model->decode(spins);
      take({round.number, row, column, quota.take(cell), embedding.model.f(physical),
            embedding.model.g(physical), std::move(spins), std::move(values)});
    }
  });
}

}  // namespace chainmail
