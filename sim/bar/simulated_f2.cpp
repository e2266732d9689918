// How an access is trapped: the pages of a BAR are not accessible. At the fault a load finds its
// row (64 bytes) filled in, the page is opened and one instruction is stepped over (the processor's
// trap flag); then it is closed again. A store is stepped over twice, on rows of two patterns:
// bytes that are not the pattern's were written.
#include "bar/simulated_f2.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <fstream>

#include "device/bar/bar_device.hpp"
#include "support/error.hpp"

namespace chainmail::sim {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kPage = 4096, kRow = 64;
constexpr std::uint64_t kRegisterBar = std::uint64_t{64} << 20,
                        kMemoryBar = std::uint64_t{128} << 30;

// A mapping of a BAR, from mmap to munmap.
struct Mapping {
  std::byte* begin = nullptr;
  std::size_t bytes = 0, slot = 0;
  std::uint64_t offset = 0;
  bool registers = false;
};
constinit std::vector<Mapping> mappings;
SimulatedF2* board = nullptr;

std::string bar_of(const fs::path& function, bool registers) {
  return (function / (registers ? "resource0" : "resource4")).string();
}

}  // namespace

// The access under way; one at a time, whoever makes it.
struct Trap {
  static inline std::atomic_flag taken = ATOMIC_FLAG_INIT;
  static inline const Mapping* mapping = nullptr;
  static inline std::byte* page = nullptr;
  static inline std::byte* row = nullptr;
  static inline bool storing = false, second = false;
  static inline gregset_t registers;
  static inline Beat first{};
  static constexpr std::uint8_t kPatterns[] = {0x5a, 0xa5};
  static constexpr greg_t kTrapFlag = 0x100, kWriteFault = 2;

  static void open() { mprotect(page, kPage, PROT_READ | PROT_WRITE); }
  static void close() { mprotect(page, kPage, PROT_NONE); }
  static std::uint64_t address() {
    return mapping->offset + static_cast<std::uint64_t>(row - mapping->begin);
  }

  static void fault(int signal, siginfo_t* info, void* context) {
    auto* const at = static_cast<std::byte*>(info->si_addr);
    const auto found = std::find_if(mappings.begin(), mappings.end(), [&](const Mapping& m) {
      return at >= m.begin && at < m.begin + m.bytes;
    });
    if (found == mappings.end()) {  // a fault of the program's own: at its next try it ends
      ::signal(signal, SIG_DFL);
      return;
    }
    while (taken.test_and_set(std::memory_order_acquire)) {
    }
    auto& state = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    mapping = &*found;
    const std::size_t place = static_cast<std::size_t>(at - found->begin);
    page = found->begin + place / kPage * kPage;
    row = found->begin + place / kRow * kRow;
    storing = (state[REG_ERR] & kWriteFault) != 0;
    second = false;
    open();
    if (storing) {
      std::memcpy(&registers, &state, sizeof registers);
      std::memset(row, kPatterns[0], kRow);
    } else {
      // A register's read has effects: only the word asked for is read.
      board->load(found->slot, found->registers,
                  found->registers ? found->offset + place : address(),
                  found->registers ? at : row);
    }
    state[REG_EFL] |= kTrapFlag;
  }

  static void step(int /*signal*/, siginfo_t* /*info*/, void* context) {
    auto& state = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    if (storing && !second) {
      std::memcpy(first.data(), row, kRow);
      std::memset(row, kPatterns[1], kRow);
      std::memcpy(&state, &registers, sizeof registers);
      state[REG_EFL] |= kTrapFlag;
      second = true;
      return;
    }
    if (storing) {
      Beat bytes{};
      std::memcpy(bytes.data(), row, kRow);
      std::uint64_t strobe = 0;
      for (std::size_t i = 0; i < kRow; ++i)
        if (first[i] != kPatterns[0] || bytes[i] != kPatterns[1]) strobe |= std::uint64_t{1} << i;
      board->store(mapping->slot, mapping->registers, address(), bytes, strobe);
    }
    close();
    state[REG_EFL] &= ~kTrapFlag;
    taken.clear(std::memory_order_release);
  }

  static void install() {
    struct sigaction action {};
    action.sa_flags = SA_SIGINFO;
    action.sa_sigaction = fault;
    sigaction(SIGSEGV, &action, nullptr);
    action.sa_sigaction = step;
    sigaction(SIGTRAP, &action, nullptr);
  }

  // Whether a file is one of the board's BARs.
  static bool is_bar(int file, Mapping& mapping) {
    struct stat wanted {};
    if (board == nullptr || file < 0 || fstat(file, &wanted) != 0) return false;
    for (mapping.slot = 0; mapping.slot < board->slots_.size(); ++mapping.slot) {
      for (const bool registers : {true, false}) {
        struct stat bar {};
        if (::stat(bar_of(board->function(mapping.slot), registers).c_str(), &bar) != 0) continue;
        mapping.registers = registers;
        if (bar.st_ino == wanted.st_ino && bar.st_dev == wanted.st_dev) return true;
      }
    }
    return false;
  }
};

SimulatedF2::SimulatedF2(const std::vector<std::string>& cores, const ShellBehaviour& behaviour)
    : before_(pci_functions()), behaviour_(behaviour), stores_(kRow + 1) {
  std::string name = (fs::temp_directory_path() / "chainmail-f2-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw DeviceError("no folder for a simulated F2");
  folder_ = name;
  for (std::size_t slot = 0; slot < cores.size(); ++slot) {
    slots_.push_back({cores[slot], nullptr});
    fs::create_directory(function(slot));
    std::string management = function(slot).string();
    management.back() = '1';
    fs::create_directory(management);
    for (const auto& [path, device] :
         {std::pair(function(slot), "0xf0c4"), std::pair(fs::path(management), "0x9248")}) {
      std::ofstream(path / "vendor") << "0x1d0f\n";
      std::ofstream(path / "device") << device << "\n";
    }
    for (const bool registers : {true, false}) {
      const std::string path = bar_of(function(slot), registers);
      std::ofstream(path).flush();
      fs::resize_file(path, registers ? kRegisterBar : kMemoryBar);
    }
  }
  board = this;
  pci_functions() = folder_;
  Trap::install();
}

SimulatedF2::~SimulatedF2() {
  for (const Slot& slot : slots_)
    if (slot.shell && !slot.shell->fault().empty())
      fmt::print(stderr, "simulated F2, {}: {}\n", slot.core, slot.shell->fault());
  board = nullptr;
  pci_functions() = before_;
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

fs::path SimulatedF2::function(std::size_t slot) const {
  return folder_ / fmt::format("0000:{:02x}:00.0", 0x34 + 2 * slot);
}

ShellModel& SimulatedF2::shell(std::size_t slot) {
  Slot& at = slots_.at(slot);
  if (!at.shell) at.shell = std::make_unique<ShellModel>(ClCore::make(at.core), behaviour_);
  return *at.shell;
}

void SimulatedF2::store(std::size_t slot, bool registers, std::uint64_t address, const Beat& bytes,
                        std::uint64_t strobe) {
  ++stores_[static_cast<std::size_t>(__builtin_popcountll(strobe))];
  ShellModel& to = shell(slot);
  if (!registers) {
    const ShellModel::Row row{bytes, strobe};
    to.write(address, {&row, 1});
    return;
  }
  for (std::size_t i = 0; i < kRow; i += 4) {  // the shell splits what is longer than a word
    if ((strobe >> i & 15U) == 0) continue;
    std::uint32_t value = 0;
    std::memcpy(&value, &bytes[i], 4);
    to.write_register(static_cast<std::uint32_t>(address + i), value);
  }
}

void SimulatedF2::load(std::size_t slot, bool registers, std::uint64_t address, std::byte* to) {
  if (registers) {
    const std::uint32_t value = shell(slot).read_register(static_cast<std::uint32_t>(address));
    std::memcpy(to, &value, 4);
    return;
  }
  Beat row{};
  shell(slot).read(address, {&row, 1});
  std::memcpy(to, row.data(), row.size());
}

}  // namespace chainmail::sim

// In place of the C library's, for the whole program: what is no BAR goes to the kernel as it is.
extern "C" void* mmap(void* address, size_t bytes, int protection, int flags, int file,
                      off_t offset) noexcept {
  using namespace chainmail::sim;
  Mapping mapping;
  const bool bar = Trap::is_bar(file, mapping);
  if (bar) protection = PROT_NONE, flags = MAP_PRIVATE | MAP_ANONYMOUS, file = -1;
  const long result = syscall(SYS_mmap, address, bytes, protection, flags, file, bar ? 0 : offset);
  if (result == -1) return MAP_FAILED;
  std::byte* begin = nullptr;
  std::memcpy(&begin, &result, sizeof begin);
  if (bar) {
    board->shell(mapping.slot);
    mapping.begin = begin;
    mapping.bytes = bytes;
    mapping.offset = static_cast<std::uint64_t>(offset);
    mappings.push_back(mapping);
  }
  return begin;
}

extern "C" int munmap(void* address, size_t bytes) noexcept {
  using namespace chainmail::sim;
  std::erase_if(mappings, [&](const Mapping& m) { return m.begin == address; });
  return static_cast<int>(syscall(SYS_munmap, address, bytes));
}
