// Constrained models over several processes: the same bits as in one, whoever is lost on the way.
#include "device/group/form_group.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <thread>

#include "../temporary_folder.hpp"
#include "device/group/form_server.hpp"
#include "generate/models.hpp"
#include "model/forms.hpp"
#include "model/model_files.hpp"
#include "processes.hpp"
#include "solve/form_solver.hpp"
#include "support/error.hpp"

using namespace chainmail;
using namespace chainmail::test;

namespace {

constexpr std::size_t kReplicas = 11;
constexpr FormMoves kMoves{0.5, 1.0, 0.3};

FormModel knapsack(std::size_t n) {
  GenerateOptions options;
  options.n = n;
  return compile_forms(make_qkp(options)).model;
}
FormModel split() {  // nothing to minimise: its weights change
  GenerateOptions options;
  options.n = 3;
  return compile_forms(make_market_split(options)).model;
}
// Tenths have no end in binary: sums depend on the order they were added in.
FormModel tenths() {
  FormModel model = knapsack(30);
  for (double& value : model.linear) value *= 0.1;
  for (Neighbour& n : model.pairs.items) n.value *= 0.1;
  return model;
}

using Story = std::vector<double>;

// Anneals, exchanges of states, new weights and looks at everything a group tells.
Story tell(FormModel model, FormMembers& members, std::size_t rounds = 12) {
  const FormPlan plan(model);
  FormGroup group(plan, kReplicas, 7, members);
  Story story;
  const auto hear_bits = [&](const std::vector<Bit>& bits) {
    story.insert(story.end(), bits.begin(), bits.end());
  };
  for (std::size_t round = 0; round < rounds; ++round) {
    std::vector<Parameters> parameters;
    for (std::size_t k = 0; k < kReplicas; ++k) {
      const double beta = (0.002 + 0.001 * static_cast<double>((k + round) % kReplicas)) *
                          static_cast<double>(round + 1);
      parameters.push_back({beta, 30.0 * beta});
    }
    group.burst(parameters, 2, kMoves,
                round % 2 == 0 ? FormGroup::Measure::yes : FormGroup::Measure::no);
    for (std::size_t k = 0; k < kReplicas; ++k) {
      story.insert(story.end(), {group.f(k), group.g(k), group.feasible(k) ? 1.0 : 0.0});
      if (round % 2 == 0)
        story.insert(story.end(), {group.measured(k).mean, group.measured(k).variance});
    }
    story.insert(story.end(), {group.best().f, group.best().g});
    hear_bits(group.best().bits);
    if (round % 4 == 1) group.set(3, group.bits(8));
    if (round % 5 == 2) {
      const std::vector<std::size_t> some{1, 2, 10};
      std::vector<double> weights;
      for (std::size_t count : group.violated(some)) {
        weights.push_back(0.1 * static_cast<double>(10 + count + round));
      }
      group.set_weights(model, weights);
    }
  }
  for (std::size_t k = 0; k < kReplicas; ++k) hear_bits(group.bits(k));
  return story;
}

Story alone(const FormModel& model, std::size_t rounds = 12) {
  FormMembers members(1);
  return tell(model, members, rounds);
}

std::vector<std::shared_ptr<Channel>> channels(const std::vector<Member>& others) {
  std::vector<std::shared_ptr<Channel>> all;
  all.reserve(others.size());
  for (const Member& other : others) all.push_back(other.shared_channel());
  return all;
}

}  // namespace

TEST_CASE("processes share the replicas of a model and change no bit", "[group][forms]") {
  for (const FormModel& model : {knapsack(40), tenths(), split()}) {
    const Story here = alone(model);
    for (std::size_t processes : {1, 2, 4, 14}) {
      INFO(processes << " others");
      const std::vector<Member> others(processes);
      FormMembers members(1, channels(others), 20.0);
      CHECK(tell(model, members) == here);
      CHECK(members.losses().empty());
      CHECK(members.use().size() == processes + 1);
      CHECK(members.use()[1].bursts == 12);
    }
  }
}

TEST_CASE("a replica goes on from its snapshot to the last bit", "[group][forms]") {
  CHECK(FormPlan(knapsack(40)).exact_sums());
  CHECK_FALSE(FormPlan(tenths()).exact_sums());
  for (const FormModel& model : {knapsack(40), tenths()}) {
    const FormPlan plan(model);
    FormMembers members(1);
    FormGroup one(plan, 3, 7, members), other(plan, 3, 7, members);
    const std::vector<Parameters> parameters(3, {0.01, 1.0});
    one.burst(parameters, 40, kMoves);
    for (std::size_t k = 0; k < 3; ++k) other.restore(k, one.snapshot(k));
    other.offer(one.best());
    for (int round = 0; round < 20; ++round) {
      one.burst(parameters, 10, kMoves);
      other.burst(parameters, 10, kMoves);
      for (std::size_t k = 0; k < 3; ++k) {
        REQUIRE(one.f(k) == other.f(k));
        REQUIRE(one.bits(k) == other.bits(k));
      }
    }
  }
}

TEST_CASE("a model's round costs at most 64 bytes a replica", "[group][forms]") {
  const FormModel model = knapsack(40);
  const FormPlan plan(model);
  const Member member;
  const auto counting = std::make_shared<Counting>(member.shared_channel());
  FormMembers members(1, {counting});
  for (std::size_t replicas : {16, 96}) {
    FormGroup group(plan, replicas, 7, members);
    const std::vector<Parameters> parameters(replicas, {0.002, 0.02});
    group.burst(parameters, 1, kMoves);  // keeps the states
    counting->bytes = 0;
    group.burst(parameters, 1, kMoves);
    CHECK(counting->bytes <= 64 * replicas / 2);
    CHECK(counting->bytes >= 32 * replicas / 2);
  }
}

TEST_CASE("whole runs of models are the same over processes, also when resumed on others",
          "[group][forms]") {
  for (const FormModel& model : {knapsack(40), tenths(), split()}) {
    FormSolveOptions options;
    options.sweeps = 400;
    options.trials = 2;
    options.threads = 1;
    options.search.ladder.most_rows = 6;
    const std::atomic<bool> go{false};
    const auto same = [](const Result& a, const Result& b) {
      CHECK(a.best.solution == b.best.solution);
      CHECK(a.best.energy == b.best.energy);
      CHECK(a.best.found_at_sweep == b.best.found_at_sweep);
      CHECK(a.ladder.beta == b.ladder.beta);
      CHECK(a.ladder.penalty == b.ladder.penalty);
      CHECK(a.acceptance_beta == b.acceptance_beta);
      CHECK(a.mean_answer_energy == b.mean_answer_energy);
      REQUIRE(a.trace.size() == b.trace.size());
      for (std::size_t k = 0; k < a.trace.size(); ++k)
        CHECK(a.trace[k].energy == b.trace[k].energy);
      CHECK(a.walks == b.walks);
    };
    const Result whole = solve_forms(model, options, go);
    const std::vector<Member> others(3);
    options.others = channels(others);
    same(solve_forms(model, options, go), whole);
    const TemporaryFolder folder;
    options.checkpoint = folder.file("c");
    std::atomic<bool> stop{false};
    solve_forms(model, options, stop, [&](const SolveStatus& s) { stop = s.fraction > 0.3; });
    const std::vector<Member> fewer(1);
    options.others = channels(fewer);
    same(solve_forms(model, options, go), whole);
  }
}

TEST_CASE("a model's processes killed, stopped and cut off at thirty moments", "[group][forms]") {
  const FormModel model = split();
  const std::size_t rounds = 60;
  const Story whole = alone(model, rounds);
  std::mt19937_64 random(6);
  int noticed = 0;
  for (int moment = 0; noticed < 30 && moment < 300; ++moment) {
    const std::vector<Member> others(2);
    FormMembers members(1, channels(others), 0.5);
    const auto pause = std::chrono::microseconds(random() % 6000);
    std::thread assassin([&] {
      std::this_thread::sleep_for(pause);
      if (moment % 3 == 0) others[1].signal(SIGKILL);
      if (moment % 3 == 1) others[1].signal(SIGSTOP);
      if (moment % 3 == 2) others[1].cut_off();
    });
    INFO("moment " << moment << ", after " << pause.count() << " us");
    CHECK(tell(model, members, rounds) == whole);
    assassin.join();
    noticed += members.losses().empty() ? 0 : 1;
  }
  CHECK(noticed == 30);
}

TEST_CASE("what a share cannot do is told with its next answer", "[group][forms]") {
  FormServer server;
  const auto answer = [&](const Message& call) {
    MessageReader reader(call);
    const auto kind = reader.value<Call>();
    MessageWriter out;
    if (FormServer::is_told(kind)) server.tell(kind, reader);
    if (FormServer::is_asked(kind)) server.answer(kind, reader, out);
    return out.take();
  };
  const auto best = [&] { return answer(MessageWriter().value(Call::form_best).take()); };
  CHECK_THROWS_WITH(best(), Catch::Contains("no form model was loaded"));

  const FormModel model = knapsack(20);
  MessageWriter load;
  load.value(Call::form_load).value(1U).value(std::size_t{3}).value(std::uint64_t{7});
  load.value(FormShare{});
  put(load, model);
  answer(load.take());
  const std::vector<Bit> state(model.bits, 1);
  MessageWriter set;
  set.value(Call::form_set).value(std::size_t{2}).bits(state);
  answer(set.message());
  const Message read = answer(MessageWriter().value(Call::form_read).value(std::size_t{2}).take());
  MessageReader reader(read);
  CHECK(get_snapshot(reader).bits == state);

  const std::vector<Bit> longer(model.bits + 1, 0);
  const std::vector<double> weights(model.limits.size() + 1, 1.0);
  const auto refused = [&](MessageWriter& call, const std::string& why) {
    INFO(why);
    answer(call.take());
    answer(set.message());  // too late to mend it
    CHECK_THROWS_WITH(best(), Catch::Contains(why));
    best();  // told once
  };
  MessageWriter call;
  refused(call.value(Call::form_set).value(std::size_t{2}).bits(longer),
          "a state of another model");
  refused(call.value(Call::form_set).value(std::size_t{3}).bits(state), "no replica 3");
  MessageReader again(read);
  FormSnapshot other = get_snapshot(again);
  other.bits = longer;
  call.value(Call::form_restore).value(std::size_t{0});
  put(call, other);
  refused(call, "a state of another model");
  refused(call.value(Call::form_weights).list(std::span<const double>(weights)),
          "weights of another model");

  CHECK_THROWS_WITH(answer(call.value(Call{77}).take()), Catch::Contains("no form model knows"));
  call.value(Call::form_burst).value(false).value(false).value(0.0).value(0.0);
  call.value(std::uint64_t{1}).value(kMoves).list(std::span<const Parameters>());
  CHECK_THROWS_WITH(answer(call.take()), Catch::Contains("0 parameter pairs for 3 replicas"));
}

TEST_CASE("a share that answers nonsense is replaced", "[group][forms]") {
  // Everything arrives; now and then an answer's last byte is lost.
  class Biting final : public Channel {
   public:
    Biting(std::shared_ptr<Channel> channel, int bites_at)
        : channel_(std::move(channel)), left_(bites_at) {}
    void send(Message message, double seconds) override {
      channel_->send(std::move(message), seconds);
    }
    Message receive(double seconds) override {
      Message message = channel_->receive(seconds);
      if (--left_ == 0) message.pop_back();
      return message;
    }
    bool ready() override { return channel_->ready(); }

   private:
    std::shared_ptr<Channel> channel_;
    int left_;
  };
  const FormModel model = knapsack(20);
  const Story whole = alone(model);
  for (int at : {2, 5, 9, 14}) {
    const std::vector<Member> others(2);
    FormMembers members(
        1, {others[0].shared_channel(), std::make_shared<Biting>(others[1].shared_channel(), at)});
    CHECK(tell(model, members) == whole);
    CHECK(members.losses().size() == 1);
  }
}
