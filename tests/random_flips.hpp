// A random image of the flip kernel that uses everything the contract allows (docs/flips.md):
// couplings over their whole range as far as a row's sum lets them, fields, forms, products,
// clamps, rows out of use, and garbage where it is ignored.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "support/random.hpp"
#include "topology/topology.hpp"

namespace chainmail::test {

// Of each row the number of its group, from 1; 0: none. Groups have one to 20 members, adjacent
// rows in one chunk or several.
inline std::vector<std::size_t> random_groups(const Topology& t, std::size_t rows, Engine& engine) {
  std::vector<std::size_t> group(t.pbits(), 0);
  std::size_t number = 0;
  for (std::size_t i = 0; t.options.one_hots && i < rows;) {
    const std::size_t members = 1 + engine() % (engine() % 4 == 0 ? 20 : 5);
    if (engine() % 3 == 0 || i + members > rows) {
      ++i;
      continue;
    }
    ++number;
    for (std::size_t k = 0; k < members; ++k) group[i++] = number;
  }
  return group;
}

// The rows' entries by row and bank, and g with all spins down. Sums stay within what D, a residual
// and g hold, products' half not counted.
struct RandomForms {
  std::vector<std::uint64_t> words;
  std::uint64_t all_down = 0;
};

inline RandomForms random_forms(const Topology& t, std::size_t rows,
                                const std::vector<std::size_t>& group, Engine& engine) {
  using namespace rows_contract;
  struct Form {
    bool equality, begun;
    std::int64_t start;
    std::size_t group = 0;  // that has a member in it, the last one
  };
  const TopologyOptions& o = t.options;
  const std::size_t count = std::max<std::size_t>(1, o.forms * o.form_residuals);
  const auto draw = [&](std::uint64_t range) {  // -range + 1 to range - 1
    return static_cast<std::int64_t>(engine() % (2 * range - 1)) -
           static_cast<std::int64_t>(range - 1);
  };
  const std::uint64_t most = std::uint64_t{1} << (kResidualBits - 1);
  const std::uint64_t sum =
      std::min(most, (std::uint64_t{1} << (kViolationBits - 2)) / count) / 2 - 1;
  std::vector<Form> forms;
  for (std::size_t f = 0; f < count; ++f) {
    forms.push_back({engine() % 2 == 0, false, draw(1 + (sum >> engine() % 20))});
  }
  const std::uint64_t range =
      std::min<std::uint64_t>({1 + (std::uint64_t{1} << engine() % 15), 1 + sum / rows, 16'000});
  RandomForms out;
  for (std::size_t i = 0; i < t.pbits(); ++i) {
    for (std::size_t k = 0; k < o.forms; ++k) {
      const std::int64_t a = i < rows && engine() % 4 != 0 ? draw(range) : 0;
      const std::size_t number = engine() % o.form_residuals;
      Form& form = forms[k * o.form_residuals + number];
      if (a == 0 || (group[i] != 0 && form.group == group[i])) {
        out.words.push_back(engine() << kCoefficientBits);
        continue;
      }
      form.group = group[i];
      const auto bits = [](std::int64_t value, unsigned width) {
        return static_cast<std::uint64_t>(value) & ((std::uint64_t{1} << width) - 1);
      };
      const std::uint64_t garbage = engine() << (kResidualBit + kResidualBits);
      const std::uint64_t start = form.begun ? engine() : static_cast<std::uint64_t>(form.start);
      out.words.push_back(bits(a, kCoefficientBits) | std::uint64_t{number} << kNumberBit |
                          std::uint64_t{form.equality} << kEqualityBit |
                          std::uint64_t{!form.begun} << kFirstBit | garbage |
                          bits(static_cast<std::int64_t>(start), kResidualBits) << kResidualBit);
      if (!form.begun && (form.equality || form.start > 0)) {
        out.all_down += static_cast<std::uint64_t>(std::llabs(form.start));
      }
      form.begun = true;
    }
  }
  return out;
}

inline std::vector<std::uint64_t> random_flips(const Topology& t, std::size_t rows,
                                               Engine& engine) {
  using namespace flips_contract;
  constexpr std::int64_t kLimit = (std::int64_t{1} << (kFieldBits - 1)) - 1;
  const std::size_t n = t.pbits();
  const auto draw = [&](std::int64_t range) {  // -range to range
    return static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(2 * range + 1)) - range;
  };
  const std::vector<std::size_t> group = random_groups(t, rows, engine);
  const auto may_meet = [&](std::size_t i, std::size_t j) {
    return group[i] == 0 || group[i] != group[j];
  };
  std::vector<std::vector<std::int64_t>> coupling(n, std::vector<std::int64_t>(n, 0));
  std::vector<std::int64_t> room(n, kLimit);
  const std::int64_t range = (std::int64_t{1} << engine() % 8) - 1;  // up to 127
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const std::int64_t value = draw(range), size = std::llabs(value);
      if (size > room[i] || size > room[j] || !may_meet(i, j)) continue;
      coupling[i][j] = coupling[j][i] = value;
      room[i] -= size;
      room[j] -= size;
    }
  }
  // D and g hold what is in them.
  std::vector<std::vector<std::uint64_t>> partners(n, std::vector<std::uint64_t>(t.state_words()));
  std::uint64_t shift = engine() % 16;
  if (t.options.products) {
    const std::uint64_t density = 1 + engine() % 16;
    std::vector<std::uint64_t> count(n, 1);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (engine() % density != 0 || !may_meet(i, j)) continue;
        partners[i][j / 64] |= std::uint64_t{1} << j % 64;
        partners[j][i / 64] |= std::uint64_t{1} << i % 64;
        ++count[i], ++count[j];
      }
    }
    const std::uint64_t most = *std::max_element(count.begin(), count.end());
    const unsigned half = t.options.forms > 0 ? 1 : 0;  // the other is forms'
    while (most << shift >= std::uint64_t{1} << (rows_contract::kPullBits - 1 - half) ||
           n * most << shift >= std::uint64_t{1} << (rows_contract::kViolationBits - half)) {
      --shift;
    }
  }
  const RandomForms forms = random_forms(t, rows, group, engine);
  std::vector<std::uint64_t> image;
  image.push_back(rows | (t.hash & 0xffff'ffff) << 32);
  image.push_back(engine());
  std::int64_t twice = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const bool used = i < rows;
    const std::int64_t field = used ? draw(room[i] >> engine() % 17) : 0;
    std::int64_t sum = 0;
    for (const std::int64_t j : coupling[i]) sum += j;
    twice += 2 * field - sum;
    const std::uint64_t mask = (std::uint64_t{1} << kFieldBits) - 1;
    const std::uint64_t clamp = !used || engine() % 16 == 0 ? 1 : 0;
    std::uint64_t garbage = engine() & ~mask & ~(std::uint64_t{1} << kClampBit);
    if (t.options.one_hots) {
      using namespace rows_contract;
      const bool begins = group[i] != 0 && (i == 0 || group[i - 1] != group[i]);
      const bool ends = group[i] != 0 && (i + 1 == n || group[i + 1] != group[i]);
      garbage &= ~(std::uint64_t{7} << kMemberBit);
      garbage |= std::uint64_t{group[i] != 0} << kMemberBit | std::uint64_t{begins} << kBeginBit |
                 std::uint64_t{ends} << kSettleBit;
    }
    image.push_back(garbage | (static_cast<std::uint64_t>(field - sum) & mask) |
                    clamp << kClampBit);
    for (std::size_t k = 0; k < t.options.forms; ++k) {
      image.push_back(forms.words[i * t.options.forms + k]);
    }
    for (std::size_t j = 0; j < n; j += kWordCouplings) {
      if (t.options.products && j % 64 == 0) image.push_back(partners[i][j / 64]);
      std::uint64_t word = 0;
      for (std::size_t b = 0; b < kWordCouplings; ++b) {
        word |= (static_cast<std::uint64_t>(coupling[i][j + b]) & 0xff) << 8 * b;
      }
      image.push_back(word);
    }
  }
  image[1] = (image[1] & ~std::uint64_t{0xf'ffff'ffff}) | shift << rows_contract::kShiftBit |
             (static_cast<std::uint64_t>(twice / 2) & 0xffff'ffff);
  if (t.options.forms > 0) {
    image[1] = (image[1] & 0xf'ffff'ffff) | forms.all_down << kAllDownBit;
  }
  return image;
}

}  // namespace chainmail::test
