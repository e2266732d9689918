// One-hot groups of the flip kernel: members pass one after another and are set down; the replica
// keeps the one with the largest y + Gumbel noise and sets it up after the last. That is a draw
// from the exact distribution over the group's states.
#pragma once

#include "flip_types.hpp"
#include "gumbel.hpp"

namespace {

constexpr unsigned kWinners = kOneHots != 0 ? kMaxReplicas : 1;

// The best member of its group that a replica has passed so far.
struct Winner {
  sum_t key;
  row_t row;
  field_t field;
  pull_t pull;
};

}  // namespace
