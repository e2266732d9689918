// Members in other processes: the same bits as here, and processes that are killed, stopped or cut
// off cost time and nothing else.
#include "device/group/remote_device.hpp"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <random>
#include <thread>

#include "device/group/group_device.hpp"
#include "device/group/message.hpp"
#include "script.hpp"
#include "support/error.hpp"

using namespace chainmail;
using namespace chainmail::test;

namespace {

// A process that serves a device; ended with the object.
class Member {
 public:
  Member() {
    int ends[2] = {-1, -1};
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    process_ = ::fork();
    REQUIRE(process_ >= 0);
    if (process_ == 0) {
      ::close(ends[0]);
      int code = 0;
      try {
        serve_device(*make_socket_channel(ends[1]));
      } catch (const std::exception&) {
        code = 1;
      }
      ::_exit(code);
    }
    ::close(ends[1]);
    socket_ = ends[0];
    channel_ = make_socket_channel(ends[0]);
  }
  ~Member() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;

  std::unique_ptr<Device> device(const Case& c, double timeout = 20.0) const {
    DeviceOptions options{c.device, 1, c.precision};
    options.timeout = timeout;
    return make_remote_device(channel_, options);
  }
  Channel& channel() const { return *channel_; }
  void signal(int number) const { ::kill(process_, number); }
  void cut_off() const { ::shutdown(socket_, SHUT_RDWR); }
  int ended() const {
    int status = 0;
    return ::waitpid(process_, &status, 0) == process_ && WIFEXITED(status) ? WEXITSTATUS(status)
                                                                            : -1;
  }

 private:
  pid_t process_ = -1;
  int socket_ = -1;
  std::shared_ptr<Channel> channel_;
};

}  // namespace

TEST_CASE("a device in another process gives the same bits", "[group][remote]") {
  for (const Case& c : cases()) {
    INFO(c.device << " " << c.precision);
    const Story here = tell(*make_device({c.device, 1, c.precision}), c);
    const Member member;
    CHECK(tell(*member.device(c), c) == here);
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
      for (const Member& other : others) members.push_back(other.device(c));
      CHECK(tell(*make_group_device(std::move(members), {4}), c) == here);
    }
  }
}

TEST_CASE("faults over there are told here, each as its kind", "[group][remote]") {
  const Member member;
  Case wrong = cases().front();
  wrong.device = "no such device";
  CHECK_THROWS_AS(member.device(wrong), UsageError);
  Case large = cases().back();  // a kernel that is too small
  const auto device = member.device(large);
  large.model = cases().front().model;
  CHECK_THROWS_AS(tell(*device, large), InputError);
  const auto plain = member.device(cases().front());
  tell(*plain, cases().front());
  CHECK_THROWS_AS(plain->read_spins(99, 0, Which::current), DeviceError);
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
  const Case c = cases().front();
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
    for (const Member& other : others) members.push_back(other.device(c, 0.5));
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
