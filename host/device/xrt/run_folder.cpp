#include "device/xrt/run_folder.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

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
    throw DeviceError("cannot make a run folder in " + parent + ": " + std::strerror(errno));
}

RunFolder::~RunFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
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
  std::error_code reason;
  std::filesystem::copy_file(source, target, reason);
  if (reason)
    throw DeviceError("cannot copy " + source + " to the run folder " + path_ + ": " +
                      reason.message());
}

}  // namespace chainmail
