#include "cli/run_setup.hpp"

#include <csignal>

#include "chainmail/content.hpp"
#include "cli/progress.hpp"
#include "model/model_files.hpp"
#include "problem/files.hpp"
#include "run/clamp.hpp"
#include "support/error.hpp"
#include "support/save_request.hpp"

namespace chainmail {

namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

// A second Ctrl-C ends the program at once. The other signals repeat by themselves (SIGXCPU every
// second, SIGHUP from shell and terminal), which must not lose the answer.
extern "C" void on_interrupt(int signal) {
  interrupted = true;
  if (signal == SIGINT) std::signal(signal, SIG_DFL);
}
extern "C" void on_save(int) {
  checkpoint_requested = true;
}

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  if (interrupted) return interrupted;
  for (const int signal : {SIGINT, SIGTERM, SIGXCPU, SIGHUP}) {
    // Signals that were ignored at start (nohup, a background job) stay ignored.
    if (std::signal(signal, on_interrupt) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
  std::signal(SIGUSR1, on_save);
  return interrupted;
}

void interrupt() {
  interrupted = true;
}

void RunSetup::add_problem_options(OptionTable& table) {
  table.group("Problem")
      .argument("FILE", file)
      .text("format", source_options_.format,
            "file format: detect, " + format_names() + "; models: " + model_format_names())
      .optional_count("colors", colors_, 1, 1000000, "col: number of colours for a graph");
  add_options(table, OptionInfo::every);
}

void RunSetup::add_options(OptionTable& table, OptionInfo::Group group) {
  for (const OptionInfo& info : option_table()) {
    if (info.group == group) table.option(info, wanted);
  }
}

void RunSetup::add_clamp(OptionTable& table) {
  table.text("clamp", clamp,
             "hold variables at values, as x=1,y=0; spins without names have numbers from 0");
}

void RunSetup::add_machine_options(OptionTable& table) {
  table.group("Embedding");
  add_options(table, OptionInfo::embedding);
  table.group("Ladder (found for the problem unless given)");
  add_options(table, OptionInfo::ladder);
  table.group("Device");
  add_options(table, OptionInfo::device);
  table.level(OptionInfo::common).flag("quiet,q", quiet, "no progress on the terminal");
}

void RunSetup::settle() {
  source_options_.colors = colors_.value_or(0);
  options = plan_options(wanted);
}

Source RunSetup::read() const {
  Source source = read_source(file, source_options_);
  return clamp.empty() ? source : clamped(source, clamps_from_text(clamp, source));
}

Plan RunSetup::plan_ladder(const Source& source, Device& device) {
  options.method = Method::two_dimensional;  // 'solve' drops columns as its method requires
  options.reduce = false;                    // samples and ladders are of the whole problem
  options.balanced = true;
  Plan plan = plan_run(source, device);
  if (plan.cut_short) throw TuningStopped();
  return plan;
}

Plan RunSetup::plan_run(const Source& source, Device& device) const {
  const std::atomic<bool>& stop = catch_interrupts();
  Progress progress(!quiet && !options.given_ladder, "tuning");
  return plan(source, options, device, stop, [&](double fraction, const std::string& text) {
    progress.update(fraction, text);
    return !stop;
  });
}

}  // namespace chainmail
