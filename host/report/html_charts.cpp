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

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

std::vector<double> sweeps_of(const Result& r) {
  std::vector<double> sweeps;
  for (const TracePoint& point : r.trace) sweeps.push_back(static_cast<double>(point.sweep));
  return sweeps;
}

// Ladders span a factor of 3 or of 1000; use the scale on which they are closer to a straight line.
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

// Three digits, but whole thousands rather than 1.13e+03.
std::string tick_text(double value) {
  const bool large = std::abs(value) >= 999.5 && std::abs(value) < 1e6;
  return large ? fmt::format("{:.0f}", value) : number_text(value, 3);
}

std::vector<std::string> ladder_names(const std::vector<double>& ladder) {
  std::vector<std::string> names;
  names.reserve(ladder.size());
  for (double value : ladder) names.push_back(tick_text(value));
  return names;
}

// "0.5–0.8": the two neighbours whose swaps a cell counts.
std::vector<std::string> pair_names(const std::vector<double>& ladder) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k + 1 < ladder.size(); ++k)
    names.push_back(tick_text(ladder[k]) + "–" + tick_text(ladder[k + 1]));
  return names;
}

// What fits next to an axis.
std::string short_name(const std::string& name) {
  return shortened(name, 24);
}

// Sweeps over decades on a log scale; a short stretch would have no ticks there.
svg::Axis sweeps_axis(const Result& r) {
  const bool decades =
      !r.trace.empty() &&
      r.trace.back().sweep > 20 * std::max<std::uint64_t>(r.trace.front().sweep, 1);
  if (decades) return {"sweeps", Scale::log, {}, {}, false};
  return {"sweeps", Scale::linear, 0.0, {}, false};
}

std::vector<svg::Level> optimum_level(const Result& r) {
  if (!r.known_optimum) return {};
  return {{"known optimum", in_users_terms(*r.known_optimum, r), Dash::dashed}};
}

// "optimum 31" or "bound 28.5", where that is near enough to be shown beside the curve.
std::vector<svg::Level> goal_level(const Result& r) {
  const auto level = [&](const char* name, double f) {
    const double value = in_users_terms(f, r);
    return svg::Level{fmt::format("{} {}", name, amount_text(value)), value, Dash::dashed};
  };
  if (r.known_optimum) return {level("optimum", *r.known_optimum)};
  if (!r.bound || r.course.empty()) return {};
  const double best = r.course.back().second, first = r.course.front().second;
  const double spread = std::max(first - best, 0.1 * std::abs(best));
  if (!(best - *r.bound <= 3.0 * spread)) return {};
  return {level("bound", *r.bound)};
}

const char* best_name(const Result& r) {
  return r.constrained || r.copies > 1 ? "best feasible so far" : "best so far";
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
  return map;
}

}  // namespace

svg::Plot course_plot(const Result& r) {
  const double all = r.tune_seconds + r.seconds;
  const double unit = all < 1e-3 ? 1e6 : all < 0.5 ? 1e3 : 1.0;
  svg::Series best;
  const auto add = [&](double seconds, double f) {
    best.x.push_back(seconds * unit);
    best.y.push_back(in_users_terms(f, r));
    best.texts.push_back(amount_text(best.y.back()));
  };
  for (const auto& [seconds, f] : r.course) add(seconds, f);
  if (!r.course.empty()) add(all, r.course.back().second);
  best.steps = true;
  best.marker = Marker::square;
  best.width = 2.0;
  svg::Plot plot;
  plot.title = short_name(r.objective_name) + ", " + best_name(r);
  plot.x = {unit == 1.0   ? "time (s)"
            : unit == 1e3 ? "time (ms)"
                          : "time (µs)",
            Scale::linear,
            0.0,
            {},
            false};
  // Where most happens in a small part of the time, decades show it.
  const double middle = best.x.empty() ? 0.0 : best.x[best.x.size() / 2];
  if (best.x.size() > 3 && best.x.front() > 0.0 && middle < 0.05 * all * unit) {
    plot.x.scale = Scale::log;
    plot.x.from.reset();
  }
  plot.y = {short_name(r.objective_name), Scale::linear, {}, {}, false};
  plot.series = {best};
  plot.levels = goal_level(r);
  return plot;
}

svg::Plot energy_plot(const Result& r) {
  svg::Series answer, best;
  answer.name = "answer replica";
  best.name = best_name(r);
  answer.x = best.x = sweeps_of(r);
  for (const TracePoint& point : r.trace) {
    answer.y.push_back(in_users_terms(point.energy, r));
    best.y.push_back(in_users_terms(point.best.value_or(kNoValue), r));
  }
  answer.colour = 0;
  answer.width = 1.2;
  best.colour = 1;
  best.dash = Dash::dash_dot;
  best.marker = Marker::square;
  best.width = 2.0;
  best.steps = true;
  svg::Plot plot;
  plot.title = r.objective_name == "energy" ? "Energy" : short_name(r.objective_name);
  plot.x = sweeps_axis(r);
  plot.y = {r.objective_name == "energy" ? "energy f" : short_name(r.objective_name),
            Scale::linear,
            {},
            {},
            false};
  plot.series = {answer};
  if (!std::all_of(best.y.begin(), best.y.end(), [](double y) { return std::isnan(y); })) {
    best.texts.resize(best.y.size());
    best.texts.back() = number_text(best.y.back(), 6);
    plot.series.push_back(best);  // else nothing feasible was found
  }
  plot.levels = optimum_level(r);
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
  plot.x = sweeps_axis(r);
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
  plot.x = {"sweeps", Scale::linear, 0.0, {}, false};
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

svg::Plot rejection_plot(const Result& r) {
  svg::Series length;
  double sum = 0.0;
  if (!r.ladder.beta.empty()) {
    length.x.push_back(r.ladder.beta.front());
    length.y.push_back(0.0);
  }
  for (std::size_t row = 0; row + 1 < r.ladder.rows() && row < r.acceptance_beta.size(); ++row) {
    double rejected = 0.0, pairs = 0.0;
    for (double accepted : r.acceptance_beta[row]) {
      if (!std::isfinite(accepted)) continue;
      rejected += 1.0 - accepted;
      pairs += 1.0;
    }
    sum += pairs > 0.0 ? rejected / pairs : 0.0;
    length.x.push_back(r.ladder.beta[row + 1]);
    length.y.push_back(sum);
  }
  length.marker = Marker::circle;
  svg::Plot plot;
  plot.title = "Length of the ladder";
  plot.x = {"β", ladder_scale(r.ladder.beta), {}, {}, false};
  plot.y = {"Λ", Scale::linear, 0.0, {}, false};
  plot.series = {length};
  plot.height = 260.0;
  return plot;
}

svg::Plot flow_plot(const Result& r) {
  const std::size_t columns = std::max<std::size_t>(r.ladder.columns(), 1), rows = r.ladder.rows();
  std::vector<double> from_hot(rows, 0.0), visits(rows, 0.0);
  for (const auto& walk : r.walks) {
    int last = 0;  // 1: was at the hot end last, -1: at the cold end
    for (std::uint32_t place : walk) {
      const std::size_t row = place / columns;
      if (row >= rows) continue;
      if (row == 0) last = 1;
      if (row + 1 == rows) last = -1;
      if (last == 0) continue;
      visits[row] += 1.0;
      from_hot[row] += last > 0 ? 1.0 : 0.0;
    }
  }
  svg::Series flow;
  for (std::size_t row = 0; rows > 2 && row < rows; ++row) {
    if (visits[row] == 0.0) continue;
    flow.x.push_back(r.ladder.beta[row]);
    flow.y.push_back(from_hot[row] / visits[row]);
  }
  flow.marker = Marker::square;
  flow.colour = 2;
  svg::Plot plot;
  plot.title = "Flow of replicas";
  plot.x = {"β", ladder_scale(r.ladder.beta), {}, {}, false};
  plot.y = {"share from the hot end", Scale::linear, 0.0, 1.0, false};
  plot.series = {flow};
  plot.height = 260.0;
  return plot;
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
    series.y.push_back(in_users_terms(r.per_trial[k].energy, r));
  }
  feasible.marker = Marker::circle;
  broken.marker = Marker::cross;
  broken.colour = 1;
  feasible.line = broken.line = false;
  svg::Plot plot;
  plot.title = "Best of every trial";
  plot.x = {"trial", Scale::linear, {}, {}, true};
  plot.y = {short_name(r.objective_name), Scale::linear, {}, {}, false};
  if (!feasible.x.empty()) plot.series.push_back(feasible);
  if (!broken.x.empty()) plot.series.push_back(broken);
  plot.levels = optimum_level(r);
  return plot;
}

svg::Plot beta_acceptance_plot(const Result& r) {
  svg::Series accepted;
  for (std::size_t row = 0; row < r.acceptance_beta.size(); ++row) {
    accepted.x.push_back(r.ladder.beta[row + 1]);
    accepted.y.push_back(r.acceptance_beta[row].front());
  }
  accepted.marker = Marker::circle;
  svg::Plot plot;
  plot.title = "Between rows (β swaps)";
  plot.x = {"β of the colder row", ladder_scale(r.ladder.beta), {}, {}, false};
  plot.y = {"share accepted", Scale::linear, 0.0, 1.0, false};
  plot.series = {accepted};
  plot.height = 260.0;
  return plot;
}

svg::HeatMap beta_acceptance_map(const Result& r) {
  svg::HeatMap map = acceptance_map("Between rows (β swaps)", r.acceptance_beta);
  if (enough_swaps(r)) map.mark_below = kWeakAcceptance;
  map.row_names = pair_names(r.ladder.beta);
  map.column_names = ladder_names(r.ladder.penalty);
  return map;
}

svg::HeatMap penalty_acceptance_map(const Result& r) {
  svg::HeatMap map = acceptance_map("Between columns (P swaps)", r.acceptance_penalty);
  if (enough_swaps(r)) map.mark_below = kWeakAcceptance;
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
  // Below a hundredth of a link nothing is distinguishable, and a log scale would never end.
  map.from = 0.01;
  return map;
}

}  // namespace chainmail
