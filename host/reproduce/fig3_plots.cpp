#include "reproduce/fig3_plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/svg.hpp"

namespace chainmail::reproduce {

namespace {

using svg::Dash;
using svg::Marker;
using svg::Plot;
using svg::Scale;
using svg::Series;

constexpr double kFloor = 5e-4;  // of rho on a log axis; solved instances lie on it

struct Look {
  int colour;
  Marker marker;
  Dash dash;
  bool filled = false;
};

// Sizes and methods are told apart by marker first, then by its fill, dash and colour.
Look look(std::size_t index) {
  constexpr std::array kMarkers{Marker::circle, Marker::square, Marker::triangle, Marker::diamond,
                                Marker::cross};
  constexpr std::array kDashes{Dash::solid, Dash::dashed, Dash::dash_dot};
  return {static_cast<int>(index % 6), kMarkers[index % kMarkers.size()],
          kDashes[index / kMarkers.size() % kDashes.size()], index >= kMarkers.size()};
}

Plot residual_plot(const std::string& title) {
  Plot plot;
  plot.title = title;
  plot.width = 720;
  plot.height = 480;
  plot.label_curves = true;
  plot.x = {"sweeps t", Scale::log, {}, {}};
  plot.y = {"residual energy per spin, rho", Scale::log, {}, {}};
  return plot;
}

Series series_of(const MeanCurve& curve, const std::string& name, const Look& as) {
  Series series;
  series.name = name;
  series.x = curve.sweeps;
  for (const Estimate& e : curve.value) {
    series.y.push_back(std::max(e.value, kFloor));
    series.low.push_back(std::max(e.low, kFloor));
    series.high.push_back(std::max(e.high, kFloor));
  }
  series.colour = as.colour;
  series.marker = as.marker;
  series.dash = as.dash;
  series.filled = as.filled;
  return series;
}

void plot_against_published(const Experiment& experiment, const WishartPlan& plan, const Runs& runs,
                            const std::string& name, Quantity quantity,
                            const std::string& published_method, const std::string& of) {
  Plot plot = residual_plot(recipe(name).label + ", three copies, by number of spins N");
  const auto theirs = published_residuals(experiment.options(), published_method);
  std::size_t fewest = SIZE_MAX, most = 0;
  bool named = false;
  for (std::size_t k = 0; k < plan.sizes.size(); ++k) {
    const std::size_t size = plan.sizes[k];
    const auto found = runs.find({name, size});
    if (found == runs.end()) continue;
    fewest = std::min(fewest, found->second.size());
    most = std::max(most, found->second.size());
    Look as = look(k);
    as.dash = Dash::solid;
    plot.series.push_back(
        series_of(mean_curve(found->second, plan, quantity), fmt::format("N = {}", size), as));
    if (!theirs.contains(size)) continue;
    Series published = series_of(theirs.at(size), fmt::format("{}, published", size),
                                 {as.colour, Marker::none, Dash::dotted});
    published.low.clear();
    published.high.clear();
    named = true;
    plot.series.push_back(std::move(published));
  }
  if (most == 0) return;
  plot.caption = fmt::format(
      "Planted Wishart problems, alpha = 0.75. {}. rho of {}; mean over {} to {} instances "
      "per size, bands: 95\u00a0% intervals.{}",
      recipe(name).about, of, fewest, most,
      named ? " Dotted: the published curve of the same size." : "");
  experiment.write("fig3_" + name + ".svg", svg::standalone(svg::render(plot)));
}

void plot_methods(const Experiment& experiment, const WishartPlan& plan, const Runs& runs,
                  std::size_t size) {
  Plot plot = residual_plot(fmt::format("Best feasible state so far, N = {}", size));
  std::size_t instances = 0;
  for (std::size_t k = 0; k < recipes().size(); ++k) {
    const auto found = runs.find({recipes()[k].name, size});
    if (found == runs.end()) continue;
    instances = std::max(instances, found->second.size());
    plot.series.push_back(series_of(mean_curve(found->second, plan, &InstanceCurve::best),
                                    recipes()[k].label, look(k)));
  }
  const auto theirs = published_residuals(experiment.options(), "2dpt");
  if (theirs.contains(size)) {
    plot.series.push_back(series_of(theirs.at(size), "2D-PT, published (answer replica)",
                                    {5, Marker::none, Dash::dotted}));
  }
  if (plot.series.empty()) return;
  plot.y.from = kFloor;
  plot.caption = fmt::format(
      "Planted Wishart problems, alpha = 0.75, N = {}, {} held-out instances, all methods on the "
      "same ones. Bands: 95\u00a0% intervals. On the lower edge every instance is solved. Pilots "
      "are "
      "not "
      "counted here.",
      size, instances);
  experiment.write(fmt::format("fig3_methods_n{}.svg", size), svg::standalone(svg::render(plot)));
}

void plot_collapse(const Experiment& experiment, const WishartPlan& plan, const Runs& runs,
                   const CollapseRow& row) {
  if (!row.mu) return;
  const Quantity quantity =
      row.quantity == "answer" ? &InstanceCurve::answer : &InstanceCurve::best;
  Plot plot = residual_plot(
      fmt::format("{}: collapse with mu = {}", recipe(row.recipe).label, with_interval(*row.mu)));
  plot.x.label = "t / N^mu, in sweeps at N = 100";
  for (std::size_t k = 0; k < plan.sizes.size(); ++k) {
    const std::size_t size = plan.sizes[k];
    const auto found = runs.find({row.recipe, size});
    if (found == runs.end()) continue;
    MeanCurve curve = mean_curve(found->second, plan, quantity);
    Series series = series_of(curve, fmt::format("N = {}", size), look(k));
    series.line = false;
    plot.label_curves = false;  // one cloud: its ends lie on each other
    const double factor = std::pow(100.0 / static_cast<double>(size), row.mu->value);
    series.low.clear();
    series.high.clear();
    const auto first = std::lower_bound(series.x.begin(), series.x.end(), kCollapseFrom);
    series.y.erase(series.y.begin(), series.y.begin() + (first - series.x.begin()));
    series.x.erase(series.x.begin(), first);
    for (double& x : series.x) x *= factor;
    plot.series.push_back(std::move(series));
  }
  plot.caption = fmt::format(
      "rho of the {} against scaled time, t >= 3,200 sweeps; mu fitted (95 % bootstrap interval "
      "over instances), misfit {:.2g} (1: as good as the errors allow).",
      row.quantity == "answer" ? "answer replica" : "best feasible state so far", row.misfit);
  experiment.write(fmt::format("fig3_collapse_{}_{}.svg", row.recipe, row.quantity),
                   svg::standalone(svg::render(plot)));
}

void plot_scan(const Experiment& experiment, const WishartPlan& plan,
               const std::vector<ScanRow>& scan) {
  if (scan.empty()) return;
  Plot plot = residual_plot("J-column: the best single penalty by a scan");
  plot.x = {"penalty P (units of the couplings)", Scale::linear, {}, {}};
  plot.y.scale = Scale::linear;
  for (std::size_t k = 0; k < plan.sizes.size(); ++k) {
    MeanCurve curve;
    for (const ScanRow& row : scan) {
      if (row.size != plan.sizes[k]) continue;
      curve.sweeps.push_back(row.penalty);
      curve.value.push_back(row.score);
    }
    Series series = series_of(curve, fmt::format("N = {}", plan.sizes[k]), look(k));
    series.low.clear();
    series.high.clear();
    plot.series.push_back(std::move(series));
  }
  plot.caption = fmt::format(
      "Best feasible rho, mean over times from 10^3 to {} sweeps (equal weight per octave) and {} "
      "instances that are not among the published ones.",
      plan.scan_sweeps, plan.scan_instances);
  experiment.write("fig3_scan.svg", svg::standalone(svg::render(plot)));
}

}  // namespace

void plot_fig3(const Experiment& experiment, const WishartPlan& plan, const Runs& runs,
               const std::vector<ScanRow>& scan, const std::vector<CollapseRow>& collapse) {
  for (const char* name : {"standard", "literal"}) {
    plot_against_published(experiment, plan, runs, name, &InstanceCurve::answer, "2dpt",
                           "the answer replica");
  }
  plot_against_published(experiment, plan, runs, "jcolumn_mean", &InstanceCurve::best, "jcolumn",
                         "the best feasible state so far");
  for (std::size_t size : plan.sizes) plot_methods(experiment, plan, runs, size);
  for (const CollapseRow& row : collapse) plot_collapse(experiment, plan, runs, row);
  plot_scan(experiment, plan, scan);
}

}  // namespace chainmail::reproduce
