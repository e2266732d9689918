// A run's state as a file: one line of JSON and one with its checksum. Written whole or not at all;
// refused when it is damaged or belongs to another run.
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

// Identifies a run: model, ladder, method, seed, sweeps, cadence, initial state, arithmetic, moves.
std::uint64_t run_fingerprint(const PhysicalModel& model, const Ladder& ladder,
                              const Device& device, const SolveOptions& options);

void write_checkpoint(const std::string& path, std::uint64_t fingerprint,
                      const Checkpoint& checkpoint);

// What a checkpoint must fit: its sizes are compared, its best states judged again.
struct CheckpointFrame {
  const Judge* judge;
  std::size_t spins, pbits, replicas;
  std::size_t weights;  // of forms that grow, else 0
  const SolveOptions* options;
};

// Nothing when the file does not exist; InputError when it is damaged or of another run.
std::optional<Checkpoint> read_checkpoint(const std::string& path, std::uint64_t fingerprint,
                                          const CheckpointFrame& frame);

}  // namespace chainmail
