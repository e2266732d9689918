// A folder in which the real program is run, as a user would.
#pragma once

#include <sys/wait.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "../temporary_folder.hpp"
#include "support/atomic_file.hpp"

namespace chainmail::test {

// Named by the environment variable CHAINMAIL (the Makefile sets it).
inline std::string program() {
  const char* path = std::getenv("CHAINMAIL");
  return path != nullptr ? path : std::filesystem::absolute("build/chainmail").string();
}

class Workplace {
 public:
  struct Outcome {
    int code;
    std::string output, errors;
  };
  // `before` stands before the program in the shell, e.g. a limit.
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
