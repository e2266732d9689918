#include "model/lp_tokens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "problem/text_lines.hpp"
#include "support/error.hpp"

namespace chainmail {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_name_character(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("!\"#$%&(),.;?@_`'{}|~").find(c) != std::string_view::npos ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::string lower_case(std::string_view word) {
  std::string text(word);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

struct Heading {
  std::string_view first, second;  // the second word, or none
  LpSection section;
};
constexpr std::array<Heading, 26> kHeadings = {{
    {"minimize", "", LpSection::minimise},
    {"minimise", "", LpSection::minimise},
    {"minimum", "", LpSection::minimise},
    {"min", "", LpSection::minimise},
    {"maximize", "", LpSection::maximise},
    {"maximise", "", LpSection::maximise},
    {"maximum", "", LpSection::maximise},
    {"max", "", LpSection::maximise},
    {"subject", "to", LpSection::constraints},
    {"such", "that", LpSection::constraints},
    {"st", "", LpSection::constraints},
    {"s.t.", "", LpSection::constraints},
    {"st.", "", LpSection::constraints},
    {"bounds", "", LpSection::bounds},
    {"bound", "", LpSection::bounds},
    {"general", "", LpSection::general},
    {"generals", "", LpSection::general},
    {"integer", "", LpSection::general},
    {"integers", "", LpSection::general},
    {"binary", "", LpSection::binary},
    {"binaries", "", LpSection::binary},
    {"spins", "", LpSection::spins},
    {"spin", "", LpSection::spins},
    {"soft", "constraints", LpSection::soft},
    {"sos", "", LpSection::sets},
    {"end", "", LpSection::end},
}};
constexpr std::array<Heading, 3> kShortHeadings = {{
    {"gen", "", LpSection::general},
    {"int", "", LpSection::general},
    {"bin", "", LpSection::binary},
}};

constexpr std::array<std::string_view, 8> kUnsupported = {
    "semi-continuous", "semi", "semis", "sos1", "sos2", "lazy", "user", "pwlobj"};

std::string_view word_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && (is_name_character(text[end]) || text[end] == '-')) ++end;
  return text.substr(at, end - at);
}

std::size_t skip_spaces(std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
  return at;
}

}  // namespace

LpTokens::LpTokens(std::string_view text, std::string path) : text_(text), path_(std::move(path)) {
  scan();
  advance();
}

LpToken LpTokens::take() {
  const LpToken token = current_;
  advance();
  return token;
}

bool LpTokens::accept(std::string_view symbol) {
  if (!current_.is(symbol)) return false;
  advance();
  return true;
}

void LpTokens::fail(std::size_t line, const std::string& what) const {
  throw InputError(path_, line, what);
}

void LpTokens::fail_expected(const std::string& expected) const {
  fail(current_.line, "expected " + expected + ", found " +
                          (current_.kind == LpToken::Kind::finish ? "the end of the file"
                                                                  : in_quotes(current_.text)));
}

// Goes over spaces, line ends and comments; false at the end of the file.
bool LpTokens::skip_blank() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '\n') {
      ++line_;
      line_start_ = true;
    } else if (c == '\\') {
      at_ = std::min(text_.find('\n', at_), text_.size());
      continue;
    } else if (c != ' ' && c != '\t' && c != '\r') {
      return true;
    }
    ++at_;
  }
  return false;
}

void LpTokens::advance() {
  current_ = next_;
  scan();
}

void LpTokens::scan() {
  next_ = {};
  const bool more = skip_blank();
  next_.line = line_;
  if (!more) return;
  const bool first = line_start_;
  line_start_ = false;
  if (first && read_heading()) return;
  const char c = text_[at_];
  const bool digit_follows = at_ + 1 < text_.size() && is_digit(text_[at_ + 1]);
  if (is_digit(c) || (c == '.' && digit_follows)) {
    read_number();
  } else if (is_name_character(c) && c != '.') {
    read_name();
  } else {
    read_symbol();
  }
}

void LpTokens::read_number() {
  std::size_t length = 0;
  Decimal::Fault fault = Decimal::Fault::none;
  const std::optional<Decimal> value = Decimal::parse(text_.substr(at_), length, fault);
  const std::string_view word = text_.substr(at_, length);
  if (!value || !value->finite()) {
    fail(line_,
         (fault == Decimal::Fault::too_long ? "expected a number of at most 38 digits, found "
                                            : "expected a number that fits a double, found ") +
             in_quotes(word));
  }
  at_ += word.size();
  next_.kind = LpToken::Kind::number;
  next_.text = word;
  next_.value = *value;
}

void LpTokens::read_name() {
  std::size_t end = at_;
  while (end < text_.size() && is_name_character(text_[end])) ++end;
  next_.kind = LpToken::Kind::name;
  next_.text = text_.substr(at_, end - at_);
  at_ = end;
}

void LpTokens::read_symbol() {
  const char c = text_[at_];
  const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
  next_.kind = LpToken::Kind::symbol;
  if (c == '<' || c == '>' || c == '=') {
    const bool pair = (c != '=' && next == '=') || (c == '=' && (next == '<' || next == '>'));
    const char side = c == '=' && pair ? next : c;
    next_.text = side == '<' ? "<=" : side == '>' ? ">=" : "=";
    at_ += pair ? 2 : 1;
    return;
  }
  if (c == '-' && next == '>') {
    next_.text = "->";
    at_ += 2;
    return;
  }
  next_.text = text_.substr(at_, 1);
  if (std::string_view("+-*^/[]:").find(c) == std::string_view::npos) {
    fail(line_, "expected a name, a number or an operator, found " + in_quotes(next_.text));
  }
  ++at_;
}

bool LpTokens::read_heading() {
  const std::string_view word = word_at(text_, at_);
  const std::string lower = lower_case(word);
  const std::size_t after = skip_spaces(text_, at_ + word.size());
  if (after < text_.size() && text_[after] == ':') return false;  // a label of that name
  const auto found = [&](const Heading& heading) {
    std::size_t end = at_ + word.size();
    if (!heading.second.empty()) {
      const std::string_view second = word_at(text_, after);
      if (lower_case(second) != heading.second) return false;
      end = after + second.size();
    }
    next_.kind = LpToken::Kind::heading;
    next_.section = heading.section;
    next_.text = text_.substr(at_, end - at_);
    at_ = end;
    return true;
  };
  for (const Heading& heading : kHeadings) {
    if (lower == heading.first && found(heading)) return true;
  }
  for (const Heading& heading : kShortHeadings) {
    if (lower == heading.first && found(heading)) return true;
  }
  if (std::find(kUnsupported.begin(), kUnsupported.end(), lower) != kUnsupported.end()) {
    fail(line_, "expected a section of a model with binary and integer variables, found " +
                    in_quotes(word) + ", which Chainmail does not solve");
  }
  return false;
}

}  // namespace chainmail
