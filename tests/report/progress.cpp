// The progress line, on a real pseudo-terminal: what arrives there, how often, how wide.
#include "cli/progress.hpp"

#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

#include "cli/command_line.hpp"

using namespace chainmail;
using Catch::Contains;

namespace {

// Everything a child writes to its terminal of the given width.
std::string on_terminal(unsigned columns, const std::function<void()>& child) {
  winsize size{};
  size.ws_row = 24;
  size.ws_col = static_cast<unsigned short>(columns);
  int terminal = -1;
  const pid_t pid = ::forkpty(&terminal, nullptr, nullptr, &size);
  REQUIRE(pid >= 0);
  if (pid == 0) {
    child();
    ::_exit(0);
  }
  std::string seen;
  char buffer[4096];
  ssize_t got = 0;
  while ((got = ::read(terminal, buffer, sizeof buffer)) > 0)
    seen.append(buffer, static_cast<std::size_t>(got));
  int status = 0;
  ::waitpid(pid, &status, 0);
  ::close(terminal);
  REQUIRE(status == 0);
  return seen;
}

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0u) != 0x80u;
  }));
}

// The lines drawn: what stands between a carriage return and "erase to the end".
std::vector<std::string> frames(const std::string& seen) {
  std::vector<std::string> found;
  for (std::size_t at = 0; (at = seen.find('\r', at)) != std::string::npos; ++at) {
    const std::size_t end = seen.find("\x1b[K", at);
    if (end != std::string::npos) found.push_back(seen.substr(at + 1, end - at - 1));
  }
  return found;
}

void run_for(double seconds, bool enabled, const char* locale) {
  ::setenv("TERM", "xterm", 1);
  ::setenv("LC_ALL", locale, 1);
  Progress progress(enabled, "solving");
  const auto start = std::chrono::steady_clock::now();
  for (double gone = 0.0; gone < seconds;) {
    gone = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    progress.update(gone / seconds, progress_text({102400, -41.25, 2.31, true}));
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  progress.finish();
}

}  // namespace

TEST_CASE("a terminal sees a line that moves and is erased", "[report][progress]") {
  const std::string seen = on_terminal(120, [] { run_for(1.0, true, "C.UTF-8"); });
  const auto drawn = frames(seen);
  // Thousands of updates in a second become at most eleven frames and the erasure.
  REQUIRE(drawn.size() >= 3);
  CHECK(drawn.size() <= 12);
  CHECK_THAT(drawn.front(), Contains("solving   0%") && Contains("░") &&
                                Contains("102k sweeps  best -41.25 (feasible)  2.31 updates/ns"));
  CHECK_THAT(drawn[drawn.size() - 2], Contains("ETA 0:0") && Contains("█"));
  CHECK(seen.ends_with("\r\x1b[K"));
  CHECK(seen.find('\n') == std::string::npos);
}

TEST_CASE("a narrow terminal keeps its width", "[report][progress]") {
  for (const unsigned columns : {1u, 2u, 8u, 20u, 40u, 79u}) {
    const std::string seen = on_terminal(columns, [] { run_for(0.15, true, "C"); });
    const auto drawn = frames(seen);
    REQUIRE_FALSE(drawn.empty());
    for (const std::string& frame : drawn)
      CHECK(width_of(frame) <= std::max<std::size_t>(columns, 2) - 1u);
    for (char c : seen) CHECK(static_cast<unsigned char>(c) < 0x80);  // the C locale has no blocks
  }
}

TEST_CASE("quiet, pipes and dumb terminals see nothing", "[report][progress]") {
  CHECK(on_terminal(80, [] { run_for(0.15, false, "C"); }).empty());
  CHECK(on_terminal(80, [] {
          ::setenv("TERM", "dumb", 1);
          Progress progress(true, "solving");
          progress.update(0.5, "text");
        }).empty());
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t pid = ::fork();
  REQUIRE(pid >= 0);
  if (pid == 0) {
    ::dup2(ends[1], STDERR_FILENO);
    run_for(0.15, true, "C");
    ::_exit(0);
  }
  ::close(ends[1]);
  char byte = 0;
  CHECK(::read(ends[0], &byte, 1) == 0);
  ::close(ends[0]);
  int status = 0;
  ::waitpid(pid, &status, 0);
  CHECK(status == 0);
}

TEST_CASE("the line gives up the bar, then the label, then the text", "[report][progress]") {
  const ProgressLine line{"solving", "best -1", 0.42, 10.0, false};
  CHECK(progress_line(line, 100) == "solving  42% [##########..............]  best -1  ETA 0:14");
  CHECK(progress_line(line, 34) == "solving  42%  best -1  ETA 0:14");
  CHECK(progress_line(line, 24) == " 42%  best -1  ETA 0:14");
  CHECK(progress_line(line, 8) == " 42%  be");
  CHECK(progress_line(line, 0).empty());
}

TEST_CASE("odd fractions and texts do no harm", "[report][progress]") {
  for (const double fraction : {-1.0, 7.0, std::nan(""), 1e308}) {
    const std::string text = progress_line({"a\nb", "c\x1b[2J", fraction, 1.0, true}, 80);
    CHECK(text.find('\n') == std::string::npos);
    CHECK(text.find('\x1b') == std::string::npos);
  }
  CHECK_THAT(progress_line({"", "", 0.01, 1e9, true}, 80), Contains("ETA 99:59:59"));
  CHECK_THAT(progress_text({0, std::nullopt, 0.0}), Contains("nothing feasible yet"));
}

TEST_CASE("a command line can be pasted again", "[report][progress]") {
  const std::string text =
      command_line("build/chainmail solve", {"my file.json", "--target=-1.5", "it's", ""});
  CHECK(text == "build/chainmail solve 'my file.json' --target=-1.5 'it'\\''s' ''");
}
