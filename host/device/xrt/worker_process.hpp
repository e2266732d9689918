// Starts, feeds, watches and ends the XRT worker program.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "device/xrt/packet.hpp"
#include "device/xrt/run_folder.hpp"

namespace chainmail {

// A program or file that belongs to ours: next to it, one folder up, or in ../lib/chainmail.
std::string find_companion(const std::string& name);

class WorkerProcess {
 public:
  // Runs `program` in its own session (Ctrl-C is ours to handle) inside the run folder.
  WorkerProcess(const RunFolder& folder, const std::string& program,
                const std::map<std::string, std::string>& environment);
  ~WorkerProcess();  // ends it and all it has started
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  enum class Outcome { packet, late, gone };
  Outcome receive(xrt_worker::Packet& packet, std::chrono::steady_clock::time_point deadline);
  bool send(std::string_view packet, std::chrono::steady_clock::time_point deadline);

  // Sends close and waits a little, so that XRT and the device close; the destructor kills those
  // that do not.
  void dismiss();
  void kill_all();
  // receive() by one thread, send() by another, kill_all() by any. The last line printed by worker,
  // XRT or device that reports trouble; else empty.
  std::string complaint();
  pid_t id() const { return process_; }

 private:
  void wait_for_end(std::chrono::milliseconds limit);
  void drain();
  bool extract(xrt_worker::Packet& packet);

  pid_t process_ = -1;
  int socket_ = -1;
  int output_ = -1;  // what it prints
  std::string incoming_;
  std::mutex printing_;
  std::string printed_;  // the end of it
};

}  // namespace chainmail
