// Noise of one replica in a burst: a hash of its key and a counter, so that its random numbers
// depend only on how many it has drawn. Thresholds of Metropolis tests come in batches.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "device/cpu/form_kernels.hpp"
#include "support/random.hpp"

namespace chainmail {

class FormNoise {
 public:
  explicit FormNoise(std::uint64_t key = 0) : key_(key) {}
  void begin(std::uint64_t key) {
    key_ = key;
    count_ = 0;
    next_ = kBatch;
  }
  std::uint64_t word() { return mix64(key_ + kMixStep * ++count_); }
  double unit() { return unit_interval(word()); }
  // Below n, by the upper half of a product: the bias is n / 2^64.
  std::uint32_t below(std::size_t n) {
    return static_cast<std::uint32_t>(((word() >> 32) * n) >> 32);
  }
  // -ln u, u uniform: a rise x is accepted if it is below this, with probability exp(-x).
  double threshold() {
    if (next_ == kBatch) draw_batch();
    return batch_[next_++];
  }
  std::uint64_t key() const { return key_; }
  std::uint64_t count() const { return count_; }
  // Numbers that were drawn by key and count elsewhere.
  void skip(std::uint64_t numbers) { count_ += numbers; }

 private:
  static constexpr std::size_t kBatch = 64;
  void draw_batch() {
    for (double& u : batch_) u = unit();
    minus_log(batch_.data(), kBatch);
    next_ = 0;
  }

  std::uint64_t key_, count_ = 0;
  std::size_t next_ = kBatch;
  std::array<double, kBatch> batch_{};
};

}  // namespace chainmail
