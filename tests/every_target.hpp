// Runs a test on each instruction set of this machine that Highway supports, and returns how many.
#pragma once

#include <hwy/targets.h>

#include <cstddef>
#include <cstdint>

namespace chainmail::test {

template <class Body>
std::size_t on_every_target(Body body) {
  const std::int64_t supported = hwy::SupportedTargets();
  std::size_t targets = 0;
  for (const std::int64_t target : {HWY_SSE4, HWY_AVX2, HWY_AVX3_DL, HWY_NEON}) {
    if ((supported & target) == 0) continue;
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().DeInit();
    body(target);
    ++targets;
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().DeInit();
  return targets;
}

}  // namespace chainmail::test
