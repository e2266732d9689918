// Processes that lend what they have over a socket, and can be killed, stopped and cut off.
#pragma once

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <csignal>
#include <memory>
#include <utility>

#include "device/group/channel.hpp"
#include "device/group/remote_device.hpp"
#include "support/coverage.hpp"

namespace chainmail::test {

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
      keep_coverage();
      ::_exit(code);
    }
    ::close(ends[1]);
    socket_ = ends[0];
    channel_ = make_socket_channel(ends[0]);
  }
  // A process that has lost its connection ends by itself, unless it was stopped.
  ~Member() {
    if (process_ < 0) return;
    cut_off();
    if (signalled_) ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;

  Channel& channel() const { return *channel_; }
  std::shared_ptr<Channel> shared_channel() const { return channel_; }
  void signal(int number) const {
    signalled_ = true;
    ::kill(process_, number);
  }
  void cut_off() const { ::shutdown(socket_, SHUT_RDWR); }
  int ended() {
    int status = 0;
    const pid_t process = std::exchange(process_, -1);
    return ::waitpid(process, &status, 0) == process && WIFEXITED(status) ? WEXITSTATUS(status)
                                                                          : -1;
  }

 private:
  pid_t process_ = -1;
  int socket_ = -1;
  mutable std::atomic<bool> signalled_ = false;
  std::shared_ptr<Channel> channel_;
};

// Counts what goes over a channel.
class Counting final : public Channel {
 public:
  explicit Counting(std::shared_ptr<Channel> channel) : channel_(std::move(channel)) {}
  void send(Message message, double seconds) override {
    bytes += message.size();
    channel_->send(std::move(message), seconds);
  }
  Message receive(double seconds) override {
    Message message = channel_->receive(seconds);
    bytes += message.size();
    return message;
  }
  bool ready() override { return channel_->ready(); }
  std::size_t bytes = 0;

 private:
  std::shared_ptr<Channel> channel_;
};

}  // namespace chainmail::test
