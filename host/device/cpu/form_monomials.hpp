// The products of three and more bits in a replica: each is kept up to date together with what it
// adds to the fields of its bits, so that a flip costs what it changes and no move has to know.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "device/cpu/form_tables.hpp"

namespace chainmail {

class FormMonomials {
 public:
  explicit FormMonomials(const FormTables& tables) : tables_(&tables) {}

  // From scratch; adds to the fields and returns what they add to f.
  double set(std::span<const Bit> x, std::span<double> field);
  // A bit has turned.
  void turned(std::uint32_t bit, std::span<double> field);

 private:
  const FormTables* tables_;
  std::vector<double> spin_;        // by bit: 1 or -1
  std::vector<double> now_;         // by monomial of spins: what it adds to f
  std::vector<std::uint32_t> off_;  // by monomial of bits: how many are zero
};

}  // namespace chainmail
