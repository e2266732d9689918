#include "device/group/remote_device.hpp"

#include <deque>
#include <map>
#include <utility>

#include "device/group/wire_calls.hpp"
#include "support/error.hpp"

namespace chainmail {
namespace {

constexpr double kLoadSeconds = 5e-6;  // a number of the model, several times what it takes
constexpr double kGoodbyeSeconds = 5.0;

double numbers_of(const PhysicalModel& model) {
  std::size_t count = model.f.couplings.size() + model.g.couplings.size();
  if (const FormModel* forms = model.forms.get()) {
    count += forms->bits + forms->pairs.items.size() + forms->clashes.items.size() +
             forms->forms.items.size() + forms->monomials.items.size();
  }
  return static_cast<double>(count);
}

class RemoteDevice final : public Device {
 public:
  RemoteDevice(std::shared_ptr<Channel> channel, const DeviceOptions& options)
      : channel_(std::move(channel)), timeout_(options.timeout) {
    MessageWriter call;
    call.value(Call::open);
    put(call, options);
    const Message answer = ask(call);
    MessageReader reader = opened(answer);
    describe_ = reader.text();
    sampler_ = reader.text();
  }

  std::string describe() const override { return describe_; }
  std::string sampler() const override { return sampler_; }
  std::vector<std::string> notes() const override { return notes_; }

  // Making the tables of a large model may take long over there.
  void load(const PhysicalModel& model, const LoadOptions& options) override {
    MessageWriter call;
    call.value(Call::load);
    put(call, model);
    call.value(options);
    const double seconds = timeout_ + kLoadSeconds * numbers_of(model);
    channel_->send(call.take(), seconds);
    Message answer;  // results of the previously loaded model may still arrive: drop them
    do {
      answer = channel_->receive(seconds);
    } while (MessageReader(answer).value<Call>() == Call::submit);
    MessageReader reader = opened(answer);
    results_.assign(options.grids, {});
    arrived_.assign(options.grids, false);
    descend_.assign(options.grids, {});
    known_.clear();
    notes_.clear();
    const auto count = reader.value<std::uint64_t>();
    for (std::uint64_t k = 0; k < count; ++k) notes_.push_back(reader.text());
  }

  Parameters quantise(const Parameters& wanted) const override {
    const auto [entry, fresh] = known_.try_emplace({wanted.beta, wanted.beta_penalty});
    if (fresh) {
      const Message answer = ask(MessageWriter().value(Call::quantise).value(wanted));
      entry->second = opened(answer).value<Parameters>();
    }
    return entry->second;
  }

  void write_spins(std::size_t grid, std::size_t replica, std::span<const Spin> spins) override {
    opened(ask(MessageWriter().value(Call::write).value(grid).value(replica).spins(spins)));
  }
  std::vector<Spin> read_spins(std::size_t grid, std::size_t replica, Which which) override {
    const Message answer =
        ask(MessageWriter().value(Call::read).value(grid).value(replica).value(which));
    return opened(answer).spins();
  }
  void descend_after(std::size_t grid, std::span<const std::size_t> replicas) override {
    descend_.at(grid).assign(replicas.begin(), replicas.end());
  }

  void reweigh(std::size_t grid, std::span<const double> weights) override {
    opened(ask(MessageWriter().value(Call::reweigh).value(grid).list(weights)));
  }

  // Its result comes when it is done, without a request.
  void submit(std::size_t grid, std::span<const Parameters> parameters, std::uint64_t sweeps,
              std::uint64_t burst_number) override {
    arrived_.at(grid) = false;
    MessageWriter call;
    call.value(Call::submit).value(grid).value(sweeps).value(burst_number).list(parameters);
    call.list(std::span<const std::size_t>(descend_.at(grid)));
    channel_->send(call.take(), timeout_);
  }
  const BurstResult& wait(std::size_t grid) override {
    while (!arrived_.at(grid)) take_result(channel_->receive(timeout_));
    return results_[grid];
  }

 private:
  // Results of bursts in flight may arrive before the answer; they belong to their grids.
  Message ask(MessageWriter& call) const {
    channel_->send(call.take(), timeout_);
    for (;;) {
      Message answer = channel_->receive(timeout_);
      MessageReader reader(answer);
      if (reader.value<Call>() != Call::submit) return answer;
      take_result(answer);
    }
  }

  void take_result(const Message& message) const {
    MessageReader reader = opened(message);
    const auto grid = reader.value<std::size_t>();
    if (grid >= results_.size()) throw DeviceError("a result for a grid that does not exist");
    results_[grid].f = reader.list<double>();
    results_[grid].g = reader.list<double>();
    results_[grid].best_f = reader.list<double>();
    const auto descents = reader.value<std::uint32_t>();
    const std::size_t asked = std::exchange(descend_[grid], {}).size();
    if (descents != 0 && descents != asked) {
      throw DeviceError(std::to_string(descents) + " descents for " + std::to_string(asked) +
                        " that were asked for");
    }
    results_[grid].descents.resize(descents);
    for (Descent& descent : results_[grid].descents) {
      descent.f = reader.value<double>();
      descent.spins = reader.spins();
    }
    results_[grid].moments = reader.list<BurstMoments>();
    results_[grid].skipped = reader.value<std::uint64_t>();
    arrived_[grid] = true;
  }

  std::shared_ptr<Channel> channel_;
  double timeout_;
  std::string describe_, sampler_;
  std::vector<std::string> notes_;
  mutable std::vector<BurstResult> results_;
  mutable std::vector<bool> arrived_;
  mutable std::vector<std::vector<std::size_t>> descend_;  // after a grid's next burst
  mutable std::map<std::pair<double, double>, Parameters> known_;
};

// The other side: one device, its requests, and which grids have bursts in flight.
class Server {
 public:
  explicit Server(Channel& channel) : channel_(channel) {}

  void run() {
    for (;;) {
      // Bursts in flight end one after the other; requests in between come first.
      if (!under_way_.empty() && !channel_.ready()) {
        finish_first();
        continue;
      }
      const Message message = channel_.receive(-1.0);
      MessageReader call(message);
      const auto kind = call.value<Call>();
      if (kind == Call::goodbye) return reply(kind, [](MessageWriter&) {});
      answer(kind, call);
    }
  }

 private:
  template <class Work>
  void reply(Call kind, const Work& work) {
    MessageWriter message;
    message.value(kind).value(Answer::done);
    const auto fail = [&](Answer verdict, const std::exception& error) {
      message = MessageWriter();
      message.value(kind).value(verdict).text(error.what());
    };
    try {
      work(message);
    } catch (const InputError& error) {
      fail(Answer::input_error, error);
    } catch (const UsageError& error) {
      fail(Answer::usage_error, error);
    } catch (const std::exception& error) {
      fail(Answer::device_error, error);
    }
    channel_.send(message.take(), -1.0);
  }

  void finish_first() {
    const std::size_t grid = under_way_.front();
    under_way_.pop_front();
    reply(Call::submit, [&](MessageWriter& out) {
      const BurstResult& result = device().wait(grid);
      out.value(grid).list(std::span(result.f)).list(std::span(result.g));
      out.list(std::span(result.best_f));
      out.value(static_cast<std::uint32_t>(result.descents.size()));
      for (const Descent& descent : result.descents) out.value(descent.f).spins(descent.spins);
      out.list(std::span(result.moments)).value(result.skipped);
    });
  }

  void start(MessageReader& call) {
    const auto grid = call.value<std::size_t>();
    const auto sweeps = call.value<std::uint64_t>(), number = call.value<std::uint64_t>();
    const auto parameters = call.list<Parameters>();
    const auto descend = call.list<std::size_t>();
    try {
      if (!descend.empty()) device().descend_after(grid, descend);
      device().submit(grid, parameters, sweeps, number);
      under_way_.push_back(grid);
    } catch (const std::exception&) {
      reply(Call::submit, [](MessageWriter&) { throw; });
    }
  }

  void answer(Call kind, MessageReader& call) {
    if (kind == Call::submit) return start(call);
    reply(kind, [&](MessageWriter& out) {
      switch (kind) {
        case Call::open:
          under_way_.clear();
          device_ = make_device(get_device_options(call));
          out.text(device_->describe()).text(device_->sampler());
          break;
        case Call::load:
          load(call, out);
          break;
        case Call::quantise:
          out.value(device().quantise(call.value<Parameters>()));
          break;
        case Call::write: {
          const auto grid = call.value<std::size_t>(), replica = call.value<std::size_t>();
          device().write_spins(grid, replica, call.spins());
          break;
        }
        case Call::read: {
          const auto grid = call.value<std::size_t>(), replica = call.value<std::size_t>();
          out.spins(device().read_spins(grid, replica, call.value<Which>()));
          break;
        }
        case Call::reweigh: {
          const auto grid = call.value<std::size_t>();
          device().reweigh(grid, call.list<double>());
          break;
        }
        default:
          throw DeviceError("unknown request");
      }
    });
  }

  void load(MessageReader& call, MessageWriter& out) {
    // Bursts in flight belong to an abandoned run; nobody waits for them.
    for (std::size_t grid : under_way_) device().wait(grid);
    under_way_.clear();
    const PhysicalModel model = get_model(call);
    device().load(model, call.value<LoadOptions>());
    const std::vector<std::string> notes = device().notes();
    out.value(std::uint64_t{notes.size()});
    for (const std::string& note : notes) out.text(note);
  }

  Device& device() {
    if (!device_) throw DeviceError("no device was opened");
    return *device_;
  }

  Channel& channel_;
  std::unique_ptr<Device> device_;
  std::deque<std::size_t> under_way_;
};

}  // namespace

std::unique_ptr<Device> make_remote_device(std::shared_ptr<Channel> channel,
                                           const DeviceOptions& options) {
  return std::make_unique<RemoteDevice>(std::move(channel), options);
}

void serve_device(Channel& channel) {
  Server(channel).run();
}

void say_goodbye(Channel& channel) {
  channel.send(MessageWriter().value(Call::goodbye).take(), kGoodbyeSeconds);
}

void hear_goodbye(Channel& channel) {
  while (MessageReader(channel.receive(kGoodbyeSeconds)).value<Call>() != Call::goodbye) {
  }
}

}  // namespace chainmail
