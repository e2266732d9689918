// What libxrt_hwemu of XRT 2.13 reads (found by observing it; see docs/emulation.md):
//  - $XILINX_XRT/lib/libxrt_hwemu.so.2, so a folder with a link to wherever the library is;
//  - $EMCONFIG_PATH/emconfig.json, the list of emulated boards;
//  - the ini file: `sws` lets XRT's own scheduler write a register map in one call instead of word
//    by word; `system_dpa=false` because closing would wait for a profiler; and a long `pad` key:
//    the shim's message buffer is as large as its first message, which carries the ini keys, and
//    never grows, so that message must be larger than packet_size plus a message's other fields;
//  - $USER names the folder below /tmp for its sockets: a path of our own choosing.
#include "device/xrt/emulation.hpp"

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "support/error.hpp"
#include "support/printable.hpp"

namespace chainmail {

namespace {

constexpr std::size_t packet_size = 0x10000;

std::string folder_with(const std::string& library) {
  std::vector<std::string> folders = {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
                                      "/usr/lib64", "/usr/lib", "/opt/xilinx/xrt/lib"};
  // If an XRT was set up, only that one is used.
  if (const char* xrt = std::getenv("XILINX_XRT")) folders = {std::string(xrt) + "/lib"};
  for (const std::string& folder : folders)
    if (std::filesystem::exists(std::filesystem::path(folder) / library)) return folder;
  throw DeviceError("missing library " + library +
                    (folders.size() == 1 ? " in " + folders.front() + ", where XILINX_XRT points"
                                         : ": install XRT's run-time package (Debian: libxrt1)"));
}

std::string ini() {
  return "[Runtime]\nsws=true\nruntime_log=null\n"
         "[Emulation]\nsystem_dpa=false\nkeep_run_dir=false\nprint_infos_in_console=false\n"
         "print_warnings_in_console=false\npacket_size=" +
         std::to_string(packet_size) + "\n[Debug]\npad=" + std::string(packet_size + 4096, 'x') +
         "\n";
}

std::string board_list() {
  return R"({"Version":{"FileVersion":"2.0"},"Platform":{"Boards":[{"Devices":[{)"
         R"("Name":"xilinx_u55c_gen3x16_xdma_base_3","NumDevices":"1",)"
         R"("DdrBanks":[{"Size":"1GB"},{"Size":"1GB"}]}]}]}})";
}

std::string linked_home(const RunFolder& folder, const std::string& library) {
  std::string home = folder.path() + "/xrt";
  std::error_code reason;
  std::filesystem::create_directory(home, reason);
  if (!reason) std::filesystem::create_symlink(folder_with(library), home + "/lib", reason);
  if (reason) throw DeviceError("cannot prepare " + home + ": " + reason.message());
  return home;
}

}  // namespace

std::map<std::string, std::string> prepare_xrt_home(const RunFolder& folder) {
  if (std::getenv("XILINX_XRT") != nullptr) return {};
  return {{"XILINX_XRT", linked_home(folder, "libxrt_core.so.2")}};
}

std::map<std::string, std::string> prepare_emulation(const RunFolder& folder,
                                                     const std::string& preload) {
  const std::string& path = folder.path();
  // A socket's name is at most 107 characters: this folder, then "/D2X_unix_sock_device0_0_<pid>".
  if (path.size() > 65)
    throw DeviceError("the run folder " + path + " is too long for socket names; set TMPDIR");
  // XRT passes the folder to a shell without quotes, and LD_PRELOAD is split at blanks and colons.
  const std::size_t odd = path.find_first_not_of(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-+@%,=");
  if (odd != std::string::npos)
    throw DeviceError("the run folder " + printable(path) + " has a character, '" +
                      printable(path.substr(odd, 1)) +
                      "', that XRT's shell would interpret; set TMPDIR to a plain path");
  folder.write("xrt.ini", ini());
  folder.write("emconfig.json", board_list());
  const std::string xrt = linked_home(folder, "libxrt_hwemu.so.2");
  const std::string preload_name =
      "preload.so";  // next to the program, whose own path may have blanks
  folder.place_program(preload, preload_name);
  return {{"XCL_EMULATION_MODE", "hw_emu"},
          {"XILINX_XRT", xrt},
          {"XILINX_VITIS", path},
          {"EMCONFIG_PATH", path},
          {"XRT_INI_PATH", path + "/xrt.ini"},
          {"USER", ".." + path},
          {"LD_PRELOAD", path + "/" + preload_name}};
}

}  // namespace chainmail
