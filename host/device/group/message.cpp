#include "device/group/message.hpp"

#include "support/error.hpp"

namespace chainmail {

template <class T>
MessageWriter& MessageWriter::packed(std::span<const T> values) {
  std::vector<std::uint8_t> bits((values.size() + 7) / 8);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] > 0) bits[i / 8] = static_cast<std::uint8_t>(bits[i / 8] | 1U << i % 8);
  }
  return value(std::uint64_t{values.size()}).raw(std::as_bytes(std::span(bits)));
}

MessageWriter& MessageWriter::spins(std::span<const Spin> spins) {
  return packed(spins);
}
MessageWriter& MessageWriter::bits(std::span<const Bit> bits) {
  return packed(bits);
}

MessageWriter& MessageWriter::raw(std::span<const std::byte> bytes) {
  if (bytes.empty()) return *this;
  const std::size_t before = bytes_.size();
  bytes_.resize(before + bytes.size());
  std::memcpy(bytes_.data() + before, bytes.data(), bytes.size());
  return *this;
}

template <class T>
std::vector<T> MessageReader::unpacked(T no, T yes) {
  const auto count = value<std::uint64_t>();
  if (count > 8 * left_.size()) cut_short();
  const auto bits = take((count + 7) / 8);
  std::vector<T> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    all[i] = (std::to_integer<unsigned>(bits[i / 8]) >> i % 8 & 1U) != 0 ? yes : no;
  }
  return all;
}

std::vector<Spin> MessageReader::spins() {
  return unpacked<Spin>(-1, 1);
}
std::vector<Bit> MessageReader::bits() {
  return unpacked<Bit>(0, 1);
}

void MessageReader::cut_short() {
  throw DeviceError("a message from another process ends too early");
}

std::span<const std::byte> MessageReader::take(std::size_t count) {
  if (count > left_.size()) cut_short();
  const auto head = left_.first(count);
  left_ = left_.subspan(count);
  return head;
}

}  // namespace chainmail
