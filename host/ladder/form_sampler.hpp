// Sampling a form model: bursts and swaps as in solving, but moves in detailed balance only, so
// every replica keeps exp(-beta (f + P g)) of its cell.
#pragma once

#include <atomic>
#include <functional>

#include "device/group/form_group.hpp"
#include "ladder/ladder.hpp"
#include "ladder/sampler.hpp"

namespace chainmail {

// Called after each burst, before the swaps.
struct FormSampleRound {
  std::uint64_t number;  // from 1
  const ReplicaGrid& grid;
  FormGroup& replicas;
};
using FormRoundHandler = std::function<void(const FormSampleRound&)>;

void sample_forms(const FormModel& model, const Ladder& ladder, FormMembers& members,
                  const SampleOptions& options, const std::atomic<bool>& stop,
                  const FormRoundHandler& handler);

}  // namespace chainmail
