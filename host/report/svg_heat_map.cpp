// Heat maps over the grid of replicas. Opacity of one colour is the scale, and the legend shows it
// with its end values. If there is room every cell shows its value; a large grid has small cells,
// one path for each of twelve shades, and a name at every n-th row and column. Either keeps its
// size and scrolls on a narrow screen.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/format.hpp"
#include "report/svg_parts.hpp"

namespace chainmail::svg {
namespace {

constexpr double kCellHeight = 24.0;
constexpr double kCellText = 11.0;
constexpr double kPalest = 0.06, kDarkest = 0.95, kTextTurns = 0.64;

// At most four characters: ".47", "1.2", "340", "12k"; "<.01" and "10¹⁵" where that cannot be.
std::string cell_text(double value) {
  if (value == 0.0) return "0";
  const double size = std::abs(value);
  if (size < 0.005) return value > 0.0 ? "<.01" : ">-.01";
  if (size >= 999.5e12) return power_of_ten(static_cast<int>(std::floor(std::log10(size))));
  double scaled = value;
  std::size_t unit = 0;
  for (; std::abs(scaled) >= 999.5; ++unit) scaled /= 1000.0;
  const double shown = std::abs(scaled);
  const int decimals = shown < 0.995 ? 2 : shown < 9.95 ? 1 : 0;
  std::string text = fmt::format("{:.{}f}", scaled, decimals);
  const std::size_t zero = text.find("0.");
  if (zero == 0 || (zero == 1 && text[0] == '-')) text.erase(zero, 1);
  static constexpr std::array kUnits = {"", "k", "M", "G", "T"};
  return text + kUnits[unit];
}

// On a log scale with a chosen lower end, what lies below it is written as that end: "<.01".
std::string shown_text(double value, const HeatMap& map) {
  const bool below = map.scale == Scale::log && map.from && value > 0.0 && value < *map.from;
  return below ? "<" + cell_text(*map.from) : cell_text(value);
}

double share_of(double value, const Mapping& mapping) {
  return drawable(value, mapping.scale) ? mapping(value) : 0.0;
}

double opacity(double share) {
  return kPalest + share * (kDarkest - kPalest);
}

struct Layout {
  double left, top, cell, height, right, bottom;
  bool turned;                        // column names are vertical
  bool small;                         // no room for values
  std::size_t row_step, column_step;  // every n-th gets its name
};

constexpr double kLeastCell = 22.0;  // holds a value

// Cells of one shade together, neighbours in a row as one.
std::string small_cells(const HeatMap& map, const Layout& at, const Mapping& mapping) {
  constexpr std::size_t kShades = 12;
  std::array<std::string, kShades> paths;
  std::string weak;
  for (std::size_t row = 0; row < map.values.size(); ++row) {
    const std::vector<double>& values = map.values[row];
    const auto shade_of = [&](std::size_t column) {
      const double share = share_of(values[column], mapping);
      return static_cast<std::size_t>(std::lround(share * (kShades - 1)));
    };
    const auto is_weak = [&](std::size_t column) {
      return map.mark_below && values[column] < *map.mark_below;
    };
    for (std::size_t first = 0, end = 0; first < values.size(); first = end) {
      for (end = first + 1; end < values.size(); ++end) {
        if (std::isfinite(values[end]) != std::isfinite(values[first])) break;
        if (shade_of(end) != shade_of(first) || is_weak(end) != is_weak(first)) break;
      }
      if (!std::isfinite(values[first])) continue;
      const double width = static_cast<double>(end - first) * at.cell;
      const std::string box = fmt::format(
          "M{} {}h{}v{}h-{}z", coordinate(at.left + static_cast<double>(first) * at.cell),
          coordinate(at.top + static_cast<double>(row) * at.height), coordinate(width),
          coordinate(at.height), coordinate(width));
      paths[shade_of(first)] += box;
      if (is_weak(first)) weak += box;
    }
  }
  std::string svg;
  for (std::size_t shade = 0; shade < kShades; ++shade) {
    if (paths[shade].empty()) continue;
    svg += fmt::format(
        "<path class=\"cell\" style=\"stroke:none\" fill-opacity=\"{:.3f}\" d=\"{}\"/>\n",
        opacity(static_cast<double>(shade) / (kShades - 1)), paths[shade]);
  }
  if (!weak.empty())
    svg += fmt::format("<path class=\"weak\" style=\"stroke-width:1\" d=\"{}\"/>\n", weak);
  return svg;
}

std::string cells(const HeatMap& map, const Layout& at, const Mapping& mapping) {
  std::string svg;
  for (std::size_t row = 0; row < map.values.size(); ++row) {
    for (std::size_t column = 0; column < map.values[row].size(); ++column) {
      const double value = map.values[row][column];
      const double x = at.left + static_cast<double>(column) * at.cell;
      const double y = at.top + static_cast<double>(row) * at.height;
      const std::string box =
          fmt::format("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", coordinate(x), coordinate(y),
                      coordinate(at.cell), coordinate(at.height));
      if (!std::isfinite(value)) {
        svg += fmt::format("<rect class=\"none\" {}/>\n", box);
        continue;
      }
      const double shade = opacity(share_of(value, mapping));
      svg += fmt::format("<g><title>{} {}, {} {}: {}</title>\n", xml_escaped(map.y_label),
                         xml_escaped(map.row_names[row]), xml_escaped(map.x_label),
                         xml_escaped(map.column_names[column]), number_text(value, 4));
      svg += fmt::format("<rect class=\"cell\" {} fill-opacity=\"{:.3f}\"/>\n", box, shade);
      if (map.mark_below && value < *map.mark_below)
        svg += fmt::format("<rect class=\"weak\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n",
                           coordinate(x + 2.0), coordinate(y + 2.0), coordinate(at.cell - 4.0),
                           coordinate(at.height - 4.0));
      svg += text_at(x + at.cell / 2.0, y + at.height / 2.0 + 4.0, shown_text(value, map), "middle",
                     shade > kTextTurns ? "t on" : "t", kCellText);
      svg += "</g>\n";
    }
  }
  return svg;
}

std::string names(const HeatMap& map, const Layout& at) {
  std::string svg;
  for (std::size_t row = 0; row < map.values.size(); row += at.row_step)
    svg += text_at(at.left - 6.0, at.top + (static_cast<double>(row) + 0.5) * at.height + 4.0,
                   map.row_names[row], "end", "t m", kCellText);
  for (std::size_t column = 0; column < map.column_names.size(); column += at.column_step) {
    const double x = at.left + (static_cast<double>(column) + 0.5) * at.cell;
    if (at.turned)
      svg += text_at(x + 4.0, at.bottom + 6.0, map.column_names[column], "end", "t m", kCellText,
                     -90.0);
    else
      svg += text_at(x, at.bottom + 15.0, map.column_names[column], "middle", "t m", kCellText);
  }
  return svg;
}

std::string colour_bar(const Range& range, double x, double y, const std::string& label) {
  constexpr int kSteps = 12;
  constexpr double kWidth = 9.0, kHeight = 11.0;
  const auto end_text = [](double value) {
    return std::abs(value) < 999.5 ? number_text(value, 3) : cell_text(value);
  };
  const std::string low = end_text(range.from), high = end_text(range.to);
  std::string svg = text_at(x, y + 10.0, label + "  " + low, "start", "t m", kCellText);
  x += text_width(label + "  " + low, kCellText) + 4.0;
  for (int k = 0; k < kSteps; ++k, x += kWidth)
    svg += fmt::format(
        "<rect class=\"cell\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" "
        "fill-opacity=\"{:.3f}\"/>\n",
        coordinate(x), coordinate(y), coordinate(kWidth), coordinate(kHeight),
        opacity(static_cast<double>(k) / (kSteps - 1)));
  return svg + text_at(x + 6.0, y + 10.0, high, "start", "t m", kCellText);
}

// Names may be missing or short; the map then counts from 1.
void complete(std::vector<std::string>& texts, std::size_t wanted) {
  while (texts.size() < wanted) texts.push_back(std::to_string(texts.size() + 1));
}

double widest_of(const std::vector<std::string>& texts) {
  double widest = 0.0;
  for (const std::string& text : texts) widest = std::max(widest, text_width(text, kCellText));
  return widest;
}

}  // namespace

std::string render(const HeatMap& given) {
  HeatMap map = given;
  std::size_t columns = 0;
  std::vector<double> all;
  for (const auto& row : map.values) {
    columns = std::max(columns, row.size());
    all.insert(all.end(), row.begin(), row.end());
  }
  complete(map.row_names, map.values.size());
  complete(map.column_names, columns);
  map.column_names.resize(columns);

  Range range = shown_range({"", map.scale, map.from, map.to, false}, all);
  if (map.scale == Scale::linear && !map.from && !map.to && !all.empty()) {
    // No margin around a colour scale: its ends are values that occur.
    std::erase_if(all, [](double value) { return !drawable(value, Scale::linear); });
    if (!all.empty()) {
      const auto [low, high] = std::minmax_element(all.begin(), all.end());
      if (*high > *low) range = {*low, *high};
    }
  }
  const Mapping mapping{map.scale, range.from, range.to, 0.0, 1.0};

  // The page is about a thousand units wide.
  constexpr double kRoom = 900.0, kTall = 640.0;
  const auto steps_of = [](double cell, double needed) {
    return static_cast<std::size_t>(std::max(1.0, std::ceil(needed / cell)));
  };
  const auto column_count = static_cast<double>(std::max<std::size_t>(columns, 1));
  const auto row_count = static_cast<double>(std::max<std::size_t>(map.values.size(), 1));
  Layout at{};
  at.left = 30.0 + widest_of(map.row_names);
  at.cell = std::clamp((columns > 12 ? kRoom : 330.0) / column_count, 1.5, 56.0);
  at.small = at.cell < kLeastCell || row_count * kCellHeight > 2.0 * kTall;
  at.height = at.small ? std::clamp(kTall / row_count, 5.0, kCellHeight) : kCellHeight;
  at.top = (map.title.empty() ? 4.0 : 26.0) + 24.0;
  at.right = at.left + static_cast<double>(columns) * at.cell;
  at.bottom = at.top + static_cast<double>(map.values.size()) * at.height;
  const double name_width = widest_of(map.column_names);
  at.turned = name_width + 4.0 > at.cell;
  at.row_step = steps_of(at.height, 14.0);
  at.column_step = steps_of(at.cell, at.turned ? 16.0 : 0.0);

  double height = at.bottom + (at.turned ? name_width + 12.0 : 20.0) + 18.0;
  const double width = std::max(at.right + 12.0, 300.0);
  std::string body = (at.small ? small_cells(map, at, mapping) : cells(map, at, mapping));
  body += names(map, at);
  body += text_at((at.left + at.right) / 2.0, height - 5.0, map.x_label, "middle");
  body += text_at(14.0, (at.top + at.bottom) / 2.0, map.y_label, "middle", "t", kTextSize, -90.0);
  body += colour_bar(range, at.left, at.top - 20.0, map.value_label);
  if (!map.title.empty()) body += text_at(at.left, 16.0, map.title, "start", "t b");
  for (const std::string& line : wrapped(map.caption, width - 24.0, 12.0)) {
    body += text_at(12.0, height + 14.0, line, "start", "t m", 12.0);
    height += 17.0;
  }
  return opening(width, height + 4.0, map.title, true) + body + "</svg>\n";
}

}  // namespace chainmail::svg
