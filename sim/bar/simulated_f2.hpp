// An F2 instance's FPGAs in this process, for programs that know nothing of it: PCI functions as
// Linux lists them, in a folder of their own, whose BARs are traps. Each load and store of a mapped
// BAR stops at a fault of the page, is carried out on the Verilated custom logic and then goes on:
// the simulation sees the very accesses that a board would, their sizes and their order. Simulated
// time passes in accesses only. x86-64.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bar/shell_model.hpp"

namespace chainmail::sim {

class SimulatedF2 {
 public:
  // One slot for each custom logic, a topology's name. pci_functions() is its folder as long as it
  // lives; one at a time.
  explicit SimulatedF2(const std::vector<std::string>& cores, const ShellBehaviour& behaviour = {});
  ~SimulatedF2();
  SimulatedF2(const SimulatedF2&) = delete;
  SimulatedF2& operator=(const SimulatedF2&) = delete;

  // Made when a BAR is first mapped, or asked for.
  ShellModel& shell(std::size_t slot = 0);
  // The application's PCI function, a folder.
  std::filesystem::path function(std::size_t slot = 0) const;
  // Accesses, by the size in bytes.
  const std::vector<std::uint64_t>& stores() const { return stores_; }

 private:
  friend struct Trap;
  struct Slot {
    std::string core;
    std::unique_ptr<ShellModel> shell;
  };
  void store(std::size_t slot, bool registers, std::uint64_t address, const Beat& bytes,
             std::uint64_t strobe);
  void load(std::size_t slot, bool registers, std::uint64_t address, std::byte* row);

  std::filesystem::path folder_, before_;
  ShellBehaviour behaviour_;
  std::vector<Slot> slots_;
  std::vector<std::uint64_t> stores_;
};

}  // namespace chainmail::sim
