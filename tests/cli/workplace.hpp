// A folder in which the real program is run, as a user would.
#pragma once

#include <sys/wait.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "../command.hpp"
#include "../temporary_folder.hpp"
#include "support/atomic_file.hpp"

namespace chainmail::test {

// A limit on memory, to put before the program. A sanitizer reserves terabytes of addresses and
// keeps what was freed for a while, so there it watches memory in use itself, at twice the limit.
inline std::string memory_limit(unsigned mib) {
#if defined(__SANITIZE_ADDRESS__)
  return "ASAN_OPTIONS=hard_rss_limit_mb=" + std::to_string(2 * mib);
#elif defined(__SANITIZE_THREAD__)
  return "TSAN_OPTIONS=$TSAN_OPTIONS:hard_rss_limit_mb=" + std::to_string(8 * mib);
#else
  return "ulimit -v " + std::to_string(1024 * mib) + ";";
#endif
}

class Workplace {
 public:
  struct Outcome {
    int code;
    std::string output, errors;
  };
  // `before` comes before the program in the shell, e.g. a limit.
  Outcome run(const std::string& arguments, const std::string& input = "/dev/null",
              const std::string& before = "") const {
    const std::string command = "cd '" + folder_.path.string() + "' && " + before + " '" +
                                program() + "' >.output 2>.errors <" + input + " " + arguments;
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(".output"), read(".errors")};
  }
  std::string read(const std::string& name) const { return read_file(path(name)); }
  void write(const std::string& name, const std::string& text) const {
    write_file(path(name), text);
  }
  std::string path(const std::string& name) const { return folder_.file(name); }
  bool has(const std::string& name) const { return std::filesystem::exists(path(name)); }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_.path), {}));
  }

 private:
  TemporaryFolder folder_;
};

// One line on standard error that says `what`, nothing on standard output, this exit code.
inline void check_refused(const Workplace::Outcome& outcome, int code, const std::string& what) {
  INFO(outcome.errors);
  CHECK(outcome.code == code);
  CHECK(outcome.output.empty());
  CHECK(std::count(outcome.errors.begin(), outcome.errors.end(), '\n') == 1);
  CHECK_THAT(outcome.errors, Catch::StartsWith("chainmail: ") && Catch::Contains(what));
}

}  // namespace chainmail::test
