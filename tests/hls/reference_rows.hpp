// A reader's model of the row kernel: docs/rows.md in plain integers, from the generated header
// alone. No tables, no lanes side by side; f and best f are counted from scratch after every
// update.
#pragma once

#include "reference_kernel.hpp"

namespace reference {

class RowKernel {
 public:
  explicit RowKernel(const std::string& header);
  void run(Call& call);  // arguments that the contract allows

 private:
  struct Place {
    std::vector<int> spin, best;  // +1 or -1 by p-bit
    bool found = false;
    std::int64_t f = 0, best_f = 0;
  };
  void read_image(const std::vector<std::uint64_t>& image);
  void burst(const Call& call);
  std::int64_t energy(const std::vector<int>& spin) const;
  void take_best(Place& place) const;

  Noise noise_;
  std::size_t pbits_, lanes_, beta_bits_, state_words_, row_words_;
  std::vector<std::vector<std::int64_t>> coupling_;  // by row in use
  std::vector<std::int64_t> field_;
  std::vector<bool> clamp_;
  std::vector<Place> ring_;
};

}  // namespace reference
