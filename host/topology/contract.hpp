// Constants of the kernel contract: version, arguments and their registers, flags, status block and
// error codes. docs/kernel.md has the meaning; HLS header, RTL package and drivers read this.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace chainmail::contract {

inline constexpr std::uint32_t kVersion = 0x0001'0000;  // major, minor
inline constexpr std::uint32_t kMagic = 0x5449'4250;    // "PBIT", little-endian

// AXI4-Lite registers. Arguments are where Vitis HLS puts them: 64-bit ones take three words (low,
// high, reserved), 32-bit ones two.
inline constexpr std::uint32_t kControl = 0x00;  // start 0, done 1, idle 2, ready 3, continue 4
inline constexpr std::uint32_t kGlobalInterrupt = 0x04;
inline constexpr std::uint32_t kInterruptEnable = 0x08;
inline constexpr std::uint32_t kInterruptStatus = 0x0c;
inline constexpr std::uint32_t kArgumentBase = 0x10;   // the first argument
inline constexpr std::uint32_t kStatusMirror = 0x100;  // RTL kernel: the status block, read-only

struct Argument {
  const char* name;
  std::uint32_t offset;
  std::uint32_t bits;
  bool pointer;
};
inline constexpr std::array<Argument, 11> kArguments{{
    {"tables", 0x10, 64, true},
    {"parameters", 0x1c, 64, true},
    {"spins", 0x28, 64, true},
    {"best", 0x34, 64, true},
    {"results", 0x40, 64, true},
    {"status", 0x4c, 64, true},
    {"first", 0x58, 32, false},
    {"replicas", 0x60, 32, false},
    {"sweeps", 0x68, 32, false},
    {"flags", 0x70, 32, false},
    {"seed", 0x78, 64, false},
}};

// Register of an argument by its name; a name that does not exist does not compile.
consteval std::uint32_t offset_of(std::string_view name) {
  for (const Argument& argument : kArguments)
    if (name == argument.name) return argument.offset;
  throw "no such argument";
}

enum Flag : std::uint32_t {
  kLoadTables = 1U << 0,
  kLoadSpins = 1U << 1,
  kStoreSpins = 1U << 2,
  kStoreBest = 1U << 3,
  kDescribe = 1U << 4,  // only write the status block
  kNoBurst = 1U << 5,   // loads and stores only: no parameters, no sweeps, no results
};
inline constexpr std::uint32_t kAllFlags = 0x3f;

enum Code : std::uint32_t {
  kOk = 0,
  kBadReplicas = 1,  // replicas is 0, or first + replicas is beyond the ring
  kBadFlags = 2,     // a flag this version does not know
  kReadError = 3,    // a read was answered SLVERR or DECERR: reload tables and spins
  kWriteError = 4,   // the same for a write
  kBadPointer = 5,   // a buffer the call uses does not begin at a multiple of eight bytes
  kBadImage = 6,     // rows, flips: the image is not one of this topology
};

// The steps of a call, in order; each is selected by a flag or a rule of docs/kernel.md.
enum class Step : std::uint32_t {
  tables,
  spins,
  parameters,
  burst,
  results,
  store_spins,
  store_best,
  status,
};
inline constexpr std::array<const char*, 8> kSteps{"Tables",  "Spins",      "Parameters", "Burst",
                                                   "Results", "StoreSpins", "StoreBest",  "Status"};

// 32-bit words of the status block (64 bytes).
enum StatusWord : std::uint32_t {
  kWordMagic = 0,
  kWordVersion = 1,
  kWordHashLow = 2,
  kWordHashHigh = 3,
  kWordCode = 4,
  kWordPbits = 5,
  kWordShape = 6,       // logical spins | copies << 16
  kWordReplicas = 7,    // the ring holds
  kWordTables = 8,      // table bits | address bits << 8 | tables of a p-bit << 16
  kWordWidths = 9,      // beta bits | RNG words << 8 | colours << 16
  kWordClocksLow = 10,  // clocks from start to the last sweep's end; 0 if not counted
  kWordClocksHigh = 11,
  // Lanes of the row or flip kernel, 0: the ring | forms << 16 | products << 24 | groups << 25 |
  // it is the flip kernel << 26.
  kWordRows = 12,
  kWordResiduals = 13,  // of a bank, where the row kernel has forms
  // A ring that is wired for a lattice: its sides, 16 bits each, 0 for one that is not there; for
  // a graph: bit 16 of the second word.
  kWordSides = 14,
  kWordGraph = 15,
};
inline constexpr std::uint32_t kStatusWords = 16;

inline constexpr unsigned kPenaltyBits = 16;          // betaP, unsigned Q8.8
inline constexpr unsigned kPenaltyFraction = 8;       //
inline constexpr unsigned kSeedSteps = 64;            // of the seeder, then the streams are ready
inline constexpr std::int32_t kNoBest = 0x7fff'ffff;  // best f where no state had g = 0

}  // namespace chainmail::contract
