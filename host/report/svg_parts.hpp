// What line plots and heat maps share: mapping data to the canvas, tick texts, text elements.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/svg.hpp"

namespace chainmail::svg {

inline constexpr double kTextSize = 13.0;
inline constexpr double kCharacter = 8.0;  // a generous mean width of one at kTextSize
inline constexpr double kLargest = 1e300;  // beyond it differences overflow: not drawn

bool drawable(double value, Scale scale);

// A data range laid onto a stretch of the canvas.
struct Mapping {
  Scale scale = Scale::linear;
  double from = 0.0, to = 1.0;            // data
  double at_from = 0.0, at_to = 1.0;      // canvas
  double operator()(double value) const;  // clamped to the stretch
};

struct Range {
  double from = 0.0, to = 1.0;
};
// The range an axis shows: the data's with a small margin, the user's if given. A single value gets
// room on both sides; no value at all gives 0..1 (1..10 on a log axis).
Range shown_range(const Axis& axis, const std::vector<double>& data);

struct Ticks {
  std::vector<double> at;
  std::vector<std::string> text;
  int exponent = 0;  // the texts are in units of 10^exponent; goes into the axis label
};
Ticks ticks_for(const Axis& axis, const Range& range, std::size_t about);
std::string with_exponent(const std::string& label, int exponent);  // "g (×10⁶)"
std::string power_of_ten(int exponent);                             // "10⁶"

std::size_t characters(std::string_view utf8);
double text_width(std::string_view utf8, double size = kTextSize);
std::vector<std::string> wrapped(const std::string& text, double width, double size);

std::string coordinate(double value);  // one decimal; throws std::logic_error unless finite
// anchor: start, middle, end. classes: "t" plain, "t m" muted, "t b" bold.
std::string text_at(double x, double y, std::string_view text, std::string_view anchor = "start",
                    std::string_view classes = "t", double size = kTextSize, double turn = 0.0);
std::string line_between(double x1, double y1, double x2, double y2, std::string_view classes);

// Opens the element: `keep_size` stops it from growing and from shrinking much.
std::string opening(double width, double height, const std::string& title, bool keep_size = false);

}  // namespace chainmail::svg
