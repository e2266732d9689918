#include "cli/solve_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/outputs.hpp"
#include "cli/progress.hpp"
#include "cli/run_setup.hpp"
#include "support/atomic_file.hpp"
#include "support/counted.hpp"

namespace chainmail {

namespace {

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// The result as --json writes it, on one line: line breaks in strings are escaped, so those that
// are there stand between members.
std::string line_of(const std::string& file, const std::string& result) {
  std::string line = "{\"file\": " + quoted(file) + ", ";
  bool begun = true;  // of a line
  for (std::size_t k = result.find('{') + 1; k < result.size(); ++k) {
    if (result[k] == '\n') begun = true;
    if (result[k] == '\n' || (begun && result[k] == ' ')) continue;
    begun = false;
    line += result[k];
  }
  return line + "\n";
}

int code_of(const Solution& solution) {
  if (solution.stopped_by == "interrupt") return kInterrupted;
  return solution.best.feasible ? kDone : kNotFeasible;
}

}  // namespace

int solve_files(const std::vector<std::string>& files, const SourceOptions& source, Options options,
                const LinesOutput& output) {
  Outputs outputs(files);
  outputs.add("jsonl", output.path);
  outputs.try_all();
  const std::atomic<bool>& stop = catch_interrupts();
  options.stop = &stop;
  Progress progress(!output.quiet, "solving");
  std::vector<std::string> lines(files.size());
  std::size_t solved = 0, feasible = 0, proved = 0;
  int code = kDone, failed = kDone;
  const auto give = [&](std::size_t k) {
    return std::make_shared<const Model>(Model::read(files[k], source.format, source.colors));
  };
  const auto start = std::chrono::steady_clock::now();
  solve_many(files.size(), give, options,
             [&](std::size_t k, const Solution& found, const Failure* failure) {
               progress.update(static_cast<double>(++solved) / static_cast<double>(files.size()),
                               fmt::format("{} of {}", solved, files.size()));
               if (failure != nullptr) {
                 lines[k] = fmt::format("{{\"file\": {}, \"error\": {}}}\n", quoted(files[k]),
                                        quoted(failure->what()));
                 failed = failure->kind == Failure::device ? kDeviceFault : kBadInput;
                 return;
               }
               lines[k] = line_of(files[k], found.json());
               feasible += found.best.feasible ? 1 : 0;
               proved += found.proved ? 1 : 0;
               code = std::max(code, code_of(found));
             });
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  progress.finish();
  std::string text;
  for (const std::string& line : lines) text += line;
  write_file(output.path, text);
  if (output.path != "-") {
    fmt::print("{} in {:.3g} s ({:.4g} per second): {} feasible, {} proved optimal\nresults   {}\n",
               counted(solved, "problem"), seconds,
               static_cast<double>(solved) / std::max(1e-9, seconds), feasible, proved,
               output.path);
  }
  if (stop) return kInterrupted;
  return failed != kDone ? failed : code;
}

}  // namespace chainmail
