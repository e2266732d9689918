// Processes that an MPI launcher (mpirun, srun) started together work on one run: the first decides
// and prints, the others lend it their devices. MPI itself is in a separate library, loaded only
// under a launcher.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "device/group/channel.hpp"

namespace chainmail {

// Called once, first thing. The exit code of a process that lent its devices until the run was
// over; nothing for the process that is to continue, or without a launcher.
std::optional<int> join_launch();

// To the other processes; empty without a launcher.
const std::vector<std::shared_ptr<Channel>>& launched_channels();

// Called last, with the exit code of the program: lets the others end too.
int leave_launch(int code);

}  // namespace chainmail
