// The worker program driven directly, packet by packet, and machines and kernels that are not as
// they should be.
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "device/device.hpp"
#include "device/xrt/emulation.hpp"
#include "device/xrt/worker_process.hpp"
#include "support.hpp"
#include "topology/contract.hpp"
#include "xrt/xclbin.hpp"

using namespace chainmail;
using Catch::Contains;
using test::device_error;
using xrt_worker::Kind;
using xrt_worker::Packet;
using xrt_worker::PacketReader;
using xrt_worker::PacketWriter;
using Clock = std::chrono::steady_clock;

TEST_CASE("a packet the worker does not know is a fault, not a silence", "[xrt][worker]") {
  const test::PrivateTmp tmp;
  {
    const RunFolder folder;
    folder.place_program(test::built("chainmail-xrt"), "worker");
    WorkerProcess worker(folder, folder.path() + "/worker", prepare_xrt_home(folder));
    const pid_t id = worker.id();
    PacketWriter strange(Kind::written);  // an answer, where questions are expected
    const auto deadline = Clock::now() + std::chrono::seconds(10);
    REQUIRE(worker.send(strange.seal(), deadline));
    Packet answer;
    REQUIRE(worker.receive(answer, deadline) == WorkerProcess::Outcome::packet);
    CHECK(answer.kind == Kind::fault);
    CHECK(PacketReader(answer).take_bytes() == "the XRT worker was sent a packet it does not know");
    CHECK(worker.receive(answer, deadline) == WorkerProcess::Outcome::gone);
    CHECK(test::group_is_gone(id));
  }
  CHECK(tmp.leftovers().empty());
}

TEST_CASE("a length that a packet claims costs the worker no memory", "[xrt][worker]") {
  const test::PrivateTmp tmp;
  const RunFolder folder;
  folder.place_program(test::built("chainmail-xrt"), "worker");
  WorkerProcess worker(folder, folder.path() + "/worker", prepare_xrt_home(folder));
  const auto peak_mib = [&] {
    std::ifstream status("/proc/" + std::to_string(worker.id()) + "/status");
    for (std::string word; status >> word;) {
      if (std::size_t kib = 0; word == "VmHWM:" && status >> kib) return kib / 1024;
    }
    return std::size_t{0};
  };
  // Four bytes of the header's kind, four of its size, and less than that after it. More than a
  // socket holds: once it is sent, the worker is reading the packet's body.
  std::string claim(3 << 20, 'x');
  const xrt_worker::Header header{static_cast<std::uint32_t>(Kind::write), 1U << 30U};
  std::memcpy(claim.data(), &header, sizeof header);
  REQUIRE(worker.send(claim, Clock::now() + std::chrono::seconds(10)));
  CHECK(peak_mib() > 0);
  CHECK(peak_mib() < 500);
}

TEST_CASE("a worker that cannot be started says why", "[xrt][worker]") {
  const test::PrivateTmp tmp;
  const RunFolder folder;
  WorkerProcess worker(folder, folder.path() + "/nothing", {});
  Packet answer;
  const auto deadline = Clock::now() + std::chrono::seconds(10);
  CHECK(worker.receive(answer, deadline) == WorkerProcess::Outcome::gone);
  CHECK_THAT(worker.complaint(), Contains("chainmail: cannot run " + folder.path() + "/nothing") &&
                                     Contains("No such file or directory"));
}

TEST_CASE("copies past the end of a buffer are refused by the worker", "[xrt][worker]") {
  const test::PrivateTmp tmp;
  const std::vector<std::byte> content(8192);
  for (const bool write : {true, false}) {
    XrtSession session(test::adder_session(test::adder_xclbin(tmp)));
    const XrtBuffer buffer = session.allocate(0, 0, 4096);
    const std::string message = device_error([&] {
      if (write)
        session.write(buffer, content);
      else
        session.read(buffer, content.size());
    });
    CHECK(message == "hw_emu: copy of 8192 bytes in a buffer of 4096");
    // The session is over and says so again.
    CHECK(device_error([&] { session.read(buffer, 1); }) == message);
    CHECK(device_error([&] { session.start({}); }) == message);
    CHECK(device_error([&] { session.wait(0); }) == message);
  }
  CHECK(tmp.leftovers().empty());
}

TEST_CASE("a machine without unzip, where XRT speaks of permissions", "[xrt][worker]") {
  const test::PrivateTmp tmp;
  const std::string xclbin = test::adder_xclbin(tmp);
  // Everything that XRT calls except unzip.
  const std::filesystem::path programs = tmp.file("programs");
  std::filesystem::create_directory(programs);
  for (const char* name : {"chmod", "cp", "mkdir", "rm"})
    std::filesystem::create_symlink(std::filesystem::path("/bin") / name, programs / name);
  const char* set = std::getenv("PATH");
  const std::string before = set == nullptr ? "/usr/bin:/bin" : set;
  setenv("PATH", programs.c_str(), 1);
  const std::string message =
      device_error([&] { XrtSession session(test::adder_session(xclbin)); });
  setenv("PATH", before.c_str(), 1);
  CHECK_THAT(message, Contains("unzip is not installed"));
  CHECK(tmp.leftovers().empty());
}

TEST_CASE("a kernel of our name that leaves no status block is none of ours", "[xrt][worker]") {
  const test::PrivateTmp tmp;
  std::ifstream file(test::built("adder.device"), std::ios::binary);
  const std::string program((std::istreambuf_iterator<char>(file)), {});
  // The contract's arguments, but the adder finds its source, destination and count (the flags of
  // the call) among them.
  emu::KernelSignature kernel;
  kernel.name = "pbit_burst";
  std::uint32_t next = 0x40;
  for (const contract::Argument& argument : contract::kArguments) {
    const std::string name = argument.name;
    std::uint32_t offset = next;
    if (name == "tables") offset = 0x10;
    if (name == "results") offset = 0x1c;
    if (name == "flags") offset = 0x28;
    if (offset == next) next += 0xc;
    kernel.arguments.push_back({name, argument.pointer ? "unsigned long long*" : "unsigned int",
                                argument.pointer, argument.bits / 8, offset,
                                argument.pointer ? "m_axi_gmem" : "", 0});
  }
  const std::string xclbin = tmp.file("other.xclbin");
  std::ofstream(xclbin, std::ios::binary) << emu::make_xclbin(kernel, program);
  DeviceOptions options;
  options.name = "sw_emu";
  options.xclbin = xclbin;
  CHECK_THAT(device_error([&] { make_device(options); }),
             Contains("sw_emu: the kernel ended without a status block") &&
                 Contains("is not a Chainmail kernel"));
  CHECK(tmp.leftovers().empty());
}
