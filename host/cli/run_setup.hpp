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
  std::string clamp;
  bool quiet = false;
  Options wanted;       // as they were typed
  PlanOptions options;  // what settle() made of them

  void add_problem_options(OptionTable& table);
  void add_options(OptionTable& table, OptionInfo::Group group);  // of option_table()
  void add_clamp(OptionTable& table);
  // What 'solve', 'tune' and 'sample' share: embedding, ladder, device.
  void add_machine_options(OptionTable& table);

  // After parsing: turns what was typed into options, and reads a ladder given by hand or file.
  void settle();

  Source read() const;
  const SourceOptions& source_options() const { return source_options_; }
  const std::string& ladder_file() const { return wanted.schedule; }  // empty: none

  // Plans with a progress bar; Ctrl-C ends the pilot.
  Plan plan_run(const Source& source, Device& device) const;
  // The same with the ladder in hand and all its columns, for what is not a run: 'tune', 'sample'.
  // Throws TuningStopped.
  Plan plan_ladder(const Source& source, Device& device);

 private:
  SourceOptions source_options_;
  std::optional<std::uint64_t> colors_;
};

// Set by Ctrl-C (SIGINT), SIGTERM, SIGHUP and SIGXCPU once installed; a second Ctrl-C ends the
// program at once. SIGUSR1 asks for a checkpoint.
const std::atomic<bool>& catch_interrupts();
// From any thread: ends the run as Ctrl-C does, however often it is called.
void interrupt();

}  // namespace chainmail
