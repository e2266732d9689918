#pragma once
#include <cstdint>
#include <string>
#include <vector>
namespace xrt {
class xclbin {
 public:
  class mem {
   public:
    std::string get_tag() const;
    int32_t get_index() const;
  };
  class ip {
   public:
    std::string get_name() const;
  };
  class kernel {
   public:
    std::string get_name() const;
    std::vector<ip> get_cus() const;
  };
  explicit xclbin(const std::string& filename);
  std::vector<kernel> get_kernels() const;
  std::vector<mem> get_mems() const;
};
}  // namespace xrt
