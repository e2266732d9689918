// Verdicts on curves whose answer is known: slopes, crossings, bands and comparisons as they were
// written into the records.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

#include "../temporary_folder.hpp"
#include "reproduce/fig3_plots.hpp"
#include "reproduce/fig3_targets.hpp"
#include "reproduce/table.hpp"
#include "support/atomic_file.hpp"

using namespace chainmail;
using namespace chainmail::reproduce;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

const std::atomic<bool> kGoOn{false};

// ---- fig2: KL over sweeps ----------------------------------------------------------------------

using Law = std::function<double(double)>;  // KL after so many sweeps

void write_chains(const TemporaryFolder& folder, const std::string& name, const Law& law,
                  std::uint64_t last) {
  Table table({"chain", "penalty", "sweeps", "kl"});
  for (const char* penalty : {"2", "4", "6", "8"})
    for (std::uint64_t t : doubling(500, last))
      for (const char* chain : {"0", "1"})
        table.add({chain, penalty, fmt::format("{}", t), cell(law(static_cast<double>(t)), 9)});
  fs::create_directories(folder.path / "fig2/records");
  write_file(folder.file("fig2/records/" + name + "-chain000.csv"), table.csv());
}

void write_published_chains(const TemporaryFolder& folder, const Law& upper, std::uint64_t last) {
  Table table({"mode", "penalty", "sweeps", "kl", "ci_low", "ci_high"});
  for (const char* mode : {"swap", "noswap"})
    for (const char* penalty : {"6", "8"})
      for (std::uint64_t t : doubling(500, last)) {
        const double high = upper(static_cast<double>(t));
        table.add({mode, penalty, fmt::format("{}", t), cell(0.9 * high, 9), cell(0.8 * high, 9),
                   cell(high, 9)});
      }
  write_file(folder.file("full_adder_kl.csv"), table.csv());
}

// The verdicts on these laws: within the band, slope, crossing.
std::vector<Target> fig2_verdicts(const Law& swap, const Law& no_swap, const Law& upper,
                                  std::uint64_t last = 32'768'000) {
  const TemporaryFolder folder;
  write_chains(folder, "swap", swap, last);
  write_chains(folder, "noswap", no_swap, last);
  write_published_chains(folder, upper, last);
  ExperimentOptions options;
  options.out = options.reference = folder.path.string();
  options.instances = 2;
  options.run = false;
  const Outcome outcome = reproduce_fig2(options, kGoOn, {});
  CHECK(outcome.missing == 0);
  CHECK(outcome.targets.size() == 3);
  CHECK_THAT(read_file(folder.file("fig2/fig2c.svg")), Contains("P-swaps, published"));
  return outcome.targets;
}

// ---- fig3: rho over sweeps ---------------------------------------------------------------------

WishartPlan plan_of(std::vector<std::size_t> sizes) {
  WishartPlan plan;
  plan.sizes = sizes;
  plan.compared = std::move(sizes);
  plan.times = doubling(100, 204'800);
  return plan;
}

// rho = 0.3 (1 + x / 500)^-0.4 with x = t (N / 60)^-6, times the instance's own factor.
double master(double size, double sweeps) {
  return 0.3 / std::pow(1.0 + sweeps * std::pow(size / 60.0, -6.0) / 500.0, 0.4);
}

std::vector<InstanceCurve> instances_of(const WishartPlan& plan, std::size_t size, double factor) {
  std::vector<InstanceCurve> all;
  for (std::size_t k = 0; k < 4; ++k) {
    InstanceCurve curve;
    curve.instance = k;
    curve.feasible_share = 1.0;
    for (std::uint64_t t : plan.times) {
      const double own = factor * (1.0 + 0.02 * (static_cast<double>(k) - 1.5));
      curve.answer.push_back(own * master(static_cast<double>(size), static_cast<double>(t)));
      curve.best.push_back(0.5 * curve.answer.back());
      curve.feasible.push_back(1.0);
    }
    all.push_back(std::move(curve));
  }
  return all;
}

void write_published_residuals(const TemporaryFolder& folder) {
  Table table({"method", "n", "sweeps", "rho", "ci_low", "ci_high"});
  for (const char* method : {"2dpt", "jcolumn"})
    for (const double size : {40.0, 60.0, 100.0})
      for (std::uint64_t t : doubling(3200, 102'400)) {
        const double rho = master(size, static_cast<double>(t));
        table.add({method, cell(size), fmt::format("{}", t), cell(rho, 9), cell(0.98 * rho, 9),
                   cell(1.02 * rho, 9)});
      }
  write_file(folder.file("wishart_residual.csv"), table.csv());
}

const Target& target(const std::vector<Target>& all, const std::string& part) {
  for (const Target& t : all)
    if (t.what.find(part) != std::string::npos) return t;
  FAIL("no target about " << part);
  return all.front();
}

}  // namespace

TEST_CASE("verdicts are said in words") {
  CHECK(verdicts({{"fig2", "slope", true, "-1"},
                  {"fig2", "band", false, "1.2 times"},
                  {"fig3", "mu", {}, "runs are missing"}}) ==
        "met: fig2: slope: -1\n"
        "not met: fig2: band: 1.2 times\n"
        "not judged: fig3: mu: runs are missing\n");
  CHECK(with_interval({0.0125, 0.01, 0.015, 9}) == "0.0125 [0.01, 0.015]");
}

TEST_CASE("fig2: laws that were written into the records are found in the verdicts") {
  const Law falls = [](double t) { return 1000.0 / t; };
  const Law crosses = [](double t) { return 4e6 / t; };
  const Law above = [](double t) { return 1250.0 / t; };
  const auto good = fig2_verdicts(falls, crosses, above);
  CHECK(good[0].met == true);
  // Two penalties, times 16,000 to 32,768,000.
  CHECK_THAT(good[0].found, Contains("24 points, at most 0.80 times the band's upper edge"));
  CHECK(good[1].met == true);
  CHECK(good[1].found == "P = 6: -1.000, P = 8: -1.000");
  CHECK(good[2].met == true);
  CHECK(good[2].found == "crosses 1 at 4e+06 sweeps");

  const auto bad = fig2_verdicts([](double t) { return 100.0 / std::sqrt(t); },
                                 [](double t) { return 16e6 / t; }, falls);
  CHECK(bad[0].met == false);
  CHECK_THAT(bad[0].found, Contains("(at 3.2768e+07 sweeps)"));
  CHECK(bad[1].met == false);
  CHECK(bad[1].found == "P = 6: -0.500, P = 8: -0.500");
  CHECK(bad[2].met == false);
  CHECK(bad[2].found == "crosses 1 at 1.6e+07 sweeps");

  const auto flat = fig2_verdicts(
      falls, [](double) { return 2.0; }, above);
  CHECK_FALSE(flat[2].met);
  CHECK(flat[2].found == "KL does not cross 1 in the time run");
}

TEST_CASE("fig2 on a kernel has a folder of its own and one target") {
  const TemporaryFolder folder;
  ExperimentOptions options;
  options.out = folder.path.string();
  options.device = "hls:5x2";
  options.instances = 4;
  options.sweeps = 2000;
  const Outcome outcome = reproduce_fig2(options, kGoOn, {});
  CHECK(outcome.missing == 0);
  REQUIRE(outcome.targets.size() == 1);
  CHECK(outcome.targets[0].figure == "fig2-hls");
  // All chains in one task, and no sample of theirs from the CPU.
  CHECK(fs::exists(folder.path / "fig2-hls/records/swap-chain000.csv"));
  const Table table = Table::read(folder.file("fig2-hls/fig2c.csv"));
  CHECK(table.rows() == 2 * 4 * 3);  // modes, penalties, 500 to 2,000 sweeps
  for (std::size_t row = 0; row < table.rows(); ++row) CHECK(table.number(row, "chains") == 4);
}

TEST_CASE("fig3: targets and exponents of curves with a known law") {
  const TemporaryFolder folder;
  write_published_residuals(folder);
  ExperimentOptions options;
  options.out = options.reference = folder.path.string();
  const WishartPlan plan = plan_of({40, 60, 100});
  Runs runs;
  for (std::size_t size : plan.sizes) {
    runs[{"standard", size}] = instances_of(plan, size, 0.5);
    runs[{"jcolumn_scanned", size}] = instances_of(plan, size, 0.6);
    runs[{"chain", size}] = instances_of(plan, size, 1e-12);
  }
  const std::vector<CollapseRow> collapse = collapse_all(runs, plan, 1);
  for (const CollapseRow& row : collapse) {
    if (row.recipe == "chain") continue;  // solved at once: nothing to scale
    INFO(row.recipe << " " << row.quantity);
    REQUIRE(row.mu);
    CHECK(row.mu->value == Approx(6.0).margin(0.3));
    CHECK(row.mu->low <= row.mu->value);
    CHECK(row.mu->high >= row.mu->value);
  }
  const auto comparison = compare(runs, plan, "standard", "jcolumn_scanned");
  const auto met = fig3_targets(runs, plan, comparison, collapse, options);
  CHECK(target(met, "at or below the published").met == true);
  CHECK_THAT(target(met, "at or below the published").found,
             Contains("18 points, at most 0.50 times the published"));
  CHECK(target(met, "a quarter of the sweeps").met == true);
  CHECK_THAT(target(met, "a quarter of the sweeps").found, Contains("N = 60: 25600 (1/4.0)"));
  CHECK(target(met, "pilot not counted").met == true);
  CHECK(target(met, "pilot counted").met == true);
  CHECK(target(met, "chain moves: N = 40, 60 solved").met == true);
  CHECK_THAT(target(met, "chain moves: N = 40, 60 solved").found, Contains("N = 100: 4/4"));
  CHECK_FALSE(target(met, "PT, no copies").met);
  CHECK(target(met, "answer replica feasible").met == true);
  CHECK_THAT(target(met, "mu with its interval").found, Contains("2D-PT, default (answer): 6"));

  // The plots of all that, beside the published curves.
  const Experiment experiment("fig3", options, "settings\n", kGoOn, {});
  plot_fig3(experiment, plan, runs, {}, collapse);
  CHECK_THAT(read_file(folder.file("fig3/fig3_standard.svg")), Contains("published curve"));
  CHECK_THAT(read_file(folder.file("fig3/fig3_methods_n100.svg")), Contains("2D-PT, published"));
  CHECK_THAT(read_file(folder.file("fig3/fig3_collapse_standard_answer.svg")),
             Contains("collapse with mu = 6"));
}

TEST_CASE("fig3: targets that are missed say where and by how much") {
  const TemporaryFolder folder;
  write_published_residuals(folder);
  ExperimentOptions options;
  options.reference = folder.path.string();
  const WishartPlan plan = plan_of({40, 60, 100});
  Runs runs;
  for (std::size_t size : plan.sizes) {
    runs[{"standard", size}] = instances_of(plan, size, 1.5);
    runs[{"jcolumn_scanned", size}] = instances_of(plan, size, 1.0);
    runs[{"chain", size}] = instances_of(plan, size, 1.0);
    for (InstanceCurve& curve : runs[{"standard", size}]) {
      curve.feasible_share = 0.9;
      curve.pilot = 2000.0;  // longer than the first time of the comparison
    }
  }
  const auto comparison = compare(runs, plan, "standard", "jcolumn_scanned");
  const auto missed = fig3_targets(runs, plan, comparison, {}, options);
  CHECK(target(missed, "at or below the published").met == false);
  CHECK_THAT(target(missed, "at or below the published").found, Contains("at most 1.50 times"));
  CHECK(target(missed, "a quarter of the sweeps").met == false);
  CHECK(target(missed, "pilot not counted").met == false);
  CHECK_THAT(target(missed, "pilot not counted").found,
             Contains("0 of 24 points") && Contains("above: N = 40, t = 1600: +"));
  CHECK_THAT(target(missed, "pilot counted").found,
             Contains("; 3 further points lie before the end of its pilot"));
  CHECK(target(missed, "chain moves: N = 40, 60 solved").met == false);
  CHECK_THAT(target(missed, "chain moves: N = 40, 60 solved").found, Contains("N = 40: 0/4"));
  CHECK(target(missed, "answer replica feasible").met == false);
  CHECK_THAT(target(missed, "answer replica feasible").found, Contains("N = 60: 90.00 %"));
  CHECK_FALSE(target(missed, "mu with its interval").met);

  // Nothing at all: nothing is judged.
  for (const Target& t : fig3_targets({}, plan, {}, {}, {})) CHECK_FALSE(t.met);
}

TEST_CASE("recipes are found by name, and ladders are shared by name") {
  CHECK(ladder_name(recipe("literal")) == ladder_name(recipe("jcolumn_mean")));
  CHECK(ladder_name(recipe("standard")) == ladder_name(recipe("jcolumn_scanned")));
  CHECK(ladder_name(recipe("chain")) == "rigid");
  CHECK(ladder_name(recipe("dense")) == "dense");
  CHECK_THROWS_WITH(recipe("other"), "no recipe other");
}
