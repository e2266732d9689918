// The `cpu` device: replicas in SIMD lanes, blocks of replicas over threads.
#pragma once

#include <memory>

#include "device/device.hpp"

namespace chainmail {

std::unique_ptr<Device> make_cpu_device(const DeviceOptions& options);

}  // namespace chainmail
