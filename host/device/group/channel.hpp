// A line to another process: whole messages, in order, both ways. MPI carries them in a cluster, a
// socket between processes of one machine.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "support/error.hpp"

namespace chainmail {

using Message = std::vector<std::byte>;

// A message whose length came from the other side. `get` fills it piece by piece, so that memory is
// allocated as bytes arrive, not because a length claims so.
template <class Get>
Message received(std::uint64_t size, const Get& get) {
  constexpr std::uint64_t kLongest = std::uint64_t{1} << 36U;
  constexpr std::uint64_t kPiece = std::uint64_t{1} << 20U;  // as mpi/mpi_library.cpp sends them
  if (size > kLongest) throw DeviceError("the other process sent no message but noise");
  Message message;
  do {  // an empty message has to be fetched too
    const std::size_t before = message.size();
    message.resize(std::min(size, before + kPiece));
    get(std::span(message).subspan(before));
  } while (message.size() < size);
  return message;
}

class Channel {
 public:
  virtual ~Channel() = default;
  // Both wait at most this many seconds (negative: for ever) and throw DeviceError after that, or
  // when the other side is gone. A stopped process does not receive long messages.
  virtual void send(Message message, double seconds) = 0;
  virtual Message receive(double seconds) = 0;
  // Whether receive() would return at once.
  virtual bool ready() = 0;
};

// Over a connected stream socket, which it closes in the end.
std::unique_ptr<Channel> make_socket_channel(int socket);

}  // namespace chainmail
