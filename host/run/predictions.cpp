#include "run/predictions.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>
#include <set>

#include "run/flight.hpp"
#include "support/counted.hpp"
#include "topology/topology.hpp"

namespace chainmail {

namespace {

// Latencies of an Alveo and a Kria: constraints/u55c.cfg, constraints/kv260.cfg.
constexpr BurstCosts card(double clock_hz) {
  return {60.0, 25.0, clock_hz, 1, 0.0, true};
}

// A ULX3S with 8x3 at 75 MHz and 3 Mbaud, 63 replicas: clocks of a round on the simulated line that
// are not the burst's (docs/lab/boards.md), and the millisecond that a USB port adds.
constexpr BurstCosts kSerial = {
    (192'379.0 + 285'169.0 - 277'200.0) / 75.0 + 1000.0, 0.0, 75e6, 1, 0.0, false};

// Of 32 rungs nine run a fifth of the sweeps (docs/flips.md).
constexpr double kFlipDraws = 1000.0 * (23.0 + 9.0 / 5.0);

constexpr std::array kPredictions = {
    Prediction{"u55c", "100x3", 99'315, card(250e6), 108, 3, 50, 108, 108.0 * 300.0, 6},
    Prediction{"u55c", "1024-flips-w64", 51'933, card(250e6), 32, 1, 50, 2'122, kFlipDraws, 1},
    Prediction{"u55c", "lattice-10x10x10", 0, card(250e6), 320, 3, 50, 320, 320e3, 1},
    Prediction{"kv260", "64x3", 56'154, card(200e6), 108, 4, 50, 108, 108.0 * 192.0, 1},
    Prediction{"ulx3s", "8x3-b17-r64", 12'076, kSerial, 63, 1, 4'400, 63, 63.0 * 24.0, 1},
};

// Sweeps that a ladder takes on the CPU with a board's options (docs/predictions.md): medians.
const std::vector<PredictedTarget> kTargets = {
    {"SK of 8 spins in 3 copies, optimum", {50, 0, 0, 50, 4'400}},
    {"Wishart of 32 spins in 3 copies, optimum", {750, 0, 0, 750, 0}},
    {"dense ±1 of 1,000 spins, .1 % above the best known", {0, 30.9 * 50.0, 0, 0, 0}},
    {"±1 lattice 10³, -1,788", {0, 0, 12'550, 0, 0}},
};

std::string milliseconds(double seconds) {
  return fmt::format("{:.3g} ms", 1e3 * seconds);
}

std::string percent(double share) {
  return fmt::format("{:.0f} %", 100.0 * share);
}

std::string thousands(double value) {
  return count_text(static_cast<std::uint64_t>(std::llround(value)));
}

}  // namespace

double Prediction::updates_per_ns() const {
  return 1e-9 * updates * costs.clock_hz / clocks;
}

double Prediction::idle() const {
  BurstCosts effective = costs;  // as if a sweep of a replica took one clock
  effective.clock_hz *= static_cast<double>(replicas) / clocks;
  return projected_idle(effective, grids, replicas, sweeps);
}

double Prediction::burst_seconds() const {
  return static_cast<double>(grids * sweeps) * clocks / costs.clock_hz / (1.0 - idle());
}

std::span<const Prediction> predictions() {
  return kPredictions;
}

const std::vector<PredictedTarget>& predicted_targets() {
  return kTargets;
}

std::vector<std::string> prediction_rows() {
  std::vector<std::string> rows;
  rows.reserve(std::size(kPredictions));
  for (const Prediction& p : kPredictions) {
    rows.push_back(fmt::format(
        "| `{}` | `{}` | {} | {} | {:.0f} MHz | {} | {:.3g} | {} × {}, {} | {} | {:.3g} |", p.board,
        p.kernel, p.cells > 0.0 ? thousands(p.cells) : "not known", p.units,
        1e-6 * p.costs.clock_hz, thousands(p.clocks), p.updates_per_ns(), p.grids, p.replicas,
        count_text(p.sweeps), percent(p.idle()), (1.0 - p.idle()) * p.updates_per_ns()));
  }
  return rows;
}

std::vector<std::string> target_rows() {
  std::vector<std::string> rows;
  for (const PredictedTarget& target : kTargets) {
    std::string row = fmt::format("| {} |", target.problem);
    for (std::size_t k = 0; k < kPredictions.size(); ++k) {
      const Prediction& p = kPredictions[k];
      const double bursts = std::ceil(target.sweeps[k] / static_cast<double>(p.sweeps));
      row += target.sweeps[k] > 0.0 ? fmt::format(" {} |", milliseconds(bursts * p.burst_seconds()))
                                    : std::string(" |");
    }
    rows.push_back(row);
  }
  return rows;
}

std::vector<SelftestCheck> compare_with_prediction(Device& device) {
  const Topology& topology = *device.topology();
  const double clock = device.costs() != nullptr ? device.costs()->clock_hz : 0.0;
  const Prediction* found = nullptr;
  std::string known;
  for (const Prediction& p : kPredictions) {
    known += fmt::format("{}{} on {}", known.empty() ? "" : ", ", p.kernel, p.board);
    const bool same_clock = clock == 0.0 || std::abs(clock / p.costs.clock_hz - 1.0) < 0.01;
    if (topology.name == p.kernel && (same_clock || found == nullptr)) found = &p;
  }
  if (found == nullptr) {
    return {{"compare",
             fmt::format("nothing was predicted for {}, only for {}", topology.name, known), true}};
  }
  if (topology.options.flips) {
    return {{"compare",
             "the time of a flip kernel depends on how many spins flip: compare it by solving the "
             "problem of docs/predictions.md",
             true}};
  }
  const Embedding embedding =
      embed(sample_problem(topology, topology.options.logical, 5), topology);
  device.load(embedding.model, {found->grids, found->replicas, 1, 0.01, 0.1, 1.0});
  const std::vector<Parameters> parameters(found->replicas, device.quantise({0.1, 0.1}));
  std::set<std::size_t> units;
  for (std::size_t grid = 0; grid < found->grids; ++grid) units.insert(device.driver_of(grid));
  using Clock = std::chrono::steady_clock;
  double seconds = 0.0, bursts = 0.0;
  for (std::uint64_t round = 0; seconds < 0.3; ++round) {
    const auto start = Clock::now();
    for (std::size_t grid = 0; grid < found->grids; ++grid)
      device.submit(grid, parameters, found->sweeps, round);
    for (std::size_t grid = 0; grid < found->grids; ++grid) device.wait(grid);
    seconds += std::chrono::duration<double>(Clock::now() - start).count();
    bursts += static_cast<double>(found->grids);
  }
  const double rate = 1e-9 * bursts * static_cast<double>(found->sweeps) * found->updates / seconds;
  const double predicted =
      (1.0 - found->idle()) * found->updates_per_ns() * static_cast<double>(units.size());
  std::vector<SelftestCheck> lines;
  const auto line = [&](const char* what, const std::string& measured, const std::string& text) {
    lines.push_back({"compare",
                     fmt::format("{:<24} measured {:<10} predicted {}", what, measured, text),
                     true});
  };
  line("updates per ns", fmt::format("{:.3g}", rate),
       fmt::format("{:.3g} ({} of {})", predicted, percent(rate / predicted), found->board));
  line("burst of a grid, ms",
       fmt::format("{:.3g}", 1e3 * seconds / bursts * static_cast<double>(found->grids)),
       fmt::format("{:.3g}", 1e3 * found->burst_seconds() / static_cast<double>(units.size())));
  const double full = found->updates_per_ns() * static_cast<double>(units.size());
  line("idle share", percent(std::max(0.0, 1.0 - rate / full)), percent(found->idle()));
  return lines;
}

}  // namespace chainmail
