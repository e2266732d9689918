// Vector plots as SVG text: line plots with confidence bands, and heat maps. Used inline by the
// HTML report and as files by the published figures.
//
// Series differ by dash and marker as well as by colour, so a plot survives a black-and-white
// printer; colours live in one style sheet with a light and a dark form.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace chainmail::svg {

enum class Scale { linear, log };
enum class Dash { solid, dashed, dotted, dash_dot };
enum class Marker { none, circle, square, triangle, diamond, cross };

struct Axis {
  std::string label;  // with its unit, e.g. "time (s)"
  Scale scale = Scale::linear;
  std::optional<double> from, to;  // default: from the data
  bool whole_numbers = false;      // ticks at integers only (rows, trials)
};

// Points that are not finite, or not positive on a log axis, are left out and break the line.
struct Series {
  std::string name;  // for the legend; none when empty
  std::vector<double> x, y;
  std::vector<double> low, high;  // a confidence band around y; empty, or one per point
  int colour = 0;                 // 0..5 of the style sheet
  Dash dash = Dash::solid;
  Marker marker = Marker::none;
  bool filled = false;             // its markers
  bool line = true;                // false: markers only
  bool steps = false;              // hold the value until the next point
  std::vector<std::string> texts;  // at the points, where there is room; the last one always
  double width = 1.6;
};

struct Level {  // a horizontal line across the plot, e.g. a known optimum
  std::string name;
  double y = 0.0;
  Dash dash = Dash::dashed;
};

struct Plot {
  std::string title;    // above the plot, and its name for screen readers
  std::string caption;  // wrapped below the plot; an HTML page has its own
  Axis x, y;
  std::vector<Series> series;
  std::vector<Level> levels;
  double width = 480.0, height = 300.0;
  bool label_curves = false;  // names at the curves' right ends instead of a legend
};

struct HeatMap {
  std::string title, caption;
  std::string x_label, y_label, value_label;
  std::vector<std::string> column_names, row_names;  // one per column and row of values
  std::vector<std::vector<double>> values;           // [row][column]; not finite: left empty
  std::optional<double> from, to;                    // ends of the colour scale
  Scale scale = Scale::linear;                       // log: what is not positive is palest
  std::optional<double> mark_below;                  // such cells get a thick dashed frame
};

// An <svg> element for use inside HTML that carries style_sheet() in a <style>.
std::string render(const Plot& plot);
std::string render(const HeatMap& map);
std::string style_sheet();

// The same as a file of its own: namespace, size and style included.
std::string standalone(const std::string& element);

// Ticks at 1, 2 or 5 times a power of ten (decades on a log axis) between two values.
std::vector<double> nice_ticks(double from, double to, Scale scale, std::size_t about = 5);

}  // namespace chainmail::svg
