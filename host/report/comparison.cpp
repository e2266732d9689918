#include "report/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/html.hpp"
#include "report/html_parts.hpp"
#include "report/svg.hpp"

namespace chainmail {

namespace {

using html::element;
using html::escaped;

constexpr double kLeastGap = 0.01;  // per cent; what is nearer to the best is drawn here

std::optional<double> best_of(const Comparison& c) {
  std::optional<double> best;
  for (const Contestant& one : c.contestants) {
    if (!one.objective) continue;
    const bool better = !best || (c.maximise ? *one.objective > *best : *one.objective < *best);
    if (better) best = one.objective;
  }
  return best;
}

double gap(double value, double best) {
  const double size = std::max(std::abs(best), std::abs(value));
  return size > 0.0 ? 100.0 * std::abs(value - best) / size : 0.0;
}

// When it first had what it ended with.
double seconds_to_best(const Contestant& one) {
  return one.course.empty() ? one.seconds : one.course.back().first;
}

// Of the gap over this time, 100 % while there is no answer: the primal integral, by its length.
double mean_gap(const Contestant& one, double best, double until) {
  double sum = 0.0, since = 0.0, now = 100.0;
  for (const auto& [seconds, value] : one.course) {
    sum += now * (std::min(seconds, until) - since);
    since = std::min(seconds, until);
    now = gap(value, best);
  }
  return until > 0.0 ? (sum + now * (until - since)) / until : now;
}

struct Row {
  std::string name, options, objective, gap, first, found, all, mean, verdict;
};

std::vector<Row> rows_of(const Comparison& c) {
  const auto best = best_of(c);
  std::vector<const Contestant*> order;
  for (const Contestant& one : c.contestants) order.push_back(&one);
  std::stable_sort(order.begin(), order.end(), [&](const Contestant* a, const Contestant* b) {
    if (a->objective.has_value() != b->objective.has_value()) return a->objective.has_value();
    if (!a->objective) return false;
    if (*a->objective != *b->objective) return (*a->objective > *b->objective) == c.maximise;
    return seconds_to_best(*a) < seconds_to_best(*b);
  });
  double longest = 0.0;
  for (const Contestant* one : order) longest = std::max(longest, one->seconds);
  std::vector<Row> rows;
  for (const Contestant* one : order) {
    Row row{one->name, one->options, "none", "", "", "", "", "", one->verdict};
    if (one->objective) {
      row.objective = amount_text(*one->objective);
      row.gap = percent_text(gap(*one->objective, *best) / 100.0);
      row.found = duration_text(seconds_to_best(*one));
      if (!one->course.empty()) {
        row.first = duration_text(one->course.front().first);
        row.mean = percent_text(mean_gap(*one, *best, longest) / 100.0);
      }
    }
    if (one->seconds > 0.0) row.all = duration_text(one->seconds);
    rows.push_back(std::move(row));
  }
  return rows;
}

// A number stays with its unit.
std::string unbroken(std::string text) {
  const std::size_t space = text.find(' ');
  return space == std::string::npos ? text : text.replace(space, 1, "\u00a0");
}

svg::Plot curves(const Comparison& c) {
  svg::Plot plot;
  plot.title = "Gap to the best answer found (%)";
  plot.x = {"time (s)", svg::Scale::log, {}, {}, false};
  plot.y = {"gap (%)", svg::Scale::log, kLeastGap, {}, false};
  plot.width = 760.0;
  plot.height = 380.0;
  const auto best = best_of(c);
  int number = 0;
  for (const Contestant& one : c.contestants) {
    if (!one.objective || one.course.empty()) continue;
    svg::Series line;
    line.name = one.name;
    const auto add = [&](double seconds, double value) {
      line.x.push_back(std::max(seconds, 1e-4));
      line.y.push_back(std::max(gap(value, *best), kLeastGap));
    };
    for (const auto& [seconds, value] : one.course) add(seconds, value);
    add(std::max(one.seconds, one.course.back().first), one.course.back().second);
    line.steps = true;
    constexpr int kColours = 6, kDashes = 4;
    line.colour = number % kColours;
    line.dash = static_cast<svg::Dash>(number % kDashes);
    line.width = number == 0 ? 2.6 : 1.6;
    ++number;
    plot.series.push_back(std::move(line));
  }
  return plot;
}

std::string section(const Comparison& c) {
  std::string text = element("h2", escaped(c.problem)) +
                     element("p", escaped(c.size + (c.maximise ? ", largest " : ", least ") +
                                          c.objective + " wanted"));
  const svg::Plot plot = curves(c);
  if (!plot.series.empty()) {
    text += html::figures(html::figure(
        svg::render(plot),
        fmt::format("Best feasible answer against time. What is within {} % of the best is drawn "
                    "at the bottom.",
                    kLeastGap),
        true));
  }
  text += "<div class=\"box\"><table class=\"list\">\n<tr>";
  const std::string headings[] = {
      "way",     escaped(c.objective), "gap",    "first after", "found after",
      "ran for", "mean gap",           "verdict"};
  for (const std::string& heading : headings) {
    text += fmt::format("<th scope=\"col\">{}</th>", heading);
  }
  text += "</tr>\n";
  for (const Row& row : rows_of(c)) {
    text += fmt::format(
        "<tr><td class=\"way\"><b>{}</b>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
        "<td>{}</td><td>{}</td><td>{}</td></tr>\n",
        escaped(row.name),
        row.options.empty() ? "" : "<br/>" + element("code", escaped(row.options)),
        escaped(row.objective), unbroken(row.gap), unbroken(row.first), unbroken(row.found),
        unbroken(row.all), unbroken(row.mean), escaped(row.verdict));
  }
  return text + "</table></div>\n";
}

}  // namespace

std::string to_text(const Comparison& c) {
  std::string text = fmt::format("{}: {}\n", c.problem, c.size);
  const auto line = [](const Row& row) {
    return fmt::format("  {:<24} {:>14} {:>8} {:>9} {:>9} {:>9} {:>9}  {}\n", row.name,
                       row.objective, row.gap, row.first, row.found, row.all, row.mean,
                       row.verdict);
  };
  text += line({"", "", shortened(c.objective, 14), "gap", "first", "found", "ran for", "mean gap",
                "verdict"});
  for (const Row& row : rows_of(c)) {
    text += line(row);
  }
  return text;
}

std::string to_html(const std::vector<Comparison>& comparisons, const std::string& command_line) {
  std::string text = html_head("comparison") + "<body><main>\n" + element("h1", "Comparison");
  for (const Comparison& c : comparisons) text += section(c);
  text += element("h2", "How it was run");
  text += "<div class=\"box\"><pre>" + escaped(command_line) + "</pre></div>\n";
  text += element("p",
                  "One after another, each with the same time limit. Answers of other programs "
                  "were evaluated on the model itself.");
  return text + "</main></body>\n</html>\n";
}

}  // namespace chainmail
