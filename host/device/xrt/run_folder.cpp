#include "device/xrt/run_folder.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <thread>
#include <vector>

#include "support/error.hpp"

namespace chainmail {

RunFolder::RunFolder() {
  const char* chosen = std::getenv("TMPDIR");
  std::error_code ignored;
  std::string parent = chosen != nullptr && *chosen != '\0' ? chosen : "/tmp";
  const auto absolute = std::filesystem::weakly_canonical(parent, ignored);
  if (!ignored) parent = absolute.string();
  path_ = parent + "/chainmail-XXXXXX";
  if (mkdtemp(path_.data()) == nullptr)
    throw DeviceError("cannot create a run folder in " + parent + ": " + std::strerror(errno));
}

namespace {

// One descriptor at a time: remove_all() needs one for each level, which a process at its limit has
// not got.
void remove_tree(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  std::vector<fs::path> inside;
  for (fs::directory_iterator entry(folder, ignored), end; entry != end; entry.increment(ignored)) {
    inside.push_back(entry->path());
  }
  for (const fs::path& path : inside) {
    const bool folder_itself = fs::is_directory(fs::symlink_status(path, ignored));
    if (folder_itself) remove_tree(path);
    fs::remove(path, ignored);
  }
  fs::remove(folder, ignored);
}

}  // namespace

// A device program that was just killed may still be writing; so the folder is removed until it is
// gone, for two seconds at most.
RunFolder::~RunFolder() {
  std::error_code ignored;
  for (int attempt = 0; attempt < 200; ++attempt) {
    remove_tree(path_);
    if (!std::filesystem::exists(path_, ignored)) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

void RunFolder::write(const std::string& name, const std::string& content) const {
  const std::string target = path_ + "/" + name;
  std::ofstream file(target, std::ios::binary);
  errno = 0;
  file << content << std::flush;
  if (!file) throw DeviceError("cannot write " + target + ": " + std::strerror(errno));
}

void RunFolder::place_program(const std::string& source, const std::string& name) const {
  const std::string target = path_ + "/" + name;
  if (link(source.c_str(), target.c_str()) == 0) return;
  // Not copy_file, which reports a full disk as an input/output error.
  std::ifstream file(source, std::ios::binary);
  const std::string content((std::istreambuf_iterator<char>(file)), {});
  if (!file) throw DeviceError("cannot read " + source);
  write(name, content);
  if (chmod(target.c_str(), S_IRWXU) != 0)
    throw DeviceError("cannot make " + target + " a program: " + std::strerror(errno));
}

}  // namespace chainmail
