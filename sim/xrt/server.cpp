// The calls and their fields were learnt by watching Debian's libxrt_hwemu (XRT 2.13) talk; see
// docs/emulation.md. Addresses are absolute on the device.
#include "xrt/server.hpp"

#include <cstring>
#include <stdexcept>
#include <vector>

#include "xrt/platform.hpp"
#include "xrt/wire.hpp"

namespace chainmail::emu {

namespace {

enum Api : std::uint32_t {
  close_device = 1,
  allocate_buffer = 4,
  free_buffer = 5,
  host_to_device = 6,
  device_to_host = 7,
  write_registers = 9,
  read_registers = 11,
  debug_messages = 19,
  set_environment = 20,
};

std::string one_number(std::uint64_t value) {
  MessageWriter out;
  out.number(1, value);
  return out.encoded();
}

std::string number_and_bytes(std::uint64_t value, std::string_view bytes) {
  MessageWriter out;
  out.number(1, value);
  out.bytes(2, bytes);
  return out.encoded();
}

std::string hex(std::uint64_t value) {
  char text[19];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::byte* memory_at(Memory& memory, std::uint64_t address, std::uint64_t size) {
  std::byte* data = memory.in_bank(address, size);
  if (data == nullptr)
    throw std::runtime_error("copy of " + std::to_string(size) + " bytes at " + hex(address) +
                             " is outside of every memory bank");
  return data;
}

}  // namespace

ComputeUnit& Server::unit_at(std::uint64_t address) {
  const std::uint64_t index = (address - platform::unit_base) / platform::unit_stride;
  if (address < platform::unit_base || index >= platform::units_max)
    throw std::runtime_error("register access at " + hex(address) + ": no compute unit there");
  auto& unit = units_[platform::unit_base + index * platform::unit_stride];
  if (!unit)
    unit = std::make_unique<ComputeUnit>(make_unit(memory_, static_cast<std::uint32_t>(index)),
                                         least_duration_);
  return *unit;
}

std::string Server::answer(const Call& call) {
  const MessageReader in(call.payload);
  switch (call.api) {
    case set_environment:
      return one_number(1);
    case debug_messages:
      return {};
    case allocate_buffer:
      memory_.allocate(in.number(1), in.number(2));
      return one_number(1);
    case free_buffer:
      memory_.free(in.number(1));
      return one_number(1);
    case host_to_device: {
      const std::string_view data = in.bytes(4);
      const std::uint64_t address = in.number(3) + in.number_or(6, 0);
      std::memcpy(memory_at(memory_, address, data.size()), data.data(), data.size());
      return one_number(data.size());
    }
    case device_to_host: {
      const std::uint64_t size = in.number(5), address = in.number(4) + in.number_or(6, 0);
      const auto* data = reinterpret_cast<const char*>(memory_at(memory_, address, size));
      return number_and_bytes(size, {data, size});
    }
    case write_registers: {
      const std::string_view data = in.bytes(4);
      std::vector<std::uint32_t> words(data.size() / 4);
      std::memcpy(words.data(), data.data(), words.size() * 4);
      const std::uint64_t address = in.number(2);
      unit_at(address).write(static_cast<std::uint32_t>(address % platform::unit_stride), words);
      return one_number(1);
    }
    case read_registers: {
      const std::uint64_t address = in.number(2), size = in.number(3);
      std::vector<std::uint32_t> words(size / 4);
      for (std::size_t i = 0; i < words.size(); ++i)
        words[i] = unit_at(address).read(
            static_cast<std::uint32_t>(address % platform::unit_stride + 4 * i));
      return number_and_bytes(1, {reinterpret_cast<const char*>(words.data()), words.size() * 4});
    }
    default:
      throw std::runtime_error("unknown emulation call " + std::to_string(call.api));
  }
}

void Server::serve(Link& link) {
  while (const auto call = link.next()) {
    if (call->api == close_device) {
      link.release_listener();
      link.respond(one_number(1));
      return;
    }
    link.respond(answer(*call));
  }
}

std::string Server::usage() const {
  Usage all;
  bool first = true;
  for (const auto& [base, unit] : units_) {
    const Usage& one = unit->usage();
    if (one.runs == 0) continue;
    all.runs += one.runs;
    all.busy += one.busy;
    if (first || one.first_start < all.first_start) all.first_start = one.first_start;
    if (first || one.last_end > all.last_end) all.last_end = one.last_end;
    first = false;
  }
  const auto span = all.last_end - all.first_start;
  return "{\"runs\": " + std::to_string(all.runs) +
         ", \"busy_ns\": " + std::to_string(all.busy.count()) +
         ", \"span_ns\": " + std::to_string(span.count()) + "}\n";
}

}  // namespace chainmail::emu
