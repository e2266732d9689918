// The memory behind PCIS as a shell with DMA would use it: bursts up to 4 KiB, any strobes, many
// transactions at once, while the kernel works in it.
#include <catch2/catch.hpp>
#include <cstring>
#include <vector>

#include "support.hpp"
#include "support/random.hpp"
#include "topology/bar_window.hpp"

namespace chainmail::test {
namespace {

using sim::Beat;
using sim::ShellModel;
constexpr std::uint64_t kRow = 64, kPage = 4096;

// Random transactions on [begin, end), each against a copy of the memory.
class Traffic {
 public:
  Traffic(ShellModel& shell, std::uint64_t begin, std::uint64_t end, std::uint64_t seed)
      : shell_(shell), begin_(begin), copy_(end - begin), engine_(seed) {
    const std::vector<ShellModel::Row> zeros(kPage / kRow);
    for (std::uint64_t at = begin; at < end; at += kPage) shell_.write(at, zeros);
  }

  void round() {
    for (int i = 0; i < 6; ++i) write();
    while (!shell_.idle() && shell_.fault().empty()) shell_.clock(1);
    for (int i = 0; i < 6; ++i) request();
    while (!shell_.idle() && shell_.fault().empty()) shell_.clock(1);
    std::size_t row = 0;
    const std::vector<Beat> beats = shell_.finished();
    for (const auto& [place, rows] : wanted_) {
      for (std::size_t r = 0; r < rows; ++r, ++row) {
        const bool same =
            row < beats.size() && std::equal(beats[row].begin(), beats[row].end(),
                                             copy_.begin() + static_cast<long>(place + kRow * r));
        wrong += same ? 0 : 1;
      }
    }
    wrong += beats.size() - row;
    wanted_.clear();
  }
  std::size_t wrong = 0;

 private:
  // A place and a number of rows within one page, of [begin, end).
  std::pair<std::uint64_t, std::size_t> choose() {
    const std::uint64_t place = engine_() % (copy_.size() / kRow) * kRow;
    const std::uint64_t left = (kPage - (begin_ + place) % kPage) / kRow;
    return {place, 1 + engine_() % (engine_() % 2 == 0 ? 1 : left)};
  }
  void write() {
    const auto [place, count] = choose();
    std::vector<ShellModel::Row> rows(count);
    for (std::size_t r = 0; r < count; ++r) {
      for (std::uint8_t& byte : rows[r].bytes) byte = static_cast<std::uint8_t>(engine_());
      if (engine_() % 2 == 0) rows[r].strobe = engine_() & engine_();
      for (std::size_t b = 0; b < kRow; ++b)
        if ((rows[r].strobe >> b & 1) != 0) copy_[place + kRow * r + b] = rows[r].bytes[b];
    }
    // A transaction's address may name any byte of its first row: strobes decide.
    shell_.write(begin_ + place + engine_() % kRow, rows);
  }
  void request() {
    const auto [place, count] = choose();
    shell_.request(begin_ + place + engine_() % kRow, static_cast<unsigned>(count));
    wanted_.emplace_back(place, count);
  }

  ShellModel& shell_;
  std::uint64_t begin_;
  std::vector<std::uint8_t> copy_;
  Engine engine_;
  std::vector<std::pair<std::uint64_t, std::size_t>> wanted_;
};

}  // namespace

TEST_CASE("Bursts over PCIS come back as they were written", "[bar]") {
  const std::uint64_t size = bar_window::memory_bytes(topology_from_name(kRing));
  for (const double stall : {0.0, 0.5, 0.9}) {
    ShellModel shell(sim::ClCore::make(kRing), {.stall = stall, .seed = 3});
    Traffic traffic(shell, 0, size, 11);
    for (int i = 0; i < 40; ++i) traffic.round();
    INFO("stall " << stall);
    CHECK(traffic.wrong == 0);
    CHECK(shell.refusals() == 0);
    CHECK_THAT(shell.fault(), Catch::Equals(""));
  }
}

TEST_CASE("Addresses beyond the memory are refused and change nothing", "[bar]") {
  const std::uint64_t size = bar_window::memory_bytes(topology_from_name(kRing));
  ShellModel shell(sim::ClCore::make(kRing));
  ShellModel::Row row;
  row.bytes.fill(0x11);
  shell.write(0, {&row, 1});
  row.bytes.fill(0x22);
  std::uint64_t refused = 0;
  for (const std::uint64_t beyond : {size, 2 * size, std::uint64_t{1} << 36}) {
    shell.write(beyond, {&row, 1});
    Beat beat{};
    shell.read(beyond, {&beat, 1});
    CHECK(shell.refusals() == (refused += 2));
  }
  Beat first{};
  shell.read(0, {&first, 1});
  CHECK(first[0] == 0x11);
  CHECK_THAT(shell.fault(), Catch::Equals(""));
}

TEST_CASE("The kernel's part of a clock is what the host leaves", "[bar]") {
  sim::SimulatedF2 f2({kRing}, {.stall = 0.1});
  const auto port = open_slot(0);
  const std::uint64_t size = bar_window::memory_bytes(port->topology());
  Traffic traffic(f2.shell(), size - kPage, size, 12);
  const auto golden = open_native_port(kRing);
  Buffers expected = random_buffers(port->topology(), 16, 5, kEverything, 77), actual = expected;
  run(*golden, expected);
  // The kernel's buffers are in the first page; its call is started here, register by register, so
  // that the traffic is one with it.
  ShellModel& shell = f2.shell();
  const auto place = [&](std::uint64_t at, const std::vector<std::uint64_t>& words) {
    for (std::size_t i = 0; i < words.size(); i += 8) {
      ShellModel::Row row;
      const std::size_t bytes = std::min<std::size_t>(kRow, 8 * (words.size() - i));
      std::memcpy(row.bytes.data(), words.data() + i, bytes);
      shell.write(at + 8 * i, {&row, 1});
    }
  };
  const std::uint64_t at[] = {0x800, 0, 0x100, 0x200, 0x300, 0x400};
  place(at[0], actual.tables);
  place(at[1], actual.parameters);
  place(at[2], actual.spins);
  traffic.round();
  std::size_t pointer = 0;
  for (const auto& argument : contract::kArguments)
    if (argument.pointer)
      shell.write_register(argument.offset, static_cast<std::uint32_t>(at[pointer++]));
  shell.write_register(contract::offset_of("replicas"), actual.replicas);
  shell.write_register(contract::offset_of("first"), 0);
  shell.write_register(contract::offset_of("sweeps"), actual.sweeps);
  shell.write_register(contract::offset_of("flags"), actual.flags);
  shell.write_register(contract::offset_of("seed"), static_cast<std::uint32_t>(actual.seed));
  shell.write_register(contract::offset_of("seed") + 4,
                       static_cast<std::uint32_t>(actual.seed >> 32));
  shell.write_register(contract::kControl, 1);
  int rounds = 0;
  while ((shell.read_register(contract::kControl) & 2) == 0 && rounds < 1000 &&
         shell.fault().empty()) {
    traffic.round();
    ++rounds;
  }
  CHECK(rounds > 2);
  const auto fetch = [&](std::uint64_t from, std::vector<std::uint64_t>& words) {
    for (std::size_t i = 0; i < words.size(); i += 8) {
      Beat row{};
      shell.read(from + 8 * i, {&row, 1});
      std::memcpy(words.data() + i, row.data(),
                  std::min<std::size_t>(kRow, 8 * (words.size() - i)));
    }
  };
  fetch(at[2], actual.spins);
  fetch(at[3], actual.best);
  fetch(at[4], actual.results);
  fetch(at[5], actual.status);
  CHECK_THAT(difference(expected, actual), Catch::Equals(""));
  CHECK(traffic.wrong == 0);
  CHECK_THAT(shell.fault(), Catch::Equals(""));
}

}  // namespace chainmail::test
