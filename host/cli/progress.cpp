#include "cli/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "report/format.hpp"

namespace chainmail {
namespace {

constexpr auto kInterval = std::chrono::milliseconds(100);

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The locale variables in the order the C library honours them.
bool speaks_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string value = environment(name);
    if (value.empty()) continue;
    return value.find("UTF-8") != std::string::npos || value.find("utf8") != std::string::npos;
  }
  return false;
}

std::size_t terminal_columns() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

// In one write, so that lines from elsewhere cannot cut it. A terminal that went away is no reason
// to stop solving, so failure is ignored.
void put(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

bool continues(char c) {
  return (static_cast<unsigned char>(c) & 0xc0u) == 0x80u;
}

std::size_t width_of(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continues));
}

std::string cut(std::string_view text, std::size_t columns) {
  std::size_t end = 0;
  for (std::size_t shown = 0; end < text.size(); ++end)
    if (!continues(text[end]) && ++shown > columns) break;
  return std::string(text.substr(0, end));
}

std::string bar(double fraction, std::size_t width, bool unicode) {
  const auto full = static_cast<std::size_t>(std::lround(fraction * static_cast<double>(width)));
  std::string text = unicode ? "" : "[";
  for (std::size_t k = 0; k < width; ++k)
    text += unicode ? (k < full ? "█" : "░") : (k < full ? "#" : ".");
  return unicode ? text : text + "]";
}

std::string time_left(double fraction, double elapsed) {
  // The first moments say nothing about the rest.
  if (elapsed < 0.5 || fraction < 0.005) return "";
  const double left = std::min(elapsed * (1.0 - fraction) / fraction, 359999.0);
  const auto seconds = static_cast<std::uint64_t>(std::ceil(left));
  if (seconds < 3600) return fmt::format("ETA {}:{:02}", seconds / 60, seconds % 60);
  return fmt::format("ETA {}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

// Names may hold anything; a control character would break the one-line promise.
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return text;
}

}  // namespace

std::string progress_text(const ProgressFacts& facts) {
  std::string text =
      short_count_text(facts.sweeps) + (facts.sweeps == 1 ? " sweep  " : " sweeps  ");
  if (facts.best) text += "best " + number_text(*facts.best);
  if (!facts.best) text += "nothing feasible yet";
  if (facts.best && facts.constrained) text += " (feasible)";
  if (facts.updates_per_ns > 0.0)
    text += "  " + number_text(facts.updates_per_ns, 3) + " updates/ns";
  return text;
}

std::string progress_line(const ProgressLine& line, std::size_t columns) {
  const double fraction = std::isfinite(line.fraction) ? std::clamp(line.fraction, 0.0, 1.0) : 0.0;
  const std::string percent = fmt::format("{:3.0f}%", std::floor(100.0 * fraction));
  const std::string left = time_left(fraction, line.elapsed);
  std::string tail = "  " + one_line(line.text);
  if (!left.empty()) tail += "  " + left;
  std::string head = one_line(line.label);
  if (!head.empty()) head += ' ';
  const std::size_t frame = line.unicode ? 1 : 3;  // a space, and brackets
  const std::size_t used = width_of(head) + percent.size() + width_of(tail) + frame;
  std::string whole = head + percent;
  if (used + 6 <= columns)
    whole += " " + bar(fraction, std::min<std::size_t>(columns - used, 24), line.unicode);
  else if (width_of(whole) + width_of(tail) > columns)
    whole = percent;  // too narrow for all: the label is what the user knows already
  return cut(whole + tail, columns);
}

Progress::Progress(bool enabled, std::string label)
    : label_(std::move(label)),
      active_(enabled && ::isatty(STDERR_FILENO) == 1 && environment("TERM") != "dumb"),
      unicode_(speaks_utf8()),
      start_(Clock::now()),
      last_(start_ - kInterval) {}

Progress::~Progress() {
  finish();
}

void Progress::update(double fraction, const std::string& text) {
  if (!active_) return;
  const auto now = Clock::now();
  if (now - last_ < kInterval) return;
  last_ = now;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  // The last column stays free: writing there makes some terminals wrap.
  const std::size_t columns = std::max<std::size_t>(terminal_columns(), 2) - 1;
  put("\r" + progress_line({label_, text, fraction, elapsed, unicode_}, columns) + "\x1b[K");
  drawn_ = true;
}

void Progress::finish() {
  if (drawn_) put("\r\x1b[K");
  drawn_ = false;
}

}  // namespace chainmail
