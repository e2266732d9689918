#include "report/html_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/digest.hpp"
#include "report/format.hpp"

namespace chainmail {
namespace {

using svg::Dash;
using svg::Marker;
using svg::Scale;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::vector<double> sweeps_of(const Result& r) {
  std::vector<double> sweeps;
  for (const TracePoint& point : r.trace) sweeps.push_back(static_cast<double>(point.sweep));
  return sweeps;
}

// Ladders span a factor of 3 or of 1000; a straight line on one of the two scales tells more.
Scale ladder_scale(const std::vector<double>& ladder) {
  const auto [low, high] = std::minmax_element(ladder.begin(), ladder.end());
  return low != ladder.end() && *low > 0.0 && *high > 20.0 * *low ? Scale::log : Scale::linear;
}

svg::Plot ladder_plot(const std::string& title, const std::string& x, const std::string& y,
                      const std::vector<double>& ladder, int colour, Marker marker) {
  svg::Series series;
  for (std::size_t k = 0; k < ladder.size(); ++k) series.x.push_back(static_cast<double>(k + 1));
  series.y = ladder;
  series.colour = colour;
  series.marker = marker;
  svg::Plot plot;
  plot.title = title;
  plot.x = {x, Scale::linear, {}, {}, true};
  plot.y = {y, ladder_scale(ladder), {}, {}, false};
  plot.series = {series};
  plot.height = 260.0;
  return plot;
}

std::vector<std::string> ladder_names(const std::vector<double>& ladder) {
  std::vector<std::string> names;
  names.reserve(ladder.size());
  for (double value : ladder) names.push_back(number_text(value, 3));
  return names;
}

// "0.5–0.8": the two neighbours whose swaps a cell counts.
std::vector<std::string> pair_names(const std::vector<double>& ladder) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k + 1 < ladder.size(); ++k)
    names.push_back(number_text(ladder[k], 3) + "–" + number_text(ladder[k + 1], 3));
  return names;
}

svg::HeatMap acceptance_map(const std::string& title,
                            const std::vector<std::vector<double>>& values) {
  svg::HeatMap map;
  map.title = title;
  map.x_label = "P";
  map.y_label = "β";
  map.value_label = "acceptance";
  map.values = values;
  map.from = 0.0;
  map.to = 1.0;
  map.mark_below = kWeakAcceptance;
  return map;
}

}  // namespace

svg::Plot energy_plot(const Result& r) {
  svg::Series answer, best;
  answer.name = "answer replica";
  best.name = "best feasible so far";
  answer.x = best.x = sweeps_of(r);
  for (const TracePoint& point : r.trace) {
    answer.y.push_back(point.energy);
    best.y.push_back(point.best.value_or(kNone));
  }
  answer.colour = 0;
  answer.width = 1.2;
  best.colour = 1;
  best.dash = Dash::dash_dot;
  best.marker = Marker::square;
  best.width = 2.0;
  best.steps = true;
  svg::Plot plot;
  plot.title = "Energy";
  plot.x = {"sweeps", Scale::log, {}, {}, false};
  plot.y = {"energy f", Scale::linear, {}, {}, false};
  plot.series = {answer, best};
  if (r.known_optimum) plot.levels = {{"known optimum", *r.known_optimum, Dash::dashed}};
  return plot;
}

svg::Plot violation_plot(const Result& r) {
  svg::Series g;
  g.name = "answer replica";
  g.x = sweeps_of(r);
  for (const TracePoint& point : r.trace) g.y.push_back(point.g);
  g.width = 1.2;
  svg::Plot plot;
  plot.title = "Constraint violation";
  plot.x = {"sweeps", Scale::log, {}, {}, false};
  plot.y = {"g", Scale::linear, 0.0, {}, false};
  plot.series = {g};
  return plot;
}

svg::Plot walk_plot(const Result& r, std::size_t walk) {
  const std::size_t columns = std::max<std::size_t>(r.ladder.columns(), 1);
  svg::Series row, column;
  row.name = "row (β)";
  column.name = "column (P)";
  row.x = column.x = sweeps_of(r);
  for (std::uint32_t place : r.walks[walk]) {
    const std::size_t row_number = place / columns + 1, column_number = place % columns + 1;
    row.y.push_back(static_cast<double>(row_number));
    column.y.push_back(static_cast<double>(column_number));
  }
  row.steps = column.steps = true;
  row.colour = 0;
  column.colour = 1;
  column.dash = Dash::dashed;
  svg::Plot plot;
  plot.title = fmt::format("Replica {}", walk + 1);
  plot.x = {"sweeps", Scale::log, {}, {}, false};
  const double top = static_cast<double>(std::max(r.ladder.rows(), columns));
  plot.y = {"place on the ladder", Scale::linear, 0.5, top + 0.5, true};
  if (r.ladder.rows() > 1) plot.series.push_back(row);
  if (columns > 1) plot.series.push_back(column);
  plot.height = 240.0;
  return plot;
}

svg::Plot beta_plot(const Result& r) {
  return ladder_plot("Inverse temperature", "row", "β", r.ladder.beta, 0, Marker::circle);
}

svg::Plot penalty_plot(const Result& r) {
  return ladder_plot("Penalty", "column", "P", r.ladder.penalty, 1, Marker::square);
}

svg::Plot trials_plot(const Result& r) {
  svg::Series feasible, broken;
  feasible.name = "feasible";
  broken.name = "not feasible";
  for (std::size_t k = 0; k < r.per_trial.size(); ++k) {
    svg::Series& series = r.per_trial[k].feasible ? feasible : broken;
    series.x.push_back(static_cast<double>(k + 1));
    series.y.push_back(r.per_trial[k].energy);
  }
  feasible.marker = Marker::circle;
  broken.marker = Marker::cross;
  broken.colour = 1;
  feasible.line = broken.line = false;
  svg::Plot plot;
  plot.title = "Best energy of every trial";
  plot.x = {"trial", Scale::linear, {}, {}, true};
  plot.y = {"energy f", Scale::linear, {}, {}, false};
  if (!feasible.x.empty()) plot.series.push_back(feasible);
  if (!broken.x.empty()) plot.series.push_back(broken);
  if (r.known_optimum) plot.levels = {{"known optimum", *r.known_optimum, Dash::dashed}};
  return plot;
}

svg::HeatMap beta_acceptance_map(const Result& r) {
  svg::HeatMap map = acceptance_map("Between rows (β swaps)", r.acceptance_beta);
  map.row_names = pair_names(r.ladder.beta);
  map.column_names = ladder_names(r.ladder.penalty);
  return map;
}

svg::HeatMap penalty_acceptance_map(const Result& r) {
  svg::HeatMap map = acceptance_map("Between columns (P swaps)", r.acceptance_penalty);
  map.row_names = ladder_names(r.ladder.beta);
  map.column_names = pair_names(r.ladder.penalty);
  return map;
}

svg::HeatMap pilot_map(const Result& r) {
  svg::HeatMap map;
  map.title = "Mean g in the pilot";
  map.x_label = "P";
  map.y_label = "β";
  map.value_label = "mean g";
  map.values = r.ladder.mean_g;
  map.row_names = ladder_names(r.ladder.beta);
  map.column_names = ladder_names(r.ladder.penalty);
  map.scale = Scale::log;
  // Below a hundredth of a link nothing is left to tell apart, and log would go on for ever.
  map.from = 0.01;
  return map;
}

}  // namespace chainmail
