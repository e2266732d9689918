// The far end of a board's serial line, bit by bit: bytes become levels, clock by clock, and levels
// bytes, as an FTDI chip does it.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

namespace chainmail::sim {

class SerialPins {
 public:
  explicit SerialPins(unsigned clocks_per_bit) : divider_(clocks_per_bit) {}

  void send(const std::vector<std::uint8_t>& bytes) {
    queue_.insert(queue_.end(), bytes.begin(), bytes.end());
  }
  bool sending() const { return !queue_.empty() || bits_left_ > 0; }
  bool receiving() const { return sampling_; }

  // One clock: the level for the board's input; the level of its output taken in.
  bool drive();
  void sample(bool tx);
  std::vector<std::uint8_t> received();  // since last asked

 private:
  unsigned divider_;
  std::deque<std::uint8_t> queue_;
  unsigned shift_ = 0, bits_left_ = 0, clocks_left_ = 0;  // sending
  bool sampling_ = false;
  unsigned sample_bits_ = 0, sample_in_ = 0, bits_taken_ = 0;
  std::vector<std::uint8_t> received_;
};

}  // namespace chainmail::sim
