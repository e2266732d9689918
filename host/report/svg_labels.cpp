#include "report/svg_labels.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace chainmail::svg {
namespace {

constexpr double kSize = 12.0, kLine = 14.0, kGap = 3.0;
constexpr double kLeader = 26.0, kMostWidth = 150.0;

struct Placed {
  const CurveEnd* end;
  std::vector<std::string> lines;
  double height, top = 0.0;
};

// Labels that touch form a block; a block is placed at the average of its labels' preferred
// positions.
struct Block {
  std::size_t first, count;
  double wanted, height;  // sum of where each label wants the block to begin; in all
};

void spread(std::vector<Placed>& labels, double top, double bottom) {
  std::vector<Block> blocks;
  const auto begin_of = [&](const Block& block) {
    return std::max(
        top, std::min(block.wanted / static_cast<double>(block.count), bottom - block.height));
  };
  for (std::size_t k = 0; k < labels.size(); ++k) {
    Block block{k, 1, labels[k].end->y - labels[k].height / 2.0, labels[k].height};
    while (!blocks.empty() && begin_of(blocks.back()) + blocks.back().height > begin_of(block)) {
      const Block& above = blocks.back();
      const double moved = above.height * static_cast<double>(block.count);
      block = {above.first, above.count + block.count, above.wanted + block.wanted - moved,
               above.height + block.height};
      blocks.pop_back();
    }
    blocks.push_back(block);
  }
  for (const Block& block : blocks) {
    double at = begin_of(block);
    for (std::size_t k = block.first; k < block.first + block.count; ++k) {
      labels[k].top = at;
      at += labels[k].height;
    }
  }
}

std::vector<std::string> lines_of(const std::string& name) {
  return wrapped(name, kMostWidth, kSize);
}

}  // namespace

double label_room(const std::vector<CurveEnd>& ends) {
  double widest = 0.0;
  for (const CurveEnd& end : ends)
    for (const std::string& line : lines_of(end.name))
      widest = std::max(widest, text_width(line, kSize));
  return ends.empty() ? 0.0 : kLeader + 8.0 + widest;
}

std::string labels_at(const std::vector<CurveEnd>& ends, double right, double top, double bottom) {
  std::vector<Placed> labels;
  for (const CurveEnd& end : ends) {
    const std::vector<std::string> lines = lines_of(end.name);
    labels.push_back({&end, lines, kLine * static_cast<double>(lines.size()) + kGap});
  }
  std::stable_sort(labels.begin(), labels.end(),
                   [](const Placed& a, const Placed& b) { return a.end->y < b.end->y; });
  spread(labels, top, bottom);
  std::string svg;
  for (const Placed& label : labels) {
    const CurveEnd& end = *label.end;
    const double middle = label.top + label.height / 2.0, x = right + kLeader;
    svg += fmt::format("<path class=\"{}\" stroke-width=\"1.2\" d=\"M{} {}L{} {}h8\"/>\n",
                       end.line_class, coordinate(end.x), coordinate(end.y), coordinate(x - 14.0),
                       coordinate(middle));
    svg += marker_at(end.marker, x - 6.0, middle, end.colour, end.filled);
    double y = label.top + kGap / 2.0 + 11.0;
    for (const std::string& line : label.lines) {
      svg += text_at(x + 6.0, y, line, "start", "t", kSize);
      y += kLine;
    }
  }
  return svg;
}

std::string marker_at(Marker marker, double x, double y, int colour, bool filled) {
  const std::string classes =
      fmt::format("class=\"dot c{0}{1}\"", colour, filled ? fmt::format(" f{}", colour) : "");
  const auto path = [&](const std::string& d) {
    return fmt::format("<path {} d=\"M{} {}{}\"/>\n", classes, coordinate(x), coordinate(y), d);
  };
  switch (marker) {
    case Marker::circle:
      return fmt::format("<circle {} cx=\"{}\" cy=\"{}\" r=\"3\"/>\n", classes, coordinate(x),
                         coordinate(y));
    case Marker::square:
      return path("m-2.8 -2.8h5.6v5.6h-5.6z");
    case Marker::triangle:
      return path("m0 -3.8l3.5 6.2h-7z");
    case Marker::diamond:
      return path("m0 -4l4 4l-4 4l-4 -4z");
    case Marker::cross:
      return path("m-3 -3l6 6m0 -6l-6 6");
    case Marker::none:
      break;
  }
  return "";
}

}  // namespace chainmail::svg
