#pragma once
namespace xrt {
class uuid {};
}  // namespace xrt
