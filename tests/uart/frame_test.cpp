#include <catch2/catch.hpp>
#include <cstring>

#include "device/uart/frame.hpp"
#include "support/random.hpp"
#include "topology/uart_link.hpp"

namespace chainmail::uart {
namespace {

Bytes random_content(std::uint64_t seed) {
  Bytes content(1 + hash_of(seed, {0}) % 60);
  for (std::size_t i = 0; i < content.size(); ++i) {
    // Many flags and escapes.
    const std::uint64_t word = hash_of(seed, {1, i});
    content[i] = word % 4 == 0   ? uart_link::kFlag
                 : word % 4 == 1 ? uart_link::kEscape
                                 : static_cast<std::uint8_t>(word >> 8);
  }
  return content;
}

}  // namespace

TEST_CASE("The CRC is the one everybody has", "[uart]") {
  const char* text = "123456789";
  const Bytes bytes(text, text + std::strlen(text));
  CHECK(crc32(bytes) == 0xcbf4'3926);
}

TEST_CASE("Frames come back whole, whatever is in them and between them", "[uart]") {
  FrameDecoder decoder;
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Bytes content = random_content(seed);
    Bytes line = encode_frame(content);
    if (seed % 3 == 0) line.insert(line.begin(), {0x55, uart_link::kEscape, 0x01});
    Bytes last;
    for (const std::uint8_t byte : line)
      if (auto frame = decoder.take(byte)) last = *frame, ++found;
    CHECK(last == content);
  }
  CHECK(found == 200);
}

TEST_CASE("A frame with any one bit flipped or byte missing is not taken for another", "[uart]") {
  const Bytes content = random_content(9);
  const Bytes line = encode_frame(content);
  const auto check = [&](const Bytes& damaged) {
    FrameDecoder decoder;
    for (const std::uint8_t byte : damaged)
      if (auto frame = decoder.take(byte)) CHECK(*frame == content);
  };
  for (std::size_t bit = 0; bit < 8 * line.size(); ++bit) {
    Bytes damaged = line;
    damaged[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
    check(damaged);
  }
  for (std::size_t i = 0; i < line.size(); ++i) {
    Bytes damaged = line;
    damaged.erase(damaged.begin() + static_cast<long>(i));
    check(damaged);
  }
}

}  // namespace chainmail::uart
