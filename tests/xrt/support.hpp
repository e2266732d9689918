// What the tests of XRT share: the adder device as an xclbin, a private place for run folders that
// must be empty afterwards, and access to the processes of a session.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "device/xrt/session.hpp"

namespace chainmail::test {

// A folder that is TMPDIR for as long as this lives.
class PrivateTmp {
 public:
  PrivateTmp();
  ~PrivateTmp();
  PrivateTmp(const PrivateTmp&) = delete;
  PrivateTmp& operator=(const PrivateTmp&) = delete;
  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/files/" + name; }
  std::vector<std::string> leftovers() const;  // what is in it besides files/

 private:
  std::string path_, before_;
  bool had_ = false;
};

std::string built(const std::string& name);  // a file of the build folder

// An xclbin of the adder kernel: source, destination, count.
std::string adder_xclbin(const PrivateTmp& tmp, std::uint32_t units = 1);
SessionOptions adder_session(const std::string& xclbin, double timeout_seconds = 10.0);

// The device program XRT has started below a worker; 0 when there is none.
pid_t device_process(pid_t worker);
bool group_is_gone(pid_t leader);  // within two seconds

// Source and destination buffers of one adder lane, and the launch that adds one to `content`.
struct AdderLane {
  AdderLane(XrtSession& session, std::uint32_t unit, std::uint32_t run, std::uint32_t count);
  void start(const std::vector<std::uint32_t>& content);
  std::vector<std::uint32_t> wait();
  void start_endless();  // a run that never ends

  XrtSession& session;
  std::uint32_t unit, run, count;
  XrtBuffer source, destination;
};

// The message of the DeviceError that `action` must throw.
template <class Action>
std::string device_error(Action action);

}  // namespace chainmail::test

#include "support/error.hpp"

template <class Action>
std::string chainmail::test::device_error(Action action) {
  try {
    action();
  } catch (const DeviceError& error) {
    return error.what();
  }
  return "no error";
}
