// The calls and their fields were found by observing Debian's libxrt_hwemu (XRT 2.13); see
// docs/emulation.md. Addresses are absolute on the device.
#include "xrt/server.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <vector>

#include "xrt/shared_calls.hpp"
#include "xrt/wire.hpp"

namespace chainmail::emu {

namespace {

std::string idle_times(const SharedUnit& unit) {
  std::string list;
  const std::size_t room = unit.idle.size(), runs = unit.started;
  for (std::size_t run = runs > room ? runs - room : 1; run < runs; ++run)
    list.append(list.empty() ? "" : ", ").append(std::to_string(unit.idle[run % room]));
  return list;
}

}  // namespace

ComputeUnit& Server::unit_at(std::uint64_t address) {
  const std::size_t index = unit_index(address);
  auto& unit = units_[index];
  if (!unit) {
    SharedUnit& shared = device_.unit(index);
    unit = std::make_unique<ComputeUnit>(make_unit(memory_, static_cast<std::uint32_t>(index)),
                                         shared);
    shared.present = true;
  }
  return *unit;
}

std::string Server::access_registers(const Call& call) {
  const MessageReader in(call.payload);
  const std::uint64_t address = in.number(2);
  const auto offset = static_cast<std::uint32_t>(address % platform::unit_stride);
  ComputeUnit& unit = unit_at(address);
  unit.take_writes();  // posted writes come first, and make room
  if (const auto shared = shared_answer(device_, call.api, call.payload, nullptr)) return *shared;
  const bool writing = call.api == Api::write_registers;
  const std::string_view data = writing ? in.bytes(4) : std::string_view();
  std::vector<std::uint32_t> words((writing ? data.size() : in.number(3)) / 4);
  if (writing) {
    std::memcpy(words.data(), data.data(), words.size() * 4);
    unit.write(offset, words);
    return one_number(1);
  }
  for (std::size_t i = 0; i < words.size(); ++i)
    words[i] = unit.read(static_cast<std::uint32_t>(offset + 4 * i));
  return number_and_bytes(1, {reinterpret_cast<const char*>(words.data()), words.size() * 4});
}

std::string Server::answer(const Call& call) {
  switch (call.api) {
    case Api::set_environment:
      return one_number(1);
    case Api::allocate_buffer: {
      const MessageReader in(call.payload);
      memory_.allocate(in.number(1), in.number(2));
      return one_number(1);
    }
    case Api::free_buffer:
      memory_.free(MessageReader(call.payload).number(1));
      return one_number(1);
    case Api::read_registers:
    case Api::write_registers:
      return access_registers(call);
    default:
      if (auto shared = shared_answer(device_, call.api, call.payload, nullptr)) return *shared;
      throw std::runtime_error("unknown emulation call " +
                               std::to_string(static_cast<std::uint32_t>(call.api)));
  }
}

void Server::serve(Link& link) {
  while (const auto call = link.next()) {
    if (call->api == Api::close_device) {
      link.release_listener();
      link.respond(one_number(1));
      return;
    }
    link.respond(answer(*call));
  }
}

std::string Server::usage() const {
  std::uint64_t runs = 0;
  std::int64_t busy = 0, first = std::numeric_limits<std::int64_t>::max(), last = 0;
  std::string idle;
  for (std::size_t i = 0; i < units_.size(); ++i) {
    const SharedUnit& unit = device_.unit(i);
    if (unit.started == 0) continue;
    runs += unit.started;
    busy += unit.busy;
    first = std::min(first, unit.first_start);
    last = std::max(last, unit.last_end);
    idle.append(idle.empty() ? "[" : ", [").append(idle_times(unit)).append("]");
  }
  return "{\"runs\": " + std::to_string(runs) + ", \"busy_ns\": " + std::to_string(busy) +
         ", \"span_ns\": " + std::to_string(runs == 0 ? 0 : last - first) + ", \"idle_ns\": [" +
         idle + "]}\n";
}

}  // namespace chainmail::emu
