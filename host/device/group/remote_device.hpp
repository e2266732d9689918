// A device in another process: calls go over a channel, f and g come back; states stay there. The
// other process serves them on a device of its own.
#pragma once

#include <memory>

#include "device/device.hpp"
#include "device/group/channel.hpp"

namespace chainmail {

// Opens the named device over there; an answer that takes longer than options.timeout is a fault.
std::unique_ptr<Device> make_remote_device(std::shared_ptr<Channel> channel,
                                           const DeviceOptions& options);

// Serves until the other side says goodbye or is gone. One device at a time.
void serve_device(Channel& channel);
// Makes serve_device() return over there, and waits for that; both throw DeviceError after a while.
void say_goodbye(Channel& channel);
void hear_goodbye(Channel& channel);

}  // namespace chainmail
