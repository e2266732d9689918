// XRT's emulation calls that need only the memory the device program shares: copies and ordinary
// register traffic. The preload library answers them in the host; for hosts without it the device
// program's server does.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "xrt/shared_device.hpp"

namespace chainmail::emu {

// The calls, as observed in Debian's libxrt_hwemu (XRT 2.13).
enum class Api : std::uint32_t {
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

// A call's header is itself a message of two fixed-width fields: size (1) and api (2); a
// response's has the size only.
inline constexpr std::size_t call_header = 14, response_header = 9;
struct CallHeader {
  std::uint64_t size = 0;  // of the payload behind it
  Api api{};
};
CallHeader parse_call_header(const char* bytes);       // throws std::runtime_error
std::string framed_call(std::uint64_t size, Api api);  // the header alone
std::string framed_response(std::string_view payload);

std::string one_number(std::uint64_t value);  // payloads of responses
std::string number_and_bytes(std::uint64_t value, std::string_view bytes);

// Which compute unit's control port holds this address; throws std::runtime_error: none.
std::size_t unit_index(std::uint64_t address);

// The response's payload, or nothing when the device itself must answer. `wanted` as in
// ControlPort. Throws std::runtime_error when the call is malformed.
std::optional<std::string> shared_answer(const SharedDevice& device, Api api,
                                         std::string_view payload, const std::atomic<int>* wanted);

}  // namespace chainmail::emu
