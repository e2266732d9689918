// The row kernel's image (docs/rows.md): a beat with the topology's hash and the number of rows in
// use, then one record per row: field and clamp, then its couplings in groups of five, six groups
// per beat.
#include <algorithm>
#include <cmath>

#include "device/kernel/loader.hpp"
#include "device/kernel/row_forms.hpp"

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
      std::uint64_t* beat = record + kBeatWords * (t.head_beats() + group / kBeatGroups);
      const auto coupling = static_cast<std::uint64_t>(std::llround(term.value * report_.scale));
      beat[byte / 8] |= (coupling & 0xff) << 8 * (byte % 8);
    }
  }
}

namespace {

std::uint64_t bits(std::int64_t value, unsigned width) {
  return static_cast<std::uint64_t>(value) & ((std::uint64_t{1} << width) - 1);
}

}  // namespace

std::uint64_t row_flag(bool set, unsigned at) {
  return std::uint64_t{set ? 1U : 0U} << at;
}

std::uint64_t form_word(const RowForms::Entry& entry) {
  if (entry.coefficient == 0) return 0;
  return bits(entry.coefficient, kCoefficientBits) | std::uint64_t{entry.number} << kNumberBit |
         row_flag(entry.equality, kEqualityBit) | row_flag(entry.first, kFirstBit) |
         bits(entry.start, kResidualBits) << kResidualBit;
}

void KernelImage::write_constraints(const RowForms& forms) {
  const Topology& t = *topology_;
  for (std::size_t i = 0; i < forms.rows.size(); ++i) {
    const RowForms::Row& row = forms.rows[i];
    std::uint64_t* record = tables_.data() + kBeatWords + i * t.row_words();
    record[0] = bits(static_cast<std::int64_t>(record[0]), kFieldBits) |
                row_flag(row.member, kMemberBit) | row_flag(row.begin, kBeginBit) |
                row_flag(row.bit == kNone, kSettleBit);
    record[1] = std::uint64_t{forms.shift} << kShiftBit;
    for (std::size_t k = 0; k < t.options.forms; ++k) {
      record[kBeatWords + k] = form_word(row.entries[k]);
    }
    std::uint64_t* plane = record + kBeatWords * (t.head_beats() - t.product_beats());
    for (std::uint32_t other : row.products) plane[other / 64] |= std::uint64_t{1} << other % 64;
  }
}

}  // namespace chainmail
