// What solve, tune, sample and info have in common: the options that name a problem, its embedding,
// its ladder and the device, handed to run/plan.hpp.
#pragma once

#include <atomic>
#include <memory>

#include "cli/options.hpp"
#include "run/plan.hpp"

namespace chainmail {

struct RunSetup {
  std::string file;
  bool quiet = false;
  PlanOptions options;

  void add_problem_options(OptionTable& table);
  void add_device_options(OptionTable& table);
  void add_ladder_options(OptionTable& table);

  // After parsing: turns what was typed into options, and reads a ladder given by hand or file.
  void settle();

  Source read() const;
  const std::string& ladder_file() const { return ladder_file_; }  // --schedule; empty: none

  // Plans with a progress bar; Ctrl-C ends the pilot.
  Plan plan_run(const Source& source, const Device& device) const;

 private:
  SourceOptions source_options_;
  std::string placement_, ladder_ = "auto", ladder_file_;
  std::uint64_t copies_ = 1, threads_ = 0, rows_ = 0, columns_ = 0, colors_ = 0, tiles_ = 1;
  std::uint64_t pilot_chains_ = 16, extra_columns_ = 1;
  std::vector<double> betas_, penalties_;
};

// Set by Ctrl-C (SIGINT) and SIGTERM once installed; a second signal ends the program at once.
const std::atomic<bool>& catch_interrupts();

}  // namespace chainmail
