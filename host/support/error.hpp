// The three kinds of failure a user can see; the command line turns each into one line and an exit
// code: bad input 1, wrong usage 2, device fault 3.
#pragma once

#include <stdexcept>
#include <string>

namespace chainmail {

struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
  // "file:line: what was expected", the form editors understand.
  InputError(const std::string& file, std::size_t line, const std::string& what)
      : std::runtime_error(file + ":" + std::to_string(line) + ": " + what) {}
};

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct DeviceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace chainmail
