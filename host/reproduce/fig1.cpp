// Fig. 1: what happens on the grid. Energy relaxes along beta, the constraint along P; the swaps
// that let states travel are accepted about half the time everywhere.
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "generate/generate.hpp"
#include "grid/sampler.hpp"
#include "ladder/ladder_file.hpp"
#include "report/svg.hpp"
#include "reproduce/methods.hpp"
#include "reproduce/outcome.hpp"
#include "reproduce/table.hpp"
#include "support/random.hpp"

namespace chainmail::reproduce {

namespace {

constexpr std::size_t kSize = 50;
constexpr const char* kLadder = "ladder.json";

std::vector<std::uint64_t> times_of(const ExperimentOptions& options) {
  return doubling(50, options.sweeps > 0 ? options.sweeps : 25'600);
}

Problem problem_of(const ExperimentOptions& options) {
  GenerateOptions wanted;
  wanted.n = kSize;
  wanted.seed = 10000 * options.seed;
  return generate("wishart", wanted);
}

std::string key_of(std::size_t run) {
  return fmt::format("run{:03}.csv", run);
}

std::string cell_of(const AcceptanceTable& table, std::size_t row, std::size_t column) {
  return row < table.size() && column < table[row].size() ? cell(table[row][column]) : "";
}

// f and g of every cell, each a mean since the time before; acceptance over the whole run.
std::string run_grid(const Experiment& experiment, std::size_t number) {
  const ExperimentOptions& options = experiment.options();
  const Problem problem = problem_of(options);
  const Recipe& literal = recipe("literal");
  const Ladder ladder =
      ladder_from_json(experiment.record(kLadder).value(), experiment.record_path(kLadder));
  const Source source = source_of(problem);
  const auto device = open_device(source, literal.options);
  const Plan plan = chainmail::plan(source, on_ladder(literal, ladder), *device, experiment.stop());
  const std::size_t columns = ladder.columns(), cells = ladder.rows() * columns;
  const std::vector<std::uint64_t> times = times_of(options);
  SampleOptions run;
  run.sweeps_per_swap = plan.solve.sweeps_per_swap;
  run.swap_sets = plan.solve.swap_sets;
  run.warmup_rounds = 0;
  run.rounds = times.back() / run.sweeps_per_swap;
  run.seed = hash_of(options.seed, {0x66696731, number});
  Table table({"row", "column", "sweeps", "f", "g", "accept_beta", "accept_penalty"});
  std::vector<double> f(cells, 0.0), g(cells, 0.0);
  double rounds = 0.0;
  auto next = times.begin();
  sample(plan.embedding, plan.ladder, *device, run, experiment.stop(),
         [&](const SampleRound& round) {
           rounds += 1.0;
           for (std::size_t c = 0; c < cells; ++c) {
             const std::size_t replica = round.grid.replica_at(c / columns, c % columns);
             f[c] += round.burst.f[replica];
             g[c] += round.burst.g[replica];
           }
           if (round.number * run.sweeps_per_swap < *next) return;
           const AcceptanceTable beta = acceptance_beta(round.grid.statistics(), columns);
           const AcceptanceTable penalty = acceptance_penalty(round.grid.statistics(), columns);
           for (std::size_t c = 0; c < cells; ++c) {
             table.add({fmt::format("{}", c / columns), fmt::format("{}", c % columns),
                        fmt::format("{}", *next), cell(f[c] / rounds), cell(g[c] / rounds),
                        cell_of(beta, c / columns, c % columns),
                        cell_of(penalty, c / columns, c % columns)});
             f[c] = g[c] = 0.0;
           }
           rounds = 0.0;
           ++next;
         });
  return table.csv();
}

struct Cell {
  std::map<double, std::vector<double>> energy, g;  // by sweeps, one per run; energy is f + P g
  std::vector<double> accept_beta, accept_penalty;  // at the end
};
using Grid = std::map<std::pair<std::size_t, std::size_t>, Cell>;

Grid gather(const Experiment& experiment, std::size_t runs, const Ladder& ladder,
            Outcome& outcome) {
  Grid grid;
  const auto last = static_cast<double>(times_of(experiment.options()).back());
  for (std::size_t run = 0; run < runs; ++run) {
    const auto text = experiment.record(key_of(run));
    if (!text) {
      ++outcome.missing;
      continue;
    }
    const Table table = Table::parse(*text, experiment.record_path(key_of(run)));
    for (std::size_t k = 0; k < table.rows(); ++k) {
      const auto row = static_cast<std::size_t>(table.number(k, "row"));
      const auto column = static_cast<std::size_t>(table.number(k, "column"));
      Cell& at = grid[{row, column}];
      const double sweeps = table.number(k, "sweeps"), g = table.number(k, "g");
      at.energy[sweeps].push_back(table.number(k, "f") + ladder.penalty.at(column) * g);
      at.g[sweeps].push_back(g);
      if (sweeps != last) continue;
      if (const auto a = table.optional_number(k, "accept_beta")) at.accept_beta.push_back(*a);
      if (const auto a = table.optional_number(k, "accept_penalty"))
        at.accept_penalty.push_back(*a);
    }
  }
  return grid;
}

// ---- plots -----------------------------------------------------------------------------------

svg::Series curve_of(const std::map<double, std::vector<double>>& by_time, double unit,
                     double shift) {
  svg::Series series;
  for (const auto& [sweeps, values] : by_time) {
    const Estimate e = mean_of(values);
    series.x.push_back(sweeps);
    series.y.push_back((e.value - shift) / unit);
    series.low.push_back((e.low - shift) / unit);
    series.high.push_back((e.high - shift) / unit);
  }
  return series;
}

// Up to five of `count` indices, first and last among them.
std::vector<std::size_t> spread_over(std::size_t count) {
  const std::size_t wanted = std::min<std::size_t>(5, count);
  std::vector<std::size_t> chosen;
  chosen.reserve(wanted);
  for (std::size_t k = 0; k < wanted; ++k) {
    chosen.push_back(wanted == 1 ? 0 : k * (count - 1) / (wanted - 1));
  }
  return chosen;
}

void style(svg::Series& series, std::size_t k) {
  constexpr svg::Marker kMarkers[] = {svg::Marker::circle, svg::Marker::square,
                                      svg::Marker::triangle, svg::Marker::diamond,
                                      svg::Marker::cross};
  series.colour = static_cast<int>(k);
  series.marker = kMarkers[k % 5];
}

void plot_relaxation(const Experiment& experiment, const Grid& grid, const Ladder& ladder,
                     const Problem& problem, std::size_t runs) {
  svg::Plot plot;
  plot.width = 700;
  plot.height = 420;
  plot.label_curves = true;
  plot.x = {"sweeps t", svg::Scale::log, {}, {}};
  plot.y = {"(E - E0) / N", svg::Scale::log, {}, {}};
  plot.title = fmt::format("Energy along beta, column P = {:.2f}", ladder.penalty.back());
  std::size_t k = 0;
  for (std::size_t row : spread_over(ladder.rows())) {
    svg::Series series = curve_of(grid.at({row, ladder.columns() - 1}).energy,
                                  static_cast<double>(kSize), *problem.known_optimum);
    series.name = fmt::format("beta = {:.2f}", ladder.beta[row]);
    style(series, k++);
    plot.series.push_back(std::move(series));
  }
  const std::string how = fmt::format(
      "Planted Wishart problem, N = {}, alpha = 0.75, three copies, swaps every 50 sweeps (literal "
      "2D-PT, {} x {} replicas); mean of {} runs since the point before, bands: 95\u00a0% "
      "intervals.",
      kSize, ladder.rows(), ladder.columns(), runs);
  plot.caption = how;
  experiment.write("fig1_energy.svg", svg::standalone(svg::render(plot)));

  plot.series.clear();
  plot.title = fmt::format("Constraint along P, row beta = {:.2f}", ladder.beta.back());
  plot.y = {"g (2 for each broken link)", svg::Scale::log, 1e-3, {}};
  k = 0;
  for (std::size_t column : spread_over(ladder.columns())) {
    svg::Series series = curve_of(grid.at({ladder.rows() - 1, column}).g, 1.0, 0.0);
    series.name = fmt::format("P = {:.2f}", ladder.penalty[column]);
    style(series, k++);
    plot.series.push_back(std::move(series));
  }
  experiment.write("fig1_constraint.svg", svg::standalone(svg::render(plot)));
}

void plot_map(const Experiment& experiment, const Grid& grid, const Ladder& ladder,
              const std::string& file, svg::HeatMap map,
              const std::function<double(const Cell&)>& value) {
  map.x_label = "penalty P";
  map.y_label = "inverse temperature beta";
  for (double p : ladder.penalty) map.column_names.push_back(fmt::format("{:.2f}", p));
  for (double b : ladder.beta) map.row_names.push_back(fmt::format("{:.2f}", b));
  for (std::size_t row = 0; row < ladder.rows(); ++row) {
    map.values.emplace_back();
    for (std::size_t column = 0; column < ladder.columns(); ++column) {
      map.values.back().push_back(value(grid.at({row, column})));
    }
  }
  experiment.write(file, svg::standalone(svg::render(map)));
}

void plot_maps(const Experiment& experiment, const Grid& grid, const Ladder& ladder,
               const Problem& problem) {
  svg::HeatMap map;
  map.caption =
      fmt::format("Over the second half of {} sweeps.", times_of(experiment.options()).back());
  map.title = map.value_label = "(E - E0) / N";
  plot_map(experiment, grid, ladder, "fig1_map_energy.svg", map, [&](const Cell& c) {
    return (mean_of(c.energy.rbegin()->second).value - *problem.known_optimum) /
           static_cast<double>(kSize);
  });
  map.title = "Broken links: mean g";
  map.value_label = "g";
  map.scale = svg::Scale::log;
  plot_map(experiment, grid, ladder, "fig1_map_g.svg", map,
           [](const Cell& c) { return mean_of(c.g.rbegin()->second).value; });
  map.scale = svg::Scale::linear;
  map.from = 0.0;
  map.to = 1.0;
  map.mark_below = 0.1;
  map.value_label = "acceptance";
  map.caption = "Share of accepted swaps over the whole run; below 10 % in a dashed frame.";
  map.title = "Swaps with the next beta";
  plot_map(experiment, grid, ladder, "fig1_map_accept_beta.svg", map,
           [](const Cell& c) { return mean_of(c.accept_beta).value; });
  map.title = "Swaps with the next P";
  plot_map(experiment, grid, ladder, "fig1_map_accept_penalty.svg", map,
           [](const Cell& c) { return mean_of(c.accept_penalty).value; });
}

Table to_table(const Grid& grid, const Ladder& ladder) {
  Table table({"row", "column", "beta", "penalty", "sweeps", "energy", "energy_low", "energy_high",
               "g", "g_low", "g_high", "accept_beta", "accept_penalty"});
  for (const auto& [at, c] : grid) {
    for (const auto& [sweeps, energies] : c.energy) {
      const Estimate energy = mean_of(energies), g = mean_of(c.g.at(sweeps));
      table.add({fmt::format("{}", at.first), fmt::format("{}", at.second),
                 cell(ladder.beta[at.first]), cell(ladder.penalty[at.second]), cell(sweeps),
                 cell(energy.value, 6), cell(energy.low, 6), cell(energy.high, 6), cell(g.value, 6),
                 cell(g.low, 6), cell(g.high, 6), cell(mean_of(c.accept_beta).value, 4),
                 cell(mean_of(c.accept_penalty).value, 4)});
    }
  }
  return table;
}

}  // namespace

Outcome reproduce_fig1(const ExperimentOptions& options, const std::atomic<bool>& stop,
                       const TaskObserver& observer) {
  const std::size_t runs = options.instances > 0 ? options.instances : options.full ? 200 : 40;
  Experiment experiment(
      "fig1", options,
      fmt::format("fig1: version {}, seed {}, N {}, {} sweeps\n", CHAINMAIL_VERSION, options.seed,
                  kSize, times_of(options).back()),
      stop, observer);
  const Problem problem = problem_of(options);
  experiment.expect(0.0, 0.1);
  const auto make_ladder = [&] {
    const Recipe& literal = recipe("literal");
    return ladder_to_json(ladder_for(problem, literal, options.seed, stop));
  };
  experiment.run_everywhere({{kLadder, 0, make_ladder}});
  Outcome outcome;
  const auto saved = experiment.record(kLadder);
  if (!saved) {  // stopped before the first run
    outcome.missing = runs + 1;
    return outcome;
  }
  const Ladder ladder = ladder_from_json(*saved, experiment.record_path(kLadder));
  std::vector<Task> tasks;
  tasks.reserve(runs);
  for (std::size_t run = 0; run < runs; ++run) {
    tasks.push_back({key_of(run), run, [&experiment, run] { return run_grid(experiment, run); }});
  }
  experiment.expect(0.1, 1.0);
  experiment.run(tasks);

  const Grid grid = gather(experiment, runs, ladder, outcome);
  if (grid.empty()) return outcome;
  experiment.write("fig1.csv", to_table(grid, ladder).csv());
  plot_relaxation(experiment, grid, ladder, problem, runs - outcome.missing);
  plot_maps(experiment, grid, ladder, problem);
  std::vector<double> beta, penalty;
  for (const auto& [at, c] : grid) {
    if (!c.accept_beta.empty()) beta.push_back(mean_of(c.accept_beta).value);
    if (!c.accept_penalty.empty()) penalty.push_back(mean_of(c.accept_penalty).value);
  }
  Table table({"swaps along", "pairs", "mean acceptance", "weakest pair", "strongest pair"});
  for (const auto& [name, all] : {std::pair{"beta", &beta}, std::pair{"P", &penalty}}) {
    table.add({name, fmt::format("{}", all->size()), cell(mean_of(*all).value, 3),
               cell(quantile(*all, 0.0), 3), cell(quantile(*all, 1.0), 3)});
  }
  outcome.markdown = table.markdown();
  return outcome;
}

}  // namespace chainmail::reproduce
