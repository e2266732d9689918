// Everything that can be wrong with a board behind BARs is one line that says what to do.
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <thread>

#include "../temporary_folder.hpp"
#include "support.hpp"
#include "support/error.hpp"
#include "topology/bar_window.hpp"

namespace chainmail::test {
namespace {

using Catch::Contains;

void write_words(const std::string& path, std::size_t place,
                 const std::vector<std::uint32_t>& words) {
  std::ofstream(path, std::ios::app).flush();
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(place));
  file.write(reinterpret_cast<const char*>(words.data()),
             static_cast<std::streamsize>(4 * words.size()));
}

// Windows that are ordinary files: what is written is kept, and nobody works on it.
struct Files {
  TemporaryFolder folder;
  std::string registers = folder.file("registers"), memory = folder.file("memory");
  explicit Files(const std::vector<std::uint32_t>& mark, std::uint32_t control = 0) {
    std::ofstream(registers).flush();
    std::filesystem::resize_file(registers, 0x2000);
    std::ofstream(memory).flush();
    std::filesystem::resize_file(memory, 0x4000);
    write_words(registers, bar_window::kMarkBase, mark);
    write_words(registers, contract::kControl, {control});
  }
  void open() const { BarPort(bar_board("bar:" + registers + "+" + memory), 0.2); }
};

std::vector<std::uint32_t> good_mark() {
  return {bar_window::kMark, bar_window::kVersion, 0x4000, 250};
}

}  // namespace

TEST_CASE("What is no kernel of ours is named", "[bar]") {
  CHECK_THROWS_WITH(Files({0xffff'ffff}).open(), Contains("all ones"));
  CHECK_THROWS_WITH(Files({0x1234}).open(), Contains("no kernel of ours: 0x00001234 at 0x1000"));
  CHECK_THROWS_WITH(Files({bar_window::kMark, 7}).open(), Contains("version 7 of the windows"));
  for (const std::uint32_t bytes : {0U, 2048U, 0x5000U})
    CHECK_THROWS_WITH(Files({bar_window::kMark, bar_window::kVersion, bytes}).open(),
                      Contains("bytes of memory, expected a power of two"));
  CHECK_THROWS_WITH(Files({bar_window::kMark, bar_window::kVersion, 0x8000}).open(),
                    Contains("has 16384 bytes, expected 32768 from 0x0"));
  CHECK_THROWS_WITH(Files(good_mark()).open(),
                    Contains("that an earlier program has left has not ended within 0.2 s"));
  CHECK_THROWS_WITH(Files(good_mark(), 0xffff'ffff).open(), Contains("was reset, or lost"));
}

TEST_CASE("A kernel that has other memory than the driver is noticed", "[bar]") {
  const sim::SimulatedF2 f2({kRing, kRing});
  const BarBoard crossed{"crossed", bar_board("f2:0").registers, bar_board("f2:1").memory};
  CHECK_THROWS_WITH(BarPort(crossed, 60), Contains("crossed: the kernel ended without a status"));
}

TEST_CASE("Names of windows are checked", "[bar]") {
  const auto board = [](const std::string& rest) { return bar_board("bar:" + rest); };
  CHECK(board("/dev/mem@0x43c00000+/dev/mem@1073741824").registers.offset == 0x43c0'0000);
  CHECK(board("/dev/mem@0x43c00000+/dev/mem@1073741824").memory.offset == 0x4000'0000);
  CHECK(board("a+b").memory.path == "b");
  for (const char* wrong : {"", "a", "a+", "+b", "a@12+b", "a@0x10x+b", "a+b@", "a@-4096+b"})
    CHECK_THROWS_AS(board(wrong), UsageError);
  CHECK_THROWS_WITH(BarPort(board("/nowhere/x+y"), 1), Contains("/nowhere/x: No such file"));
}

TEST_CASE("Slots are those of this machine, with our image loaded", "[bar]") {
  {
    const sim::SimulatedF2 none({});
    CHECK_THROWS_WITH(bar_board("f2:0"), Contains("no FPGA of an F2 instance here"));
  }
  const sim::SimulatedF2 f2({kRing, kFlips});
  CHECK(bar_board("f2:0").registers.path == (f2.function(0) / "resource0").string());
  CHECK(bar_board("f2:1").memory.path == (f2.function(1) / "resource4").string());
  CHECK_THROWS_WITH(bar_board("f2:2"), Contains("no such slot; this machine has slots 0 to 1"));
  for (const char* wrong : {"f2:", "f2:x", "f2:0x", "f2:-1", "f2: 0"})
    CHECK_THROWS_AS(bar_board(wrong), UsageError);
  CHECK_THAT(list_bar_devices().front(), Contains("slots here: 2"));
  // After fpga-clear-local-image.
  std::ofstream(f2.function(0) / "device") << "0x9048\n";
  CHECK_THROWS_WITH(bar_board("f2:0"), Contains("is 1d0f:9048, expected 1d0f:f0c4: load the AFI"));
}

TEST_CASE("The image's PCI id is the one that the driver looks for", "[bar]") {
  CHECK(sim::ShellModel(sim::ClCore::make(kRing)).id() == 0xf0c4'1d0f);
}

TEST_CASE("A board belongs to one program", "[bar]") {
  const sim::SimulatedF2 f2({kRing});
  const auto port = open_slot(0);
  CHECK_THROWS_WITH(open_slot(0), Contains("resource0: in use by another program"));
}

TEST_CASE("A call that does not end is an error, and so is every later one", "[bar]") {
  sim::SimulatedF2 f2({kRing});
  const auto port = open_slot(0, 0.3);
  Buffers b = random_buffers(port->topology(), 4, 1, kEverything, 1);
  f2.shell().behaviour().stuck = true;
  CHECK_THROWS_WITH(run(*port, b), Contains("the call has not ended within 0.3 s"));
  f2.shell().behaviour().stuck = false;
  CHECK_THROWS_WITH(run(*port, b), Contains("the call has not ended within 0.3 s"));
}

TEST_CASE("A board that is lost during a burst is an error at once", "[bar]") {
  sim::SimulatedF2 f2({kRing});
  const auto port = open_slot(0);
  Buffers b = random_buffers(port->topology(), 64, 1'000'000, kEverything, 1);
  port->start(0, b.call());
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  f2.shell().behaviour().dead = true;
  CHECK_THROWS_WITH(port->finish(0), Contains("the board was reset, or lost"));
}

TEST_CASE("A call that an earlier program has left is waited for", "[bar]") {
  sim::SimulatedF2 f2({kRing});
  const auto golden = open_native_port(kRing);
  auto port = open_slot(0);
  Buffers b = random_buffers(port->topology(), 64, 1, kEverything, 1);
  run(*port, b);
  port.reset();
  // The same again with more sweeps, and its status block elsewhere.
  f2.shell().write_register(contract::offset_of("sweeps"), 200);
  f2.shell().write_register(contract::offset_of("status"), 0x1f80);
  f2.shell().write_register(contract::kControl, 1);
  port = open_slot(0);
  Buffers expected = random_buffers(port->topology(), 5, 3, kEverything, 2), actual = expected;
  run(*golden, expected);
  run(*port, actual);
  CHECK_THAT(difference(expected, actual), Catch::Equals(""));
}

TEST_CASE("A call larger than the memory is refused", "[bar]") {
  const sim::SimulatedF2 f2({kRing});
  const auto port = open_slot(0);
  Buffers b = random_buffers(port->topology(), 64, 1, kEverything, 1);
  b.tables.resize(1 << 20);
  CHECK_THROWS_WITH(run(*port, b), Contains("its memory has"));
}

}  // namespace chainmail::test
