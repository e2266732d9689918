// Runs a shell command from the top of the tree, as a user would, and where the program under test
// is.
#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace chainmail::test {

// The program under test, named by the environment variable CHAINMAIL (the Makefile sets it).
inline std::string program() {
  const char* path = std::getenv("CHAINMAIL");
  return path != nullptr ? path : std::filesystem::absolute("build/chainmail").string();
}

struct Outcome {
  int code;
  std::string text;  // standard output and error together
};

inline Outcome run(const std::string& command) {
  // A make that runs this test must not pass its flags and flavour to the make under test.
  const std::string clean = "unset MAKEFLAGS MFLAGS MAKELEVEL BUILD; { " + command + "; } 2>&1";
  FILE* pipe = ::popen(clean.c_str(), "r");
  if (pipe == nullptr) return {-1, "cannot run " + command};
  std::string text;
  std::array<char, 4096> buffer{};
  std::size_t got = 0;
  while ((got = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0) {
    text.append(buffer.data(), got);
  }
  const int status = ::pclose(pipe);
  return {status < 0 ? -1 : status >> 8, text};
}

}  // namespace chainmail::test
