// The flip kernel's image (docs/flips.md): rows in use and the topology's hash, f of the state with
// all spins down and a product's weight, with forms g of that state; then one record per row: base
// clamp and groups, its forms, then its couplings, a byte each; with products a word of them in
// front of every 64 columns' couplings.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "device/kernel/loader.hpp"
#include "device/kernel/row_forms.hpp"

namespace chainmail {

using namespace flips_contract;

namespace {

// The word of a record that holds the couplings to this row and its neighbours.
std::size_t coupling_word(const Topology& t, std::size_t row) {
  return 1 + t.options.forms + row / kWordCouplings + (t.options.products ? row / 64 + 1 : 0);
}

}  // namespace

void KernelImage::write_flips() {
  const Topology& t = *topology_;
  tables_.assign(t.image_words(), 0);
  tables_[0] = placed_.place.size() | (t.hash & 0xffff'ffff) << 32;
  std::int64_t twice_f0 = 0;  // every coupling counts at both ends
  for (std::size_t i = 0; i < t.pbits(); ++i) {
    std::uint64_t* record = tables_.data() + kHeadWords + i * (1 + t.tables);
    const std::int64_t field = std::llround(placed_.fields[i] * report_.scale);
    std::int64_t sum = 0;
    for (const PlacedModel::Term& term : placed_.terms[i]) {
      const std::int64_t coupling = std::llround(term.value * report_.scale);
      sum += coupling;
      record[coupling_word(t, term.slot)] |= (static_cast<std::uint64_t>(coupling) & 0xff)
                                             << 8 * (term.slot % kWordCouplings);
    }
    record[0] = (static_cast<std::uint64_t>(field - sum) & ((1U << kFieldBits) - 1)) |
                std::uint64_t{placed_.used[i] ? 0U : 1U} << kClampBit;
    twice_f0 += 2 * field - sum;
  }
  tables_[1] = static_cast<std::uint64_t>(twice_f0 / 2) & 0xffff'ffff;
}

void KernelImage::write_flip_constraints(const RowForms& forms) {
  const Topology& t = *topology_;
  tables_[1] |= std::uint64_t{forms.shift} << rows_contract::kShiftBit;
  std::int64_t all_down = 0;  // g
  for (std::size_t i = 0; i < forms.rows.size(); ++i) {
    std::uint64_t* record = tables_.data() + kHeadWords + i * (1 + t.tables);
    record[0] |= row_flag(forms.rows[i].member, rows_contract::kMemberBit) |
                 row_flag(forms.rows[i].begin, rows_contract::kBeginBit) |
                 row_flag(forms.rows[i].last, rows_contract::kSettleBit);
    for (std::uint32_t other : forms.rows[i].products) {
      record[coupling_word(t, other / 64 * 64) - 1] |= std::uint64_t{1} << other % 64;
    }
    for (std::size_t k = 0; k < t.options.forms; ++k) {
      const RowForms::Entry& entry = forms.rows[i].entries[k];
      record[1 + k] = form_word(entry);
      if (!entry.first) continue;
      all_down += entry.equality ? std::abs(entry.start) : std::max<std::int64_t>(0, entry.start);
    }
  }
  tables_[1] |= static_cast<std::uint64_t>(all_down) << kAllDownBit;
}

}  // namespace chainmail
