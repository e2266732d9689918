// 'solve' of many files at once: a line of JSON for each.
#pragma once

#include <string>
#include <vector>

#include "chainmail/chainmail.hpp"
#include "run/source.hpp"

namespace chainmail {

struct LinesOutput {
  std::string path;  // - is standard output, instead of the summary
  bool quiet = false;
};

// The exit code tells an interrupt, else a file that failed, else an answer that is not feasible.
int solve_files(const std::vector<std::string>& files, const SourceOptions& source, Options options,
                const LinesOutput& output);

}  // namespace chainmail
