// A line to another process: whole messages, in order, both ways. MPI carries them in a cluster, a
// socket between processes of one machine.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace chainmail {

using Message = std::vector<std::byte>;

class Channel {
 public:
  virtual ~Channel() = default;
  // Both throw DeviceError when the other side is gone.
  virtual void send(std::span<const std::byte> message) = 0;
  // Waits at most so many seconds (negative: for ever); throws DeviceError after that.
  virtual Message receive(double seconds) = 0;
  // Whether receive() would return at once.
  virtual bool ready() = 0;
};

// Over a connected stream socket, which it closes in the end.
std::unique_ptr<Channel> make_socket_channel(int socket);

}  // namespace chainmail
