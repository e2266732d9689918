#include "reproduce/outcome.hpp"

#include <fmt/format.h>

namespace chainmail::reproduce {

std::string verdicts(const std::vector<Target>& targets) {
  std::string text;
  for (const Target& target : targets) {
    const char* verdict = !target.met ? "not judged" : *target.met ? "met" : "not met";
    text += fmt::format("{}: {}: {}: {}\n", verdict, target.figure, target.what, target.found);
  }
  return text;
}

std::string with_interval(const Estimate& estimate, int digits) {
  return fmt::format("{:.{}g} [{:.{}g}, {:.{}g}]", estimate.value, digits, estimate.low, digits,
                     estimate.high, digits);
}

}  // namespace chainmail::reproduce
