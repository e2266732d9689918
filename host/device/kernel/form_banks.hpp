// Forms in banks of residuals: two forms that share a bit must lie in different banks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "problem/form_model.hpp"

namespace chainmail {

struct FormBanks {
  std::vector<std::uint32_t> bank, number;  // by form
};

// A colouring with at most `residuals` forms of each of `banks` colours. Throws InputError, with
// numbers, where none was found.
FormBanks colour_forms(const Lists<FormTerm>& forms, std::size_t bits, std::size_t banks,
                       std::size_t residuals, const std::string& topology);

}  // namespace chainmail
