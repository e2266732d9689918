#include "problem/text_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "support/error.hpp"

namespace chainmail {

namespace {

constexpr std::string_view kBlank = " \t";

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t') || byte == 0x7f;
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
    const std::size_t end = text_.find('\n');
    current_ = text_.substr(0, end);
    text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
    ++line_;
    if (current_.ends_with('\r')) current_.remove_suffix(1);
    const auto control = std::find_if(current_.begin(), current_.end(), is_control);
    if (control != current_.end()) {
      fail(fmt::format("expected text, found the control character 0x{:02x}",
                       static_cast<unsigned char>(*control)));
    }
    words_.clear();
    std::size_t at = 0;
    while ((at = current_.find_first_not_of(kBlank, at)) != std::string_view::npos) {
      const std::size_t stop = std::min(current_.find_first_of(kBlank, at), current_.size());
      words_.push_back(current_.substr(at, stop - at));
      at = stop;
    }
    if (!words_.empty()) return true;
  }
  current_ = {};
  words_.clear();
  return false;
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
  // A word as short as this has no digit too many, so that its double can be read at once.
  constexpr std::size_t kShort = 38;
  const std::string_view word = without_plus(index);
  double value = 0.0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  const bool whole = error == std::errc() && end == word.data() + word.size();
  if (whole && word.size() <= kShort && std::isfinite(value)) return value + 0.0;  // no -0
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
