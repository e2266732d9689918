#include "cli/run_setup.hpp"

#include <csignal>
#include <limits>

#include "cli/progress.hpp"
#include "model/model_files.hpp"
#include "problem/files.hpp"
#include "problem/validate.hpp"
#include "schedule/constrained_pilot.hpp"
#include "schedule/schedule_file.hpp"
#include "support/error.hpp"
#include "topology/topology.hpp"

namespace chainmail {

namespace {

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::uint64_t kMaxLadder = 1000;

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

// A residual sits on the copies that carry the fields.
Embedding with_residuals(Embedding embedding, const std::optional<ModelSource>& source,
                         Placement placement) {
  if (!source) return embedding;
  embedding.residuals = source->compiled.residuals;
  for (Residual& residual : embedding.residuals) {
    for (Neighbour& term : residual.terms) {
      const std::size_t copy = field_copy(term.spin, embedding.copies, placement);
      term.spin = static_cast<std::uint32_t>(embedding.pbit(term.spin, copy));
    }
  }
  return embedding;
}

extern "C" void on_interrupt(int signal) {
  interrupted = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  return interrupted;
}

void RunSetup::add_problem_options(OptionTable& table) {
  table.argument("FILE", file)
      .text("format", format,
            "file format: detect, " + format_names() + "; models: " + model_format_names())
      .count("colors", colors, 1, 1000000, "col: how many colours a graph is to be given")
      .group("Embedding")
      .count("copies,k", copies, 1, 64,
             "copies per spin, for hardware with limited fan-in; 1: none")
      .text("placement", placement,
            "where couplings meet: alt, balanced or packed [packed on cpu, else alt]");
}

void RunSetup::add_device_options(OptionTable& table) {
  table.group("Device")
      .text("device,d", device, "what runs the sweeps; 'chainmail devices' lists them")
      .text("xclbin", xclbin, "device binary, for XRT boards; emulators have their own")
      .number("device-timeout", device_timeout, 0.1, 1e6,
              "seconds a device behind XRT or a serial port may take to answer")
      .count("threads", threads, 0, 1024,
             "CPU threads, 0: one per core; results do not depend on it")
      .choice("precision", precision, {"auto", "int8", "float"}, "the CPU's arithmetic")
      .choice("moves", moves, {"single", "chain"},
              "resample single p-bits, or all copies of a spin at once (cpu only)")
      .count("seed,s", seed, 0, kNoLimit, "the same seed gives the same result")
      .flag("quiet,q", quiet, "no progress on the terminal");
}

void RunSetup::add_ladder_options(OptionTable& table) {
  table.group("Ladder (found by a pilot run unless given)")
      .flag("literal", literal, "the paper's ladder and cadence, for reproduction")
      .choice("ladder", ladder, {"auto", "window", "rigid", "paper"},
              "with copies: the penalties and rows that pay, chains that hardly break (for "
              "--moves chain), or all of the pilot's; auto chooses by --moves")
      .text("schedule", schedule_file, "use the ladder saved by 'chainmail tune'")
      .numbers("betas", betas, "inverse temperatures by hand, ascending; with --penalties")
      .numbers("penalties", penalties, "penalties by hand, ascending [0]")
      .count("rows", rows, 1, kMaxLadder, "at most so many inverse temperatures")
      .count(
          "columns", columns, 0, kMaxLadder,
          "at most so many penalties; 0: 36 in a window, 240 replicas with rigid chains, else 20")
      .number("beta0", pilot.beta0, 0, kInfinity, "hottest inverse temperature, 0: from couplings")
      .number("penalty0", pilot.penalty0, 0, kInfinity, "lowest penalty, 0: from couplings")
      .number("alpha-beta", pilot.alpha_beta, 1e-3, 10, "step in beta, in units of 1/sigma(E)")
      .number("alpha-penalty", pilot.alpha_penalty, 1e-3, 10,
              "step in penalty, in units of 1/(beta sigma(g))")
      .number("sigma-min", pilot.sigma_min, 0, kInfinity,
              "rows end when sigma(E) falls below, 0: from couplings")
      .number("feasible-g", pilot.feasible_g, 0, kInfinity,
              "columns end when the coldest mean g falls below")
      .count("extra-columns", extra_columns, 0, kMaxLadder, "columns added after that")
      .flag("plain-penalty", plain_penalty, "models: f + P g alone, without multipliers")
      .count("pilot-chains", pilot_chains, 1, 4096, "chains at each point of the pilot")
      .count("pilot-warmup", pilot.warmup, 0, kNoLimit, "sweeps before measuring a point")
      .count("pilot-samples", pilot.samples, 2, kNoLimit, "sweeps measured at a point")
      .count("rehearsal", rehearsal_sweeps, 0, kNoLimit,
             "sweeps of a short run that adds rungs between pairs that hardly swap");
}

void RunSetup::settle(const OptionTable& table) {
  if (literal && !table.given("ladder")) ladder = "paper";
}

Problem RunSetup::read() {
  const auto model_format =
      format == "detect" ? model_format_of(file) : model_format_from_name(format);
  if (model_format) {
    ModelOptions model_options;
    if (colors > 0) model_options.colors = colors;
    ConstrainedModel model = read_model(file, *model_format, model_options);
    CompiledModel compiled = compile(model);
    validate(compiled.problem, file);
    source = ModelSource{std::move(model), std::move(compiled)};
    return source->compiled.problem;
  }
  if (colors > 0) throw UsageError("--colors belongs to graphs in DIMACS format (.col)");
  return read_problem(file, format == "detect" ? Format::detect : format_from_name(format));
}

std::string RunSetup::placement_name(const Device& opened) const {
  if (const Topology* topology = opened.topology()) return name_of(topology->options.placement);
  if (!placement.empty()) return placement;
  return device == "cpu" ? "packed" : "alt";
}

std::string RunSetup::precision_name() const {
  return source && precision == "auto" ? "float" : precision;
}

Embedding RunSetup::embed_problem(const Problem& problem, const Device& opened) const {
  const Topology* topology = opened.topology();
  if (topology == nullptr) {
    const Placement where = placement_from_name(placement_name(opened));
    return with_residuals(embed(problem, copies, where, seed), source, where);
  }
  if (copies > 1 && copies != topology->options.copies) {
    throw UsageError("--copies " + std::to_string(copies) + ", but " + device + " has topology " +
                     topology->name);
  }
  return with_residuals(embed(problem, *topology), source, Placement::alt);
}

std::unique_ptr<Device> RunSetup::open_device(const Problem& problem) const {
  DeviceOptions options;
  options.name = device;
  options.threads = static_cast<unsigned>(threads);
  options.precision = precision_name();
  options.moves = moves;
  options.xclbin = xclbin;
  options.timeout = device_timeout;
  options.spins = problem.size();
  options.copies = copies;
  return make_device(options);
}

Schedule RunSetup::find_schedule(const Embedding& embedding, const Device& opened) const {
  if (!schedule_file.empty() && !betas.empty()) {
    throw UsageError("--schedule and --betas exclude each other");
  }
  if (!penalties.empty() && betas.empty()) throw UsageError("--penalties needs --betas");
  if (!schedule_file.empty()) return read_schedule(schedule_file);
  if (!betas.empty()) {
    Schedule schedule;
    schedule.beta = betas;
    schedule.penalty = penalties.empty() ? std::vector<double>{0.0} : penalties;
    check_schedule(schedule, "--betas, --penalties");
    return schedule;
  }
  LadderOptions options;
  if (ladder == "auto")
    options.kind = moves == "chain" ? LadderKind::rigid : LadderKind::window;
  else
    options.kind = ladder_kind_from_name(ladder);
  options.pilot = pilot;
  options.pilot.chains = pilot_chains;
  options.pilot.extra_columns = extra_columns;
  options.pilot.max_rows = options.rehearsal.max_rows = options.window.max_rows = rows;
  if (columns > 0) {
    options.pilot.max_columns = options.rehearsal.max_columns = columns;
    options.window.columns = options.rigid_columns = columns;
  } else if (opened.topology() != nullptr) {
    options.window.max_replicas = opened.topology()->options.max_replicas;
  }
  options.pilot.seed = options.rehearsal.seed = options.window.seed = seed;
  options.window.beta0 = pilot.beta0;
  options.window.penalty0 = pilot.penalty0;
  options.rehearsal.sweeps = rehearsal_sweeps;
  const std::atomic<bool>& stop = catch_interrupts();
  Progress progress(!quiet, "tuning");
  const auto cpu = make_device({"cpu", static_cast<unsigned>(threads), precision_name(), moves});
  const auto observer = [&](double fraction, const std::string& text) {
    progress.update(fraction, text);
    return !stop;
  };
  // The ladder for constraints is built from what its rows and columns measure already.
  const bool constrained = source && source->compiled.problem.constraint && !plain_penalty;
  if (constrained) return run_constrained_pilot(embedding, *cpu, options.pilot, observer);
  return find_ladder(embedding, *cpu, options, stop, observer);
}

}  // namespace chainmail
