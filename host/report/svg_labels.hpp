// Names of curves at their right ends, in a column next to the plot: no legend to look up, and
// nothing depends on colour alone. Also the markers that curves and their names share.
#pragma once

#include "report/svg_parts.hpp"

namespace chainmail::svg {

struct CurveEnd {
  double x, y;  // on the canvas, the curve's last point
  std::string name, line_class;
  Marker marker;
  int colour;
  bool filled;
};

// How wide the column is, with the lines that lead to it.
double label_room(const std::vector<CurveEnd>& ends);
// `right`: where the plot ends and the column begins. Names stay in the order of the ends and are
// moved apart as little as possible.
std::string labels_at(const std::vector<CurveEnd>& ends, double right, double top, double bottom);

std::string marker_at(Marker marker, double x, double y, int colour, bool filled);

}  // namespace chainmail::svg
