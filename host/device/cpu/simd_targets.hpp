// The instruction sets our Highway kernels are built for; include before <hwy/foreach_target.h>.
// On x86: SSE4 with AES (every processor since about 2011), AVX2, and AVX-512 with VAES/VBMI.
#pragma once

#if defined(__x86_64__)
#define HWY_WANT_AVX3_DL
#define HWY_BASELINE_TARGETS HWY_SSE4
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3)
#endif
