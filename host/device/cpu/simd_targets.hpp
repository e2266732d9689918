// The instruction sets our Highway kernels are built for; include before <hwy/foreach_target.h>. On
// x86: SSE4 with AES (every processor since about 2011), AVX2, and AVX-512 with VAES/VBMI. On
// 64-bit ARM: NEON. SVE's vectors have no size known at compile time and cannot be members.
#pragma once

#if defined(__x86_64__)
#define HWY_WANT_AVX3_DL
#define HWY_BASELINE_TARGETS HWY_SSE4
// The bits below AVX3_DL's are sets that newer Highways add (AVX3_ZEN4, AVX3_SPR, AVX10_2): the
// same vectors, and nothing our kernels would use.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3 | (HWY_AVX3_DL - 1))
#elif defined(__aarch64__)
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#endif
