// Line plots. A curve of any length costs at most four points per pixel column: the first, the
// lowest, the highest and the last of those that fall there, which draws the same picture (the
// M4 aggregation of Jugel et al. 2014).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "report/format.hpp"
#include "report/svg_labels.hpp"

namespace chainmail::svg {
namespace {

struct Point {
  double x, y;
};
using Run = std::vector<Point>;  // consecutive drawable points, on the canvas

struct Frame {
  double left, right, top, bottom;
  Mapping x, y;
};

std::string dash_class(Dash dash) {
  return dash == Dash::solid ? "" : fmt::format(" d{}", static_cast<int>(dash));
}

std::vector<Run> runs_of(const Series& series, const std::vector<double>& y, const Plot& plot,
                         const Frame& frame) {
  std::vector<Run> runs(1);
  for (std::size_t k = 0; k < std::min(series.x.size(), y.size()); ++k) {
    if (drawable(series.x[k], plot.x.scale) && drawable(y[k], plot.y.scale))
      runs.back().push_back({frame.x(series.x[k]), frame.y(y[k])});
    else if (!runs.back().empty())
      runs.emplace_back();
  }
  if (runs.back().empty()) runs.pop_back();
  return runs;
}

Run thinned(const Run& run) {
  Run kept;
  for (std::size_t first = 0; first < run.size();) {
    std::size_t end = first, low = first, high = first;
    while (end < run.size() && std::floor(run[end].x) == std::floor(run[first].x)) {
      if (run[end].y < run[low].y) low = end;
      if (run[end].y > run[high].y) high = end;
      ++end;
    }
    std::vector<std::size_t> chosen = {first, low, high, end - 1};
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    for (std::size_t k : chosen) kept.push_back(run[k]);
    first = end;
  }
  return kept;
}

std::string path_of(const Run& run, bool steps) {
  std::string d;
  for (std::size_t k = 0; k < run.size(); ++k) {
    if (k > 0 && steps)
      d += "H" + coordinate(run[k].x) + "V" + coordinate(run[k].y);
    else
      d += (k == 0 ? "M" : "L") + coordinate(run[k].x) + " " + coordinate(run[k].y);
  }
  return d;
}

std::string band_of(const Series& series, const Plot& plot, const Frame& frame) {
  if (series.low.size() != series.x.size() || series.high.size() != series.x.size()) return "";
  std::string band;
  Run upper, lower;
  const auto close = [&] {
    if (upper.size() > 1) {
      Run outline = upper;
      outline.insert(outline.end(), lower.rbegin(), lower.rend());
      band += fmt::format("<path class=\"band f{}\" d=\"{}Z\"/>\n", series.colour,
                          path_of(outline, false));
    }
    upper.clear();
    lower.clear();
  };
  for (std::size_t k = 0; k < series.x.size(); ++k) {
    // A band may reach below zero; on a log axis it is then cut at the frame.
    const bool log = plot.y.scale == Scale::log;
    const double low = log && series.low[k] <= 0.0 ? frame.y.from : series.low[k];
    if (!drawable(series.x[k], plot.x.scale) || !drawable(low, plot.y.scale) ||
        !drawable(series.high[k], plot.y.scale)) {
      close();
      continue;
    }
    upper.push_back({frame.x(series.x[k]), frame.y(series.high[k])});
    lower.push_back({frame.x(series.x[k]), frame.y(low)});
  }
  close();
  return band;
}

// Markers closer than this to the one before would only blur the line.
constexpr double kMarkerSpacing = 14.0;

// Values at the points of a curve. What steps down leaves the space above a step free, what steps
// up the space below. The last one stands at the right, next to a filled marker.
constexpr double kValueSize = 12.0;

std::string values_of(const Series& series, const Plot& plot, const Frame& frame) {
  std::string svg;
  double free_from = frame.left;
  for (std::size_t k = 0; k < std::min(series.texts.size(), series.y.size()); ++k) {
    if (!drawable(series.x[k], plot.x.scale) || !drawable(series.y[k], plot.y.scale)) continue;
    const double x = frame.x(series.x[k]), y = frame.y(series.y[k]);
    const std::string& text = series.texts[k];
    if (k + 1 == series.x.size()) {
      svg += fmt::format("<circle class=\"dot c{0} f{0}\" cx=\"{1}\" cy=\"{2}\" r=\"4\"/>\n",
                         series.colour, coordinate(x), coordinate(y));
      svg += text_at(x + 8.0, y + 4.0, text, "start", "t b", kValueSize);
      continue;
    }
    const double width = text_width(text, kValueSize) + 8.0;
    const double next = frame.x(series.x[k + 1]);
    if (text.empty() || x < free_from || x + width > next) continue;
    const bool rises = k > 0 && series.y[k] > series.y[k - 1];
    svg += text_at(x + 5.0, rises && y + 17.0 < frame.bottom ? y + 15.0 : y - 5.0, text, "start",
                   "t m", kValueSize);
    free_from = x + width;
  }
  return svg;
}

// What the last values need to the right of the frame.
double room_for_values(const Plot& plot) {
  double room = 0.0;
  for (const Series& s : plot.series) {
    if (!s.texts.empty()) room = std::max(room, text_width(s.texts.back(), kValueSize));
  }
  return room;
}

std::string drawn(const Series& series, const Plot& plot, const Frame& frame) {
  std::string svg;
  for (const Run& run : runs_of(series, series.y, plot, frame)) {
    if (series.line && run.size() > 1)
      svg += fmt::format("<path class=\"line c{}{}\" stroke-width=\"{:g}\" d=\"{}\"/>\n",
                         series.colour, dash_class(series.dash), series.width,
                         path_of(thinned(run), series.steps));
    // A lone point has no line: it always shows as a marker.
    const bool lone = run.size() == 1 && series.marker == Marker::none;
    const Marker marker = lone ? Marker::circle : series.marker;
    double last = -1e9;
    for (const Point& point : run) {
      if (series.line && point.x - last < kMarkerSpacing) continue;
      svg += marker_at(marker, point.x, point.y, series.colour, series.filled);
      last = point.x;
    }
  }
  return svg + values_of(series, plot, frame);
}

struct LegendEntry {
  std::string name, sample_class;
  double stroke;
  Marker marker;
  bool line;
  int colour;
  bool filled;
};

std::vector<LegendEntry> legend_entries(const Plot& plot) {
  std::vector<LegendEntry> entries;
  for (const Series& s : plot.series)
    if (!s.name.empty())
      entries.push_back({s.name, fmt::format("line c{}{}", s.colour, dash_class(s.dash)), s.width,
                         s.marker, s.line, s.colour, s.filled});
  for (const Level& level : plot.levels)
    if (!level.name.empty())
      entries.push_back(
          {level.name, "level" + dash_class(level.dash), 1.3, Marker::none, true, 5, false});
  return entries;
}

struct Drawing {
  std::string svg;
  double height = 0.0;
};

Drawing legend(const Plot& plot, double left, double right, double top) {
  constexpr double kSample = 30.0, kLine = 19.0;
  Drawing drawing;
  double x = left, y = top + 13.0;
  for (const LegendEntry& entry : legend_entries(plot)) {
    const double width = kSample + 7.0 + text_width(entry.name) + 14.0;
    if (x > left && x + width > right) {
      x = left;
      y += kLine;
    }
    if (entry.line)
      drawing.svg += fmt::format("<path class=\"{}\" stroke-width=\"{:g}\" d=\"M{} {}h{}\"/>\n",
                                 entry.sample_class, entry.stroke, coordinate(x),
                                 coordinate(y - 4.0), coordinate(kSample));
    drawing.svg += marker_at(entry.marker, x + kSample / 2.0, y - 4.0, entry.colour, entry.filled);
    drawing.svg += text_at(x + kSample + 7.0, y, entry.name);
    x += width;
    drawing.height = y - top + 6.0;
  }
  return drawing;
}

// Where the names of curves and levels go, for a plot that has them next to it.
std::vector<CurveEnd> ends_of(const Plot& plot, const Frame& frame) {
  std::vector<CurveEnd> ends;
  for (const Series& s : plot.series) {
    const std::vector<Run> runs = runs_of(s, s.y, plot, frame);
    if (s.name.empty() || runs.empty()) continue;
    const Point last = runs.back().back();
    ends.push_back({last.x, last.y, s.name, fmt::format("line c{}{}", s.colour, dash_class(s.dash)),
                    s.marker, s.colour, s.filled});
  }
  for (const Level& level : plot.levels) {
    if (level.name.empty() || !drawable(level.y, plot.y.scale)) continue;
    ends.push_back({frame.right, frame.y(level.y), level.name, "level" + dash_class(level.dash),
                    Marker::none, 5, false});
  }
  return ends;
}

std::vector<double> values_on_y(const Plot& plot) {
  std::vector<double> values;
  for (const Series& s : plot.series) {
    for (std::size_t k = 0; k < std::min(s.x.size(), s.y.size()); ++k)
      if (drawable(s.x[k], plot.x.scale)) values.push_back(s.y[k]);
    values.insert(values.end(), s.low.begin(), s.low.end());
    values.insert(values.end(), s.high.begin(), s.high.end());
  }
  for (const Level& level : plot.levels) values.push_back(level.y);
  return values;
}

std::string axes(const Plot& plot, const Frame& f, const Ticks& x, const Ticks& y) {
  std::string svg;
  for (std::size_t k = 0; k < y.at.size(); ++k) {
    const double at = f.y(y.at[k]);
    svg += line_between(f.left, at, f.right, at, "grid");
    svg += text_at(f.left - 7.0, at + 4.5, y.text[k], "end", "t m");
  }
  for (std::size_t k = 0; k < x.at.size(); ++k) {
    const double at = f.x(x.at[k]);
    svg += line_between(at, f.bottom, at, f.bottom + 5.0, "axis");
    svg += text_at(at, f.bottom + 19.0, x.text[k], "middle", "t m");
  }
  svg += fmt::format("<path class=\"axis\" d=\"M{} {}V{}H{}\"/>\n", coordinate(f.left),
                     coordinate(f.top), coordinate(f.bottom), coordinate(f.right));
  svg += text_at((f.left + f.right) / 2.0, f.bottom + 39.0, with_exponent(plot.x.label, x.exponent),
                 "middle");
  svg += text_at(14.0, (f.top + f.bottom) / 2.0, with_exponent(plot.y.label, y.exponent), "middle",
                 "t", kTextSize, -90.0);
  return svg;
}

}  // namespace

std::string render(const Plot& plot) {
  std::vector<double> on_x;
  for (const Series& s : plot.series) on_x.insert(on_x.end(), s.x.begin(), s.x.end());
  const std::vector<double> on_y = values_on_y(plot);
  const Range x_range = shown_range(plot.x, on_x), y_range = shown_range(plot.y, on_y);
  const auto about_x = static_cast<std::size_t>(plot.width / 75.0);
  const Ticks x_ticks = ticks_for(plot.x, x_range, about_x);
  const Ticks y_ticks = ticks_for(plot.y, y_range, static_cast<std::size_t>(plot.height / 60.0));

  double widest = 0.0;
  for (const std::string& text : y_ticks.text) widest = std::max(widest, text_width(text));
  Frame frame{};
  frame.left = 34.0 + widest;
  frame.right = plot.width - 16.0 - room_for_values(plot);
  const double title_height = plot.title.empty() ? 0.0 : 22.0;
  const auto lay_out = [&] {
    frame.x = {plot.x.scale, x_range.from, x_range.to, frame.left, frame.right};
    frame.y = {plot.y.scale, y_range.from, y_range.to, frame.bottom, frame.top};
  };
  Drawing key;
  if (plot.label_curves) {
    lay_out();
    frame.right -= label_room(ends_of(plot, frame));
  } else {
    key = legend(plot, frame.left, frame.right, 2.0 + title_height);
  }
  frame.top = 12.0 + title_height + key.height;
  frame.bottom = plot.height - 48.0;
  lay_out();

  std::string body = axes(plot, frame, x_ticks, y_ticks);
  for (const Series& series : plot.series) body += band_of(series, plot, frame);
  for (const Level& level : plot.levels)
    if (drawable(level.y, plot.y.scale))
      body += line_between(frame.left, frame.y(level.y), frame.right, frame.y(level.y),
                           "level" + dash_class(level.dash));
  for (const Series& series : plot.series) body += drawn(series, plot, frame);
  body += plot.label_curves ? labels_at(ends_of(plot, frame), frame.right, frame.top, frame.bottom)
                            : key.svg;
  if (!plot.title.empty()) body += text_at(frame.left, 16.0, plot.title, "start", "t b");

  double height = plot.height;
  for (const std::string& line : wrapped(plot.caption, plot.width - 24.0, 12.0)) {
    body += text_at(12.0, height + 12.0, line, "start", "t m", 12.0);
    height += 17.0;
  }
  if (height > plot.height) height += 4.0;
  return opening(plot.width, height, plot.title) + body + "</svg>\n";
}

}  // namespace chainmail::svg
