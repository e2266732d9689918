// Frames of the serial link (docs/uart.md): bytes between flags, escaped, with a CRC. The decoder
// takes whatever comes over the line and returns only intact frames.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace chainmail::uart {

using Bytes = std::vector<std::uint8_t>;

std::uint32_t crc32(std::span<const std::uint8_t> bytes);

// The content as it goes over the line, flags at both ends.
Bytes encode_frame(std::span<const std::uint8_t> content);

class FrameDecoder {
 public:
  // The content of a frame when this byte completed one.
  std::optional<Bytes> take(std::uint8_t byte);
  std::uint64_t damaged() const { return damaged_; }  // frames dropped

 private:
  Bytes content_;
  bool escaped_ = false;
  bool lost_ = true;  // until the first flag
  std::uint64_t damaged_ = 0;
};

}  // namespace chainmail::uart
