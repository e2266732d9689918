// Results to report on: one shaped like a real run of 2D-PT, made by a deterministic function.
#pragma once

#include <cstddef>
#include <cstdint>

#include "solve/result.hpp"

namespace chainmail::test {

struct SampleSize {
  std::size_t spins = 50, rows = 14, columns = 9, points = 300, trials = 1;
  std::uint64_t sweeps = 102400;
};
Result sample_result(const SampleSize& size = {});

}  // namespace chainmail::test
