#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/outputs.hpp"
#include "report/merge.hpp"
#include "support/atomic_file.hpp"
#include "support/compressed.hpp"

namespace chainmail {

int merge_command(const Arguments& arguments) {
  std::string output = "-";
  std::vector<std::string> paths;
  OptionTable table(
      "merge FILE... [options]",
      "Merges the results of trials that were run separately (solve --trials I/N --json FILE):\n"
      "the best answer of all, every trial, statistics over all of them.",
      "  for i in $(seq 8); do chainmail solve p.json --trials $i/8 --json r$i.json; done\n"
      "  chainmail merge r*.json -o all.json\n");
  table.arguments("FILE", paths).file("output,o", output, "file to write, - is standard output");
  if (!table.parse(arguments)) return 0;
  Outputs outputs(paths);
  outputs.add("output", output);
  outputs.try_all();
  std::vector<ResultFile> files;
  files.reserve(paths.size());
  for (const std::string& path : paths) files.push_back({path, read_text(path)});
  write_file(output, merged_results(files));
  return 0;
}

}  // namespace chainmail
