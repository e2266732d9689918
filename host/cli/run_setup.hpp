// What solve, tune and sample have in common: the options that name a problem, its embedding, its
// ladder and the device, and the steps that turn them into objects.
#pragma once

#include <atomic>
#include <memory>

#include "cli/options.hpp"
#include "device/device.hpp"
#include "embedding/embedding.hpp"
#include "model/compile.hpp"
#include "solve/ladder.hpp"

namespace chainmail {

// A constrained model as it was read, and what it was compiled to.
struct ModelSource {
  ConstrainedModel model;
  CompiledModel compiled;
};

struct RunSetup {
  std::string file, format = "detect";
  std::string device = "cpu", precision = "auto", placement, xclbin;
  double device_timeout = 10.0;
  std::uint64_t copies = 1, seed = 1, threads = 0, rows = 20, columns = 0;
  std::string schedule_file;
  std::vector<double> betas, penalties;
  PilotOptions pilot;
  std::string ladder = "auto", moves = "single";
  bool literal = false;
  std::uint64_t pilot_chains = 16, extra_columns = 1, rehearsal_sweeps = 4000;
  bool quiet = false, plain_penalty = false;
  std::uint64_t colors = 0;
  std::optional<ModelSource> source;  // after read(), of a file in a model's format

  void add_problem_options(OptionTable& table);
  void add_device_options(OptionTable& table);
  void add_ladder_options(OptionTable& table);

  // After parsing: --literal brings back the paper's ladder wherever no other was asked for.
  void settle(const OptionTable& table);

  Problem read();
  // An emulator may choose its topology by the problem's size.
  std::unique_ptr<Device> open_device(const Problem& problem) const;
  // On the device's topology where it has one.
  Embedding embed_problem(const Problem& problem, const Device& device) const;
  std::string placement_name(const Device& device) const;
  // Models get exact arithmetic unless told otherwise: f between two feasible states may differ by
  // less than few bits keep beside a large penalty.
  std::string precision_name() const;

  // The ladder given by hand or file, else found by a pilot run (on the CPU, with progress) for a
  // run on `opened`.
  Schedule find_schedule(const Embedding& embedding, const Device& opened) const;
};

// Set by Ctrl-C (SIGINT) and SIGTERM once installed; a second signal ends the program at once.
const std::atomic<bool>& catch_interrupts();

}  // namespace chainmail
