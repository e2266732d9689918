#include "device/xrt/xrt_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "device/kernel/choose_dense.hpp"
#include "device/kernel/identify.hpp"
#include "device/kernel/kernel_device.hpp"
#include "device/xrt/board_facts.hpp"
#include "device/xrt/session.hpp"
#include "device/xrt/unit_devices.hpp"
#include "device/xrt/worker_process.hpp"
#include "device/xrt/xrt_port.hpp"
#include "support/atomic_file.hpp"
#include "support/counted.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

struct DeviceName {
  std::string kind;  // sw_emu, hw_emu, xrt
  std::string rest;  // after the colon: a topology, or a board
};

std::optional<DeviceName> parse(const std::string& name) {
  for (const char* kind : {"sw_emu", "hw_emu", "xrt"}) {
    if (name == kind) return DeviceName{kind, ""};
    if (name.starts_with(std::string(kind) + ":"))
      return DeviceName{kind, name.substr(name.find(':') + 1)};
  }
  return std::nullopt;
}

// Edges of an array wired for a graph are in a file beside its xclbin.
std::string edges_beside(std::filesystem::path xclbin) {
  return xclbin.replace_extension(".edges").string();
}

Topology topology_beside(const std::filesystem::path& xclbin, const std::string& name) {
  const std::string file = edges_beside(xclbin);
  return topology_from_name(name, std::filesystem::exists(file) ? read_file(file) : "");
}

// Topologies with an emulation xclbin of this kind, those of fewest p-bits first.
std::vector<Topology> emulated_topologies(const std::string& kind) {
  namespace fs = std::filesystem;
  const std::string suffix = "." + kind + ".xclbin";
  std::vector<Topology> found;
  for (const auto& entry : fs::directory_iterator(find_companion("emu"))) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(suffix)) continue;
    found.push_back(topology_beside(entry.path(), name.substr(0, name.size() - suffix.size())));
  }
  std::sort(found.begin(), found.end(), [](const Topology& a, const Topology& b) {
    return std::pair(a.pbits(), a.name) < std::pair(b.pbits(), b.name);
  });
  return found;
}

Topology choose_emulated(const std::string& kind, const DeviceOptions& options) {
  std::string names;
  for (Topology& topology : emulated_topologies(kind)) {
    // A row or flip kernel holds larger problems than any ring of its size, and constraints in
    // another way or not at all; a wired one holds only what it is wired for: these are chosen only
    // by name.
    const bool copies = !topology.options.dense() && !topology.options.wired() &&
                        (options.copies == 0 || topology.options.copies == options.copies);
    if (copies && topology.options.logical >= options.spins) return std::move(topology);
    names += (names.empty() ? "" : ", ") + topology.name;
  }
  throw InputError(fmt::format(
      "{}: no emulated topology holds {} spins{}; {} (make xclbin-emu EMU_TOPOLOGIES=NxK builds "
      "others); the CPU takes it (--device cpu)",
      kind, options.spins,
      options.copies <= 1 ? "" : " in " + counted(options.copies, "copy", "copies"),
      names.empty() ? "none is built here" : "those built are " + names));
}

}  // namespace

bool is_xrt_device(const std::string& name) {
  return parse(name).has_value();
}

std::unique_ptr<Device> make_xrt_device(const DeviceOptions& options) {
  const DeviceName name = parse(options.name).value();
  SessionOptions session;
  session.label = options.name;
  session.kernel = kernel_function({});  // of the ring, until a topology says otherwise
  session.xclbin = options.xclbin;
  session.timeout = std::chrono::milliseconds(static_cast<long long>(options.timeout * 1000));
  std::optional<Topology> topology;
  std::optional<BurstCosts> costs;
  if (name.kind == "xrt") {
    if (options.xclbin.empty()) throw UsageError("--device xrt needs --xclbin FILE");
    if (!name.rest.empty()) session.board = name.rest;
    if (!options.latency.empty()) throw UsageError("--emulate-latency needs sw_emu or hw_emu");
  } else {
    session.emulated = true;
    const auto file_of = [&](const std::string& topology_name) {
      return "emu/" + topology_name + "." + name.kind + ".xclbin";
    };
    if (!options.latency.empty()) {
      costs = parse_latency(options.latency);
      session.environment = {
          {"CHAINMAIL_EMU_LAUNCH_US", std::to_string(std::lround(costs->launch_us))},
          {"CHAINMAIL_EMU_SYNC_US", std::to_string(std::lround(costs->sync_us))}};
    }
    if (names_family(name.rest)) {
      topology = choose_dense(name.rest, emulated_topologies(name.kind), options);
    } else if (!name.rest.empty()) {
      topology = topology_beside(options.xclbin.empty() && is_graph(name.rest)
                                     ? find_companion(file_of(name.rest))
                                     : options.xclbin,
                                 name.rest);
    }
    if (options.xclbin.empty()) {
      if (!topology) topology = choose_emulated(name.kind, options);
      session.xclbin = find_companion(file_of(topology->name));
    }
    if (topology) session.kernel = kernel_function(topology->options);
  }
  session.xclbin = std::filesystem::absolute(session.xclbin).string();

  const auto shared = std::make_shared<XrtSession>(session);
  if (!topology) {
    topology = topology_of(describe_unit(shared, 0, session.label), session.label,
                           edges_beside(session.xclbin));
  }
  if (!session.emulated) {
    if (const BoardFacts* facts = board_of(shared->board())) costs = facts->costs;
  }
  if (costs) costs->units = shared->units();
  std::vector<std::unique_ptr<Device>> units;
  for (std::uint32_t unit = 0; unit < shared->units(); ++unit)
    units.push_back(std::make_unique<KernelDevice>(std::make_unique<XrtPort>(
        shared, unit, *topology,
        fmt::format("{} ({}), kernel {}", session.label, shared->board(), topology->name), costs)));
  return combine_units(std::move(units));
}

std::vector<std::string> list_xrt_devices() {
  std::vector<std::string> lines;
  for (const char* kind : {"sw_emu", "hw_emu"}) {
    const char* what =
        kind == std::string("sw_emu") ? "the HLS kernel" : "the Verilated RTL kernel";
    try {
      for (const Topology& topology : emulated_topologies(kind))
        lines.push_back(fmt::format("{}:{}: {} behind XRT, {} p-bits", kind, topology.name, what,
                                    topology.pbits()));
    } catch (const DeviceError&) {
      lines.push_back(fmt::format("{}: {} behind XRT, not built (make xclbin-emu)", kind, what));
    }
  }
  try {
    find_companion("chainmail-xrt");
  } catch (const DeviceError&) {
    lines.emplace_back(
        "xrt: not built: `make` builds it where libxrt-dev is; Debian package: "
        "chainmail-xrt");
    return lines;
  }
  try {
    const std::vector<std::string> boards = list_xrt_boards();
    for (const std::string& board : boards) lines.push_back("xrt:" + board);
    if (boards.empty()) lines.emplace_back("xrt: no board found");
  } catch (const DeviceError& error) {
    lines.push_back(fmt::format("xrt: not usable: {}", error.what()));
  }
  return lines;
}

}  // namespace chainmail
