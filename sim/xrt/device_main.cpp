// The device program of software and hardware emulation: XRT starts it when an xclbin is loaded; it
// holds the kernel it is linked with.
//   CHAINMAIL_EMU_KERNEL_US=t   no run ends sooner than t microseconds after its start
//   CHAINMAIL_EMU_USAGE=FILE    at the end, write how busy the compute units were
//   CHAINMAIL_EMU_SOCKET_ONLY=1  the host sends every call over the socket
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>

#include "xrt/server.hpp"

namespace {

std::string required(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr)
    throw std::runtime_error(std::string(name) + " is not set: this program is started by XRT");
  return value;
}

}  // namespace

int main() {
  using namespace chainmail::emu;
  try {
    const char* least = std::getenv("CHAINMAIL_EMU_KERNEL_US");
    SharedDevice device(std::chrono::microseconds(least == nullptr ? 0 : std::atoll(least)));
    Server server(device);
    const bool share = std::getenv("CHAINMAIL_EMU_SOCKET_ONLY") == nullptr;
    Link link(required("USER"), required("EMULATION_SOCKETID"), share ? device.descriptor() : -1);
    server.serve(link);
    if (const char* path = std::getenv("CHAINMAIL_EMU_USAGE"))
      std::ofstream(path) << server.usage();
    std::fflush(nullptr);
    _exit(0);  // a run may still be in progress in its thread; nobody waits for it
  } catch (const std::exception& error) {
    std::fprintf(stderr, "chainmail device: %s\n", error.what());
    _exit(1);
  }
}
