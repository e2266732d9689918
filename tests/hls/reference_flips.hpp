// An independent model of the flip kernel: docs/flips.md in plain integers, from the generated
// header alone. No kept fields, no pending flips, no slabs: every field, every f and every g is
// summed from scratch.
#pragma once

#include "reference_kernel.hpp"

namespace reference {

class FlipKernel {
 public:
  explicit FlipKernel(const std::string& header);
  void run(Call& call);  // arguments that the contract allows

  std::uint64_t passes = 0, turns = 0;  // of all bursts

 private:
  struct Place {
    std::vector<int> spin, best;  // +1 or -1 by row
    std::int64_t f = 0, g = 0, best_f = 0;
    std::size_t chunk = 0, lane = 0;
    std::uint32_t left = 0;
    bool found = false, settles = false;
    std::int64_t key = 0;
    std::size_t winner = 0;
  };
  struct Form {
    std::size_t bank, number;
    bool equality;
    std::int64_t start;
    std::vector<std::pair<std::size_t, std::int64_t>> terms;  // row, coefficient
  };
  void read_image(const std::vector<std::uint64_t>& image);
  void burst(const Call& call);
  void pass(Place& place, std::uint64_t parameters);
  std::size_t draw_chunk(Place& place, std::uint64_t parameters);
  bool draw(Place& place, std::size_t i, std::uint64_t parameters, std::uint32_t word);
  void flip(Place& place, std::size_t i);
  bool member(std::size_t i) const { return one_hots_ && (head_[i] >> 33 & 1) != 0; }
  std::int64_t field(const Place& place, std::size_t i) const;
  std::int64_t energy(const Place& place) const;
  std::int64_t pull(const Place& place, std::size_t i) const;
  std::int64_t violation(const Place& place) const;
  std::int64_t broken(const Place& place) const;
  void read_forms(const std::uint64_t* words, std::size_t row);
  static void take_best(Place& place);

  Noise noise_;
  std::size_t pbits_, lanes_, beta_bits_, state_words_;
  bool products_, one_hots_;
  std::vector<std::uint64_t> gumbel_;
  std::vector<std::uint64_t> head_;  // of each row
  std::size_t forms_, residuals_;
  std::vector<Form> form_;
  std::size_t rows_ = 0;
  std::int64_t all_down_ = 0, product_weight_ = 0;
  std::vector<std::vector<std::int64_t>> coupling_;
  std::vector<std::vector<bool>> product_;
  std::vector<std::int64_t> base_;
  std::vector<bool> clamp_;
  std::vector<Place> ring_;
  std::vector<std::vector<std::uint32_t>> streams_;
};

}  // namespace reference
