#include "kernels.hpp"

#if __has_include(<xrt/experimental/xrt_xclbin.h>)
#include <xrt/experimental/xrt_xclbin.h>
#else
#include <experimental/xrt_xclbin.h>
#endif

namespace chainmail::xrt_worker {

Kernels open_kernels(const xrt::device& device, const std::string& xclbin,
                     const std::string& kernel, const std::vector<std::string>& units) {
  const xrt::xclbin file{std::string(xclbin)};
  Kernels opened;
  opened.device = device;
#if CHAINMAIL_XRT_CONTEXTS
  opened.context = xrt::hw_context(opened.device, opened.device.register_xclbin(file),
                                   xrt::hw_context::access_mode::exclusive);
#else
  const xrt::uuid uuid = opened.device.load_xclbin(file);
#endif
  for (const std::string& name : units) {
    std::string unit = kernel;
    unit.append(":{").append(name).append("}");
#if CHAINMAIL_XRT_CONTEXTS
    opened.units.emplace_back(opened.context, unit);
#else
    opened.units.emplace_back(opened.device, uuid, unit, xrt::kernel::cu_access_mode::exclusive);
#endif
  }
  // A bank that was linked as HOST[n] is memory of the host, which the card reaches by itself.
  for (const xrt::xclbin::mem& bank : file.get_mems())
    if (bank.get_tag().starts_with("HOST")) opened.host_banks.insert(bank.get_index());
  return opened;
}

}  // namespace chainmail::xrt_worker
