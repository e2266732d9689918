// MIMO detection: bit error rate against signal-to-noise ratio for 2D-PT through two copies, one
// column of it, plain PT without copies, the linear detectors and, where every state can be
// visited, maximum likelihood.
//
// Such a short run has no time to carry states along a ladder: what counts is how many replicas are
// where feasible states are found. Single moves through two copies get a narrow grid, given in
// units of a p-bit's field in the channel at hand (chosen on the channels of seeds 1 to 3000).
// Without copies, or with chains that turn over whole, one ladder serves all channels of a size and
// an SNR: it is found on a channel that is not among them, as a receiver would ahead of time, and
// its cost is not counted. Whole chains get as many columns of it as make the replicas of the chip.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>

#include "ladder/ladder_file.hpp"
#include "ladder/rigid.hpp"
#include "report/svg.hpp"
#include "reproduce/linear_detectors.hpp"
#include "reproduce/outcome.hpp"
#include "reproduce/table.hpp"
#include "run/plan.hpp"
#include "support/random.hpp"

namespace chainmail::reproduce {

namespace {

constexpr std::size_t kBlock = 50;  // channels of a record
constexpr std::size_t kTwoCopies = 2;
constexpr std::uint64_t kCadence = 1;  // sweeps between swaps: so short a run has no time to lose

enum class Rows { narrow, rigid, dense };
constexpr std::array kFound{Rows::rigid, Rows::dense};

std::string name_of(Rows found) {
  return found == Rows::rigid ? "rigid" : "dense";
}

struct Detector {
  const char* name;
  const char* label;
  std::size_t copies;
  Method method;
  const char* moves;
  Rows rows;
};
constexpr std::array<Detector, 4> kDetectors{{
    {"2dpt", "2D-PT, two copies", kTwoCopies, Method::two_dimensional, "single", Rows::narrow},
    {"column", "one column PT, two copies, P = mean", kTwoCopies, Method::pt, "single",
     Rows::narrow},
    {"chain", "2D-PT, two copies, chain moves", kTwoCopies, Method::two_dimensional, "chain",
     Rows::rigid},
    {"dense", "one column PT, no copies", 1, Method::pt, "single", Rows::dense},
}};

constexpr std::size_t kChipReplicas = 54;  // of the published chip
// Rows of the narrow ladder in units of 1 / (a p-bit's field): hotter ones break chains, in colder
// ones nothing moves.
constexpr double kHottest = 1.4, kColdest = 2.2;

struct Case {
  std::size_t antennas;
  std::size_t rows, columns;  // of the narrow ladder
  double loosest, tightest;   // its penalties, in units of a p-bit's field
  std::size_t channels;
  std::vector<std::uint64_t> budgets;  // sweeps
};

std::vector<Case> cases(const ExperimentOptions& options) {
  const auto channels = [&](std::size_t usual, std::size_t full) -> std::size_t {
    return options.instances > 0 ? options.instances : options.full ? full : usual;
  };
  std::vector<Case> all{{16, 6, 9, 0.9, 1.5, channels(1000, 20000), {5, 10, 20, 50, 100, 200}},
                        {64, 12, 20, 1.2, 2.0, channels(100, 2000), {50, 100, 200, 500, 1000}}};
  if (options.sweeps > 0) {
    for (Case& c : all) std::erase_if(c.budgets, [&](auto b) { return b > options.sweeps; });
  }
  return all;
}

constexpr std::array kSnr{0.0, 2.0, 4.0, 6.0, 8.0, 10.0};

MimoChannel channel_of(std::size_t antennas, double snr, std::uint64_t number) {
  GenerateOptions options;
  options.n = antennas;
  options.snr_db = snr;
  options.seed = number;
  return draw_mimo_channel(options);
}

std::uint64_t first_channel(const ExperimentOptions& options) {
  return 1'000'000 * options.seed;
}

std::string ladder_key(std::size_t antennas, double snr, Rows rows) {
  return fmt::format("ladder-{}-{}-snr{}.json", antennas, name_of(rows), snr);
}

std::string block_key(std::size_t antennas, double snr, std::size_t block) {
  return fmt::format("{}-snr{}/block{:04}.csv", antennas, snr, block);
}

PlanOptions one_thread(const std::string& moves) {
  PlanOptions options;
  options.device.threads = 1;
  options.device.precision = "lanes";
  options.device.moves = moves;
  options.stop_at_optimum = false;
  return options;
}

Ladder narrow_ladder(const Case& c, const Units& units) {
  Ladder ladder;
  for (std::size_t i = 0; i < c.rows; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(c.rows - 1);
    ladder.beta.push_back(kHottest * std::pow(kColdest / kHottest, share) / units.f);
  }
  for (std::size_t j = 0; j < c.columns; ++j) {
    const double share = static_cast<double>(j) / static_cast<double>(c.columns - 1);
    ladder.penalty.push_back((c.loosest + (c.tightest - c.loosest) * share) * units.f / units.g);
  }
  return ladder;
}

std::string make_ladder(const ExperimentOptions& options, const Case& c, double snr, Rows kind,
                        const std::atomic<bool>& stop) {
  // The last of a million seeds: no experiment has that many channels.
  const Problem problem =
      mimo_problem(channel_of(c.antennas, snr, first_channel(options) + 999'999));
  PlanOptions wanted = one_thread(kind == Rows::rigid ? "chain" : "single");
  wanted.copies = kind == Rows::dense ? 1 : kTwoCopies;
  wanted.ladder = kind == Rows::rigid ? LadderKind::rigid : LadderKind::window;
  wanted.method = Method::two_dimensional;
  wanted.seed = options.seed;
  const Source source = source_of(problem);
  Ladder ladder = plan(source, wanted, *open_device(source, wanted), stop).ladder;
  if (kind == Rows::rigid) {
    ladder = rigid_columns(ladder, std::max<std::size_t>(1, kChipReplicas / ladder.rows()));
  }
  return ladder_to_json(ladder);
}

std::size_t wrong_bits(const std::vector<Spin>& decided, const std::vector<Spin>& sent) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < sent.size(); ++i) wrong += decided[i] != sent[i] ? 1 : 0;
  return wrong;
}

// Errors and channels whose answer is at least as likely as any known state (the optimum where it
// is known, else what was sent), by detector and sweeps.
struct Count {
  std::size_t bits = 0, wrong = 0, channels = 0, likely = 0;
};
using Counts = std::map<std::pair<std::string, std::uint64_t>, Count>;

void judge(Counts& counts, const std::string& detector, std::uint64_t sweeps,
           const Problem& problem, const std::vector<Spin>& decided) {
  Count& count = counts[{detector, sweeps}];
  count.bits += problem.size();
  count.wrong += wrong_bits(decided, problem.reference_solution);
  ++count.channels;
  const double known =
      problem.known_optimum.value_or(problem.objective(problem.reference_solution));
  const double slack = 1e-9 * std::max(1.0, std::abs(known));
  if (problem.objective(decided) <= known + slack) ++count.likely;
}

std::string run_block(const Experiment& experiment, const Case& c, double snr, std::size_t block) {
  const ExperimentOptions& options = experiment.options();
  Counts counts;
  std::map<Rows, Ladder> ladders;
  for (Rows rows : kFound) {
    const std::string key = ladder_key(c.antennas, snr, rows);
    ladders[rows] = ladder_from_json(experiment.record(key).value(), experiment.record_path(key));
  }
  std::map<std::string, std::unique_ptr<Device>> devices;
  for (const char* moves : {"single", "chain"})
    devices[moves] = make_device(one_thread(moves).device);
  const std::size_t end = std::min((block + 1) * kBlock, c.channels);
  for (std::size_t k = block * kBlock; k < end && !experiment.stop(); ++k) {
    const MimoChannel channel = channel_of(c.antennas, snr, first_channel(options) + k);
    const Source source = source_of(mimo_problem(channel));
    const Problem& problem = source.problem();
    judge(counts, "zf", 0, problem, zero_forcing(channel));
    judge(counts, "mmse", 0, problem, minimum_mean_square(channel));
    if (problem.known_optimum) judge(counts, "ml", 0, problem, problem.known_solution);
    for (const Detector& detector : kDetectors) {
      PlanOptions wanted = one_thread(detector.moves);
      wanted.copies = detector.copies;
      wanted.method = detector.method;
      wanted.sweeps_per_swap = kCadence;
      wanted.swap_sets = SwapSets::all;
      wanted.hold_feasible = false;
      wanted.seed = hash_of(options.seed, {0x6d696d6f, c.antennas, k});
      Device& device = *devices.at(detector.moves);
      wanted.given_ladder = detector.rows == Rows::narrow
                                ? narrow_ladder(c, units_of(embed_on(device, source, wanted).model))
                                : ladders.at(detector.rows);
      const std::vector<TrialResult> found =
          best_at(c.budgets, plan(source, wanted, device, experiment.stop()), device);
      for (std::size_t b = 0; b < found.size(); ++b) {
        judge(counts, detector.name, c.budgets[b], problem, found[b].solution);
      }
    }
  }
  Table table({"detector", "sweeps", "bits", "wrong", "channels", "likely"});
  for (const auto& [key, count] : counts) {
    table.add({key.first, fmt::format("{}", key.second), fmt::format("{}", count.bits),
               fmt::format("{}", count.wrong), fmt::format("{}", count.channels),
               fmt::format("{}", count.likely)});
  }
  return table.csv();
}

std::map<double, Counts> gather(const Experiment& experiment, const Case& c, Outcome& outcome) {
  std::map<double, Counts> all;
  for (double snr : kSnr) {
    for (std::size_t block = 0; block * kBlock < c.channels; ++block) {
      const std::string key = block_key(c.antennas, snr, block);
      const auto text = experiment.record(key);
      if (!text) {
        ++outcome.missing;
        continue;
      }
      const Table table = Table::parse(*text, experiment.record_path(key));
      const auto whole = [&](std::size_t row, const char* name) {
        return static_cast<std::size_t>(table.number(row, name));
      };
      for (std::size_t row = 0; row < table.rows(); ++row) {
        Count& count = all[snr][{table.text(row, "detector"), whole(row, "sweeps")}];
        count.bits += whole(row, "bits");
        count.wrong += whole(row, "wrong");
        count.channels += whole(row, "channels");
        count.likely += whole(row, "likely");
      }
    }
  }
  return all;
}

// ---- outputs ---------------------------------------------------------------------------------

void add_rows(Table& table, const Case& c, const std::map<double, Counts>& all) {
  for (const auto& [snr, counts] : all) {
    for (const auto& [key, count] : counts) {
      const Estimate rate = share_of(count.wrong, count.bits);
      const Estimate likely = share_of(count.likely, count.channels);
      table.add({fmt::format("{}", c.antennas), cell(snr), key.first, fmt::format("{}", key.second),
                 fmt::format("{}", count.bits), cell(rate.value, 4), cell(rate.low, 4),
                 cell(rate.high, 4), cell(likely.value, 4), cell(likely.low, 4),
                 cell(likely.high, 4)});
    }
  }
}

svg::Series rate_series(const std::map<double, Counts>& all, const std::string& detector,
                        std::uint64_t sweeps, const std::string& name) {
  svg::Series series;
  series.name = name;
  for (const auto& [snr, counts] : all) {
    const auto found = counts.find({detector, sweeps});
    if (found == counts.end()) continue;
    const Estimate rate = share_of(found->second.wrong, found->second.bits);
    series.x.push_back(snr);
    series.y.push_back(rate.value);
    series.low.push_back(rate.low);
    series.high.push_back(rate.high);
  }
  return series;
}

void plot(const Experiment& experiment, const Case& c, const std::map<double, Counts>& all) {
  svg::Plot plot;
  plot.width = 720;
  plot.height = 480;
  plot.label_curves = true;
  plot.title = fmt::format("BPSK detection, {0} x {0} antennas", c.antennas);
  plot.x = {"signal-to-noise ratio (dB)", svg::Scale::linear, {}, {}};
  plot.y = {"bit error rate", svg::Scale::log, {}, {}};
  const std::uint64_t few = c.antennas == 16 ? 50 : c.budgets.front(), many = c.budgets.back();
  const auto add = [&](const std::string& detector, std::uint64_t sweeps, const std::string& name,
                       int colour, svg::Marker marker, svg::Dash dash, bool filled = false) {
    svg::Series series = rate_series(all, detector, sweeps, name);
    series.colour = colour;
    series.marker = marker;
    series.dash = dash;
    series.filled = filled;
    if (!series.x.empty()) plot.series.push_back(std::move(series));
  };
  add("zf", 0, "zero forcing", 4, svg::Marker::cross, svg::Dash::dotted);
  add("mmse", 0, "MMSE", 3, svg::Marker::diamond, svg::Dash::dashed);
  add("column", few, fmt::format("one column PT, {} sweeps", few), 2, svg::Marker::triangle,
      svg::Dash::dash_dot);
  add("2dpt", few, fmt::format("2D-PT, {} sweeps", few), 0, svg::Marker::circle, svg::Dash::solid);
  if (many != few) {
    add("2dpt", many, fmt::format("2D-PT, {} sweeps", many), 0, svg::Marker::square,
        svg::Dash::dashed);
  }
  add("dense", few, fmt::format("PT without copies, {} sweeps", few), 1, svg::Marker::diamond,
      svg::Dash::dotted, true);
  add("ml", 0, "maximum likelihood", 5, svg::Marker::none, svg::Dash::solid);
  plot.caption = fmt::format(
      "Real Rayleigh channels, unit signal power at each receiver; {} channels per point, "
      "bands: 95\u00a0% intervals (Clopper-Pearson). 2D-PT and one column PT run through "
      "two copies of each bit.",
      c.channels);
  experiment.write(fmt::format("mimo_{}.svg", c.antennas), svg::standalone(svg::render(plot)));
}

// Within the interval of maximum likelihood at every SNR.
bool as_good(const std::map<double, Counts>& all, const std::string& detector,
             std::uint64_t sweeps) {
  for (const auto& [snr, counts] : all) {
    const auto ml = counts.find({"ml", 0}), ours = counts.find({detector, sweeps});
    if (ml == counts.end() || ours == counts.end()) return false;
    const Estimate best = share_of(ml->second.wrong, ml->second.bits);
    const double rate = share_of(ours->second.wrong, ours->second.bits).value;
    if (rate > best.high) return false;
  }
  return true;
}

Target likelihood_target(const Case& c, const std::map<double, Counts>& all,
                         const Detector& detector) {
  Target target{"mimo",
                fmt::format("16 x 16, {}, at most {} replicas: bit error rate within the interval "
                            "of maximum likelihood in <= 50 sweeps",
                            detector.label, kChipReplicas),
                {},
                "runs are missing"};
  if (all.empty()) return target;
  target.met = false;
  target.found = fmt::format("it takes more than {} sweeps", c.budgets.back());
  for (std::uint64_t budget : c.budgets) {
    if (!as_good(all, detector.name, budget)) continue;
    target.met = budget <= 50;
    target.found = fmt::format("it takes {} sweeps at every SNR from {} to {} dB", budget,
                               kSnr.front(), kSnr.back());
    break;
  }
  return target;
}

std::string rate_table(const Case& c, const std::map<double, Counts>& all) {
  std::vector<std::string> header{fmt::format("{0} x {0}", c.antennas)};
  for (double snr : kSnr) header.push_back(fmt::format("{} dB", snr));
  Table table(header);
  const auto add = [&](const std::string& detector, std::uint64_t sweeps, const std::string& name) {
    std::vector<std::string> cells{name};
    bool some = false;
    for (double snr : kSnr) {
      const auto counts = all.find(snr);
      const bool there = counts != all.end() && counts->second.contains({detector, sweeps});
      some = some || there;
      cells.push_back(there ? with_interval(share_of(counts->second.at({detector, sweeps}).wrong,
                                                     counts->second.at({detector, sweeps}).bits),
                                            2)
                            : "");
    }
    if (some) table.add(std::move(cells));
  };
  add("zf", 0, "zero forcing");
  add("mmse", 0, "MMSE");
  add("ml", 0, "maximum likelihood");
  for (const Detector& detector : kDetectors) {
    for (std::uint64_t budget : c.budgets) {
      add(detector.name, budget, fmt::format("{}, {} sweeps", detector.label, budget));
    }
  }
  return table.markdown();
}

}  // namespace

Outcome reproduce_mimo(const ExperimentOptions& options, const std::atomic<bool>& stop,
                       const TaskObserver& observer) {
  const std::vector<Case> all = cases(options);
  std::string settings =
      fmt::format("mimo: version {}, seed {}, {} sweeps at most, {} channels a record\n",
                  CHAINMAIL_VERSION, options.seed, all.back().budgets.back(), kBlock);
  for (const Case& c : all) {
    settings +=
        fmt::format("{0} x {0}: rows {1} from {2} to {3}, P {4} from {5} to {6}\n", c.antennas,
                    c.rows, kHottest, kColdest, c.columns, c.loosest, c.tightest);
  }
  Experiment experiment("mimo", options, settings, stop, observer);
  std::vector<Task> ladders, blocks;
  for (const Case& c : all) {
    for (double snr : kSnr) {
      for (Rows rows : kFound) {
        ladders.push_back({ladder_key(c.antennas, snr, rows), 0, [&options, &c, snr, rows, &stop] {
                             return make_ladder(options, c, snr, rows, stop);
                           }});
      }
      for (std::size_t block = 0; block * kBlock < c.channels; ++block) {
        blocks.push_back({block_key(c.antennas, snr, block), block, [&experiment, &c, snr, block] {
                            return run_block(experiment, c, snr, block);
                          }});
      }
    }
  }
  experiment.expect(0.0, 0.03);
  experiment.run_everywhere(ladders);
  experiment.expect(0.03, 1.0);
  if (!stop && !experiment.out_of_time()) experiment.run(blocks);

  Outcome outcome;
  Table table({"antennas", "snr_db", "detector", "sweeps", "bits", "ber", "ber_low", "ber_high",
               "likely", "likely_low", "likely_high"});
  for (const Case& c : all) {
    const std::map<double, Counts> counts = gather(experiment, c, outcome);
    if (counts.empty()) continue;
    add_rows(table, c, counts);
    plot(experiment, c, counts);
    for (const Detector& detector : kDetectors) {
      const bool judged = c.antennas == 16 && detector.method == Method::two_dimensional;
      if (judged) outcome.targets.push_back(likelihood_target(c, counts, detector));
    }
    outcome.markdown += rate_table(c, counts) + "\n";
  }
  if (table.rows() > 0) experiment.write("mimo.csv", table.csv());
  return outcome;
}

}  // namespace chainmail::reproduce
