// A watchdog thread: XRT may spin for ever in a call whose device has died, and then nothing else
// in this process could notice that the driver is gone, or report what happened.
#pragma once

#include <atomic>

namespace chainmail::xrt_worker {

class Guardian {
 public:
  // Watches the driver's socket and, while `armed`, the device program XRT has started.
  explicit Guardian(int socket);
  void arm() { armed_ = true; }  // a device is loaded: none of our children may end
  void disarm() { armed_ = false; }

 private:
  void watch(int socket);
  std::atomic<bool> armed_ = false;
};

}  // namespace chainmail::xrt_worker
