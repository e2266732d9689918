// Members in other processes: the same bits as here, and processes that are killed, stopped or cut
// off cost only time.
#include "device/group/remote_device.hpp"

#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <random>
#include <thread>

#include "device/group/group_device.hpp"
#include "device/group/message.hpp"
#include "device/group/wire_calls.hpp"
#include "processes.hpp"
#include "script.hpp"
#include "support/error.hpp"

using namespace chainmail;
using namespace chainmail::test;

namespace {

std::unique_ptr<Device> device_on(const Member& member, const Case& c, double timeout = 20.0) {
  DeviceOptions options{c.device, 1, c.precision};
  options.timeout = timeout;
  return make_remote_device(member.shared_channel(), options);
}

}  // namespace

TEST_CASE("a round costs at most 64 bytes a replica", "[group][remote]") {
  const Case c = cases().front();
  const Member member;
  const auto counting = std::make_shared<Counting>(member.shared_channel());
  const auto device = make_remote_device(counting, {c.device, 1, c.precision});
  for (std::size_t replicas : {4, 8, 32}) {
    device->load(c.model, {.replicas = replicas, .beta_max = 0.8});
    const std::vector<Parameters> parameters(replicas, {0.3, 0.0});
    counting->bytes = 0;
    for (std::uint64_t round = 0; round < 10; ++round) {
      device->submit(0, parameters, 2, round);
      device->wait(0);
    }
    CHECK(counting->bytes <= 64 * 10 * replicas);
    CHECK(counting->bytes >= 40 * 10 * replicas);
  }
}

TEST_CASE("a device in another process gives the same bits", "[group][remote]") {
  for (const Case& c : cases()) {
    INFO(c.device << " " << c.precision);
    const Story here = tell(*make_device({c.device, 1, c.precision}), c);
    Member member;
    CHECK(tell(*device_on(member, c), c) == here);
    say_goodbye(member.channel());
    CHECK(member.ended() == 0);
  }
}

TEST_CASE("processes share a grid and change no bit", "[group][remote]") {
  for (const Case& c : cases()) {
    std::vector<std::unique_ptr<Device>> alone;
    alone.push_back(make_device({c.device, 1, c.precision}));
    const Story here = tell(*make_group_device(std::move(alone), {4}), c);
    for (std::size_t processes : {2, 3, 5}) {
      INFO(c.device << " " << c.precision << " in " << processes);
      const std::vector<Member> others(processes);
      std::vector<std::unique_ptr<Device>> members;
      members.reserve(processes);
      for (const Member& other : others) members.push_back(device_on(other, c));
      const auto group = make_group_device(std::move(members), {4});
      CHECK(tell(*group, c) == here);
    }
  }
}

TEST_CASE("faults over there are told here, each as its kind", "[group][remote]") {
  const Member member;
  Case wrong = cases().front();
  wrong.device = "no such device";
  CHECK_THROWS_AS(device_on(member, wrong), UsageError);
  Case large = cases().back();  // a kernel that is too small
  const auto device = device_on(member, large);
  large.model = cases().front().model;
  CHECK_THROWS_AS(tell(*device, large), InputError);
  const auto plain = device_on(member, cases().front());
  tell(*plain, cases().front());
  CHECK_THROWS_AS(plain->read_spins(99, 0, Which::current), DeviceError);
  // A burst that cannot begin is reported by wait().
  plain->submit(0, {}, 1, 0);
  CHECK_THROWS_AS(plain->wait(0), DeviceError);
  member.channel().send(MessageWriter().value(Call{77}).take(), 1.0);
  const Message answer = member.channel().receive(20.0);
  MessageReader reader(answer);
  CHECK(reader.value<Call>() == Call{77});
  CHECK(reader.value<Answer>() == Answer::device_error);
  CHECK_THAT(reader.text(), Catch::Contains("unknown request"));
}

TEST_CASE("a run that was given up is not waited for when the next is loaded", "[group][remote]") {
  const Case c = cases().front();
  const Story here = tell(*make_device({c.device, 1, c.precision}), c);
  const std::vector<Parameters> parameters(4, {0.3, 0.0});
  for (bool arrived : {false, true}) {  // a result of it that was never fetched
    INFO(arrived);
    const Member member;
    const auto device = device_on(member, c);
    device->load(c.model, {.grids = 2, .replicas = 4, .beta_max = 0.8});
    for (std::size_t grid : {0, 1}) device->submit(grid, parameters, 50, 1);
    while (arrived && !member.channel().ready()) std::this_thread::yield();
    CHECK(tell(*device, c) == here);
  }
}

TEST_CASE("noise on the line is no message", "[group][remote]") {
  int ends[2] = {-1, -1};
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
  const auto channel = make_socket_channel(ends[0]);
  CHECK(!channel->ready());
  const std::vector<unsigned char> noise(16, 0xff);
  REQUIRE(::write(ends[1], noise.data(), noise.size()) == 16);
  CHECK(channel->ready());
  CHECK_THROWS_AS(channel->receive(1.0), DeviceError);
  ::close(ends[1]);
}

TEST_CASE("a length that the other side claims costs no memory", "[group][remote]") {
  int ends[2] = {-1, -1};
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
  const auto channel = make_socket_channel(ends[0]);
  const std::uint64_t claimed = std::uint64_t{1} << 30U;
  REQUIRE(::write(ends[1], &claimed, sizeof claimed) == sizeof claimed);
  REQUIRE(::write(ends[1], "and", 3) == 3);
  ::close(ends[1]);
  const auto peak_mib = [] {
    rusage use{};
    ::getrusage(RUSAGE_SELF, &use);
    return use.ru_maxrss / 1024;
  };
  const long before = peak_mib();
  CHECK_THROWS_WITH(channel->receive(1.0), Catch::Contains("gone"));
  CHECK(peak_mib() - before < 100);
}

TEST_CASE("a model of more bits than its lists have is refused", "[group][remote]") {
  const FormModel good = *form_cases().back().model.forms;
  const auto read = [](const FormModel& m) {
    MessageWriter writer;
    put(writer, m);
    MessageReader reader(writer.message());
    return get_form_model(reader).bits;
  };
  CHECK(read(good) == good.bits);
  const auto refused = [&](const auto& change) {
    FormModel m = good;
    change(m);
    CHECK_THROWS_AS(read(m), DeviceError);
  };
  refused([](FormModel& m) { m.bits = std::size_t{1} << 40; });
  refused([](FormModel& m) { m.linear.pop_back(); });
  refused([](FormModel& m) { m.pairs.start.back() += 1; });
  refused([](FormModel& m) { m.limits.emplace_back(); });
  refused([](FormModel& m) { m.groups.start.clear(); });
}

TEST_CASE("messages that end too early are refused", "[group][remote]") {
  const std::vector<Spin> spins{1, -1, 1, 1, -1, -1, 1, 1, -1};
  MessageWriter writer;
  writer.value(7).text("seven").spins(spins).list(std::span<const Spin>(spins));
  const Message& whole = writer.message();
  const auto read = [&](std::size_t size) {
    MessageReader reader{std::span<const std::byte>(whole).first(size)};
    return reader.value<int>() == 7 && reader.text() == "seven" && reader.spins() == spins &&
           reader.list<Spin>() == spins;
  };
  CHECK(read(whole.size()));
  for (std::size_t size = 0; size < whole.size(); ++size) CHECK_THROWS_AS(read(size), DeviceError);
}

TEST_CASE("killed, stopped and cut off at thirty moments", "[group][remote]") {
  const bool forms = GENERATE(false, true);
  const Case c = forms ? form_cases().back() : cases().front();
  const std::size_t rounds = 40;
  const Story whole = [&] {
    std::vector<std::unique_ptr<Device>> alone;
    alone.push_back(make_device({c.device, 1, c.precision}));
    return tell(*make_group_device(std::move(alone), {4}), c, rounds);
  }();
  std::mt19937_64 random(5);
  // Moments that come too late for anybody to notice do not count.
  int noticed = 0;
  for (int moment = 0; noticed < 30 && moment < 300; ++moment) {
    const std::vector<Member> others(2);
    std::vector<std::unique_ptr<Device>> members;
    members.push_back(make_device({c.device, 1, c.precision}));
    for (const Member& other : others) members.push_back(device_on(other, c, 0.5));
    const auto group = make_group_device(std::move(members), {4});
    const auto pause = std::chrono::microseconds(random() % 6000);
    std::thread assassin([&] {
      std::this_thread::sleep_for(pause);
      switch (moment % 3) {
        case 0:
          return others[1].signal(SIGKILL);
        case 1:
          return others[1].signal(SIGSTOP);
        default:
          return others[1].cut_off();
      }
    });
    INFO("moment " << moment << ", after " << pause.count() << " us");
    CHECK(tell(*group, c, rounds) == whole);
    assassin.join();
    noticed += group->members()[2].lost ? 1 : 0;
  }
  CHECK(noticed == 30);
}
