// The serial line's parts: bits in time, bytes, CRC and frames, against the driver's own framing.
#include <Vcrc.h>
#include <Vframe_in.h>
#include <Vframe_out.h>
#include <Vreceiver.h>
#include <Vsender.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "bench.hpp"
#include "device/uart/frame.hpp"
#include "topology/uart_link.hpp"

namespace chainmail::test {
namespace {

using uart::Bytes;
constexpr int kBit = 12;  // clocks, as the models are built

// The line clock by clock, and the bytes that come out of the receiver.
class Line {
 public:
  Line() {
    receiver_->rx_i = 1;
    receiver_.reset();
    hold(1, 3 * kBit);
  }
  void hold(int level, int clocks) {
    receiver_->rx_i = static_cast<unsigned char>(level);
    for (int i = 0; i < clocks; ++i) {
      receiver_.edge();
      if (receiver_->valid_o) bytes.push_back(receiver_->byte_o);
    }
  }
  // A byte, 8N1; `length` is the sender's idea of a bit in clocks.
  void send(unsigned byte, double length = kBit, bool stop = true) {
    double end = 0.0;
    int sent = 0;
    for (unsigned bits = byte << 1 | (stop ? 0x200U : 0U), i = 0; i < 10; ++i) {
      end += length;
      hold(static_cast<int>(bits >> i & 1), static_cast<int>(std::lround(end)) - sent);
      sent = static_cast<int>(std::lround(end));
    }
  }
  Bytes bytes;

 private:
  Bench<Vreceiver> receiver_;
};

Bytes random_bytes(std::size_t size, std::uint64_t seed) {
  Bytes bytes(size);
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint64_t word = hash_of(seed, {i});
    bytes[i] = word % 8 == 0   ? uart_link::kFlag
               : word % 8 == 1 ? uart_link::kEscape
                               : static_cast<std::uint8_t>(word >> 8);
  }
  return bytes;
}

}  // namespace

TEST_CASE("Every byte is received, also from a sender that is 4 % off", "[prim]") {
  for (const double length : {kBit * 0.96, 1.0 * kBit, kBit * 1.04}) {
    Line line;
    Bytes sent;
    for (unsigned byte = 0; byte < 256; ++byte) {
      line.send(byte, length);
      sent.push_back(static_cast<std::uint8_t>(byte));
    }
    line.hold(1, 2 * kBit);
    INFO("a bit of " << length << " clocks");
    CHECK(line.bytes == sent);
  }
}

TEST_CASE("Bits are looked at in their middle", "[prim]") {
  // Right only in the five middle clocks of twelve: the rest of every bit is the opposite.
  constexpr int kEdge = 4, kGood = 5;
  Line line;
  Bytes sent;
  for (unsigned byte = 0; byte < 256; byte += 5) {
    line.hold(0, kEdge + kGood);  // the start bit must begin with its edge
    line.hold(1, kBit - kEdge - kGood);
    for (unsigned bits = byte | 0x100, i = 0; i < 9; ++i) {
      const int level = static_cast<int>(bits >> i & 1);
      line.hold(1 - level, kEdge);
      line.hold(level, kGood);
      line.hold(i < 8 ? 1 - level : 1, kBit - kEdge - kGood);  // no new start after the stop bit
    }
    line.hold(1, 2 * kBit);
    sent.push_back(static_cast<std::uint8_t>(byte));
  }
  CHECK(line.bytes == sent);
}

TEST_CASE("A start bit that is gone by its middle was noise", "[prim]") {
  Line line;
  for (int clocks = 1; clocks <= kBit / 2 - 2; ++clocks) {
    line.hold(0, clocks);
    line.hold(1, 12 * kBit);
    INFO("low for " << clocks << " clocks");
    CHECK(line.bytes.empty());
  }
  line.send(0x5a);
  line.hold(1, kBit);
  CHECK(line.bytes == Bytes{0x5a});
}

TEST_CASE("A byte without its stop bit is dropped and the next one received", "[prim]") {
  Line line;
  for (unsigned byte : {0x00U, 0x55U, 0xffU}) {
    line.send(byte, kBit, false);
    line.hold(1, 12 * kBit);
    CHECK(line.bytes.empty());
  }
  line.send(0xa7);
  line.hold(1, kBit);
  CHECK(line.bytes == Bytes{0xa7});
}

TEST_CASE("The sender's bits are all as long as they should be", "[prim]") {
  Bench<Vsender> sender;
  sender->valid_i = 0;
  sender.reset();
  const Bytes bytes = random_bytes(40, 3);
  std::size_t next = 0;
  std::vector<int> line;
  for (std::size_t clock = 0; clock < 40 * 10 * kBit + 400; ++clock) {
    sender->valid_i = next < bytes.size();
    sender->byte_i = next < bytes.size() ? bytes[next] : 0;
    sender.settle();
    const bool taken = sender->valid_i && sender->ready_o;
    line.push_back(sender->tx_o);
    sender.edge();
    next += taken ? 1 : 0;
  }
  CHECK(next == bytes.size());
  Bytes seen;
  for (std::size_t at = 0; at + 10 * kBit < line.size();) {
    if (line[at] == 1) {
      ++at;
      continue;
    }
    unsigned byte = 0;
    for (unsigned bit = 0; bit < 10; ++bit) {
      for (std::size_t i = 0; i < kBit; ++i) {
        REQUIRE(line[at + bit * kBit + i] == line[at + bit * kBit]);  // no edge inside a bit
      }
      byte |= static_cast<unsigned>(line[at + bit * kBit]) << bit;
    }
    REQUIRE(byte >> 9 == 1);
    seen.push_back(static_cast<std::uint8_t>(byte >> 1));
    at += 10 * kBit;
  }
  CHECK(seen == bytes);
}

TEST_CASE("The CRC equals the driver's, bit for bit", "[prim]") {
  Bench<Vcrc> crc;
  for (std::size_t size = 0; size < 40; ++size) {
    const Bytes bytes = random_bytes(size, 100 + size);
    crc->valid_i = 0;
    crc->clear_i = 1;
    crc.edge();
    crc->clear_i = 0;
    for (const std::uint8_t byte : bytes) {
      crc->valid_i = 1;
      crc->byte_i = byte;
      crc.edge();
      crc->valid_i = 0;
      for (int i = 0; i < 8; ++i) {
        REQUIRE(crc->busy_o);
        crc.edge();
      }
      REQUIRE(!crc->busy_o);
    }
    REQUIRE(~crc->crc_o == uart::crc32(bytes));
  }
}

TEST_CASE("Sent frames are what the driver would send", "[prim]") {
  Bench<Vframe_out> sender;
  sender->valid_i = sender->finish_i = sender->ready_i = 0;
  sender.reset();
  Engine engine(5);
  for (std::size_t size = 1; size < 60; ++size) {
    const Bytes content = random_bytes(size, 200 + size);
    Bytes line;
    std::size_t next = 0;
    for (bool done = false; !done;) {
      sender->valid_i = next < size;
      sender->byte_i = next < size ? content[next] : 0;
      sender->finish_i = next == size;
      sender->ready_i = engine() % 3 == 0;
      sender.settle();
      if (sender->valid_o && sender->ready_i) line.push_back(sender->byte_o);
      const bool taken = sender->valid_i && sender->ready_o;
      done = sender->done_o;
      sender.edge();
      next += taken ? 1 : 0;
    }
    REQUIRE(line == uart::encode_frame(content));
  }
}

namespace {

class FrameBench {
 public:
  FrameBench() {
    frames_->valid_i = frames_->release_i = 0;
    frames_->read_address_i = 0;
    frames_.reset();
  }
  // The content of the frame the bytes of a line end with, empty if there is none.
  Bytes take(const Bytes& line) {
    for (const std::uint8_t byte : line) {
      frames_->valid_i = 1;
      frames_->byte_i = byte;
      frames_.edge();
      frames_->valid_i = 0;
      for (int i = 0; i < 9; ++i) frames_.edge();
    }
    Bytes content;
    if (!frames_->frame_o) return content;
    const unsigned length = frames_->length_o;
    for (unsigned i = 0; i < length; ++i) {
      frames_->read_address_i = static_cast<unsigned short>(i);
      frames_.edge();
      frames_.edge();
      content.push_back(frames_->read_data_o);
    }
    frames_->release_i = 1;
    frames_.edge();
    frames_->release_i = 0;
    return content;
  }

 private:
  Bench<Vframe_in> frames_;
};

}  // namespace

TEST_CASE("A frame is taken with its own CRC and with no other", "[prim]") {
  FrameBench bench;
  for (std::size_t size = uart_link::kHeadBytes; size < 60; ++size) {
    const Bytes content = random_bytes(size, 300 + size);
    REQUIRE(bench.take(uart::encode_frame(content)) == content);
  }
  // No flag or escape in it, so that a flipped bit makes neither.
  const Bytes content{1, 2, 3, 4, 5, 6, 7, 8, 9};
  const Bytes line = uart::encode_frame(content);
  REQUIRE(line.size() == content.size() + 6);
  for (std::size_t bit = 0; bit < 8 * (line.size() - 2); ++bit) {
    Bytes damaged = line;
    damaged[1 + bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
    INFO("bit " << bit);
    CHECK(bench.take(damaged).empty());
  }
  CHECK(bench.take(line) == content);
}

namespace {

// Content and CRC as they go over the line, whether they belong together or not.
Bytes escaped(const Bytes& plain) {
  Bytes line{uart_link::kFlag};
  for (const std::uint8_t byte : plain) {
    const bool special = byte == uart_link::kFlag || byte == uart_link::kEscape;
    if (special) line.push_back(uart_link::kEscape);
    line.push_back(special ? byte ^ uart_link::kFlip : byte);
  }
  line.push_back(uart_link::kFlag);
  return line;
}

Bytes with_crc(const Bytes& content, std::uint32_t crc) {
  Bytes all = content;
  for (unsigned i = 0; i < 4; ++i) all.push_back(static_cast<std::uint8_t>(crc >> 8 * i));
  return all;
}

// What the CRC of a frame must be changed by so that the receiver's remainder differs in one bit:
// the remainder is linear in the change, so this is an elimination.
std::uint32_t change_for(unsigned bit, const Bytes& content) {
  const std::uint32_t crc = uart::crc32(content), sound = uart::crc32(with_crc(content, crc));
  std::uint32_t rows[32], marks[32];
  for (unsigned i = 0; i < 32; ++i) {
    rows[i] = uart::crc32(with_crc(content, crc ^ 1U << i)) ^ sound;
    marks[i] = 1U << i;
  }
  for (unsigned column = 0, done = 0; column < 32; ++column) {
    unsigned pivot = done;
    while ((rows[pivot] >> column & 1) == 0) ++pivot;
    std::swap(rows[pivot], rows[done]);
    std::swap(marks[pivot], marks[done]);
    for (unsigned i = 0; i < 32; ++i) {
      if (i == done || (rows[i] >> column & 1) == 0) continue;
      rows[i] ^= rows[done];
      marks[i] ^= marks[done];
    }
    ++done;
  }
  return marks[bit];
}

}  // namespace

TEST_CASE("Every bit of the remainder counts", "[prim]") {
  FrameBench bench;
  const Bytes content{1, 2, 3, 4, 5, 6, 7, 8, 9};
  const std::uint32_t crc = uart::crc32(content);
  REQUIRE(bench.take(escaped(with_crc(content, crc))) == content);
  for (unsigned bit = 0; bit < 32; ++bit) {
    const Bytes wrong = with_crc(content, crc ^ change_for(bit, content));
    REQUIRE((uart::crc32(wrong) ^ uart::crc32(with_crc(content, crc))) == 1U << bit);
    INFO("bit " << bit);
    CHECK(bench.take(escaped(wrong)).empty());
  }
}

TEST_CASE("Frames too short, too long or with a bad escape are forgotten", "[prim]") {
  FrameBench bench;
  const Bytes good{9, 8, 7, 6, 5, 4};
  const auto still_fine = [&] { CHECK(bench.take(uart::encode_frame(good)) == good); };
  CHECK(bench.take(uart::encode_frame(Bytes(uart_link::kHeadBytes - 1, 3))).empty());
  still_fine();
  constexpr std::size_t kBuffer = 512;  // as the model is built
  const std::size_t most = kBuffer - uart_link::kCrcBytes - 1;
  CHECK(bench.take(uart::encode_frame(Bytes(most, 3))) == Bytes(most, 3));
  for (std::size_t size : {most + 1, most + 2, most + 20, most + 500, 2 * most + 100}) {
    CHECK(bench.take(uart::encode_frame(Bytes(size, 3))).empty());
    still_fine();
  }
  // A second escape in front of an escaped byte would leave the same frame.
  const Bytes special{1, 2, uart_link::kFlag, 4, 5, 6};
  Bytes twice = uart::encode_frame(special);
  CHECK(bench.take(twice) == special);
  twice.insert(twice.begin() + 3, uart_link::kEscape);
  CHECK(bench.take(twice).empty());
  still_fine();
  Bytes unfinished = uart::encode_frame(good);
  unfinished.insert(unfinished.end() - 1, uart_link::kEscape);
  CHECK(bench.take(unfinished).empty());
  still_fine();
}

}  // namespace chainmail::test
