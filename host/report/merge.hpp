// Merges results (JSON) of trials of one run that were run separately, as jobs of a cluster:
// `--trials I/N`.
#pragma once

#include <string>
#include <vector>

namespace chainmail {

struct ResultFile {
  std::string path, text;
};

// The result with the best answer of all, every trial in its place, statistics over all. Throws
// InputError for files that are no results, of different runs, or of one trial twice.
std::string merged_results(const std::vector<ResultFile>& files);

}  // namespace chainmail
