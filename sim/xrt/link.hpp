// The device's end of XRT's emulation sockets: calls come in, one at a time, responses go out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "xrt/shared_calls.hpp"

namespace chainmail::emu {

struct Call {
  Api api{};
  std::string payload;
};

class Link {
 public:
  // Connects to the two sockets the shim of process `socket_id` opens in /tmp/$USER. The first
  // response carries `descriptor`, unless that is -1; a host that does not look for it never sees
  // it.
  Link(const std::string& user, const std::string& socket_id, int descriptor);
  ~Link();
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  std::optional<Call> next();  // nothing: the host is gone
  void respond(const std::string& payload);
  // Releases the shim's thread that listens for device-initiated traffic; due before a Close.
  void release_listener();

 private:
  int calls_ = -1;
  int device_to_host_ = -1;
  int carried_ = -1;
};

}  // namespace chainmail::emu
