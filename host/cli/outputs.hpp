// The files a command will write, tried before any work is done.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace chainmail {

class Outputs {
 public:
  // Files the command reads: writing onto one of them is refused.
  explicit Outputs(std::vector<std::string> inputs) : inputs_(std::move(inputs)) {}

  // `option` names it in messages; an empty path is no output.
  void add(const std::string& option, const std::string& path);

  // Throws UsageError for an output onto an input or onto another output, InputError for one that
  // cannot be written.
  void try_all() const;

 private:
  std::vector<std::string> inputs_;
  std::vector<std::pair<std::string, std::string>> outputs_;  // option, path
};

// Nobody reads standard output any more, so losing text meant for people does no harm.
struct ReaderGone {};

// Flushes what was printed. Throws ReaderGone, or InputError if it cannot be written for another
// reason.
void flush_output();

// Does all of them even if some fail; then throws InputError with the messages of those that did.
void do_all(const std::vector<std::function<void()>>& actions);

}  // namespace chainmail
