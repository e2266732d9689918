#include "support/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "support/error.hpp"

namespace chainmail {

namespace {

[[noreturn]] void fail(const std::string& doing, const std::string& path) {
  throw InputError("cannot " + doing + " " + path + ": " + std::strerror(errno));
}

void write_all(int descriptor, std::string_view content, const std::string& path) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      fail("write", path);
    }
    content.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

void write_file(const std::string& path, std::string_view content) {
  if (path == "-") {
    write_all(STDOUT_FILENO, content, "standard output");
    return;
  }
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    // A device or a pipe (/dev/null, /dev/stdout) cannot be replaced, only written to.
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) fail("write", path);
    write_all(descriptor, content, path);
    ::close(descriptor);
    return;
  }
  std::string temporary = path + ".XXXXXX";
  const int descriptor = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (descriptor < 0) fail("write", path);
  try {
    write_all(descriptor, content, path);
    const mode_t mask = ::umask(0);
    ::umask(mask);
    if (::fchmod(descriptor, 0666 & ~mask) != 0 || ::fsync(descriptor) != 0) fail("write", path);
    if (::rename(temporary.c_str(), path.c_str()) != 0) fail("write", path);
  } catch (...) {
    ::close(descriptor);
    ::unlink(temporary.c_str());
    throw;
  }
  ::close(descriptor);
}

std::string read_file(const std::string& path) {
  const bool standard = path == "-";
  const std::string name = standard ? "standard input" : path;
  const int descriptor = standard ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail("read", name);
  const auto done = [&] {
    const int reason = errno;
    if (!standard) ::close(descriptor);
    errno = reason;
  };
  std::string content;
  char buffer[1 << 16];
  ssize_t got = 0;
  while ((got = ::read(descriptor, buffer, sizeof buffer)) != 0) {
    if (got < 0) {
      if (errno == EINTR) continue;
      done();
      fail("read", name);
    }
    if (content.size() + static_cast<std::size_t>(got) > kMaxFile) {
      done();
      throw InputError(name + ": more than 1 GiB; this is no file of ours");
    }
    content.append(buffer, static_cast<std::size_t>(got));
  }
  done();
  return content;
}

}  // namespace chainmail
