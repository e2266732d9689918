// A word's sign, octave e (geometric), segment m and point d name a cell of probability: with
// q = 2^-(e+2) (1 + (m + (d + 1/2)/8)/16), below 1/2, the cell lies q from the upper end of the
// distribution, or with the sign set q from its lower end. So G = -log2(-ln(1 - q)), which is about
// -log2 q far out, or -log2(-ln q).
#include "topology/gumbel.hpp"

#include <algorithm>
#include <cmath>

#include "topology/rows_contract.hpp"
#include "topology/threshold.hpp"

namespace chainmail {

namespace {

using namespace rows_contract;

constexpr unsigned kPoints = 8;
constexpr double kUnit = 1.0 / (1U << threshold::kFraction);

double gumbel(bool low, unsigned octave, double place) {
  // Past the last octave everything is one cell of probability, from 0 on.
  const double q = octave < threshold::kOctaveBits
                       ? std::ldexp(1.0 + place, -static_cast<int>(octave) - 2)
                       : std::ldexp(place, -static_cast<int>(octave) - 1);
  return -std::log2(low ? -std::log(q) : -std::log1p(-q));
}

std::uint32_t entry(bool low, unsigned octave, unsigned segment) {
  if (octave > threshold::kOctaveBits) return 0;  // no word has it
  const auto at = [&](double point) {
    return gumbel(low, octave, (segment + (point + 0.5) / kPoints) / 16.0) / kUnit;
  };
  // Points are equally likely, so they may be counted upwards whichever way q goes.
  const double first = std::min(at(0), at(kPoints - 1)), last = std::max(at(0), at(kPoints - 1));
  const double step = std::clamp(std::round((last - first) / (kPoints - 1) * 4.0), 0.0, 15.0);
  // The segment's mean is right, including truncated fractions.
  double sum = 0.0, held = 0.0;
  for (unsigned d = 0; d < kPoints; ++d) {
    sum += at(d);
    held += std::floor(step * d / 4.0);
  }
  const auto base = std::lround((sum - held) / kPoints);
  return (static_cast<std::uint32_t>(base) & ((1U << kGumbelBaseBits) - 1)) |
         static_cast<std::uint32_t>(step) << kGumbelBaseBits;
}

}  // namespace

std::vector<std::uint32_t> gumbel_table() {
  std::vector<std::uint32_t> table(kGumbelEntries);
  for (unsigned i = 0; i < table.size(); ++i) {
    table[i] = entry(i / 512 != 0, i / 16 % 32, i % 16);
  }
  return table;
}

}  // namespace chainmail
