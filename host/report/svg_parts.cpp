#include "report/svg_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "report/format.hpp"

namespace chainmail::svg {

bool drawable(double value, Scale scale) {
  return std::isfinite(value) && std::abs(value) < kLargest &&
         (scale == Scale::linear || value > 1.0 / kLargest);
}

double Mapping::operator()(double value) const {
  const double share = scale == Scale::linear ? (value - from) / (to - from)
                                              : (std::log10(value) - std::log10(from)) /
                                                    (std::log10(to) - std::log10(from));
  return at_from + std::clamp(share, 0.0, 1.0) * (at_to - at_from);
}

Range shown_range(const Axis& axis, const std::vector<double>& data) {
  const bool log = axis.scale == Scale::log;
  bool any = false;
  Range range;
  for (double value : data) {
    if (!drawable(value, axis.scale)) continue;
    range.from = any ? std::min(range.from, value) : value;
    range.to = any ? std::max(range.to, value) : value;
    any = true;
  }
  if (!any) range = log ? Range{1.0, 10.0} : Range{0.0, 1.0};
  if (axis.from && drawable(*axis.from, axis.scale)) range.from = *axis.from;
  if (axis.to && drawable(*axis.to, axis.scale)) range.to = *axis.to;
  if (log) {
    if (range.to < range.from * 1.5) {
      range.from /= axis.from ? 1.0 : 2.0;
      range.to = std::max(range.to * 2.0, range.from * 2.0);
    }
    return range;
  }
  // Below this spread neighbouring ticks would no longer be different doubles.
  const double size = std::max(std::abs(range.from), std::abs(range.to));
  const double least = size == 0.0 ? 1.0 : size * 1e-10;
  const bool single = range.to - range.from < least;
  const double air = axis.whole_numbers ? 0.5
                     : single           ? std::max(size * 0.05, least)
                                        : 0.05 * (range.to - range.from);
  if (!axis.from) range.from -= air;
  if (!axis.to || range.to - range.from < least) range.to += air;
  return range;
}

namespace {

std::vector<double> log_ticks(double from, double to, double wanted) {
  std::vector<double> ticks;
  const double low = std::log10(from), high = std::log10(to);
  if (high - low > 2.0) {
    const int stride = std::max(1, static_cast<int>(std::ceil((high - low) / wanted / 1.5)));
    const int first = static_cast<int>(std::ceil((low - 1e-9) / stride)) * stride;
    for (int k = first; k <= high + 1e-9; k += stride) ticks.push_back(std::pow(10.0, k));
    return ticks;
  }
  for (int k = static_cast<int>(std::floor(low)); k <= high; ++k)
    for (double digit : {1.0, 2.0, 5.0}) {
      const double tick = digit * std::pow(10.0, k);
      if (tick >= from * (1 - 1e-9) && tick <= to * (1 + 1e-9)) ticks.push_back(tick);
    }
  return ticks;
}

std::vector<double> linear_ticks(double from, double to, double wanted) {
  const double rough = (to - from) / wanted;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double ratio = rough / power;
  const double step = power * (ratio <= 1.0 ? 1.0 : ratio <= 2.0 ? 2.0 : ratio <= 5.0 ? 5.0 : 10.0);
  const double first = std::ceil(from / step - 1e-6), last = std::floor(to / step + 1e-6);
  std::vector<double> ticks;
  for (int k = 0; k <= last - first; ++k) {
    const double number = first + k;
    ticks.push_back(number == 0.0 ? 0.0 : number * step);  // no "-0"
  }
  return ticks;
}

}  // namespace

std::vector<double> nice_ticks(double from, double to, Scale scale, std::size_t about) {
  const double wanted = static_cast<double>(std::max<std::size_t>(about, 2));
  return scale == Scale::log ? log_ticks(from, to, wanted) : linear_ticks(from, to, wanted);
}

std::string power_of_ten(int exponent) {
  static constexpr const char* kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "10⁻" : "10";
  for (char digit : std::to_string(std::abs(exponent))) text += kDigits[digit - '0'];
  return text;
}

std::string with_exponent(const std::string& label, int exponent) {
  return exponent == 0 ? label : label + " (×" + power_of_ten(exponent) + ")";
}

namespace {

std::string with_minus_sign(std::string text) {
  if (text.front() == '-') text.replace(0, 1, "−");
  return text;
}

std::string log_text(double tick, double largest, double smallest) {
  if (largest < 9999.0 && smallest > 0.9e-3) return fmt::format("{:.4g}", tick);
  const int exponent = static_cast<int>(std::floor(std::log10(tick) + 1e-9));
  const double digit = std::round(tick / std::pow(10.0, exponent));
  return (digit > 1.0 ? fmt::format("{:.0f}·", digit) : "") + power_of_ten(exponent);
}

}  // namespace

Ticks ticks_for(const Axis& axis, const Range& range, std::size_t about) {
  Ticks ticks;
  ticks.at = nice_ticks(range.from, range.to, axis.scale, about);
  if (axis.scale == Scale::log) {
    for (double tick : ticks.at) ticks.text.push_back(log_text(tick, range.to, range.from));
    return ticks;
  }
  if (axis.whole_numbers)
    std::erase_if(ticks.at, [](double tick) { return tick != std::floor(tick); });
  const double size = std::max(std::abs(range.from), std::abs(range.to));
  const int decade = static_cast<int>(std::floor(std::log10(size)));
  if (decade >= 5 || decade < -3) ticks.exponent = decade;
  const double unit = std::pow(10.0, ticks.exponent);
  const double step = ticks.at.size() > 1 ? (ticks.at[1] - ticks.at[0]) / unit : 1.0;
  const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-6)), 0, 12);
  for (double tick : ticks.at)
    ticks.text.push_back(with_minus_sign(fmt::format("{:.{}f}", tick / unit, decimals)));
  return ticks;
}

std::size_t characters(std::string_view utf8) {
  return static_cast<std::size_t>(std::count_if(utf8.begin(), utf8.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0u) != 0x80u;
  }));
}

double text_width(std::string_view utf8, double size) {
  return static_cast<double>(characters(utf8)) * kCharacter * size / kTextSize;
}

std::vector<std::string> wrapped(const std::string& text, double width, double size) {
  std::vector<std::string> lines;
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) {
    if (!line.empty() && text_width(line, size) + text_width(word, size) > width) {
      lines.push_back(line);
      line.clear();
    }
    if (!line.empty()) line += ' ';
    line += word;
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

std::string coordinate(double value) {
  if (!std::isfinite(value)) throw std::logic_error("svg: a coordinate is not finite");
  return fmt::format("{:.1f}", value);
}

std::string text_at(double x, double y, std::string_view text, std::string_view anchor,
                    std::string_view classes, double size, double turn) {
  std::string attributes =
      fmt::format("x=\"{}\" y=\"{}\" class=\"{}\"", coordinate(x), coordinate(y), classes);
  if (anchor != "start") attributes += fmt::format(" text-anchor=\"{}\"", anchor);
  if (size != kTextSize) attributes += fmt::format(" style=\"font-size:{:g}px\"", size);
  if (turn != 0.0)
    attributes +=
        fmt::format(" transform=\"rotate({:g} {} {})\"", turn, coordinate(x), coordinate(y));
  return fmt::format("<text {}>{}</text>\n", attributes, xml_escaped(text));
}

std::string line_between(double x1, double y1, double x2, double y2, std::string_view classes) {
  return fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"{}\"/>\n",
                     coordinate(x1), coordinate(y1), coordinate(x2), coordinate(y2), classes);
}

std::string opening(double width, double height, const std::string& title, bool keep_size) {
  // Shrunk much below four fifths, the numbers in the cells could no longer be read.
  const std::string style =
      keep_size ? fmt::format(" style=\"width:{:.0f}px;min-width:{:.0f}px\"", width, 0.77 * width)
                : "";
  return fmt::format(
      "<svg class=\"chart\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "role=\"img\" aria-label=\"{2}\"{3}>\n",
      width, height, xml_escaped(title), style);
}

// Colour classes: cN strokes a line or marker, fN fills a band or a cell. Cells are one colour at
// different opacity, so that the scale is monotonic on paper and on a dark screen alike.
static constexpr const char* kLightStyle =
    R"(.chart{display:block;font-family:system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
.t{font-size:13px;fill:#1d2733}.m{fill:#5b6875}.b{font-weight:600}.on{fill:#fff}
.axis{stroke:#5b6875;stroke-width:1;fill:none}.grid{stroke:#d9dfe5;stroke-width:1}.level{stroke:#1d2733;stroke-width:1.3;fill:none}
.line{fill:none;stroke-linejoin:round;stroke-linecap:butt}.dot{stroke-width:1.4;fill:#fff}.band{stroke:none;fill-opacity:.2}
.c0{stroke:#1c5fb0}.c1{stroke:#c2410c}.c2{stroke:#1f7a4d}.c3{stroke:#7a3fa0}.c4{stroke:#8a6a00}.c5{stroke:#3b4652}
.f0{fill:#1c5fb0}.f1{fill:#c2410c}.f2{fill:#1f7a4d}.f3{fill:#7a3fa0}.f4{fill:#8a6a00}.f5{fill:#3b4652}
.cell{fill:#0b4a94;stroke:#fff;stroke-width:1}.none{fill:none;stroke:#d9dfe5;stroke-width:1}.weak{fill:none;stroke:#b91c1c;stroke-width:2;stroke-dasharray:4 2}
.edge{stroke:#5b6875;stroke-width:1;stroke-opacity:.55}.weakly{stroke-dasharray:1.5 3}.wrong{stroke:#b91c1c;stroke-width:2.5;stroke-opacity:1}.path{stroke:#1c5fb0;stroke-width:2;stroke-opacity:1}.vertex{stroke:#fff;stroke-width:1}
.d1{stroke-dasharray:7 4}.d2{stroke-dasharray:1.5 3}.d3{stroke-dasharray:8 3 1.5 3}
)";
static constexpr const char* kDarkStyle = R"(@media screen and (prefers-color-scheme:dark){
.t{fill:#e6ebf0}.m{fill:#9aa7b4}.on{fill:#0d141b}.axis{stroke:#9aa7b4}.grid{stroke:#2b3743}.level{stroke:#e6ebf0}.dot{fill:#151e27}
.c0{stroke:#79b3ff}.c1{stroke:#ff9a5c}.c2{stroke:#62d197}.c3{stroke:#cba0f5}.c4{stroke:#e4c04a}.c5{stroke:#c3ccd5}
.f0{fill:#79b3ff}.f1{fill:#ff9a5c}.f2{fill:#62d197}.f3{fill:#cba0f5}.f4{fill:#e4c04a}.f5{fill:#c3ccd5}
.cell{fill:#6aa5f5;stroke:#151e27}.none{stroke:#2b3743}.weak{stroke:#ff8080}
.edge{stroke:#9aa7b4}.wrong{stroke:#ff8080}.path{stroke:#79b3ff}.vertex{stroke:#151e27}}
)";

std::string style_sheet() {
  return std::string(kLightStyle) + kDarkStyle;
}

// A file is for paper and slides: always light, on its own white ground.
std::string standalone(const std::string& element) {
  const std::size_t head = element.find('>');
  if (!element.starts_with("<svg ") || head == std::string::npos)
    throw std::logic_error("svg: standalone() takes what render() returns");
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" " + element.substr(5, head - 4) + "\n<style>" +
         kLightStyle + "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n" +
         element.substr(head + 2);
}

}  // namespace chainmail::svg
