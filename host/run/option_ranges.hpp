// What the options of a run may be, once for all who check them: the command line's tables and the
// library's Options.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace chainmail {

template <class Number>
struct Range {
  Number low, high;
  bool holds(Number value) const {
    return std::isfinite(static_cast<double>(value)) && value >= low && value <= high;
  }
};

namespace option_ranges {

inline constexpr double kOpen = std::numeric_limits<double>::infinity();
inline constexpr Range<std::uint64_t> copies{1, 64};
inline constexpr Range<std::uint64_t> rungs{0, 1000};  // rows and columns; 0: by the kind of ladder
inline constexpr Range<std::uint64_t> solutions{1, 10'000};
inline constexpr Range<std::uint64_t> threads{0, 1024};  // 0: one per core
inline constexpr Range<std::uint64_t> trials{1, 1'000'000};
inline constexpr Range<double> device_timeout{0.1, 1e6};
inline constexpr Range<double> positive{0.0, kOpen};  // or 0, which is "by the problem"
inline const std::vector<std::string> precisions{"auto", "int8", "cached", "lanes", "float"};
inline const std::vector<std::string> moves{"single", "chain"};

}  // namespace option_ranges

}  // namespace chainmail
