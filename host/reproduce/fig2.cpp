// Fig. 2c: does the P axis sample well? The divergence of the five-node full adder through two
// copies from its exact distribution, against sweeps, with and without P-swaps.
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "generate/generate.hpp"
#include "report/svg.hpp"
#include "reproduce/adder_chains.hpp"
#include "reproduce/outcome.hpp"
#include "reproduce/table.hpp"
#include "support/random.hpp"
#include "topology/topology.hpp"

namespace chainmail::reproduce {

namespace {

constexpr double kPenalties[] = {2, 4, 6, 8};
constexpr std::size_t kCopies = 2;
constexpr std::uint64_t kCadence = 500;
constexpr std::size_t kLanes = 8;  // chains of a CPU task: their 32 replicas fill one vector

using Key = std::pair<bool, double>;  // swaps, penalty
struct Curve {
  std::vector<double> sweeps;
  std::vector<Estimate> kl;
};

struct Schedule {
  std::size_t chains, chains_of_task;
  std::vector<std::uint64_t> times;
};

std::string kind_of(const std::string& device) {
  return device.substr(0, device.find(':'));
}

// A CPU task is a vector's worth of chains. A kernel takes all chains at once, as it has the
// replicas (an iCE40 board has 16), and for a shorter time, as emulation is slow.
Schedule schedule_for(const ExperimentOptions& options) {
  const std::string kind = kind_of(options.device);
  Schedule schedule{100, kLanes, {}};
  std::uint64_t last = 32'768'000;
  if (kind == "uart") {
    schedule = {20, 4, {}};
    last = 8'000;
  } else if (kind != "cpu") {
    schedule.chains_of_task = 100;
    last = options.full ? 1'024'000 : kind == "hw_emu" ? 32'000 : 128'000;
  }
  if (options.instances > 0) schedule.chains = options.instances;
  if (options.sweeps > 0) last = options.sweeps;
  schedule.times = doubling(kCadence, last);
  return schedule;
}

std::string key_of(bool swaps, std::size_t first) {
  return fmt::format("{}-chain{:03}.csv", swaps ? "swap" : "noswap", first);
}

std::string run_group(const ExperimentOptions& options, const Schedule& schedule, bool swaps,
                      std::size_t first, const std::atomic<bool>& stop) {
  const Problem problem = generate("full-adder", {});
  DeviceOptions wanted;
  wanted.name = options.device;
  wanted.threads = 1;
  wanted.spins = problem.size();
  wanted.copies = kCopies;
  const auto device = make_device(wanted);
  const Embedding embedding = device->topology() != nullptr
                                  ? embed(problem, *device->topology())
                                  : embed(problem, kCopies, Placement::packed);
  AdderOptions run;
  run.penalties.assign(std::begin(kPenalties), std::end(kPenalties));
  run.chains = std::min(schedule.chains_of_task, schedule.chains - first);
  run.times = schedule.times;
  run.swaps = swaps;
  run.seed = hash_of(options.seed, {0x66696732, swaps ? 1U : 0U, first});
  const AdderCurves curves = run_adder_chains(problem, embedding, *device, run, stop);
  Table table({"chain", "penalty", "sweeps", "kl"});
  for (std::size_t chain = 0; chain < curves.size(); ++chain) {
    for (std::size_t column = 0; column < run.penalties.size(); ++column) {
      for (std::size_t k = 0; k < curves[chain][column].size(); ++k) {
        table.add({fmt::format("{}", first + chain), cell(run.penalties[column]),
                   fmt::format("{}", schedule.times[k]), cell(curves[chain][column][k])});
      }
    }
  }
  return table.csv();
}

std::map<Key, Curve> gather(const Experiment& experiment, const Schedule& schedule,
                            Outcome& outcome) {
  std::map<std::tuple<bool, double, double>, std::vector<double>> values;
  for (bool swaps : {true, false}) {
    for (std::size_t first = 0; first < schedule.chains; first += schedule.chains_of_task) {
      const std::string key = key_of(swaps, first);
      const auto text = experiment.record(key);
      if (!text) {
        ++outcome.missing;
        continue;
      }
      const Table table = Table::parse(*text, experiment.record_path(key));
      for (std::size_t row = 0; row < table.rows(); ++row) {
        values[{swaps, table.number(row, "penalty"), table.number(row, "sweeps")}].push_back(
            table.number(row, "kl"));
      }
    }
  }
  std::map<Key, Curve> curves;
  for (const auto& [at, all] : values) {
    Curve& curve = curves[{std::get<0>(at), std::get<1>(at)}];
    curve.sweeps.push_back(std::get<2>(at));
    curve.kl.push_back(mean_of(all));
  }
  return curves;
}

std::map<Key, Curve> published_curves(const ExperimentOptions& options) {
  std::map<Key, Curve> curves;
  const auto table = published(options, "full_adder_kl.csv");
  if (!table) return curves;
  for (std::size_t row = 0; row < table->rows(); ++row) {
    Curve& curve = curves[{table->text(row, "mode") == "swap", table->number(row, "penalty")}];
    curve.sweeps.push_back(table->number(row, "sweeps"));
    curve.kl.push_back({table->number(row, "kl"), table->number(row, "ci_low"),
                        table->number(row, "ci_high"), 100});
  }
  return curves;
}

// ---- targets ---------------------------------------------------------------------------------

Target within_bands(const std::map<Key, Curve>& ours, const std::map<Key, Curve>& theirs) {
  Target target{"fig2",
                "P = 6, 8: KL inside or below the published band from 10^4 sweeps on",
                {},
                "nothing published to compare with"};
  double worst = 0.0, at = 0.0;
  std::size_t compared = 0;
  for (double penalty : {6.0, 8.0}) {
    if (!ours.contains({true, penalty}) || !theirs.contains({true, penalty})) return target;
    const Curve& a = ours.at({true, penalty});
    const Curve& b = theirs.at({true, penalty});
    for (std::size_t k = 0; k < std::min(a.sweeps.size(), b.sweeps.size()); ++k) {
      if (a.sweeps[k] != b.sweeps[k] || a.sweeps[k] < 1e4) continue;
      const double ratio = a.kl[k].value / b.kl[k].high;
      if (ratio > worst) worst = ratio, at = a.sweeps[k];
      ++compared;
    }
  }
  if (compared == 0) return target;
  target.met = worst <= 1.0;
  target.found =
      fmt::format("{} points, at most {:.2f} times the band's upper edge (at {:g} sweeps)",
                  compared, worst, at);
  return target;
}

Target slope_target(const std::map<Key, Curve>& ours) {
  Target target{"fig2",
                "P = 6, 8: slope of ln KL over ln t is -1 +- 0.1 (t >= 10^5)",
                {},
                "the run is too short"};
  std::string found;
  bool fine = true;
  for (double penalty : {6.0, 8.0}) {
    if (!ours.contains({true, penalty})) return target;
    std::vector<double> x, y;
    const Curve& curve = ours.at({true, penalty});
    for (std::size_t k = 0; k < curve.sweeps.size(); ++k) {
      if (curve.sweeps[k] < 1e5) continue;
      x.push_back(std::log(curve.sweeps[k]));
      y.push_back(std::log(curve.kl[k].value));
    }
    if (x.size() < 3) return target;
    const double slope = slope_of(x, y);
    fine = fine && std::abs(slope + 1.0) <= 0.1;
    found += fmt::format("{}P = {}: {:.3f}", found.empty() ? "" : ", ", penalty, slope);
  }
  target.met = fine;
  target.found = found;
  return target;
}

Target crossing_target(const std::map<Key, Curve>& ours) {
  Target target{"fig2",
                "P = 8 without swaps: KL < 1 near 4 10^6 sweeps (2 10^6 to 8 10^6)",
                {},
                "KL does not cross 1 in the time run"};
  if (!ours.contains({false, 8.0})) return target;
  const Curve& curve = ours.at({false, 8.0});
  for (std::size_t k = 1; k < curve.sweeps.size(); ++k) {
    const double before = std::log(curve.kl[k - 1].value), after = std::log(curve.kl[k].value);
    if (!(before >= 0.0 && after < 0.0)) continue;
    const double crossing = curve.sweeps[k - 1] * std::pow(2.0, before / (before - after));
    target.met = crossing >= 2e6 && crossing <= 8e6;
    target.found = fmt::format("crosses 1 at {:.2g} sweeps", crossing);
  }
  return target;
}

// ---- outputs ---------------------------------------------------------------------------------

svg::Series series_of(const Curve& curve, const std::string& name, int colour, svg::Marker marker,
                      svg::Dash dash) {
  svg::Series series;
  series.name = name;
  series.x = curve.sweeps;
  for (const Estimate& kl : curve.kl) {
    series.y.push_back(kl.value);
    series.low.push_back(kl.low);
    series.high.push_back(kl.high);
  }
  series.colour = colour;
  series.marker = marker;
  series.dash = dash;
  return series;
}

svg::Series independent(const Schedule& schedule) {
  svg::Series line;
  line.name = "independent samples";
  for (std::uint64_t t : schedule.times) {
    line.x.push_back(static_cast<double>(t));
    line.y.push_back(31.0 / 2.0 * kCadence / static_cast<double>(t));
  }
  line.colour = 5;
  line.dash = svg::Dash::dotted;
  line.width = 1.2;
  return line;
}

void plot(const Experiment& experiment, const Schedule& schedule, const std::map<Key, Curve>& ours,
          const std::map<Key, Curve>& theirs) {
  svg::Plot plot;
  plot.width = 720;
  plot.height = 460;
  plot.label_curves = true;
  plot.x = {"sweeps t", svg::Scale::log, {}, {}};
  plot.y = {"KL divergence (nats)", svg::Scale::log, {}, {}};
  plot.title = "Full adder, two copies, beta = 1, P = 8";
  const auto add = [&](const std::map<Key, Curve>& from, Key key, const std::string& name,
                       int colour, svg::Marker marker, svg::Dash dash) {
    if (from.contains(key))
      plot.series.push_back(series_of(from.at(key), name, colour, marker, dash));
  };
  add(ours, {true, 8.0}, "P-swaps, ours", 0, svg::Marker::circle, svg::Dash::solid);
  add(ours, {false, 8.0}, "no swaps, ours", 1, svg::Marker::square, svg::Dash::solid);
  add(theirs, {true, 8.0}, "P-swaps, published", 2, svg::Marker::triangle, svg::Dash::dashed);
  add(theirs, {false, 8.0}, "no swaps, published", 3, svg::Marker::diamond, svg::Dash::dashed);
  plot.series.push_back(independent(schedule));
  const std::string how = fmt::format(
      "Kullback-Leibler divergence of all samples so far (one per 500 sweeps) from the exact "
      "Boltzmann distribution; mean of {} chains, bands: 95\u00a0% intervals. Independent samples: "
      "(2^5 - 1) / (2 t). Device: {}.",
      schedule.chains, kind_of(experiment.options().device));
  plot.caption = how;
  experiment.write("fig2c.svg", svg::standalone(svg::render(plot)));

  plot.series.clear();
  plot.title = "Full adder, two copies, beta = 1: every column, with P-swaps";
  const svg::Marker markers[] = {svg::Marker::diamond, svg::Marker::triangle, svg::Marker::square,
                                 svg::Marker::circle};
  for (int k = 0; k < 4; ++k) {
    const double penalty = kPenalties[k];
    add(ours, {true, penalty}, fmt::format("P = {}", penalty), k, markers[k], svg::Dash::solid);
    add(theirs, {true, penalty}, fmt::format("P = {}, published", penalty), k, svg::Marker::none,
        svg::Dash::dashed);
  }
  plot.series.push_back(independent(schedule));
  plot.caption = how +
                 " Columns with a small P sample another distribution (broken chains count by "
                 "their first copy), so their curves level off.";
  experiment.write("fig2c_columns.svg", svg::standalone(svg::render(plot)));
}

Table to_table(const std::map<Key, Curve>& curves) {
  Table table({"mode", "penalty", "sweeps", "chains", "kl", "ci_low", "ci_high"});
  for (const auto& [key, curve] : curves) {
    for (std::size_t k = 0; k < curve.sweeps.size(); ++k) {
      const Estimate& kl = curve.kl[k];
      table.add({key.first ? "swap" : "noswap", cell(key.second), cell(curve.sweeps[k]),
                 fmt::format("{}", kl.count), cell(kl.value), cell(kl.low), cell(kl.high)});
    }
  }
  return table;
}

std::string markdown(const std::map<Key, Curve>& ours, const std::map<Key, Curve>& theirs) {
  Table table({"sweeps", "P = 8, swaps", "published", "P = 6, swaps", "published",
               "P = 8, no swaps", "published"});
  if (!ours.contains({true, 8.0}) || !ours.contains({false, 8.0})) return "";
  const auto at = [](const std::map<Key, Curve>& from, Key key, double sweeps) -> std::string {
    if (!from.contains(key)) return "";
    const Curve& curve = from.at(key);
    for (std::size_t k = 0; k < curve.sweeps.size(); ++k) {
      if (curve.sweeps[k] == sweeps) return with_interval(curve.kl[k]);
    }
    return "";
  };
  for (double sweeps : ours.at({true, 8.0}).sweeps) {
    if (sweeps < 8000) continue;
    table.add({fmt::format("{}", sweeps), at(ours, {true, 8.0}, sweeps),
               at(theirs, {true, 8.0}, sweeps), at(ours, {true, 6.0}, sweeps),
               at(theirs, {true, 6.0}, sweeps), at(ours, {false, 8.0}, sweeps),
               at(theirs, {false, 8.0}, sweeps)});
  }
  return table.markdown();
}

}  // namespace

Outcome reproduce_fig2(const ExperimentOptions& given, const std::atomic<bool>& stop,
                       const TaskObserver& observer) {
  ExperimentOptions options = given;
  const std::string kind = kind_of(options.device);
  if (kind == "uart" || kind == "hls") options.threads = 1;  // one board or kernel, one client
  const Schedule schedule = schedule_for(options);
  const std::string name = kind == "cpu" ? "fig2" : "fig2-" + kind;
  Experiment experiment(name, options,
                        fmt::format("fig2: version {}, seed {}, device {}, {} sweeps\n",
                                    CHAINMAIL_VERSION, options.seed, kind, schedule.times.back()),
                        stop, observer);
  std::vector<Task> tasks;
  for (std::size_t first = 0; first < schedule.chains; first += schedule.chains_of_task) {
    for (bool swaps : {true, false}) {
      tasks.push_back({key_of(swaps, first), first / schedule.chains_of_task, [&, swaps, first] {
                         return run_group(options, schedule, swaps, first, stop);
                       }});
    }
  }
  experiment.run(tasks);

  Outcome outcome;
  const std::map<Key, Curve> ours = gather(experiment, schedule, outcome);
  const std::map<Key, Curve> theirs = published_curves(options);
  if (ours.empty()) return outcome;
  experiment.write("fig2c.csv", to_table(ours).csv());
  plot(experiment, schedule, ours, theirs);
  outcome.targets = {within_bands(ours, theirs), slope_target(ours), crossing_target(ours)};
  if (kind != "cpu") outcome.targets.resize(1);
  for (Target& target : outcome.targets) target.figure = name;
  outcome.markdown = markdown(ours, theirs);
  return outcome;
}

}  // namespace chainmail::reproduce
