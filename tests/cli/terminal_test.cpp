// Progress on a real (pseudo) terminal: one line that stays within its width, in characters the
// locale has, and that is erased at the end.
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <thread>

#include "workplace.hpp"

using namespace chainmail::test;
using Catch::Contains;

namespace {

class Terminal {
 public:
  explicit Terminal(unsigned short columns) : master_(::posix_openpt(O_RDWR | O_NOCTTY)) {
    REQUIRE(master_ >= 0);
    REQUIRE(::grantpt(master_) == 0);
    REQUIRE(::unlockpt(master_) == 0);
    name_ = ::ptsname(master_);
    slave_ = ::open(name_.c_str(), O_RDWR | O_NOCTTY);  // so that it stays when a program ends
    const winsize size{24, columns, 0, 0};
    REQUIRE(::ioctl(slave_, TIOCSWINSZ, &size) == 0);
    reader_ = std::thread([this] { read(); });
  }
  ~Terminal() { close(); }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  const std::string& name() const { return name_; }
  // All that was written to it.
  const std::string& close() {
    if (!reader_.joinable()) return text_;
    done_ = true;
    reader_.join();
    ::close(slave_);
    ::close(master_);
    return text_;
  }

 private:
  void read() {
    for (;;) {
      const bool last = done_;
      pollfd ready{master_, POLLIN, 0};
      while (::poll(&ready, 1, 20) > 0 && (ready.revents & POLLIN) != 0) {
        char chunk[1024];
        const ssize_t got = ::read(master_, chunk, sizeof chunk);
        if (got > 0) text_.append(chunk, static_cast<std::size_t>(got));
      }
      if (last) return;
    }
  }

  int master_, slave_ = -1;
  std::string name_, text_;
  std::atomic<bool> done_{false};
  std::thread reader_;
};

std::size_t letters(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
  }));
}

// What `solve` for half a second writes to a terminal that is its standard error.
std::string shown(const std::string& environment, unsigned short columns) {
  const Workplace place;
  REQUIRE(place.run("generate sk -n 200 --seed 1 -o p.json").code == 0);
  Terminal terminal(columns);
  const auto outcome = place.run("solve p.json --time-limit 0.5 2>" + terminal.name(), "/dev/null",
                                 "env " + environment);
  CHECK(outcome.code == 0);
  return terminal.close();
}

void check_lines(const std::string& text, std::size_t columns) {
  const std::string end = "\x1b[K";
  std::size_t at = 0, lines = 0;
  while (at < text.size()) {
    REQUIRE(text[at] == '\r');
    const std::size_t stop = text.find(end, at);
    REQUIRE(stop != std::string::npos);
    const std::string line = text.substr(at + 1, stop - at - 1);
    INFO(line);
    CHECK(letters(line) < columns);  // the last column stays free
    CHECK(line.find('\n') == std::string::npos);
    at = stop + end.size();
    ++lines;
    if (at == text.size()) CHECK(line.empty());  // wiped
  }
  CHECK(lines >= 3);
}

}  // namespace

TEST_CASE("a run shows its progress on a terminal, within its width and letters") {
  const std::string plain = shown("-u LC_CTYPE -u LANG LC_ALL=C TERM=xterm", 110);
  check_lines(plain, 110);
  CHECK_THAT(plain, Contains("% [") && Contains("sweeps  best ") && !Contains("█"));
  const std::string fine = shown("-u LC_ALL -u LC_CTYPE LANG=C.UTF-8 TERM=xterm", 110);
  check_lines(fine, 110);
  CHECK_THAT(fine, Contains("░") && !Contains("[#"));
  check_lines(shown("-u LC_ALL -u LC_CTYPE -u LANG TERM=xterm", 20), 20);
  CHECK(shown("TERM=dumb", 70).empty());
}
