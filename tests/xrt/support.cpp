#include "support.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

#include "device/xrt/worker_process.hpp"
#include "support/error.hpp"
#include "xrt/xclbin.hpp"

namespace chainmail::test {

namespace fs = std::filesystem;

PrivateTmp::PrivateTmp() : path_("/tmp/chainmail-test-XXXXXX") {
  if (mkdtemp(path_.data()) == nullptr) throw DeviceError(std::strerror(errno));
  fs::create_directory(path_ + "/files");
  if (const char* before = std::getenv("TMPDIR")) {
    had_ = true;
    before_ = before;
  }
  setenv("TMPDIR", path_.c_str(), 1);
}

PrivateTmp::~PrivateTmp() {
  if (had_)
    setenv("TMPDIR", before_.c_str(), 1);
  else
    unsetenv("TMPDIR");
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::vector<std::string> PrivateTmp::leftovers() const {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(path_))
    if (entry.path().filename() != "files") found.push_back(entry.path().string());
  return found;
}

std::string built(const std::string& name) {
  return find_companion(name);
}

std::string adder_xclbin(const PrivateTmp& tmp, std::uint32_t units) {
  std::ifstream file(built("adder.device"), std::ios::binary);
  const std::string program((std::istreambuf_iterator<char>(file)), {});
  emu::KernelSignature kernel;
  kernel.name = "adder";
  kernel.units = units;
  kernel.arguments = {{"source", "unsigned*", true, 8, 0x10, "m_axi_gmem0", 0},
                      {"destination", "unsigned*", true, 8, 0x1c, "m_axi_gmem1", 1},
                      {"count", "unsigned", false, 4, 0x28, "", 0}};
  std::string path = tmp.file("adder" + std::to_string(units) + ".xclbin");
  std::ofstream(path, std::ios::binary) << emu::make_xclbin(kernel, program);
  return path;
}

SessionOptions adder_session(const std::string& xclbin, double timeout_seconds) {
  SessionOptions options;
  options.label = "hw_emu";
  options.emulated = true;
  options.xclbin = xclbin;
  options.kernel = "adder";
  options.timeout = std::chrono::milliseconds(static_cast<long>(timeout_seconds * 1000));
  return options;
}

pid_t device_process(pid_t worker) {
  for (const auto& task : fs::directory_iterator("/proc/" + std::to_string(worker) + "/task")) {
    std::ifstream children(task.path() / "children");
    pid_t child = 0;
    while (children >> child) {
      std::ifstream name("/proc/" + std::to_string(child) + "/comm");
      std::string text;
      name >> text;
      if (text == "device") return child;
    }
  }
  return 0;
}

namespace {

// A zombie has ended; who reaps it, and when, depends on the machine's process 1.
bool lives_in_group(const fs::path& folder, pid_t leader) {
  std::ifstream file(folder / "stat");
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return false;
  std::istringstream rest(line.substr(name_end + 1));
  char state = 'Z';
  pid_t parent = 0, group = 0;
  rest >> state >> parent >> group;
  return group == leader && state != 'Z' && state != 'X';
}

}  // namespace

bool group_is_gone(pid_t leader) {
  for (int attempt = 0; attempt < 200; ++attempt) {
    bool found = false;
    for (const auto& entry : fs::directory_iterator("/proc")) {
      const std::string name = entry.path().filename();
      if (name.find_first_not_of("0123456789") == std::string::npos)
        found = found || lives_in_group(entry.path(), leader);
    }
    if (!found) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

AdderLane::AdderLane(XrtSession& in_session, std::uint32_t on_unit, std::uint32_t as_run,
                     std::uint32_t words)
    : session(in_session),
      unit(on_unit),
      run(as_run),
      count(words),
      source(session.allocate(unit, 0, 4 * words)),
      destination(session.allocate(unit, 1, 4 * words)) {}

void AdderLane::start(const std::vector<std::uint32_t>& content) {
  session.start({run,
                 unit,
                 {{source, 0, 0}, {destination, 0, 0}, {std::nullopt, count, 4}},
                 {{source, std::as_bytes(std::span(content))}},
                 {{destination, 4 * count}}});
}

void AdderLane::start_endless() {
  session.start({run, unit, {{source, 0, 0}, {destination, 0, 0}, {std::nullopt, 0, 4}}, {}, {}});
}

std::vector<std::uint32_t> AdderLane::wait() {
  const std::vector<std::byte> bytes = session.wait(run);
  std::vector<std::uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

}  // namespace chainmail::test
