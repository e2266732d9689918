// The plotting helpers: ticks, line breaks, bands, thinning, heat map cells, files of their own.
#include "report/svg.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "report/svg_parts.hpp"

using namespace chainmail;
using namespace chainmail::svg;
using Catch::Contains;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::size_t count_of(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++count;
  return count;
}

Plot plot_of(const Series& series) {
  Plot plot;
  plot.title = "t";
  plot.series = {series};
  return plot;
}

std::vector<std::string> tick_texts(const Axis& axis, const Range& range) {
  return ticks_for(axis, range, 5).text;
}

}  // namespace

TEST_CASE("linear ticks stand at 1, 2 or 5 times a power of ten", "[report][svg]") {
  CHECK(nice_ticks(0.0, 10.0, Scale::linear, 5) == std::vector<double>{0, 2, 4, 6, 8, 10});
  CHECK(nice_ticks(-1.0, 1.0, Scale::linear, 4) == std::vector<double>{-1, -0.5, 0, 0.5, 1});
  for (const double scale : {1e-290, 1e-9, 1.0, 1e9, 1e290}) {
    const auto ticks = nice_ticks(-1.3 * scale, 7.1 * scale, Scale::linear, 5);
    CHECK(ticks.size() >= 3);
    CHECK(ticks.size() <= 7);
    CHECK(ticks.front() >= -1.3 * scale);
    CHECK(ticks.back() <= 7.1 * scale);
  }
}

TEST_CASE("log ticks are decades, or 1-2-5 on a short axis", "[report][svg]") {
  const auto decades = nice_ticks(50.0, 102400.0, Scale::log, 6);
  REQUIRE(decades.size() == 4);
  CHECK(decades.front() == Approx(100.0));
  CHECK(decades.back() == Approx(1e5));
  CHECK(nice_ticks(1.0, 10.0, Scale::log, 6).size() == 4);  // 1 2 5 10
  CHECK(nice_ticks(1e-30, 1e30, Scale::log, 6).size() <= 9);
}

TEST_CASE("tick texts are short and exact", "[report][svg]") {
  CHECK(tick_texts({}, {0.0, 1.0}) ==
        std::vector<std::string>{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"});
  CHECK(tick_texts({}, {-30.0, 0.0}) == std::vector<std::string>{"−30", "−20", "−10", "0"});
  const Ticks large = ticks_for({}, {0.0, 4e6}, 5);
  CHECK(large.exponent == 6);
  CHECK(large.text == std::vector<std::string>{"0", "1", "2", "3", "4"});
  CHECK(with_exponent("updates", 6) == "updates (×10⁶)");
  CHECK(power_of_ten(-12) == "10⁻¹²");
  CHECK(tick_texts({"", Scale::log, {}, {}, false}, {1.0, 1e6}).back() == "10⁶");
  CHECK(tick_texts({"", Scale::linear, {}, {}, true}, {0.5, 3.5}) ==
        std::vector<std::string>{"1", "2", "3"});
}

TEST_CASE("ranges hold the data and never vanish", "[report][svg]") {
  const Range flat = shown_range({}, {5.0, 5.0});
  CHECK(flat.from < 5.0);
  CHECK(flat.to > 5.0);
  const Range from_zero = shown_range({"", Scale::linear, 0.0, {}, false}, {0.0});
  CHECK(from_zero.from == 0.0);
  CHECK(from_zero.to > 0.0);
  const Range log = shown_range({"", Scale::log, {}, {}, false}, {-3.0, 0.0, kNan, 10.0, 1000.0});
  CHECK(log.from == 10.0);
  CHECK(log.to == 1000.0);
  const Range nothing = shown_range({}, {kNan});
  CHECK(nothing.to > nothing.from);
}

TEST_CASE("points that cannot be drawn break the line", "[report][svg]") {
  Series series;
  series.x = {1, 2, 3, 4, 5};
  series.y = {1, 2, kNan, 4, 5};
  CHECK(count_of(render(plot_of(series)), "<path class=\"line") == 2);
  series.y[2] = 3;
  CHECK(count_of(render(plot_of(series)), "<path class=\"line") == 1);
  Plot log = plot_of(series);
  log.y.scale = Scale::log;
  log.series[0].y[2] = 0.0;
  CHECK(count_of(render(log), "<path class=\"line") == 2);
}

TEST_CASE("a band is drawn around its line and cut at a log axis", "[report][svg]") {
  Series series;
  series.x = {1, 2, 3};
  series.y = {1, 2, 3};
  series.low = {0.5, -1.0, 2.5};
  series.high = {1.5, 2.5, 3.5};
  CHECK(count_of(render(plot_of(series)), "<path class=\"band") == 1);
  Plot log = plot_of(series);
  log.y.scale = Scale::log;
  CHECK(count_of(render(log), "<path class=\"band") == 1);
  series.low = {0.5};  // not one per point: no band rather than a wrong one
  CHECK(count_of(render(plot_of(series)), "<path class=\"band") == 0);
}

TEST_CASE("a million points cost no more than the pixels they fill", "[report][svg]") {
  Series series;
  for (int k = 0; k < 1000000; ++k) {
    series.x.push_back(k);
    series.y.push_back(std::sin(0.37 * k));
  }
  series.y[654321] = 40.0;  // a lone peak must survive
  Plot plot = plot_of(series);
  plot.y.from = -2.0;
  plot.y.to = 42.0;
  const std::string svg = render(plot);
  CHECK(svg.size() < 40000);
  plot.series[0].y[654321] = 0.0;
  CHECK(render(plot) != svg);
}

TEST_CASE("series differ without colour", "[report][svg]") {
  Plot plot;
  for (int k = 0; k < 4; ++k) {
    Series series;
    series.name = "s" + std::to_string(k);
    series.x = {1, 2};
    series.y = {1.0 * k, 2.0 * k};
    series.dash = static_cast<Dash>(k);
    series.marker = static_cast<Marker>(k + 1);
    series.colour = k;
    plot.series.push_back(series);
  }
  const std::string svg = render(plot);
  for (const char* dash : {"c1 d1\"", "c2 d2\"", "c3 d3\""}) CHECK(count_of(svg, dash) == 2);
  for (const char* name : {">s0<", ">s1<", ">s2<", ">s3<"}) CHECK(count_of(svg, name) == 1);
}

TEST_CASE("curves are named at their ends, in their order and apart", "[report][svg]") {
  Plot plot;
  plot.label_curves = true;
  plot.levels = {{"the level", 5.0, Dash::dashed}};
  for (const char* name : {"low", "high", "higher", "a name that is too long for a single line"}) {
    Series series;
    series.name = name;
    series.x = {1, 2, 3};
    series.y = {0, 1, 5.0 + 0.01 * static_cast<double>(plot.series.size())};  // ends that touch
    plot.series.push_back(series);
  }
  plot.series[0].y[2] = 0.0;
  plot.series[2].filled = true;
  plot.series[2].marker = Marker::circle;
  const std::string svg = render(plot);
  CHECK(count_of(svg, ">the level<") == 1);
  CHECK(count_of(svg, "class=\"dot c0 f0\"") == 4);  // three points and the name's own
  const auto height_of = [&](const std::string& text) {
    const std::size_t end = svg.find(">" + text + "<");
    REQUIRE(end != std::string::npos);
    const std::size_t at = svg.rfind(" y=\"", end);
    return std::stod(svg.substr(at + 4));
  };
  const double longest = height_of("a name that is too"), higher = height_of("higher");
  const double high = height_of("high"), level = height_of("the level"), low = height_of("low");
  CHECK(longest < height_of("line"));
  CHECK(height_of("line") < higher);
  for (auto [above, below] :
       {std::pair{longest, higher}, {higher, high}, {high, level}, {level, low}}) {
    CHECK(below - above >= 14.0);
  }
  // Without them there is a legend again.
  plot.label_curves = false;
  CHECK(render(plot) != svg);
}

TEST_CASE("a heat map prints its values", "[report][svg]") {
  HeatMap map;
  map.values = {{0.47, 1.0, 0.0}, {kNan, 12345.0, 0.0001}};
  map.row_names = {"a", "b"};
  map.mark_below = 0.05;
  const std::string svg = render(map);
  for (const char* text : {">.47<", ">1.0<", ">0<", ">12k<", ">&lt;.01<"})
    CHECK_THAT(svg, Contains(text));
  CHECK(count_of(svg, "class=\"none\"") == 1);
  CHECK(count_of(svg, "class=\"weak\"") == 2);
  CHECK_THAT(svg, Contains(">3</text>"));  // columns without names are counted
  map.scale = Scale::log;
  map.from = 0.01;
  CHECK_THAT(render(map), Contains(">&lt;.01<"));
  CHECK_THAT(render(HeatMap{}), Contains("</svg>"));
}

TEST_CASE("a heat map keeps its size and its names apart, however wide", "[report][svg]") {
  for (const std::size_t columns : {36u, 400u}) {
    HeatMap map;
    map.values.assign(20, std::vector<double>(columns));
    for (auto& row : map.values)
      for (std::size_t k = 0; k < columns; ++k) row[k] = 0.1 * static_cast<double>(k % 10);
    const std::string svg = render(map);
    CAPTURE(columns);
    const double width = std::stod(svg.substr(svg.find(" width=\"") + 8));
    CHECK(width < 1010.0);                    // a page
    CHECK(count_of(svg, "min-width:") == 1);  // on a phone it scrolls
    CHECK(svg.size() < 400'000);
    double last = -100.0;
    for (std::size_t at = 0; (at = svg.find("rotate(-90 ", at)) != std::string::npos; ++at) {
      const double x = std::stod(svg.substr(at + 11));
      if (x < 20.0) continue;  // the axis' own label
      CHECK(x - last >= 14.0);
      last = x;
    }
    CHECK(count_of(svg, ">.50</text>") == (columns == 36 ? 20 * 4 : 0));  // no room for values
  }
}

TEST_CASE("a figure of its own carries namespace, style and caption", "[report][svg]") {
  Series series;
  series.x = {1, 2};
  series.y = {1, 2};
  Plot plot = plot_of(series);
  plot.caption =
      "Residual energy per spin against sweeps, mean of forty instances, with the band "
      "of one standard error <b>.";
  const std::string file = standalone(render(plot));
  CHECK(file.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox="));
  CHECK_THAT(file, Contains("<style>") && Contains("&lt;b&gt;"));
  CHECK(count_of(file, "<svg") == 1);
  CHECK(file.find("prefers-color-scheme") == std::string::npos);
  CHECK_THROWS_AS(standalone("<p>"), std::logic_error);
}
