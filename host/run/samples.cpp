#include "run/samples.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "problem/bits.hpp"
#include "support/error.hpp"
#include "topology/topology.hpp"

namespace chainmail {

namespace {

// More bursts per sample, and to begin with, than any sensible model needs.
constexpr std::uint64_t kMostBursts = 1000, kFirstBursts = 100000;

// Which states count. A state that is not canonical is skipped; the remaining chain has the
// distribution of values, since a chain restricted to some of its states keeps their distribution.
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
          "almost every state is a duplicate pattern of its values, so sampling would take for "
          "ever: the model has too many integers of over 4096 values, or in sets");
    }
    return open_ > 0;
  }

 private:
  std::uint64_t each_;
  std::size_t first_;
  std::vector<std::uint64_t> taken_;
  std::size_t open_;
};

// Slack bits have their own distribution, which the samples would be summed over.
void refuse_slack(const SquaredModel& model) {
  for (const SquaredForm& c : model.constraints) {
    if (c.slack_bits == 0) continue;
    throw UsageError(fmt::format(
        "constraint '{}' needs slack bits in spins, which would be sampled too; sample the "
        "model as written: on the CPU, without copies and ladders for spins",
        c.name));
  }
}

// f from the values, exactly as the model has it.
double user_f(const ConstrainedModel& model, const std::vector<std::int64_t>& values) {
  const double sign = model.sense == Sense::minimise ? 1.0 : -1.0;
  return sign * static_cast<double>(evaluate(model, values).objective);
}

// Whether the state is the canonical one for its values.
bool is_canonical(const Plan& plan, std::span<const Spin> spins) {
  if (!plan.source->model) return true;
  return plan.as_written() ? plan.source->model->forms().is_canonical(bits_of(spins))
                           : plan.source->model->squares().is_canonical(spins);
}

}  // namespace

void draw_samples(const Plan& plan, Device& device, SampleOptions options, bool all,
                  const std::atomic<bool>& stop,
                  const std::function<void(const DrawnSample&)>& take) {
  const ModelSource* model = plan.source->model ? &*plan.source->model : nullptr;
  if (plan.as_written() && device.topology() != nullptr) {
    throw UsageError("models with constraints are sampled on the CPU only");
  }
  if (model != nullptr && !plan.as_written()) refuse_slack(model->squares());
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
      if (!is_canonical(plan, spins)) continue;
      DrawnSample drawn{round.number, row, column, 0, 0.0, embedding.model.g_at(physical), {}, {}};
      if (model != nullptr) drawn.values = model_values(plan, spins);
      drawn.f =
          plan.as_written() ? user_f(model->model, drawn.values) : embedding.model.f(physical);
      drawn.spins = plan.source->lift(spins);
      drawn.number = quota.take(cell);
      take(drawn);
    }
  });
}

}  // namespace chainmail
