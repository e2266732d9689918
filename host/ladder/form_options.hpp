// What the search for a form model's ladder can be told.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/cpu/form_moves.hpp"
#include "problem/form_model.hpp"

namespace chainmail {

struct FormLadderOptions {
  std::uint64_t seed = 1;
  FormMoves moves = {};
  std::vector<Bit> start = {};  // where every anneal begins; empty: as near to zero as groups allow
  std::size_t most_rows = 24, columns = 4;
};

}  // namespace chainmail
