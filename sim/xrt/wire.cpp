#include "xrt/wire.hpp"

#include <cstring>
#include <stdexcept>

namespace chainmail::emu {

namespace {

enum WireType : std::uint32_t {
  varint_type = 0,
  fixed64_type = 1,
  bytes_type = 2,
  fixed32_type = 5
};

std::uint64_t take_varint(std::string_view& rest) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (rest.empty()) break;
    const auto byte = static_cast<unsigned char>(rest.front());
    rest.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7fu) << shift;
    if ((byte & 0x80u) == 0) return value;
  }
  throw std::runtime_error("malformed emulation message: a number does not end");
}

std::string_view take_bytes(std::string_view& rest, std::uint64_t size) {
  if (size > rest.size())
    throw std::runtime_error("malformed emulation message: a field is longer than the message");
  const std::string_view taken = rest.substr(0, size);
  rest.remove_prefix(size);
  return taken;
}

// Little endian, as the format requires and every host of XRT is.
std::uint64_t take_fixed(std::string_view& rest, std::size_t size) {
  std::uint64_t value = 0;
  std::memcpy(&value, take_bytes(rest, size).data(), size);
  return value;
}

}  // namespace

void MessageWriter::varint(std::uint64_t value) {
  for (; value >= 0x80u; value >>= 7) encoded_.push_back(static_cast<char>(value | 0x80u));
  encoded_.push_back(static_cast<char>(value));
}

void MessageWriter::number(std::uint32_t field, std::uint64_t value) {
  varint(field << 3 | varint_type);
  varint(value);
}

void MessageWriter::bytes(std::uint32_t field, std::string_view value) {
  varint(field << 3 | bytes_type);
  varint(value.size());
  encoded_.append(value);
}

MessageReader::MessageReader(std::string_view encoded) : encoded_(encoded) {
  while (!encoded.empty()) take_field(encoded);
}

MessageReader::Field MessageReader::take_field(std::string_view& rest) {
  const std::uint64_t key = take_varint(rest);
  Field field{static_cast<std::uint32_t>(key >> 3), 0, std::nullopt};
  switch (key & 7u) {
    case varint_type:
      field.number = take_varint(rest);
      break;
    case fixed64_type:
      field.number = take_fixed(rest, 8);
      break;
    case fixed32_type:
      field.number = take_fixed(rest, 4);
      break;
    case bytes_type:
      field.bytes = take_bytes(rest, take_varint(rest));
      break;
    default:
      throw std::runtime_error("malformed emulation message: wire type " +
                               std::to_string(key & 7u));
  }
  return field;
}

std::optional<MessageReader::Field> MessageReader::find(std::uint32_t field) const {
  for (std::string_view rest = encoded_; !rest.empty();)
    if (const Field candidate = take_field(rest); candidate.id == field) return candidate;
  return std::nullopt;
}

std::uint64_t MessageReader::number(std::uint32_t field) const {
  const auto found = find(field);
  if (!found || found->bytes)
    throw std::runtime_error("emulation message lacks number " + std::to_string(field));
  return found->number;
}

std::uint64_t MessageReader::number_or(std::uint32_t field, std::uint64_t absent) const {
  return find(field) ? number(field) : absent;
}

std::string_view MessageReader::bytes(std::uint32_t field) const {
  const auto found = find(field);
  if (!found || !found->bytes)
    throw std::runtime_error("emulation message lacks bytes " + std::to_string(field));
  return *found->bytes;
}

}  // namespace chainmail::emu
