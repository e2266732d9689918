// Messages between the driver and its XRT worker process: a kind, a size, then plain values in the
// order both sides know. Both ends are built together and run on one machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace chainmail::xrt_worker {

enum class Kind : std::uint32_t {
  open = 1,  // board, xclbin, kernel -> opened: board name, compute units
  opened,
  allocate,  // unit, argument, bytes -> allocated: buffer
  allocated,
  write,  // buffer, bytes -> written
  written,
  read,  // buffer, size -> content: bytes
  content,
  launch,    // unit, run, arguments, writes, reads; answered at the run's end by
  finished,  // run, then the bytes of all reads
  list,      // -> boards: count, then a line for each
  boards,
  close,  // -> closed
  closed,
  fault,  // instead of any answer: one line that says what went wrong
};

struct Header {
  std::uint32_t kind = 0;
  std::uint32_t size = 0;  // of the body
};

// The descriptor the worker finds its end of the socket pair on.
inline constexpr int worker_socket = 3;

class PacketWriter {
 public:
  explicit PacketWriter(Kind kind) {
    const Header header{static_cast<std::uint32_t>(kind), 0};
    data_.append(reinterpret_cast<const char*>(&header), sizeof header);
  }
  template <class T>
  PacketWriter& put(T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    data_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  PacketWriter& put(std::string_view bytes) {
    put(static_cast<std::uint64_t>(bytes.size()));
    data_.append(bytes);
    return *this;
  }
  PacketWriter& put(std::span<const std::byte> bytes) {
    return put(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }
  // The finished packet.
  std::string_view seal() {
    const auto size = static_cast<std::uint32_t>(data_.size() - sizeof(Header));
    if (size != data_.size() - sizeof(Header)) throw std::length_error("packet of 4 GiB or more");
    std::memcpy(data_.data() + offsetof(Header, size), &size, sizeof size);
    return data_;
  }

 private:
  std::string data_;
};

struct Packet {
  Kind kind{};
  std::string body;
};

class PacketReader {
 public:
  explicit PacketReader(const Packet& packet) : rest_(packet.body) {}
  template <class T>
  T take() {
    T value{};
    const std::string_view raw = take_raw(sizeof value);
    std::memcpy(&value, raw.data(), sizeof value);
    return value;
  }
  std::string_view take_bytes() { return take_raw(take<std::uint64_t>()); }

 private:
  std::string_view take_raw(std::size_t size) {
    const std::string_view taken = rest_.substr(0, size);
    if (taken.size() != size) throw std::length_error("packet shorter than its content");
    rest_.remove_prefix(size);
    return taken;
  }
  std::string_view rest_;
};

}  // namespace chainmail::xrt_worker
