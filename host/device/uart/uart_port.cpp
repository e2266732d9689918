// Why a result cannot be wrong (docs/uart.md): a damaged frame fails its CRC on either side and
// counts as lost; a lost one is resent; a late or duplicated one has a number that the board has
// already executed; a late reply does not match the frame that waits. A session starts at a random
// number, so that nothing from an earlier one matches.
#include "device/uart/uart_port.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "device/kernel/identify.hpp"
#include "device/kernel/kernel_device.hpp"
#include "support/error.hpp"

namespace chainmail {

using namespace uart_link;

namespace {

constexpr const char* kPrefix = "uart:";
// A frame without an answer is resent so often before its port gives up: every half second, unless
// --device-timeout allows longer bursts.
constexpr double kTries = 20;

void put(uart::Bytes& bytes, std::uint64_t value, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    bytes.push_back(static_cast<std::uint8_t>(value >> 8 * i));
}

std::uint64_t get(std::span<const std::uint8_t> bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) value |= std::uint64_t{bytes[i]} << 8 * i;
  return value;
}

std::uint64_t sign_extended(std::uint64_t value, std::size_t bytes) {
  const std::uint64_t top = std::uint64_t{1} << (8 * bytes - 1);
  return ((value ^ top) - top) & 0xffff'ffff;
}

// A USB serial port, asked for low latency, hands on what it has received every millisecond.
constexpr double kUsbMicroseconds = 1000.0;

// A burst is a frame each way: ten bits a byte, two flags, a place, and a seed with the sweeps.
BurstCosts costs_of(const Topology& t, unsigned baud, std::uint64_t sweeps_per_second) {
  const double byte_us = 1e7 / baud;
  const std::size_t ends = 2 * (2 + kHeadBytes + kPlaceBytes + kCrcBytes) + kBurstBytes + 1;
  BurstCosts costs;
  costs.launch_us = byte_us * static_cast<double>(ends) + kUsbMicroseconds;
  costs.replica_us = byte_us * static_cast<double>(parameter_bytes(t) + outcome_bytes(t));
  costs.clock_hz = static_cast<double>(sweeps_per_second);
  costs.overlaps = false;
  return costs;
}

// Numbers of a session; the upper half, so that a board fresh from reset (0) is never near it.
std::uint32_t first_number() {
  return std::random_device{}() | 0x8000'0000U;
}

}  // namespace

UartPort::UartPort(const std::string& path, unsigned baud, double timeout, double resend)
    : name_(fmt::format("uart:{} at {} baud", path, baud)),
      baud_(baud),
      line_(path, baud),
      timeout_(static_cast<long long>(timeout * 1e9)),
      resend_(static_cast<long long>(resend * 1e9)) {
  open_session();
}

std::string UartPort::describe() const {
  return fmt::format("{}, kernel {}{}", name_, topology_.name,
                     again_ == 0 ? "" : fmt::format(", {} frames sent again", again_));
}

void UartPort::fail(const std::string& what) const {
  throw DeviceError(name_ + ": " + what);
}

void UartPort::open_session() {
  number_ = first_number();
  const Reply reply = ask(kOpen, number_, {});
  const std::size_t block = 1 + 8 * status_.size();
  const bool older = reply.payload.size() == block && reply.payload[0] == 1;  // says no speed
  const bool says_speed = reply.payload.size() == block + 4 && reply.payload[0] == kVersion;
  if (!older && !says_speed) {
    fail("the board uses another version of the link: build both from the same sources");
  }
  for (std::size_t i = 0; i < status_.size(); ++i)
    status_[i] = get(std::span(reply.payload).subspan(1 + 8 * i, 8));
  topology_ = topology_of(status_, name_);
  if (says_speed) costs_ = costs_of(topology_, baud_, get(std::span(reply.payload).subspan(block)));
}

void UartPort::start(std::size_t lane, const KernelCall& call) {
  // Deferred to finish() if the system allows no more threads.
  running_[lane] =
      std::async(std::launch::async | std::launch::deferred, [this, call] { run(call); });
}

void UartPort::finish(std::size_t lane) {
  running_.at(lane).get();
}

void UartPort::run(const KernelCall& call) {
  const std::lock_guard lock(busy_);
  std::copy(status_.begin(), status_.end(), call.status.begin());
  if (call.flags & contract::kDescribe) return;
  if (call.flags & contract::kLoadTables) load_tables(call);
  if (call.flags & contract::kLoadSpins) load_spins(call);
  std::uint32_t code = contract::kOk;
  if (!(call.flags & contract::kNoBurst)) code = burst(call);
  if (code == contract::kOk) {
    if (call.flags & contract::kStoreSpins) read_states(kReadSpins, call, call.spins);
    if (call.flags & contract::kStoreBest) read_states(kReadBest, call, call.best);
  }
  call.status[contract::kWordCode / 2] = code;  // word 4, low half; p-bits in the high half
  call.status[contract::kWordCode / 2] |= status_[contract::kWordCode / 2];
}

UartPort::Bytes UartPort::place(const KernelCall& call) const {
  if (call.first > 255 || call.replicas > 255) {
    fail(fmt::format("replicas {} from {}: the board holds {}", call.replicas, call.first,
                     topology_.options.max_replicas));
  }
  return {static_cast<std::uint8_t>(call.first), static_cast<std::uint8_t>(call.replicas)};
}

void UartPort::load_tables(const KernelCall& call) {
  Bytes payload;
  const std::size_t entries = std::size_t{1} << topology_.address_bits;
  for (std::size_t p = 0; p < topology_.pbits(); ++p) {
    const auto record = call.tables.subspan(p * topology_.pbit_words(), topology_.pbit_words());
    for (std::size_t t = 0; t < topology_.tables; ++t)
      for (std::size_t a = 0; a < entries; ++a)
        put(payload, record[t * topology_.table_words() + a / 4] >> 16 * (a % 4), 2);
    put(payload, record.back(), 2);
  }
  change(kTables, payload);
}

void UartPort::load_spins(const KernelCall& call) {
  Bytes payload = place(call);
  const std::size_t size = state_bytes(topology_), words = topology_.state_words();
  for (std::size_t i = 0; i < words * call.replicas; ++i)
    put(payload, call.spins[i], std::min<std::size_t>(8, size - i % words * 8));
  change(kSpins, payload);
}

std::uint32_t UartPort::burst(const KernelCall& call) {
  Bytes payload = place(call);
  for (std::size_t r = 0; r < call.replicas; ++r) {
    put(payload, call.parameters[r], beta_bytes(topology_));
    put(payload, call.parameters[r] >> 32, bytes_of(contract::kPenaltyBits));
  }
  put(payload, call.seed, 8);
  put(payload, call.sweeps, 4);
  const Reply reply = change(kRun, payload, kPlaceBytes);
  if (reply.code != contract::kOk) return reply.code;

  const std::size_t size = outcome_bytes(topology_), wide = energy_bytes(topology_);
  if (reply.payload.size() != kPlaceBytes + size * call.replicas)
    fail("a reply of the wrong length");
  for (std::size_t r = 0; r < call.replicas; ++r) {
    const auto record = std::span(reply.payload).subspan(kPlaceBytes + r * size, size);
    const std::uint64_t f = sign_extended(get(record.first(wide)), wide);
    const std::uint64_t best = sign_extended(get(record.subspan(wide, wide)), wide);
    const std::uint64_t rest = get(record.subspan(2 * wide));
    const std::uint64_t found = std::uint64_t{1} << (8 * (size - 2 * wide) - 1);
    call.results[2 * r] = f | (rest & found ? best : std::uint64_t{contract::kNoBest}) << 32;
    call.results[2 * r + 1] = rest & ~found;
  }
  return contract::kOk;
}

void UartPort::read_states(Command command, const KernelCall& call,
                           std::span<std::uint64_t> states) {
  const std::size_t size = state_bytes(topology_);
  const Reply reply = ask(command, number_, place(call), kPlaceBytes);
  if (reply.code != contract::kOk || reply.payload.size() != kPlaceBytes + size * call.replicas)
    fail(fmt::format("a read was answered with code {:#x}", reply.code));
  const std::size_t words = topology_.state_words();
  for (std::size_t i = 0; i < words * call.replicas; ++i) {
    const std::size_t at = i % words * 8;
    states[i] =
        get(std::span(reply.payload)
                .subspan(kPlaceBytes + i / words * size + at, std::min<std::size_t>(8, size - at)));
  }
}

UartPort::Reply UartPort::change(Command command, const Bytes& payload, std::size_t echo) {
  return ask(command, ++number_, payload, echo);
}

UartPort::Reply UartPort::ask(Command command, std::uint32_t number, const Bytes& payload,
                              std::size_t echo) {
  Bytes content{command};
  put(content, number, 4);
  content.insert(content.end(), payload.begin(), payload.end());
  if (content.size() + kCrcBytes >= buffer_bytes(topology_)) fail("a frame too long for the board");
  const Bytes line = uart::encode_frame(content);
  Bytes head{static_cast<std::uint8_t>(command | kReply)};
  put(head, number, 4);

  const auto end = uart::Clock::now() + timeout_;
  for (bool again = false; uart::Clock::now() < end; again = true) {
    if (again) ++again_;
    line_.write(line, end);
    const auto deadline = std::min(end, uart::Clock::now() + resend_);
    for (Bytes bytes = line_.read(deadline); !bytes.empty(); bytes = line_.read(deadline)) {
      for (const std::uint8_t byte : bytes) {
        const auto frame = decoder_.take(byte);
        if (!frame || frame->size() < kHeadBytes + 1) continue;
        if (!std::equal(head.begin(), head.end(), frame->begin())) continue;
        Reply reply{(*frame)[kHeadBytes], {frame->begin() + kHeadBytes + 1, frame->end()}};
        if (reply.code == kOutOfStep)
          fail("the board is out of step: it was reset, or another program used it");
        if (reply.code == kBadFrame)
          fail("the board rejects this frame: build both from the same sources");
        const bool ours = reply.payload.size() >= echo &&
                          std::equal(payload.begin(), payload.begin() + static_cast<long>(echo),
                                     reply.payload.begin());
        if (reply.code != contract::kOk || ours) return reply;
      }
    }
  }
  fail(fmt::format(
      "no answer within {:.3g} s{} (is the bitstream loaded and built for this rate? "
      "--device-timeout must exceed the time of a burst)",
      std::chrono::duration<double>(timeout_).count(),
      decoder_.damaged() == 0 ? "" : fmt::format(", {} damaged frames", decoder_.damaged())));
}

bool is_uart_device(const std::string& name) {
  return name.starts_with(kPrefix);
}

UartAddress uart_address(const std::string& name) {
  UartAddress address{name.substr(std::string(kPrefix).size()), kUartBaud};
  std::string& path = address.path;
  // Linux names ports by their place with colons in it (/dev/serial/by-path/pci-0000:00:14.0-...):
  // an existing path is a path, whatever it ends in.
  std::error_code ignored;
  const std::size_t colon = path.rfind(':');
  if (colon != std::string::npos && !std::filesystem::exists(path, ignored)) {
    const std::string rate = path.substr(colon + 1);
    const bool digits = !rate.empty() && rate.find_first_not_of("0123456789") == rate.npos;
    if (digits && rate.size() <= 8) {
      address.baud = static_cast<unsigned>(std::stoul(rate));
      path.resize(colon);
    } else if (digits || rate.empty() || std::filesystem::exists(path.substr(0, colon), ignored)) {
      throw UsageError("--device " + name + ": expected uart:PATH or uart:PATH:BAUD");
    }
  }
  if (path.empty()) throw UsageError("--device uart: expected uart:PATH, as in uart:/dev/ttyUSB1");
  return address;
}

std::unique_ptr<Device> make_uart_device(const DeviceOptions& options) {
  const UartAddress address = uart_address(options.name);
  return std::make_unique<KernelDevice>(std::make_unique<UartPort>(
      address.path, address.baud, options.timeout, options.timeout / kTries));
}

}  // namespace chainmail
