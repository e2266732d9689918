// The instruction sets our Highway kernels are built for; include before <hwy/foreach_target.h>.
// On x86: SSE4 with AES (every processor since about 2011), AVX2, and AVX-512 with VAES/VBMI.
// On 64-bit ARM: NEON. SVE's vectors have no size a compiler knows and cannot be members.
#pragma once

#if defined(__x86_64__)
#define HWY_WANT_AVX3_DL
#define HWY_BASELINE_TARGETS HWY_SSE4
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3)
#elif defined(__aarch64__)
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#endif
