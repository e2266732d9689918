// A private folder for one device session, below $TMPDIR or /tmp: the worker's program, XRT's
// settings, sockets and run files all live in it, so that sessions cannot collide and nothing is
// left behind.
#pragma once

#include <string>

namespace chainmail {

class RunFolder {
 public:
  RunFolder();  // throws DeviceError naming the folder and the reason
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  const std::string& path() const { return path_; }
  // Writes path()/name; throws DeviceError when the disk is full.
  void write(const std::string& name, const std::string& content) const;
  // Puts a program into the folder, by link where possible.
  void place_program(const std::string& source, const std::string& name) const;

 private:
  std::string path_;
};

}  // namespace chainmail
