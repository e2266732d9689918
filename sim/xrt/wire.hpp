// The sliver of the protocol-buffers wire format that XRT's emulation messages use: numbers and
// byte strings by field number, nothing nested. (Written by hand: nine messages do not justify a
// code generator and its run-time library in every device program.)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace chainmail::emu {

class MessageWriter {
 public:
  void number(std::uint32_t field, std::uint64_t value);
  void bytes(std::uint32_t field, std::string_view value);
  const std::string& encoded() const { return encoded_; }

 private:
  void varint(std::uint64_t value);
  std::string encoded_;
};

// Reads a message in place: the text must outlive the reader. Throws std::runtime_error on
// malformed input or when a required field is absent.
class MessageReader {
 public:
  explicit MessageReader(std::string_view encoded);
  std::uint64_t number(std::uint32_t field) const;
  std::uint64_t number_or(std::uint32_t field, std::uint64_t absent) const;
  std::string_view bytes(std::uint32_t field) const;

 private:
  struct Field {
    std::uint32_t id;
    std::uint64_t number;
    std::optional<std::string_view> bytes;
  };
  static Field take_field(std::string_view& rest);
  std::optional<Field> find(std::uint32_t field) const;  // few fields: searched, not stored
  std::string_view encoded_;
};

}  // namespace chainmail::emu
