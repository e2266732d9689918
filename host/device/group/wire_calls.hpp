// What a remote device may be asked, and how models and options travel.
#pragma once

#include "device/device.hpp"
#include "device/group/message.hpp"

namespace chainmail {

enum class Call : std::uint8_t { goodbye, open, load, quantise, write, read, submit, descend };
// The first byte of every answer. A failure's text follows.
enum class Answer : std::uint8_t { done, device_error, input_error, usage_error };

inline void put(MessageWriter& to, const DeviceOptions& o) {
  to.text(o.name).value(o.threads).text(o.precision).text(o.moves).text(o.xclbin);
  to.value(o.timeout).value(o.spins).value(o.copies);
}
inline DeviceOptions get_device_options(MessageReader& from) {
  DeviceOptions o;
  o.name = from.text();
  o.threads = from.value<unsigned>();
  o.precision = from.text();
  o.moves = from.text();
  o.xclbin = from.text();
  o.timeout = from.value<double>();
  o.spins = from.value<std::size_t>();
  o.copies = from.value<std::size_t>();
  return o;
}

inline void put(MessageWriter& to, const Quadratic& q) {
  to.list(std::span(q.fields)).list(std::span(q.couplings)).value(q.offset);
}
inline Quadratic get_quadratic(MessageReader& from) {
  Quadratic q;
  q.fields = from.list<double>();
  q.couplings = from.list<Coupling>();
  q.offset = from.value<double>();
  return q;
}

inline void put(MessageWriter& to, const PhysicalModel& m) {
  put(to, m.f);
  put(to, m.g);
  to.list(std::span(m.colour)).value(std::uint64_t{m.chains.size()});
  for (const auto& chain : m.chains) to.list(std::span(chain));
}
inline PhysicalModel get_model(MessageReader& from) {
  PhysicalModel m;
  m.f = get_quadratic(from);
  m.g = get_quadratic(from);
  m.colour = from.list<std::uint32_t>();
  const auto chains = from.value<std::uint64_t>();
  for (std::uint64_t k = 0; k < chains; ++k) m.chains.push_back(from.list<std::uint32_t>());
  return m;
}

}  // namespace chainmail
