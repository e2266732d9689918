// Values as bytes, for messages between processes of one run. All run the same program on machines
// of one byte order, so values are sent as they are in memory; eight spins or bits per byte.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "device/group/channel.hpp"
#include "problem/form_model.hpp"
#include "problem/quadratic.hpp"

namespace chainmail {

class MessageWriter {
 public:
  template <class T>
  requires std::is_trivially_copyable_v<T> MessageWriter& value(const T& v) {
    return raw(std::as_bytes(std::span(&v, 1)));
  }
  template <class T>
  requires std::is_trivially_copyable_v<T> MessageWriter& list(std::span<const T> values) {
    return value(std::uint64_t{values.size()}).raw(std::as_bytes(values));
  }
  MessageWriter& text(const std::string& text) { return list(std::span<const char>(text)); }
  MessageWriter& spins(std::span<const Spin> spins);
  MessageWriter& bits(std::span<const Bit> bits);
  const Message& message() const { return bytes_; }
  Message take() { return std::move(bytes_); }

 private:
  MessageWriter& raw(std::span<const std::byte> bytes);
  template <class T>
  MessageWriter& packed(std::span<const T> values);
  Message bytes_;
};

class MessageReader {
 public:
  explicit MessageReader(std::span<const std::byte> bytes) : left_(bytes) {}
  template <class T>
  requires std::is_trivially_copyable_v<T> T value() {
    T v;
    std::memcpy(&v, take(sizeof(T)).data(), sizeof(T));
    return v;
  }
  template <class T>
  requires std::is_trivially_copyable_v<T> std::vector<T> list() {
    const auto count = value<std::uint64_t>();
    if (count > left_.size() / sizeof(T)) cut_short();
    std::vector<T> values(count);
    if (count > 0) std::memcpy(values.data(), take(count * sizeof(T)).data(), count * sizeof(T));
    return values;
  }
  std::string text() {
    const std::vector<char> letters = list<char>();
    return {letters.begin(), letters.end()};
  }
  std::vector<Spin> spins();
  std::vector<Bit> bits();

 private:
  [[noreturn]] static void cut_short();
  std::span<const std::byte> take(std::size_t count);
  template <class T>
  std::vector<T> unpacked(T no, T yes);

  std::span<const std::byte> left_;
};

}  // namespace chainmail
