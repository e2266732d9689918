#include "device/bar/bar_device.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>

#include "device/kernel/kernel_device.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

namespace fs = std::filesystem;

constexpr const char* kF2 = "f2:";
constexpr const char* kBar = "bar:";

// PCI ids, vendor first: an F2 slot's management function; its application function with our image
// (rtl/bar/cl_id_defines.vh).
constexpr const char* kManagement = "1d0f:9248";
constexpr const char* kImage = "1d0f:f0c4";
// Reads by words of four bytes took 1.3 us each (aws-fpga#711); a read waits for its answer,
// whatever its size.
constexpr double kF2ReadMicroseconds = 1.3;

std::string id_of(const fs::path& function) {
  const auto digits = [&](const char* file) {
    std::string text;
    std::ifstream(function / file) >> text;
    return text.starts_with("0x") ? text.substr(2) : text;
  };
  return digits("vendor") + ":" + digits("device");
}

// Application functions, by slot. The HDK's tools count slots so: by the place of the management
// function, whose neighbour, function 0, is the application's.
std::vector<fs::path> slots() {
  std::vector<fs::path> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(pci_functions(), none)) {
    if (id_of(entry.path()) != kManagement) continue;
    std::string name = entry.path().filename().string();  // 0000:34:00.1
    name.back() = '0';
    found.push_back(entry.path().parent_path() / name);
  }
  std::sort(found.begin(), found.end());
  return found;
}

BarBoard f2_board(const std::string& name) {
  const std::string digits = name.substr(std::string(kF2).size());
  std::size_t slot = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), slot);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size())
    throw UsageError("--device " + name + ": expected f2:SLOT, as in f2:0");
  const std::vector<fs::path> all = slots();
  if (all.empty())
    throw DeviceError(fmt::format("{}: no FPGA of an F2 instance here: no PCI function {} in {}",
                                  name, kManagement, pci_functions().string()));
  if (slot >= all.size())
    throw DeviceError(fmt::format(
        "{}: no such slot; this machine has {}", name,
        all.size() == 1 ? std::string("slot 0") : fmt::format("slots 0 to {}", all.size() - 1)));
  const fs::path& function = all[slot];
  if (const std::string id = id_of(function); id != kImage)
    throw DeviceError(fmt::format(
        "{}: PCI function {} is {}, expected {}: load the AFI made of `make bitstream BOARD=f2` "
        "(sudo fpga-load-local-image -S {} -I agfi-...)",
        name, function.filename().string(), id, kImage, slot));
  return {fmt::format("{} ({})", name, function.filename().string()),
          {(function / "resource0").string(), 0},
          {(function / "resource4").string(), 0},
          kF2ReadMicroseconds};
}

WindowPlace place_of(const std::string& text, const std::string& name) {
  const std::size_t mark = text.rfind('@');
  WindowPlace place{text.substr(0, mark), 0};
  if (mark != text.npos) {
    std::string digits = text.substr(mark + 1);
    const bool hex = digits.starts_with("0x");
    if (hex) digits.erase(0, 2);
    const char* const last = digits.data() + digits.size();
    const auto [end, error] = std::from_chars(digits.data(), last, place.offset, hex ? 16 : 10);
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    if (digits.empty() || error != std::errc() || end != last || place.offset % page != 0)
      throw UsageError(fmt::format("--device {}: expected a multiple of {} after @, not '{}'", name,
                                   page, text.substr(mark + 1)));
  }
  return place;
}

}  // namespace

fs::path& pci_functions() {
  static fs::path folder = "/sys/bus/pci/devices";
  return folder;
}

bool is_bar_device(const std::string& name) {
  return name.starts_with(kF2) || name.starts_with(kBar);
}

BarBoard bar_board(const std::string& name) {
  if (name.starts_with(kF2)) return f2_board(name);
  const std::string rest = name.substr(std::string(kBar).size());
  const std::size_t plus = rest.find('+');
  if (plus == rest.npos || plus == 0 || plus + 1 == rest.size())
    throw UsageError("--device " + name +
                     ": expected bar:REGISTERS+MEMORY, each FILE or FILE@OFFSET, as in "
                     "bar:/dev/mem@0x43c00000+/dev/mem@0x40000000");
  return {name, place_of(rest.substr(0, plus), name), place_of(rest.substr(plus + 1), name)};
}

std::unique_ptr<Device> make_bar_device(const DeviceOptions& options) {
  return std::make_unique<KernelDevice>(
      std::make_unique<BarPort>(bar_board(options.name), options.timeout));
}

std::vector<std::string> list_bar_devices() {
  const std::size_t here = slots().size();
  return {fmt::format("f2:SLOT: an FPGA of an AWS F2 instance; slots here: {}",
                      here == 0 ? "none" : std::to_string(here)),
          "bar:REGISTERS+MEMORY: registers and memory in mapped files, as in "
          "bar:/dev/mem@0x43c00000+/dev/mem@0x40000000"};
}

}  // namespace chainmail
