#include "xrt/shared_calls.hpp"

#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "xrt/control_port.hpp"
#include "xrt/wire.hpp"

namespace chainmail::emu {

namespace {

constexpr char size_key = 0x09, api_key = 0x15;

std::string hex(std::uint64_t value) {
  char text[19];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::byte* memory_at(const SharedDevice& device, std::uint64_t address, std::uint64_t size) {
  std::byte* data = device.in_bank(address, size);
  if (data == nullptr)
    throw std::runtime_error("copy of " + std::to_string(size) + " bytes at " + hex(address) +
                             " is outside of every memory bank");
  return data;
}

}  // namespace

CallHeader parse_call_header(const char* bytes) {
  if (bytes[0] != size_key || bytes[9] != api_key)
    throw std::runtime_error("emulation call with an unknown header");
  CallHeader header;
  std::memcpy(&header.size, bytes + 1, sizeof header.size);
  std::memcpy(&header.api, bytes + 10, sizeof header.api);
  return header;
}

std::string framed_call(std::uint64_t size, Api api) {
  std::string header(call_header, size_key);
  std::memcpy(header.data() + 1, &size, sizeof size);
  header[9] = api_key;
  std::memcpy(header.data() + 10, &api, sizeof api);
  return header;
}

std::string framed_response(std::string_view payload) {
  std::string message(response_header, size_key);
  const std::uint64_t size = payload.size();
  std::memcpy(message.data() + 1, &size, sizeof size);
  return message.append(payload);
}

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

std::size_t unit_index(std::uint64_t address) {
  const std::uint64_t index = (address - platform::unit_base) / platform::unit_stride;
  if (address < platform::unit_base || index >= platform::units_max)
    throw std::runtime_error("register access at " + hex(address) + ": no compute unit there");
  return index;
}

std::optional<std::string> shared_answer(const SharedDevice& device, Api api,
                                         std::string_view payload, const std::atomic<int>* wanted) {
  const auto port_at = [&](std::uint64_t address) {
    return ControlPort(device.unit(unit_index(address)), device.least_duration(), wanted);
  };
  switch (api) {
    case Api::debug_messages:
      return std::string();
    case Api::host_to_device: {
      const MessageReader in(payload);
      const std::string_view data = in.bytes(4);
      const std::uint64_t address = in.number(3) + in.number_or(6, 0);
      std::memcpy(memory_at(device, address, data.size()), data.data(), data.size());
      return one_number(data.size());
    }
    case Api::device_to_host: {
      const MessageReader in(payload);
      const std::uint64_t size = in.number(5), address = in.number(4) + in.number_or(6, 0);
      const auto* data = reinterpret_cast<const char*>(memory_at(device, address, size));
      return number_and_bytes(size, {data, size});
    }
    case Api::write_registers: {
      const MessageReader in(payload);
      const std::uint64_t address = in.number(2);
      if (!port_at(address).write(static_cast<std::uint32_t>(address % platform::unit_stride),
                                  in.bytes(4)))
        return std::nullopt;
      return one_number(1);
    }
    case Api::read_registers: {
      const MessageReader in(payload);
      const std::uint64_t address = in.number(2);
      if (in.number(3) != sizeof(std::uint32_t)) return std::nullopt;
      const auto value =
          port_at(address).read(static_cast<std::uint32_t>(address % platform::unit_stride));
      if (!value) return std::nullopt;
      return number_and_bytes(1, {reinterpret_cast<const char*>(&*value), sizeof *value});
    }
    default:
      return std::nullopt;
  }
}

}  // namespace chainmail::emu
