// What the group tests do with a device, and everything it reports.
#pragma once

#include <string>
#include <vector>

#include "device/device.hpp"

namespace chainmail::test {

inline constexpr std::size_t kReplicas = 11, kGrids = 2;

struct Case {
  std::string device, precision;
  PhysicalModel model;
  std::size_t most_members = 9;  // in one process: a native kernel is there once
};
std::vector<Case> cases();       // of every kind
std::vector<Case> form_cases();  // those of them with constraints as written

using Story = std::vector<double>;

class Script {
 public:
  Script(Device& device, const Case& c);

  void same_start();  // every replica from one state
  BurstResult burst(std::size_t grid);

 private:
  friend Story tell(Device& device, const Case& c, std::size_t rounds);
  Device& device_;
  std::size_t pbits_;
  std::vector<Parameters> parameters_;
  std::uint64_t number_ = 0;
};

// Bursts on two grids, one ahead of the other, with states written and read between them.
Story tell(Device& device, const Case& c, std::size_t rounds = 6);
inline Story tell(Device&& device, const Case& c) {
  return tell(device, c);
}

}  // namespace chainmail::test
