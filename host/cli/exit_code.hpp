// What the program's exit codes mean: one table, which the commands return from and --help prints.
#pragma once

namespace chainmail {

enum ExitCode : int {
  kDone = 0,
  kBadInput = 1,
  kUsage = 2,
  kDeviceFault = 3,
  kNotFeasible = 4,
  kImpossible = 5,
  kInterrupted = 6,
};

struct ExitCodeMeaning {
  ExitCode code;
  const char* meaning;
};
inline constexpr ExitCodeMeaning kExitCodes[] = {
    {kDone, "done; 'solve' found an answer, 'check' confirmed one"},
    {kBadInput, "a file cannot be read or written, or its content is wrong"},
    {kUsage, "wrong usage"},
    {kDeviceFault, "a device failed or did not answer; what was found before is written"},
    {kNotFeasible,
     "no feasible state was found (the closest is shown), or 'check' found a violation"},
    {kImpossible, "no solution exists: proven"},
    {kInterrupted, "interrupted; what was found so far is written"},
};

}  // namespace chainmail
