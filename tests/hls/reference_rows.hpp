// An independent model of the row kernel: docs/rows.md in plain integers, from the generated header
// alone. No tables, no residuals, no lanes side by side; f, g and best f are counted from scratch
// after every update.
#pragma once

#include <map>
#include <utility>

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
    std::int64_t f = 0, g = 0, best_f = 0;
    // Of the group that passes.
    std::int64_t key = 0;
    std::size_t winner = 0;
  };
  struct Form {
    std::int64_t start = 0;
    bool equality = false;
    std::vector<std::pair<std::size_t, std::int64_t>> terms;  // row, coefficient
    std::int64_t violation(const std::vector<int>& spin) const;
  };
  void read_image(const std::vector<std::uint64_t>& image);
  void burst(const Call& call);
  void read_forms(std::size_t i, const std::uint64_t* record);
  void update(Place& place, std::size_t i, std::uint64_t parameters, std::uint32_t word);
  std::int64_t energy(const std::vector<int>& spin) const;
  std::int64_t violation(const std::vector<int>& spin) const;
  std::int64_t pull(std::vector<int> spin, std::size_t i) const;
  void take_best(Place& place) const;

  Noise noise_;
  std::size_t pbits_, lanes_, beta_bits_, state_words_, row_words_;
  std::size_t forms_a_row_, product_beats_, head_beats_;
  bool one_hots_;
  std::vector<std::uint64_t> gumbel_;
  std::map<std::pair<std::size_t, std::size_t>, Form> forms_;  // by bank and number
  std::vector<std::vector<bool>> product_;
  std::int64_t product_weight_ = 1;
  std::vector<std::uint64_t> head_;                  // first words
  std::vector<std::vector<std::int64_t>> coupling_;  // by row in use
  std::vector<std::int64_t> field_;
  std::vector<bool> clamp_;
  std::vector<Place> ring_;
};

}  // namespace reference
