#pragma once
#include <functional>
#include <string>
#include "xrt/detail/ert.h"
#include "xrt/xrt_bo.h"
#include "xrt/xrt_hw_context.h"
namespace xrt {
class kernel {
 public:
  enum class cu_access_mode : uint8_t { exclusive = 0, shared = 1, none = 2 };
  kernel() = default;
  kernel(const hw_context& ctx, const std::string& name);
  int group_id(int argno) const;
};
class run {
 public:
  run() = default;
  explicit run(const kernel& krnl);
  void start();
  ert_cmd_state state() const;
  void add_callback(ert_cmd_state state, std::function<void(const void*, ert_cmd_state, void*)> callback, void* data);
  template <typename ArgType>
  void set_arg(int index, ArgType&& arg);
};
}  // namespace xrt
