// gate_level: a board's netlist against its RTL, both given the same serial input, compared at
// every clock. One session: greeting, tables, spins, two bursts, everything read back.
#include <fmt/format.h>

#include <cstdlib>
#include <vector>

#include "board/board_core.hpp"
#include "board/serial_pins.hpp"
#include "device/uart/frame.hpp"
#include "support/error.hpp"
#include "support/random.hpp"
#include "topology/uart_link.hpp"

namespace chainmail::sim {
namespace {

using namespace uart_link;
using uart::Bytes;

constexpr std::uint32_t kFirstNumber = 0x8000'1234;
constexpr std::uint64_t kPatience = 20'000'000;  // clocks until a reply

Bytes request(Command command, std::uint32_t number, const Bytes& payload) {
  Bytes content{command};
  for (int i = 0; i < 4; ++i) content.push_back(static_cast<std::uint8_t>(number >> 8 * i));
  content.insert(content.end(), payload.begin(), payload.end());
  return content;
}

Bytes random_bytes(std::size_t count, std::uint64_t seed) {
  Bytes bytes;
  for (std::size_t i = 0; i < count; ++i)
    bytes.push_back(static_cast<std::uint8_t>(hash_of(seed, {i})));
  return bytes;
}

Bytes joined(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::vector<Bytes> session(const Topology& t) {
  const auto all = static_cast<std::uint8_t>(t.options.max_replicas);
  const Bytes place{0, all};
  std::vector<Bytes> frames;
  std::uint32_t number = kFirstNumber;
  frames.push_back(request(kOpen, number, {}));
  frames.push_back(request(kTables, ++number, random_bytes(2 * table_values(t), 1)));
  frames.push_back(request(kSpins, ++number, joined(place, random_bytes(all * state_bytes(t), 2))));
  for (const std::uint8_t sweeps : {std::uint8_t{0}, std::uint8_t{20}}) {
    Bytes payload = joined(place, random_bytes(all * parameter_bytes(t) + 8, 3U + sweeps));
    frames.push_back(request(kRun, ++number, joined(payload, {sweeps, 0, 0, 0})));
  }
  frames.push_back(request(kReadSpins, number, place));
  frames.push_back(request(kReadBest, number, place));
  return frames;
}

// Both boards get the frame's bits; returns the reply, or an error where they differ.
Bytes ask_both(BoardCore& rtl, BoardCore& netlist, const Bytes& frame, std::uint64_t& clocks) {
  SerialPins pins(rtl.clocks_per_bit());
  uart::FrameDecoder decoder;
  pins.send(uart::encode_frame(frame));
  for (std::uint64_t i = 0; i < kPatience; ++i, ++clocks) {
    const bool level = pins.drive();
    const bool tx = rtl.clock(level);
    if (netlist.clock(level) != tx || netlist.busy() != rtl.busy())
      throw DeviceError(fmt::format("netlist and RTL differ at clock {}", clocks));
    pins.sample(tx);
    for (const std::uint8_t byte : pins.received())
      if (auto reply = decoder.take(byte)) return *reply;
  }
  throw DeviceError("no reply");
}

void run(const std::string& board) {
  const Topology topology = topology_from_name(BOARD_TOPOLOGY);
  const auto rtl = BoardCore::make(board), netlist = BoardCore::make(board + "-netlist");
  std::uint64_t clocks = 0;
  std::size_t replies = 0, bytes = 0;
  for (const Bytes& frame : session(topology)) {
    const Bytes reply = ask_both(*rtl, *netlist, frame, clocks);
    if (reply.size() <= kHeadBytes || reply[kHeadBytes] != 0)
      throw DeviceError(fmt::format("frame {} was refused", replies));
    ++replies;
    bytes += reply.size();
  }
  fmt::print("{}: netlist equals RTL in {} clocks, {} replies of {} bytes together\n", board,
             clocks, replies, bytes);
}

}  // namespace
}  // namespace chainmail::sim

int main(int argc, char** argv) {
  try {
    chainmail::sim::run(argc > 1 ? argv[1] : "hx8k");
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    fmt::print(stderr, "gate_level: {}\n", error.what());
    return EXIT_FAILURE;
  }
}
