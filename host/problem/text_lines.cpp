#include "problem/text_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "support/error.hpp"

namespace chainmail {

namespace {

// What a byte means to the lines of a text; files of many megabytes are read, so by table.
enum class Byte : std::uint8_t { word, blank, control };
constexpr std::array<Byte, 256> kBytes = [] {
  std::array<Byte, 256> bytes{};
  for (std::size_t c = 0; c < 0x20; ++c) bytes[c] = Byte::control;
  bytes[0x7f] = Byte::control;
  bytes[' '] = bytes['\t'] = Byte::blank;
  return bytes;
}();

constexpr int kFewDigits = 15;  // a double holds any whole number of so many

Byte kind_of(char c) {
  return kBytes[static_cast<unsigned char>(c)];
}

}  // namespace

std::string in_quotes(std::string_view found) {
  std::string out = "'";
  for (const char c : found.substr(0, 40)) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte >= 0x7f ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  return out + (found.size() > 40 ? "...'" : "'");
}

bool TextLines::next() {
  while (!text_.empty()) {
    const char* const first = text_.data();
    const char* const end = first + text_.size();
    const char* at = first;
    ++line_;
    words_.clear();
    for (;;) {
      while (at != end && kind_of(*at) == Byte::blank) ++at;
      const char* const word = at;
      while (at != end && kind_of(*at) == Byte::word) ++at;
      if (at != word) words_.emplace_back(word, static_cast<std::size_t>(at - word));
      if (at == end || kind_of(*at) == Byte::control) break;
    }
    current_ = {first, static_cast<std::size_t>(at - first)};
    if (at != end && *at == '\r' && (at + 1 == end || at[1] == '\n')) ++at;
    if (at != end && *at != '\n') {
      fail(fmt::format("expected text, found the control character 0x{:02x}",
                       static_cast<unsigned char>(*at)));
    }
    text_.remove_prefix(static_cast<std::size_t>(at - first) + (at != end ? 1 : 0));
    if (!words_.empty()) return true;
  }
  current_ = {};
  words_.clear();
  return false;
}

bool TextLines::plain_triple(std::uint64_t first, std::uint64_t last, Triple& triple) {
  const char* at = text_.data();
  const char* const end = at + text_.size();
  const auto number = [&](std::uint64_t& value) {
    const char* const from = at;
    value = 0;
    for (; at != end && *at >= '0' && *at <= '9'; ++at) {
      value = 10 * value + static_cast<std::uint64_t>(*at - '0');
    }
    return at != from && at - from <= kFewDigits;
  };
  const auto take = [&](char c) {
    if (at == end || *at != c) return false;
    ++at;
    return true;
  };
  std::uint64_t size = 0;
  if (!number(triple.i) || !take(' ') || !number(triple.j) || !take(' ')) return false;
  const bool negative = take('-');
  if (!number(size) || (at != end && *at != '\n')) return false;
  if (std::min(triple.i, triple.j) < first || std::max(triple.i, triple.j) > last) return false;
  const auto whole = static_cast<std::int64_t>(size);
  triple.value = static_cast<double>(negative ? -whole : whole);
  text_.remove_prefix(static_cast<std::size_t>(at - text_.data()) + (at != end ? 1 : 0));
  ++line_;
  words_.clear();
  return true;
}

std::string_view TextLines::rest(std::size_t index) const {
  if (index >= words_.size()) return {};
  const char* first = words_[index].data();
  const char* last = words_.back().data() + words_.back().size();
  return {first, static_cast<std::size_t>(last - first)};
}

void TextLines::fail(const std::string& what) const {
  fail_at(line_, what);
}

void TextLines::fail_at(std::size_t line, const std::string& what) const {
  throw InputError(path_, line, what);
}

void TextLines::fail_expected(const std::string& expected) const {
  fail("expected " + expected + ", found " + in_quotes(rest(0)));
}

void TextLines::expect_words(std::size_t count, std::string_view expected) const {
  if (words_.size() != count) fail_expected(std::string(expected));
}

std::uint64_t TextLines::integer(std::size_t index, std::uint64_t first, std::uint64_t last,
                                 std::string_view what) const {
  const std::string_view word = words_.at(index);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || value < first || value > last) {
    fail(fmt::format("expected {} from {} to {}, found {}", what, first, last, in_quotes(word)));
  }
  return value;
}

std::string_view TextLines::without_plus(std::size_t index) const {
  std::string_view word = words_.at(index);
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  return word;
}

double TextLines::real(std::size_t index, std::string_view what) const {
  const std::string_view word = without_plus(index);
  // Whole numbers of few digits, the common case.
  const bool negative = word.starts_with('-');
  const std::string_view digits = word.substr(negative ? 1 : 0);
  if (!digits.empty() && digits.size() <= std::size_t{kFewDigits}) {
    std::int64_t whole = 0;
    bool plain = true;
    for (const char c : digits) {
      plain = plain && c >= '0' && c <= '9';
      whole = 10 * whole + (c - '0');
    }
    if (plain) return static_cast<double>(negative ? -whole : whole);
  }
  // A word as short as this has no digit too many, so that its double can be read at once.
  constexpr std::size_t kShort = 38;
  double value = 0.0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  const bool read = error == std::errc() && end == word.data() + word.size();
  if (read && word.size() <= kShort && std::isfinite(value)) return value + 0.0;  // no -0
  return static_cast<double>(decimal(index, what));
}

Decimal TextLines::decimal(std::size_t index, std::string_view what) const {
  const std::string_view word = without_plus(index);
  std::size_t length = 0;
  Decimal::Fault fault = Decimal::Fault::none;
  const std::optional<Decimal> value = Decimal::parse(word, length, fault);
  if (fault == Decimal::Fault::too_large) {
    fail(fmt::format("expected {}, found {}, which does not fit a double", what, in_quotes(word)));
  }
  if (fault == Decimal::Fault::too_long) {
    fail(fmt::format("expected {} of at most 38 digits, found {}", what, in_quotes(word)));
  }
  if (!value || length != word.size() || !value->finite()) {
    fail(fmt::format("expected {}, found {}", what, in_quotes(word)));
  }
  return *value;
}

}  // namespace chainmail
