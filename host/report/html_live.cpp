#include "report/html_live.hpp"

#include "report/html_parts.hpp"
#include "report/svg.hpp"

namespace chainmail {
namespace {

using html::escaped;

std::string card(std::string_view name, const std::string& value) {
  return fmt::format("<div><span class=\"label\" title=\"{0}\">{0}</span><b>{1}</b></div>\n",
                     escaped(name), escaped(value));
}

std::string best_plot(const LiveView& view) {
  svg::Series best;
  best.name = view.constrained ? "best feasible so far" : "best so far";
  for (const auto& [seconds, value] : view.history) {
    best.x.push_back(seconds);
    best.y.push_back(value);
  }
  best.x.push_back(view.seconds);
  best.y.push_back(best.y.back());
  best.steps = true;
  best.marker = svg::Marker::square;
  svg::Plot plot;
  plot.title = "So far";
  plot.x = {"time (s)", svg::Scale::linear, 0.0, {}, false};
  plot.y = {shortened(view.objective_name, 24), svg::Scale::linear, {}, {}, false};
  plot.series = {best};
  return svg::render(plot);
}

}  // namespace

std::string html_live(const LiveView& view) {
  std::string text =
      fmt::format("<main>\n<h1>{}</h1>\n", escaped(view.problem.empty() ? "Run" : view.problem));
  text += fmt::format("<p><span class=\"badge plain\">running, {:.0f} %</span></p>\n",
                      100.0 * view.fraction);
  text += "<div class=\"cards\">\n";
  text += card(view.objective_name,
               view.best ? number_text(*view.best, 9) : std::string("nothing feasible yet"));
  text += card("sweeps", short_count_text(view.sweeps));
  text += card("time", duration_text(view.seconds));
  text += card("updates per ns", number_text(view.updates_per_ns, 3)) + "</div>\n";
  if (!view.history.empty()) {
    text += html::element("h2", "Progress of the run");
    text += html::figures(html::figure(
        best_plot(view),
        "The report replaces this page at the end; Ctrl-C in the terminal ends the run."));
  }
  return text + "</main>\n";
}

}  // namespace chainmail
