#include "model/scanner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "problem/text_lines.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 53;  // whole numbers of doubles

}  // namespace

void Scanner::fail(const std::string& what) const {
  throw InputError(path_, line_, what);
}

void Scanner::fail_expected(const std::string& expected) const {
  const std::string_view rest = text_.substr(at_, 40);
  const std::string_view found = rest.substr(0, rest.find_first_of("\r\n"));
  fail("expected " + expected + ", found " +
       (at_ >= text_.size() ? std::string("the end of the file") : in_quotes(found)));
}

bool Scanner::skip_space() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == comment_ && (c == '%' || at_ == 0 || text_[at_ - 1] == '\n')) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (c == '\n') {
      ++line_;
      ++at_;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++at_;
    } else {
      if (static_cast<unsigned char>(c) < 0x20) {
        fail(fmt::format("expected text, found the control character 0x{:02x}",
                         static_cast<unsigned>(static_cast<unsigned char>(c))));
      }
      return true;
    }
  }
  return false;
}

bool Scanner::take(std::string_view word) {
  if (!skip_space() || !text_.substr(at_).starts_with(word)) return false;
  at_ += word.size();
  return true;
}

void Scanner::expect(std::string_view word, const std::string& what) {
  if (!take(word)) fail_expected(what);
}

std::string_view Scanner::name(const std::string& what) {
  skip_space();
  const std::size_t begin = at_;
  while (std::isalnum(static_cast<unsigned char>(peek())) != 0 || peek() == '_') ++at_;
  if (at_ == begin) fail_expected(what);
  return text_.substr(begin, at_ - begin);
}

std::int64_t Scanner::number(const std::string& what) {
  const bool minus = take("-");
  if (!minus) take("+");
  skip_space();
  if (!at_digit()) fail_expected(what);
  std::int64_t value = 0;
  for (; at_digit(); ++at_) {
    value = 10 * value + (peek() - '0');
    if (value > kLargest) fail(what + " is beyond 2^53; larger numbers are not supported yet");
  }
  const std::string_view rest = text_.substr(at_);
  if (rest.starts_with('.') && !rest.starts_with("..")) fail_expected("a whole number");
  return minus ? -value : value;
}

void Scanner::skip_past(char end) {
  while (skip_space()) {
    if (text_[at_++] == end) return;
  }
  fail_expected(fmt::format("'{}'", end));
}

}  // namespace chainmail
