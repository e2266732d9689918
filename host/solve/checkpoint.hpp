// A run's state as a file: written whole or not at all, refused when it belongs to another run.
#pragma once

#include <optional>

#include "solve/trial.hpp"

namespace chainmail {

struct Checkpoint {
  std::vector<TrialRecord> finished;                  // trials that are done, in order
  std::vector<TrialRecord> running;                   // trials in flight, in order, and their spins
  std::vector<std::vector<std::vector<Spin>>> spins;  // [running trial][replica]
  double seconds = 0.0;                               // spent so far
};

// Tells runs apart: model, ladder, method, seed, sweeps, cadence, initial state and arithmetic.
std::uint64_t run_fingerprint(const PhysicalModel& model, const Ladder& ladder,
                              const SolveOptions& options);

void write_checkpoint(const std::string& path, std::uint64_t fingerprint,
                      const Checkpoint& checkpoint);

// Nothing when the file does not exist; InputError when it is damaged or of another run.
std::optional<Checkpoint> read_checkpoint(const std::string& path, std::uint64_t fingerprint,
                                          std::size_t pbits, std::size_t replicas);

}  // namespace chainmail
