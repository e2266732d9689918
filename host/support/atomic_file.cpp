#include "support/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>

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

// Where a path leads: a symbolic link stays one, and what it names is replaced.
std::string target_of(const std::string& path) {
  namespace fs = std::filesystem;
  constexpr int kMostLinks = 40;
  std::error_code fault;
  fs::path target = path;
  for (int k = 0; k < kMostLinks && fs::is_symlink(target, fault); ++k) {
    target =
        target.parent_path() / fs::read_symlink(target, fault);  // an absolute one replaces all
  }
  return target.string();
}

// Makes a new name in a folder survive a power cut. A folder that cannot be opened for reading, or
// a file system without this call, does not mean that the file was not written.
void sync_folder_of(const std::string& target, const std::string& path) {
  const std::string folder = std::filesystem::path(target).parent_path().string();
  const int descriptor =
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  const bool failed = ::fsync(descriptor) != 0 && errno == EIO;
  ::close(descriptor);
  if (failed) {
    errno = EIO;
    fail("write", path);
  }
}

std::string random_suffix() {
  static constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz234567";
  std::random_device source;
  std::string suffix;
  for (std::uint32_t bits = source(), k = 0; k < 6; ++k, bits >>= 5U) {
    suffix += kLetters[bits & 31U];
  }
  return suffix;
}

// A file next to `target`, open for writing, that is removed with this object unless it replaced
// the target. The system applies the umask to its mode: reading the mask would change it for a
// moment, also for files that other threads create.
class Neighbour {
 public:
  Neighbour(const std::string& target, const std::string& path) : target_(target), path_(path) {
    do {
      name_ = target + "." + random_suffix();
      descriptor_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (descriptor_ < 0 && errno == EEXIST);
    if (descriptor_ < 0) fail("write", path);
  }
  ~Neighbour() {
    ::close(descriptor_);
    if (!name_.empty()) ::unlink(name_.c_str());
  }
  Neighbour(const Neighbour&) = delete;
  Neighbour& operator=(const Neighbour&) = delete;

  void write(std::string_view content) const { write_all(descriptor_, content, path_); }
  void set_mode(mode_t mode) const {
    if (::fchmod(descriptor_, mode) != 0) fail("write", path_);
  }
  void take_place() {
    if (::fsync(descriptor_) != 0) fail("write", path_);
    if (::rename(name_.c_str(), target_.c_str()) != 0) fail("write", path_);
    name_.clear();
    sync_folder_of(target_, path_);
  }

 private:
  const std::string& target_;
  const std::string& path_;
  std::string name_;
  int descriptor_ = -1;
};

}  // namespace

void write_file(const std::string& path, std::string_view content) {
  if (path == "-") {
    write_all(STDOUT_FILENO, content, "standard output");
    return;
  }
  const std::string target = target_of(path);
  struct stat status {};
  const bool exists = ::stat(target.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) {
    // A device or a pipe (/dev/null, /dev/stdout) cannot be replaced, only written to.
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) fail("write", path);
    try {
      write_all(descriptor, content, path);
    } catch (...) {
      ::close(descriptor);
      throw;
    }
    ::close(descriptor);
    return;
  }
  Neighbour neighbour(target, path);
  if (exists) neighbour.set_mode(status.st_mode & 07777U);  // before there is anything to read
  neighbour.write(content);
  neighbour.take_place();
}

void write_folder(const std::string& path,
                  const std::vector<std::pair<std::string, std::string>>& files) {
  namespace fs = std::filesystem;
  const std::string neighbour = path + "." + random_suffix();
  std::error_code ignored;
  try {
    for (const auto& [name, content] : files) {
      const fs::path file = fs::path(neighbour) / name;
      fs::create_directories(file.parent_path());
      write_file(file.string(), content);
    }
    if (::rename(neighbour.c_str(), path.c_str()) != 0) fail("write", path);
  } catch (const fs::filesystem_error& fault) {
    fs::remove_all(neighbour, ignored);
    throw InputError("cannot write " + path + ": " + fault.code().message());
  } catch (...) {
    fs::remove_all(neighbour, ignored);
    throw;
  }
  sync_folder_of(path, path);
}

void try_output(const std::string& path) {
  if (path == "-") return;
  const std::string target = target_of(path);
  struct stat status {};
  const bool exists = ::stat(target.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    errno = EISDIR;
    fail("write", path);
  }
  if (exists && ::access(target.c_str(), W_OK) != 0) fail("write", path);
  if (!exists || S_ISREG(status.st_mode)) Neighbour(target, path).write("tried");
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
  // A file's length is no promise, and a pipe has none: reading goes on to the end.
  constexpr std::size_t kBlock = 1 << 16;
  struct stat status {};
  const bool sized = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  const auto length = static_cast<std::size_t>(sized ? status.st_size : 0);
  std::string content(std::min(length, kMaxFile) + kBlock, '\0');
  std::size_t size = 0;
  ssize_t got = 0;
  while ((got = ::read(descriptor, content.data() + size, content.size() - size)) != 0) {
    if (got < 0) {
      if (errno == EINTR) continue;
      done();
      fail("read", name);
    }
    size += static_cast<std::size_t>(got);
    if (size > kMaxFile) {
      done();
      throw InputError(name + ": more than 1 GiB; this is not a Chainmail file");
    }
    if (content.size() - size < kBlock) content.resize(2 * content.size());
  }
  content.resize(size);
  done();
  return content;
}

}  // namespace chainmail
