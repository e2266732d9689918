// The row kernel's image (docs/rows.md): a beat that says whose it is and how many rows are in use,
// then a record a row: field and clamp, then its couplings by groups of five, six groups a beat.
#include <algorithm>
#include <cmath>

#include "device/kernel/loader.hpp"

namespace chainmail {

using namespace rows_contract;

void KernelImage::write_rows() {
  const Topology& t = *topology_;
  const std::size_t rows = placed_.place.size();
  tables_.assign(kBeatWords + rows * t.row_words(), 0);
  tables_[0] = rows | (t.hash & 0xffff'ffff) << 32;
  for (std::size_t i = 0; i < rows; ++i) {
    std::uint64_t* record = tables_.data() + kBeatWords + i * t.row_words();
    record[0] =
        static_cast<std::uint64_t>(std::llround(placed_.fields[i] * report_.scale)) & 0xffff'ffff;
    for (const PlacedModel::Term& term : placed_.terms[i]) {
      const std::size_t group = term.slot / kGroupSpins;
      const std::size_t byte = group % kBeatGroups * kGroupSpins + term.slot % kGroupSpins;
      std::uint64_t* beat = record + kBeatWords * (1 + group / kBeatGroups);
      const auto coupling = static_cast<std::uint64_t>(std::llround(term.value * report_.scale));
      beat[byte / 8] |= (coupling & 0xff) << 8 * (byte % 8);
    }
  }
}

}  // namespace chainmail
