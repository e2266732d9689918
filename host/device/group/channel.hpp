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
  // Both wait at most so many seconds (negative: for ever) and throw DeviceError after that, or
  // when the other side is gone. A process that was stopped takes in nothing long.
  virtual void send(Message message, double seconds) = 0;
  virtual Message receive(double seconds) = 0;
  // Whether receive() would return at once.
  virtual bool ready() = 0;
};

// Over a connected stream socket, which it closes in the end.
std::unique_ptr<Channel> make_socket_channel(int socket);

}  // namespace chainmail
