#include "board/serial_pins.hpp"

#include <utility>

namespace chainmail::sim {

bool SerialPins::drive() {
  if (clocks_left_ == 0) {
    if (bits_left_ == 0) {
      if (queue_.empty()) return true;                  // the line idles high
      shift_ = 0x200U | unsigned{queue_.front()} << 1;  // start bit low, stop bit high
      queue_.pop_front();
      bits_left_ = 10;
    } else {
      shift_ >>= 1;
    }
    clocks_left_ = divider_;
  }
  const bool level = (shift_ & 1U) != 0;
  if (--clocks_left_ == 0 && --bits_left_ == 0) shift_ = 0;
  return level;
}

void SerialPins::sample(bool tx) {
  if (!sampling_) {
    if (tx) return;
    sampling_ = true;
    sample_in_ = divider_ + divider_ / 2;  // to the middle of the first bit
    sample_bits_ = bits_taken_ = 0;
  }
  if (--sample_in_ > 0) return;
  sample_in_ = divider_;
  if (bits_taken_ < 8) {
    sample_bits_ |= (tx ? 1U : 0U) << bits_taken_++;
    return;
  }
  sampling_ = false;
  if (tx) received_.push_back(static_cast<std::uint8_t>(sample_bits_));
}

std::vector<std::uint8_t> SerialPins::received() {
  return std::exchange(received_, {});
}

}  // namespace chainmail::sim
