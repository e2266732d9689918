#include "report/trace.hpp"

#include <fmt/format.h>

#include <cmath>

namespace chainmail {
namespace {

std::string cell(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "";
}

}  // namespace

std::string to_csv(const Result& result) {
  std::string csv = "sweep,energy,g,best\n";
  for (const TracePoint& point : result.trace)
    csv += fmt::format("{},{},{},{}\n", point.sweep, cell(point.energy), cell(point.g),
                       point.best ? cell(*point.best) : "");
  return csv;
}

}  // namespace chainmail
