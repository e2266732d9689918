// What all replicas of a form model share: how couplings are looked up, which bits may be
// exchanged, which states of two groups correspond.
#pragma once

#include <cstdint>
#include <vector>

#include "device/cpu/form_blocks.hpp"
#include "problem/form_model.hpp"

namespace chainmail {

// A bit of a form, and whether setting it lowers the form's sum. An exchange flips two bits of a
// form of which one raises the sum and one lowers it.
struct ExchangeBit {
  std::uint32_t bit;
  bool lowers;
};
struct ExchangePlace {
  std::uint32_t form;
  ExchangeBit of;
};

class FormTables {
 public:
  explicit FormTables(const FormModel& model);

  const FormModel& model() const { return *model_; }
  bool has_pairs() const { return !model_->pairs.items.empty(); }
  bool has_monomials() const { return !model_->monomial_values.empty(); }
  bool has_clashes() const { return !model_->clashes.items.empty(); }
  bool has_soft() const { return soft_; }

  // The coupling of two bits in f, and whether they clash.
  double coupling(std::uint32_t i, std::uint32_t j) const;
  bool clash(std::uint32_t i, std::uint32_t j) const;
  // All couplings of a bit as a dense row, or nothing if there are few.
  const double* dense_row(std::uint32_t i) const {
    return dense_.empty() ? nullptr : dense_.data() + std::size_t{i} * model_->bits;
  }

  // The monomials of a bit, in lists that a flip reads in order. Of spins: their numbers; and for
  // every other bit in one of them that bit, how many it shares, and which. Of bits: the number of
  // each, how many other bits it has, and those.
  std::span<const std::uint32_t> products_of_spins(std::uint32_t i) const { return of_spins_[i]; }
  std::span<const std::uint32_t> shared_products(std::uint32_t i) const { return shared_[i]; }
  std::span<const std::uint32_t> products_of_bits(std::uint32_t i) const { return of_bits_[i]; }

  // Free bits and groups, for vectors.
  const FormBlocks& blocks() const { return blocks_; }

  // Two members of two groups correspond when they have the same slot: the longest form both are in
  // (a position, a machine), or else their place in the group.
  std::uint32_t slot(std::uint32_t bit) const { return slot_[bit]; }
  std::uint32_t member(std::uint32_t group, std::uint32_t slot) const;  // or kNone
  bool has_swaps() const { return model_->groups.size() > 1; }

  // Places of free bits in forms where an exchange may help: a uniform draw of one draws a form by
  // its length and a bit in it.
  const std::vector<ExchangePlace>& exchange_places() const { return places_; }
  // The free bits of such a form.
  std::span<const ExchangeBit> exchange_bits(std::uint32_t form) const { return free_in_[form]; }
  // By bit, a number for each different column of forms; empty unless rows of couplings are long
  // and many bits share a column, so that all partners of an exchange can be compared.
  std::span<const std::uint32_t> columns() const { return column_; }
  std::size_t different_columns() const { return different_; }
  // Clashing pairs of free bits.
  const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges() const { return edges_; }

 private:
  void choose_slots();
  void number_columns();

  const FormModel* model_;
  FormBlocks blocks_;
  bool soft_ = false;
  std::vector<double> dense_;
  Lists<std::uint32_t> of_spins_, shared_, of_bits_;
  std::vector<std::uint32_t> slot_;
  std::size_t slots_ = 0;
  std::vector<std::uint32_t> member_table_;  // group * slots_ + slot, where that is not too large
  Lists<std::pair<std::uint32_t, std::uint32_t>> member_lists_;  // else by group: (slot, bit)
  std::vector<ExchangePlace> places_;
  Lists<ExchangeBit> free_in_;
  std::vector<std::uint32_t> column_;  // by bit
  std::size_t different_ = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;
};

}  // namespace chainmail
