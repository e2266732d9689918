// Opening a kernel's compute units, each for this process alone: where XRT's interface differs from
// release to release. load_xclbin() is deprecated from XRT 2.21 (2026.1) on in favour of hardware
// contexts; before that it is the usual way.
#pragma once

#if __has_include(<xrt/detail/version-slim.h>)
#include <xrt/detail/version-slim.h>
#elif __has_include(<version.h>)
#include <version.h>
#endif
#include <xrt/xrt_bo.h>
#include <xrt/xrt_device.h>
#include <xrt/xrt_kernel.h>

#ifndef XRT_VERSION_CODE
#error \
    "XRT's headers do not tell their version: expected <version.h> or <xrt/detail/version-slim.h>"
#endif
#define CHAINMAIL_XRT_CONTEXTS (XRT_VERSION_CODE >= XRT_VERSION(2, 21))

#if CHAINMAIL_XRT_CONTEXTS
#include <xrt/xrt_hw_context.h>
#endif

#include <set>
#include <string>
#include <vector>

namespace chainmail::xrt_worker {

struct Kernels {
  xrt::device device;
#if CHAINMAIL_XRT_CONTEXTS
  xrt::hw_context context;
#endif
  std::vector<xrt::kernel> units;
  std::set<int> host_banks;  // memory groups that lie in the host

  // How a buffer of a memory group is made; newer XRTs keep the context in the upper half.
  xrt::bo::flags flags(int group) const {
    return host_banks.contains(group & 0xffff) ? xrt::bo::flags::host_only : xrt::bo::flags::normal;
  }
};

Kernels open_kernels(const xrt::device& device, const std::string& xclbin,
                     const std::string& kernel, const std::vector<std::string>& units);

}  // namespace chainmail::xrt_worker
