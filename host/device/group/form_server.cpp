#include "device/group/form_server.hpp"

#include <utility>

#include "support/error.hpp"

namespace chainmail {

FormServer::Share& FormServer::share() {
  if (!share_) throw DeviceError("no form model was loaded");
  return *share_;
}

std::size_t FormServer::replica(MessageReader& call) {
  const auto k = call.value<std::size_t>();
  if (k >= share().engine.size()) throw DeviceError("no replica " + std::to_string(k));
  return k;
}

void FormServer::tell(Call kind, MessageReader& call) {
  if (fault_) return;
  const auto fits = [&](std::size_t bits) {
    if (bits != share().model.bits) throw DeviceError("a state of another model");
  };
  try {
    if (kind == Call::form_weights) return set_weights(call.list<double>());
    const std::size_t k = replica(call);
    if (kind == Call::form_set) {
      const std::vector<Bit> bits = call.bits();
      fits(bits.size());
      share().engine.set(k, bits);
    } else {
      const FormSnapshot then = get_snapshot(call);
      fits(then.bits.size());
      share().engine.restore(k, then);
    }
  } catch (...) {
    fault_ = std::current_exception();
  }
}

void FormServer::answer(Call kind, MessageReader& call, MessageWriter& out) {
  if (kind == Call::form_load) return load(call);
  if (fault_) std::rethrow_exception(std::exchange(fault_, nullptr));
  FormEngine& engine = share().engine;
  switch (kind) {
    case Call::form_burst:
      return burst(call, out);
    case Call::form_best:
      out.bits(engine.best().bits);
      return;
    case Call::form_read:
      return put(out, std::as_const(engine)[replica(call)].snapshot());
    case Call::form_violated:
      out.list(std::span<const std::size_t>(engine.violated(call.list<std::size_t>())));
      return;
    default:
      throw DeviceError("asked for what no form model knows");
  }
}

void FormServer::load(MessageReader& call) {
  fault_ = nullptr;
  share_.reset();
  const auto threads = call.value<unsigned>();
  const auto replicas = call.value<std::size_t>();
  const auto seed = call.value<std::uint64_t>();
  const auto cut = call.value<FormShare>();
  if (!crew_ || threads != threads_) crew_ = std::make_unique<Crew>(threads);
  threads_ = threads;
  share_ = std::make_unique<Share>(get_form_model(call), replicas, seed, *crew_, cut);
}

void FormServer::burst(MessageReader& call, MessageWriter& out) {
  FormEngine& engine = share().engine;
  const bool measure = call.value<bool>();
  FormState bar;
  bar.feasible = call.value<bool>();
  bar.f = call.value<double>();
  bar.g = call.value<double>();
  const auto sweeps = call.value<std::uint64_t>();
  const auto moves = call.value<FormMoves>();
  const auto parameters = call.list<Parameters>();
  if (parameters.size() != engine.size()) {
    throw DeviceError(std::to_string(parameters.size()) + " parameter pairs for " +
                      std::to_string(engine.size()) + " replicas");
  }
  engine.aim_below(bar);
  engine.burst(parameters, sweeps, moves);
  std::vector<double> f, g;
  std::vector<Bit> feasible;
  std::vector<FormBurst> measured;
  for (std::size_t k = 0; k < engine.size(); ++k) {
    f.push_back(engine[k].f());
    g.push_back(engine[k].g());
    feasible.push_back(engine[k].feasible() ? 1 : 0);
    if (measure) measured.push_back(engine.measured(k));
  }
  out.list(std::span<const double>(f)).list(std::span<const double>(g)).bits(feasible);
  if (measure) out.list(std::span<const FormBurst>(measured));
  const FormState& best = engine.best();
  const bool better = best.better_than(bar);
  out.value(better);
  if (better) out.value(best.feasible).value(best.f).value(best.g).value(engine.best_from());
}

void FormServer::set_weights(const std::vector<double>& weights) {
  FormModel& model = share().model;
  if (weights.size() != model.limits.size()) throw DeviceError("weights of another model");
  for (std::size_t form = 0; form < weights.size(); ++form) {
    model.limits[form].weight = weights[form];
  }
  for (std::size_t k = 0; k < share().engine.size(); ++k) share().engine[k].refresh();
}

}  // namespace chainmail
