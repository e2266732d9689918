#include "device/group/form_group.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "device/group/wire_calls.hpp"
#include "support/error.hpp"

namespace chainmail {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

constexpr double kLoadSeconds = 5e-6;  // a number of the model, several times what it takes
// Others may take so many times as long as this process for a share of the same size.
constexpr double kSlowest = 10.0;

// The next answer to a call of this kind; older ones, to calls that were given up, are dropped.
Message answer_to(Call kind, Channel& channel, double seconds) {
  for (;;) {
    Message answer = channel.receive(seconds);
    if (MessageReader(answer).value<Call>() == kind) return answer;
  }
}

}  // namespace

FormGroup::FormGroup(const FormPlan& plan, std::size_t replicas, std::uint64_t seed,
                     FormMembers& members)
    : plan_(&plan),
      seed_(seed),
      members_(&members),
      f_(replicas),
      g_(replicas),
      feasible_(replicas),
      measured_(replicas) {
  for (const FormLimits& limits : plan.model().limits) kept_weights_.push_back(limits.weight);
  bring_up();
}

template <class Run>
auto FormGroup::with_members(const Run& run) {
  for (;;) {
    try {
      return run();
    } catch (const Lost& lost) {
      members_->lose(*lost.member, lost.what);
      bring_up();
    }
  }
}

template <class Run>
auto FormGroup::on(FormMember& member, const Run& run) {
  try {
    return run(*member.channel);
  } catch (const DeviceError& error) {
    throw Lost{&member, error.what()};
  }
}

void FormGroup::bring_up() {
  for (;;) {
    try {
      deal();
      replay();
      return;
    } catch (const Lost& lost) {
      members_->lose(*lost.member, lost.what);
    }
  }
}

void FormGroup::deal() {
  if (weighed_ != nullptr) {
    for (std::size_t form = 0; form < kept_weights_.size(); ++form) {
      weighed_->limits[form].weight = kept_weights_[form];
    }
  }
  there_ = members_->alive();
  here_.emplace(*plan_, count_at(0), seed_, members_->crew(), FormShare{0, places()});
  const FormModel& model = plan_->model();
  const auto numbers = static_cast<double>(model.bits + model.pairs.items.size() +
                                           model.clashes.items.size() + model.forms.items.size());
  const double seconds = members_->timeout() + kLoadSeconds * numbers;
  for (std::size_t place = 1; place < places() && count_at(place) > 0; ++place) {
    on(*there_[place], [&](Channel& channel) {
      MessageWriter call;
      call.value(Call::form_load).value(members_->threads()).value(count_at(place)).value(seed_);
      call.value(FormShare{place, places()});
      put(call, model);
      channel.send(call.take(), seconds);
    });
  }
  for (std::size_t place = 1; place < places() && count_at(place) > 0; ++place) {
    on(*there_[place],
       [&](Channel& channel) { opened(answer_to(Call::form_load, channel, seconds)); });
  }
}

void FormGroup::replay() {
  for (std::size_t k = 0; k < kept_.size(); ++k) write(k, Restored{k, kept_[k]});
  for (const Event& event : since_) apply(event);
}

void FormGroup::apply(const Event& event) {
  if (const auto* burst = std::get_if<Burst>(&event)) run(*burst);
  if (const auto* written = std::get_if<Written>(&event)) write(written->replica, event);
  if (const auto* restored = std::get_if<Restored>(&event)) write(restored->replica, event);
  if (const auto* weights = std::get_if<Weights>(&event)) tell_weights(weights->values);
}

// Nobody answers to it; whether it could be done is told with the next burst.
void FormGroup::write(std::size_t k, const Event& event) {
  const std::size_t place = k % places(), number = k / places();
  const auto* written = std::get_if<Written>(&event);
  if (place == 0) {
    if (written != nullptr) here_->set(number, written->bits);
    if (written == nullptr) here_->restore(number, std::get<Restored>(event).then);
    return;
  }
  MessageWriter call;
  call.value(written != nullptr ? Call::form_set : Call::form_restore).value(number);
  if (written != nullptr) call.bits(written->bits);
  if (written == nullptr) put(call, std::get<Restored>(event).then);
  on(*there_[place], [&](Channel& channel) { channel.send(call.take(), members_->timeout()); });
}

void FormGroup::tell_weights(std::span<const double> weights) {
  for (std::size_t form = 0; form < weights.size(); ++form) {
    weighed_->limits[form].weight = weights[form];
  }
  for (std::size_t k = 0; k < here_->size(); ++k) (*here_)[k].refresh();
  for (std::size_t place = 1; place < places() && count_at(place) > 0; ++place) {
    MessageWriter call;
    call.value(Call::form_weights).list(weights);
    on(*there_[place], [&](Channel& channel) { channel.send(call.take(), members_->timeout()); });
  }
}

void FormGroup::note(Event event) {
  if (places() > 1) since_.push_back(std::move(event));
}

void FormGroup::set(std::size_t k, std::span<const Bit> bits) {
  const Event event = Written{k, {bits.begin(), bits.end()}};
  with_members([&] { write(k, event); });
  note(event);
}

void FormGroup::restore(std::size_t k, const FormSnapshot& then) {
  const Event event = Restored{k, then};
  with_members([&] { write(k, event); });
  note(event);
}

void FormGroup::set_weights(FormModel& model, std::span<const double> weights) {
  weighed_ = &model;
  with_members([&] { tell_weights(weights); });
  note(Weights{{weights.begin(), weights.end()}});
}

FormSnapshot FormGroup::snapshot(std::size_t k) {
  return with_members([&] { return snapshot_once(k); });
}

FormSnapshot FormGroup::snapshot_once(std::size_t k) {
  const std::size_t place = k % places(), number = k / places();
  if (place == 0) return (*here_)[number].snapshot();
  return on(*there_[place], [&](Channel& channel) {
    channel.send(MessageWriter().value(Call::form_read).value(number).take(), members_->timeout());
    const Message answer = answer_to(Call::form_read, channel, members_->timeout());
    MessageReader reader = opened(answer);
    return get_snapshot(reader);
  });
}

void FormGroup::burst(std::span<const Parameters> parameters, std::uint64_t sweeps,
                      const FormMoves& moves, Measure measure) {
  if (places() > 1 && mirror_.due(since_.size())) keep();
  const Burst burst{{parameters.begin(), parameters.end()},
                    sweeps,
                    moves,
                    measure == Measure::yes,
                    best_.f,
                    best_.g,
                    best_.feasible};
  const std::optional<Found> found = with_members([&] { return run(burst); });
  note(burst);
  if (found) best_ = with_members([&] { return best_of(*found); });
}

std::optional<FormGroup::Found> FormGroup::run(const Burst& burst) {
  for (std::size_t place = 1; place < places() && count_at(place) > 0; ++place) {
    send_burst(place, burst);
  }
  const auto from = Clock::now();
  std::optional<Found> best = run_here(burst);
  const double own = seconds_since(from);
  there_[0]->use.busy_seconds += own;
  ++there_[0]->use.bursts;
  const auto sent = from;
  for (std::size_t place = 1; place < places() && count_at(place) > 0; ++place) {
    const auto waiting = Clock::now();
    const auto found = receive_burst(place, burst, members_->timeout() + kSlowest * own);
    MemberUse& use = there_[place]->use;
    use.waited_seconds += seconds_since(waiting);
    use.busy_seconds += seconds_since(sent);
    ++use.bursts;
    if (!found) continue;
    // Of equals the first replica's, as where all run in one process.
    const bool better = !best || found->state.better_than(best->state) ||
                        (!best->state.better_than(found->state) && found->from < best->from);
    if (better) best = found;
  }
  return best;
}

std::optional<FormGroup::Found> FormGroup::run_here(const Burst& burst) {
  std::vector<Parameters> own;
  for (std::size_t k = 0; k < size(); k += places()) own.push_back(burst.parameters[k]);
  const FormState bar{{}, burst.best_f, burst.best_g, burst.best_feasible};
  here_->aim_below(bar);
  here_->burst(own, burst.sweeps, burst.moves);
  for (std::size_t j = 0, k = 0; k < size(); ++j, k += places()) {
    const FormReplica& replica = (*here_)[j];
    f_[k] = replica.f();
    g_[k] = replica.g();
    feasible_[k] = replica.feasible() ? 1 : 0;
    measured_[k] = here_->measured(j);
  }
  const FormState& best = here_->best();
  if (!best.better_than(bar)) return std::nullopt;
  return Found{{{}, best.f, best.g, best.feasible}, here_->best_from()};
}

void FormGroup::send_burst(std::size_t place, const Burst& burst) {
  std::vector<Parameters> own;
  for (std::size_t k = place; k < size(); k += places()) own.push_back(burst.parameters[k]);
  MessageWriter call;
  call.value(Call::form_burst).value(burst.measure).value(burst.best_feasible);
  call.value(burst.best_f).value(burst.best_g).value(burst.sweeps).value(burst.moves);
  call.list(std::span<const Parameters>(own));
  on(*there_[place], [&](Channel& channel) { channel.send(call.take(), members_->timeout()); });
}

std::optional<FormGroup::Found> FormGroup::receive_burst(std::size_t place, const Burst& burst,
                                                         double seconds) {
  return on(*there_[place], [&](Channel& channel) -> std::optional<Found> {
    const Message answer = answer_to(Call::form_burst, channel, seconds);
    MessageReader reader = opened(answer);
    const auto f = reader.list<double>(), g = reader.list<double>();
    const auto feasible = reader.bits();
    const auto measured = burst.measure ? reader.list<FormBurst>() : std::vector<FormBurst>{};
    const std::size_t count = count_at(place);
    const auto odd = [](double value) { return std::isnan(value); };
    if (f.size() != count || g.size() != count || feasible.size() != count ||
        (burst.measure && measured.size() != count) || std::any_of(f.begin(), f.end(), odd) ||
        std::any_of(g.begin(), g.end(), odd)) {
      throw DeviceError("a burst of " + std::to_string(count) + " replicas answered " +
                        std::to_string(f.size()) + " energies, or no numbers");
    }
    for (std::size_t j = 0, k = place; j < count; ++j, k += places()) {
      f_[k] = f[j];
      g_[k] = g[j];
      feasible_[k] = static_cast<char>(feasible[j]);
      if (burst.measure) measured_[k] = measured[j];
    }
    if (!reader.value<bool>()) return std::nullopt;
    Found found;
    found.state.feasible = reader.value<bool>();
    found.state.f = reader.value<double>();
    found.state.g = reader.value<double>();
    found.from = reader.value<std::size_t>();
    if (found.from >= size()) throw DeviceError("a state of a replica that does not exist");
    return found;
  });
}

FormState FormGroup::best_of(const Found& found) {
  const std::size_t place = found.from % places();
  if (place == 0) return here_->best();
  FormState state = found.state;
  state.bits = on(*there_[place], [&](Channel& channel) {
    channel.send(MessageWriter().value(Call::form_best).take(), members_->timeout());
    const Message answer = answer_to(Call::form_best, channel, members_->timeout());
    return opened(answer).bits();
  });
  return state;
}

bool FormGroup::offer(const FormState& state) {
  if (!state.better_than(best_)) return false;
  best_ = state;
  return true;
}

std::vector<std::size_t> FormGroup::violated(std::span<const std::size_t> replicas) {
  const auto once = [&] {
    std::vector<std::size_t> total(plan_->model().limits.size(), 0);
    std::vector<std::vector<std::size_t>> by_place(places());
    for (std::size_t k : replicas) by_place[k % places()].push_back(k / places());
    for (std::size_t place = 1; place < places(); ++place) {
      if (by_place[place].empty()) continue;
      MessageWriter call;
      call.value(Call::form_violated).list(std::span<const std::size_t>(by_place[place]));
      on(*there_[place], [&](Channel& channel) { channel.send(call.take(), members_->timeout()); });
    }
    const auto add = [&](const std::vector<std::size_t>& counts) {
      for (std::size_t form = 0; form < total.size(); ++form) total[form] += counts.at(form);
    };
    add(here_->violated(by_place[0]));
    for (std::size_t place = 1; place < places(); ++place) {
      if (by_place[place].empty()) continue;
      on(*there_[place], [&](Channel& channel) {
        const Message answer = answer_to(Call::form_violated, channel, members_->timeout());
        const auto counts = opened(answer).list<std::size_t>();
        if (counts.size() != total.size()) throw DeviceError("forms were miscounted");
        add(counts);
      });
    }
    return total;
  };
  return with_members(once);
}

void FormGroup::keep() {
  const auto begun = Clock::now();
  std::vector<FormSnapshot> all;
  with_members([&] {
    all.clear();
    for (std::size_t k = 0; k < size(); ++k) all.push_back(snapshot_once(k));
  });
  kept_ = std::move(all);
  kept_weights_.clear();
  for (const FormLimits& limits : plan_->model().limits) kept_weights_.push_back(limits.weight);
  since_.clear();
  mirror_.done(begun);
}

}  // namespace chainmail
