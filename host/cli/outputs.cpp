#include "cli/outputs.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>

#include "support/atomic_file.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

// Whether two paths lead to one regular file, or would.
bool same_file(const std::string& a, const std::string& b) {
  namespace fs = std::filesystem;
  if (a.empty() || b.empty() || a == "-" || b == "-") return false;
  std::error_code fault;
  if (fs::exists(a, fault) && !fs::is_regular_file(a, fault)) return false;
  if (fs::equivalent(a, b, fault) && !fault) return true;
  return fs::weakly_canonical(a, fault) == fs::weakly_canonical(b, fault) && !fault;
}

}  // namespace

void Outputs::add(const std::string& option, const std::string& path) {
  if (!path.empty()) outputs_.emplace_back(option, path);
}

void Outputs::try_all() const {
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    const auto& [option, path] = outputs_[k];
    for (const std::string& input : inputs_) {
      if (same_file(path, input)) {
        throw UsageError(fmt::format("--{} {} would overwrite the input {}", option, path, input));
      }
    }
    for (std::size_t j = 0; j < k; ++j) {
      const bool both_standard = path == "-" && outputs_[j].second == "-";
      if (both_standard || same_file(path, outputs_[j].second)) {
        throw UsageError("--" + outputs_[j].first + " and --" + option + " are both written to " +
                         (path == "-" ? "standard output" : path));
      }
    }
  }
  for (const auto& [option, path] : outputs_) try_output(path);
}

void flush_output() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  const int reason = errno;
  // The reason of an earlier failure is lost, but a pipe without a reader can still be detected.
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  const bool no_reader = ::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
  if (reason == EPIPE || no_reader) throw ReaderGone();
  errno = reason;
  throw InputError(std::string("cannot write standard output: ") + std::strerror(errno));
}

void do_all(const std::vector<std::function<void()>>& actions) {
  std::string failures;
  for (const auto& action : actions) {
    try {
      action();
    } catch (const std::exception& failure) {
      failures += (failures.empty() ? "" : "; ") + std::string(failure.what());
    }
  }
  if (!failures.empty()) throw InputError(failures);
}

}  // namespace chainmail
