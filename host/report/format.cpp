#include "report/format.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace chainmail {

std::string number_text(double value, int digits) {
  if (!std::isfinite(value)) return "n/a";
  return fmt::format("{:.{}g}", value == 0.0 ? 0.0 : value, digits);  // no "-0"
}

std::string amount_text(double value) {
  constexpr double kWhole = 0x1.0p53;  // beyond it a double is not one whole number
  if (value == std::round(value) && std::abs(value) < kWhole)
    return fmt::format("{:.0f}", value + 0.0);
  return number_text(value, 10);
}

std::string short_count_text(std::uint64_t value) {
  if (value < 10000) return std::to_string(value);
  static constexpr std::array kUnits = {"", "k", "M", "G", "T", "P", "E"};
  double scaled = static_cast<double>(value);
  std::size_t unit = 0;
  while (scaled >= 999.5) {
    scaled /= 1000.0;
    ++unit;
  }
  const int decimals = scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}{}", scaled, decimals, kUnits[unit]);
}

std::string percent_text(double share) {
  if (!std::isfinite(share)) return "n/a";
  const double percent = 100.0 * share;
  if (percent > 0.0 && percent < 0.05)
    return percent < 1e-4 ? "< 0.0001 %" : fmt::format("{:.1g} %", percent);
  return fmt::format("{:.1f} %", percent);
}

std::string duration_text(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0.0) return "n/a";
  if (seconds < 0.9995e-3) return fmt::format("{:.3g} µs", seconds * 1e6);
  if (seconds < 0.9995) return fmt::format("{:.3g} ms", seconds * 1e3);
  if (seconds < 59.95) return fmt::format("{:.3g} s", seconds);
  const double whole = std::round(seconds);
  const double minutes = std::floor(whole / 60.0);
  if (whole < 3600.0) return fmt::format("{:.0f} min {:02.0f} s", minutes, whole - 60.0 * minutes);
  const double hours = std::floor(whole / 3600.0);
  return fmt::format("{:.0f} h {:02.0f} min", hours, std::floor((whole - 3600.0 * hours) / 60.0));
}

std::string memory_text(std::uint64_t kib) {
  if (kib < 1024) return fmt::format("{} KiB", kib);
  const double mib = static_cast<double>(kib) / 1024.0;
  if (mib < 1023.5) return fmt::format("{:.{}f} MiB", mib, mib < 99.95 ? 1 : 0);
  return fmt::format("{:.2f} GiB", mib / 1024.0);
}

namespace {

// Length of the well-formed UTF-8 sequence at the start of text, 0 when there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned lead = byte(0);
  const std::size_t length = lead < 0x80                    ? 1
                             : lead >= 0xc2 && lead <= 0xdf ? 2
                             : lead >= 0xe0 && lead <= 0xef ? 3
                             : lead >= 0xf0 && lead <= 0xf4 ? 4
                                                            : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte(k) & 0xc0u) != 0x80u) return 0;
  if (length < 3) return length;
  const unsigned second = byte(1);
  const bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
  const bool surrogate = lead == 0xed && second > 0x9f;
  const bool beyond = lead == 0xf4 && second > 0x8f;
  const bool not_a_character = lead == 0xef && second == 0xbf && byte(2) >= 0xbe;
  return overlong || surrogate || beyond || not_a_character ? 0 : length;
}

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  while (!text.empty()) {
    const char c = text.front();
    const std::size_t length = utf8_length(text);
    const bool control = static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n';
    if (length == 0 || control || c == 0x7f) {
      safe += "\uFFFD";
    } else if (c == '&') {
      safe += "&amp;";
    } else if (c == '<') {
      safe += "&lt;";
    } else if (c == '>') {
      safe += "&gt;";
    } else if (c == '"') {
      safe += "&quot;";
    } else if (c == '\'') {
      safe += "&#39;";
    } else {
      safe += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return safe;
}

std::string shortened(std::string_view utf8, std::size_t most) {
  std::size_t characters = 0, keep = utf8.size();
  for (std::size_t k = 0; k < utf8.size(); ++k) {
    if ((static_cast<unsigned char>(utf8[k]) & 0xc0u) == 0x80u) continue;
    if (++characters == most) keep = k;
  }
  return characters <= most ? std::string(utf8) : std::string(utf8.substr(0, keep)) + "…";
}

bool natural_less(std::string_view a, std::string_view b) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto number = [&](std::string_view text, std::size_t& at) {
    while (at < text.size() && text[at] == '0') ++at;
    const std::size_t first = at;
    while (at < text.size() && digit(text[at])) ++at;
    return text.substr(first, at - first);
  };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (digit(a[i]) && digit(b[j])) {
      const std::string_view left = number(a, i), right = number(b, j);
      if (left.size() != right.size()) return left.size() < right.size();
      if (left != right) return left < right;
    } else if (a[i] != b[j]) {
      return a[i] < b[j];
    } else {
      ++i;
      ++j;
    }
  }
  if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
  return a < b;  // leading zeros alone differ
}

}  // namespace chainmail
