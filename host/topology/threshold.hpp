// The constants of the logistic threshold, in one place for the HLS header, the RTL package and
// the tests: T = 256 e + base[row(e)][mantissa] + dither[4 (e == 0) + mantissa / 4][dither].
//
// T is in units of ln 2 / 256 and T = t has probability such that P(|threshold| > t) = 2/(1 + 2^t):
// the octave e is the number of leading zeros of 24 random bits, the mantissa (4 bits) a segment of
// the octave and the dither (3 bits) a point of the segment. Row 6 serves octaves 6 to 23. Octave
// 24 means "all bits zero": its row stretches one octave over the rest of the tail, so that flips
// remain possible down to a probability of 1e-9.
#pragma once

#include <cstdint>

namespace chainmail::threshold {

inline constexpr unsigned kFraction = 8;
inline constexpr unsigned kOctaveBits = 24;   // word bits 30..7, counted from the top
inline constexpr unsigned kMantissaBits = 4;  // word bits 6..3
inline constexpr unsigned kDitherBits = 3;    // word bits 2..0
inline constexpr unsigned kBits = 13;         // of T, unsigned

constexpr unsigned row_of(unsigned octave) {
  return octave == kOctaveBits ? 7 : octave < 6 ? octave : 6;
}

inline constexpr std::uint16_t kBase[8][16] = {
    {1, 25, 48, 71, 94, 118, 142, 166, 190, 215, 241, 267, 292, 320, 348, 378},
    {151, 167, 183, 199, 216, 233, 251, 269, 287, 306, 327, 348, 368, 391, 415, 440},
    {207, 220, 234, 249, 263, 278, 294, 310, 326, 344, 362, 381, 400, 421, 443, 466},
    {232, 245, 258, 271, 284, 299, 314, 329, 344, 361, 379, 397, 415, 435, 456, 479},
    {244, 256, 269, 282, 294, 309, 323, 338, 353, 369, 387, 405, 422, 442, 463, 485},
    {250, 262, 274, 287, 300, 313, 328, 343, 357, 374, 391, 408, 425, 445, 466, 488},
    {254, 266, 278, 291, 303, 317, 331, 346, 361, 377, 394, 411, 428, 448, 468, 490},
    {261, 286, 312, 341, 371, 404, 441, 483, 528, 581, 643, 718, 810, 937, 1137, 1794}};
inline constexpr std::uint8_t kDither[8][8] = {
    {0, 2, 4, 5, 7, 9, 11, 13},    {0, 2, 4, 6, 8, 10, 12, 15},  {0, 2, 5, 7, 9, 12, 14, 17},
    {0, 3, 6, 8, 11, 14, 17, 20},  {0, 3, 6, 9, 12, 14, 17, 20}, {0, 3, 6, 9, 12, 15, 18, 21},
    {0, 3, 6, 10, 13, 16, 19, 22}, {0, 4, 7, 11, 14, 18, 21, 25}};

}  // namespace chainmail::threshold
