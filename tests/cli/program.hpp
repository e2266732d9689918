// The program as a process of its own that signals are sent to.
#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "workplace.hpp"

namespace chainmail::test {

inline std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

class Program {
 public:
  Program(const Workplace& place, const std::string& arguments,
          const std::string& output = "/dev/null") {
    std::vector<std::string> words = words_of(arguments);
    words.insert(words.begin(), program());
    std::fflush(stdout);  // or the child prints it again
    child_ = ::fork();
    REQUIRE(child_ >= 0);
    if (child_ != 0) return;
    std::vector<char*> raw;
    raw.reserve(words.size() + 1);
    for (const std::string& word : words) raw.push_back(const_cast<char*>(word.c_str()));
    raw.push_back(nullptr);
    if (::chdir(place.path("").c_str()) != 0) ::_exit(127);
    if (::freopen(output.c_str(), "w", stdout) == nullptr) ::_exit(127);
    if (::freopen("/dev/null", "w", stderr) == nullptr) ::_exit(127);
    ::execv(raw[0], raw.data());
    ::_exit(127);
  }
  ~Program() {
    if (child_ > 0 && alive()) {
      ::kill(child_, SIGKILL);
      ::waitpid(child_, nullptr, 0);
    }
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // A loaded machine may take seconds to start a program, a sanitizer's longer.
  void await_handler(int signal) const {
    const auto start = Clock::now();
    while (!in_set("SigCgt:", signal) && Clock::now() - start < kPatience) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  // Waits until it has arrived: of two that are pending one would be lost.
  void signal(int number) const {
    ::kill(child_, number);
    const auto start = Clock::now();
    while (in_set("ShdPnd:", number) && Clock::now() - start < kPatience) std::this_thread::yield();
  }
  bool alive() {
    if (ended_) return false;
    ended_ = ::waitpid(child_, &status_, WNOHANG) != 0;
    return !ended_;
  }
  // -1: ended by a signal; -2: it did not end.
  int code() {
    const auto start = Clock::now();
    while (alive()) {
      if (Clock::now() - start > kPatience) return -2;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : -1;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kPatience{20};

  bool in_set(const std::string& name, int signal) const {
    std::ifstream status("/proc/" + std::to_string(child_) + "/status");
    std::string word;
    while (status >> word && word != name) {
    }
    std::uint64_t set = 0;
    status >> std::hex >> set;
    return (set >> (signal - 1) & 1U) != 0;
  }

  pid_t child_ = -1;
  int status_ = 0;
  bool ended_ = false;
};

}  // namespace chainmail::test
