#include "device/uart/frame.hpp"

#include <boost/crc.hpp>

#include "topology/uart_link.hpp"

namespace chainmail::uart {

using namespace uart_link;

std::uint32_t crc32(std::span<const std::uint8_t> bytes) {
  boost::crc_32_type crc;  // the one of kCrcPolynomial
  crc.process_bytes(bytes.data(), bytes.size());
  return crc.checksum();
}

Bytes encode_frame(std::span<const std::uint8_t> content) {
  Bytes line{kFlag};
  const auto put = [&line](std::uint8_t byte) {
    if (byte == kFlag || byte == kEscape) {
      line.push_back(kEscape);
      byte ^= kFlip;
    }
    line.push_back(byte);
  };
  for (const std::uint8_t byte : content) put(byte);
  const std::uint32_t crc = crc32(content);
  for (std::size_t i = 0; i < kCrcBytes; ++i) put(static_cast<std::uint8_t>(crc >> 8 * i));
  line.push_back(kFlag);
  return line;
}

std::optional<Bytes> FrameDecoder::take(std::uint8_t byte) {
  if (byte != kFlag) {
    if (byte == kEscape) {
      lost_ |= escaped_;
      escaped_ = true;
      return std::nullopt;
    }
    content_.push_back(escaped_ ? byte ^ kFlip : byte);
    escaped_ = false;
    // Noise without a flag must not fill the memory.
    if (content_.size() > std::size_t{1} << 16) lost_ = true, content_.clear();
    return std::nullopt;
  }
  Bytes content;
  content.swap(content_);
  const bool whole = !lost_ && !escaped_ && content.size() > kCrcBytes;
  lost_ = escaped_ = false;
  if (content.empty()) return std::nullopt;  // flags back to back
  if (whole) {
    std::uint32_t sent = 0;
    for (std::size_t i = 0; i < kCrcBytes; ++i)
      sent |= std::uint32_t{content[content.size() - kCrcBytes + i]} << 8 * i;
    content.resize(content.size() - kCrcBytes);
    if (sent == crc32(content)) return content;
  }
  ++damaged_;
  return std::nullopt;
}

}  // namespace chainmail::uart
