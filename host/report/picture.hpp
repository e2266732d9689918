// The picture that fits an answer: a cut, a colouring or a set of vertices as a graph, or a
// round trip. What a model is about is inferred from its names and constraints.
#pragma once

#include <string>

#include "run/source.hpp"
#include "solve/result.hpp"

namespace chainmail {

struct Picture {
  std::string svg;  // empty if none fits, or if there is too much to draw
  std::string caption;
};
Picture picture_for(const Result& result, const Source& source);

}  // namespace chainmail
