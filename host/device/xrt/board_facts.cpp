#include "device/xrt/board_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "support/error.hpp"

namespace chainmail {

namespace {

// Microseconds of "60us", "0.5ms"; negative: no time.
double microseconds(std::string_view text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  if (error != std::errc{} || !(value >= 0.0 && value <= 1e6)) return -1.0;
  if (unit == "us") return value;
  return unit == "ms" ? 1000.0 * value : -1.0;
}

}  // namespace

const BoardFacts* board_of(const std::string& device) {
  for (const BoardFacts& facts : known_boards()) {
    if (device.starts_with(facts.device)) return &facts;
  }
  return nullptr;
}

BurstCosts parse_latency(const std::string& text) {
  std::string names;
  for (const BoardFacts& facts : known_boards()) {
    if (facts.board == text) return facts.costs;
    names += (names.empty() ? "" : ", ") + facts.board;
  }
  BurstCosts costs;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    const std::string part = text.substr(from, comma - from);
    const std::size_t equals = std::min(part.find('='), part.size());
    const std::string name = part.substr(0, equals);
    const double time =
        microseconds(std::string_view(part).substr(std::min(equals + 1, part.size())));
    if ((name != "launch" && name != "sync") || time < 0.0) {
      throw UsageError(
          fmt::format("--emulate-latency: expected launch=60us,sync=25us or a board ({}), not '{}'",
                      names, text));
    }
    (name == "launch" ? costs.launch_us : costs.sync_us) = time;
    from = comma + 1;
  }
  return costs;
}

}  // namespace chainmail
