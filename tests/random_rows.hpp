// A random row image that uses everything the contract allows (docs/rows.md): couplings over their
// whole range as far as a row's sum lets them, fields, clamps, forms, products and groups where the
// topology has them, and garbage where it is ignored.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <vector>

#include "support/random.hpp"
#include "topology/topology.hpp"

namespace chainmail::test {

class RandomRows {
 public:
  RandomRows(const Topology& topology, std::size_t rows, Engine& engine)
      : t_(topology),
        n_(topology.pbits()),
        rows_(rows),
        engine_(engine),
        group_(rows, 0),
        settle_(rows, false),
        sum_(rows, 0),
        image_(rows_contract::kBeatWords + rows * topology.row_words()) {
    for (std::uint64_t& word : image_) word = engine();
    image_[0] = rows | (topology.hash & 0xffff'ffff) << 32;
    if (topology.options.one_hots) choose_groups();
    write_couplings();
    for (std::size_t i = 0; i < rows; ++i) write_head(i);
    if (topology.options.products) write_products();
    if (topology.options.forms > 0) write_forms();
  }
  std::vector<std::uint64_t> image() { return std::move(image_); }

 private:
  std::uint64_t* record(std::size_t i) {
    return image_.data() + rows_contract::kBeatWords + i * t_.row_words();
  }
  static void put(std::uint64_t& word, unsigned at, unsigned bits, std::uint64_t value) {
    const std::uint64_t mask = ((std::uint64_t{1} << bits) - 1) << at;
    word = (word & ~mask) | (value << at & mask);
  }
  std::int64_t draw(std::uint64_t range) {  // -range + 1 to range - 1
    return static_cast<std::int64_t>(engine_() % (2 * range - 1)) -
           static_cast<std::int64_t>(range - 1);
  }

  // Groups of one to five members, each with the row that settles it, and rows in none.
  void choose_groups() {
    std::size_t number = 0;
    for (std::size_t i = 0; i + 2 <= rows_;) {
      const std::size_t members = 1 + engine_() % 5;
      if (engine_() % 3 == 0 || i + members + 1 > rows_) {
        ++i;
        continue;
      }
      ++number;
      for (std::size_t k = 0; k < members; ++k) group_[i + k] = number;
      settle_[i + members] = true;
      i += members + 1;
    }
  }
  // Couplings and products are where neither row settles and not between members of one group.
  bool may_meet(std::size_t i, std::size_t j) const {
    return !settle_[i] && !settle_[j] && (group_[i] == 0 || group_[i] != group_[j]);
  }

  void write_couplings() {
    using namespace rows_contract;
    std::vector<std::vector<std::int64_t>> coupling(rows_, std::vector<std::int64_t>(n_, 0));
    const std::uint64_t range = std::uint64_t{1} << engine_() % 8;  // up to 127
    for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        std::int64_t value = draw(range);
        const std::int64_t size = std::llabs(value);
        if (sum_[i] + size > kLimit || sum_[j] + size > kLimit || !may_meet(i, j)) value = 0;
        coupling[i][j] = coupling[j][i] = value;
        sum_[i] += std::llabs(value);
        sum_[j] += std::llabs(value);
      }
    }
    for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t group = 0; group < t_.tables; ++group) {
        std::uint64_t* beat = record(i) + kBeatWords * (t_.head_beats() + group / kBeatGroups);
        for (std::size_t b = 0; b < kGroupSpins; ++b) {
          const std::size_t j = group * kGroupSpins + b;
          const auto byte = static_cast<unsigned>(group % kBeatGroups * kGroupSpins + b);
          put(beat[byte / 8], 8 * (byte % 8), 8,
              j < n_ ? static_cast<std::uint64_t>(coupling[i][j]) : 0);
        }
      }
    }
  }

  void write_head(std::size_t i) {
    using namespace rows_contract;
    const auto room = static_cast<std::uint64_t>(kLimit - sum_[i]);
    const auto field = static_cast<std::int64_t>(engine_() % (2 * room + 1) >> engine_() % 17) -
                       static_cast<std::int64_t>(engine_() % 2 == 0 ? room / 2 : 0);
    const bool too_much = std::llabs(field) > static_cast<std::int64_t>(room);
    put(record(i)[0], 0, kFieldBits,
        too_much || settle_[i] ? 0 : static_cast<std::uint64_t>(field));
    put(record(i)[0], kClampBit, 1, engine_() % 16 == 0 ? 1 : 0);
    if (t_.options.one_hots) {
      put(record(i)[0], kMemberBit, 1, group_[i] != 0 ? 1 : 0);
      put(record(i)[0], kBeginBit, 1, group_[i] != 0 && (i == 0 || group_[i - 1] != group_[i]));
      put(record(i)[0], kSettleBit, 1, settle_[i] ? 1 : 0);
    }
  }

  void write_products() {
    using namespace rows_contract;
    const std::size_t beat = t_.head_beats() - t_.product_beats();
    const std::uint64_t density = 1 + engine_() % 8;
    std::vector<std::uint64_t> partners(rows_, 1);
    for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t w = 0; w < kBeatWords * t_.product_beats(); ++w) {
        record(i)[kBeatWords * beat + w] = 0;
      }
      for (std::size_t j = 0; j < i; ++j) {
        if (engine_() % density != 0 || !may_meet(i, j)) continue;
        record(i)[kBeatWords * beat + j / 64] |= std::uint64_t{1} << j % 64;
        record(j)[kBeatWords * beat + i / 64] |= std::uint64_t{1} << i % 64;
        ++partners[i], ++partners[j];
      }
    }
    // Half of what D holds, so that forms have the other; all four bits where partners are few.
    const std::uint64_t most = *std::max_element(partners.begin(), partners.end());
    std::uint64_t shifts = 1;
    while (shifts < 16 && most << shifts < std::uint64_t{1} << (kPullBits - 2)) ++shifts;
    const std::uint64_t shift = engine_() % 2 == 0 ? shifts - 1 : engine_() % shifts;
    for (std::size_t i = 0; i < rows_; ++i) put(record(i)[1], kShiftBit, kShiftBits, shift);
  }

  // Sums stay within what D, a residual and g hold.
  void write_forms() {
    using namespace rows_contract;
    struct Form {
      bool equality;
      std::int64_t start;
      bool begun = false;
      std::size_t group = 0;  // that has a member in it, the last one
    };
    std::map<std::pair<std::size_t, std::size_t>, Form> forms;
    const std::size_t count =
        std::max<std::size_t>(1, t_.options.forms * t_.options.form_residuals);
    const std::int64_t most =
        ((std::int64_t{1} << (kViolationBits - 1)) - 1) / static_cast<std::int64_t>(count);
    const std::uint64_t sum =
        static_cast<std::uint64_t>(std::min(most, (std::int64_t{1} << (kResidualBits - 1)) - 1)) /
        2;
    const std::uint64_t range = std::min<std::uint64_t>(
        {1 + (std::uint64_t{1} << engine_() % 14), 1 + sum / rows_, 12'000});
    for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t k = 0; k < t_.options.forms; ++k) {
        std::uint64_t& word = record(i)[kBeatWords + k];
        put(word, 0, kCoefficientBits, 0);
        const std::size_t number = engine_() % t_.options.form_residuals;
        const std::int64_t a = draw(range);
        auto [at, made] = forms.try_emplace({k, number});
        Form& form = at->second;
        if (made) form = {engine_() % 2 == 0, draw(1 + (sum >> engine_() % 20))};
        const bool shared = group_[i] != 0 && form.group == group_[i];
        if (a == 0 || engine_() % 4 == 0 || settle_[i] || shared) continue;
        form.group = group_[i];
        put(word, 0, kCoefficientBits, static_cast<std::uint64_t>(a));
        put(word, kNumberBit, kNumberBits, number);
        put(word, kEqualityBit, 1, form.equality ? 1 : 0);
        put(word, kFirstBit, 1, form.begun ? 0 : 1);
        put(word, kResidualBit, kResidualBits, static_cast<std::uint64_t>(form.start));
        form.begun = true;
      }
    }
  }

  static constexpr std::int64_t kLimit = (std::int64_t{1} << (rows_contract::kFieldBits - 1)) - 1;
  const Topology& t_;
  std::size_t n_, rows_;
  Engine& engine_;
  std::vector<std::size_t> group_;  // of each row, from 1; 0: none
  std::vector<bool> settle_;
  std::vector<std::int64_t> sum_;  // of a row's couplings
  std::vector<std::uint64_t> image_;
};

inline std::vector<std::uint64_t> random_rows(const Topology& topology, std::size_t rows,
                                              Engine& engine) {
  return RandomRows(topology, rows, engine).image();
}

}  // namespace chainmail::test
