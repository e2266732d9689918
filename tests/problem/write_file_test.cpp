// Which system calls writing a file makes: these functions replace the library's.
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "../temporary_folder.hpp"
#include "support/atomic_file.hpp"
#include "support/error.hpp"

namespace {

struct {
  int files = 0, folders = 0, masks = 0;
} asked;

mode_t mode_of(const std::string& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777U;
}

mode_t set_mask(mode_t mask) {
  return static_cast<mode_t>(::syscall(SYS_umask, mask));
}

}  // namespace

extern "C" int fsync(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) == 0) ++(S_ISDIR(status.st_mode) ? asked.folders : asked.files);
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}
extern "C" mode_t umask(mode_t mask) noexcept {
  ++asked.masks;
  return set_mask(mask);
}

using namespace chainmail;

TEST_CASE("a written file and its new name are synced, and the umask is not touched") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.txt");
  asked = {};
  const mode_t before = set_mask(027);
  write_file(path, "new\n");
  CHECK(mode_of(path) == 0640);
  CHECK(asked.files == 1);
  CHECK(asked.folders == 1);
  REQUIRE(::chmod(path.c_str(), 0604) == 0);
  write_file(path, "newer\n");
  CHECK(mode_of(path) == 0604);
  CHECK(asked.folders == 2);
  set_mask(before);
  CHECK(asked.masks == 0);
  CHECK(read_file(path) == "newer\n");
  // No temporary file is left, even if a folder is in the way.
  REQUIRE(std::filesystem::create_directory(folder.file("b")));
  CHECK_THROWS_AS(write_file(folder.file("b"), "x"), InputError);
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 2);
}
