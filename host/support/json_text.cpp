// The parser is nlohmann's. It keeps no positions, takes the last of two equal members and reports
// an overflowing number without saying where, so a linear scan catches these first, and positions
// are found, by walking the text along a value's path, only when an error needs one.
#include "support/json_text.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "support/decimal.hpp"
#include "support/error.hpp"

namespace chainmail {

using nlohmann::json;

namespace {

constexpr std::string_view kSpace = " \t\r\n";

std::size_t skip_space(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(kSpace, at), text.size());
}

// `at` is on the opening quote; the result is one past the closing one (or the end).
std::size_t skip_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

std::size_t skip_value(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = skip_string(text, at);
    } else if (c == '{' || c == '[') {
      ++depth;
      ++at;
      continue;
    } else if (c == '}' || c == ']') {
      if (depth == 0) return at;
      --depth;
      ++at;
    } else if (depth == 0) {
      return std::min(text.find_first_of(",]} \t\r\n", at), text.size());
    } else {
      ++at;
    }
    if (depth == 0) return at;
  }
  return at;
}

// The parser's sentence without its own prefix ("[json.exception...] parse error at line ...: ").
std::string reason_of(const json::exception& error) {
  std::string what = error.what();
  const std::size_t column = what.find(", column ");
  const std::size_t start = column == std::string::npos ? what.find("] ") : what.find(": ", column);
  return start == std::string::npos ? what : what.substr(start + 2);
}

bool numeric(char c) {
  return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

}  // namespace

// ---- the text ----------------------------------------------------------------------------------

JsonText::JsonText(std::string_view text, std::string path) : text_(text), path_(std::move(path)) {
  check_shape();
  try {
    tree_ = std::make_unique<json>(json::parse(text_));
  } catch (const json::parse_error& error) {
    throw InputError(path_, line_at(error.byte > 0 ? error.byte - 1 : 0),
                     "not valid JSON: " + reason_of(error));
  } catch (const json::exception& error) {
    throw InputError(path_ + ": not valid JSON: " + reason_of(error));
  }
}

JsonText::~JsonText() = default;

JsonNode JsonText::root() const {
  JsonNode node;
  node.text_ = this;
  node.value_ = tree_.get();
  return node;
}

void JsonText::check_shape() const {
  const std::string_view text = text_;
  std::vector<std::set<std::string_view>> open;  // the members seen so far in each open bracket
  std::size_t at = 0;
  while ((at = skip_space(text, at)) < text.size()) {
    const char c = text[at];
    if (c == '{' || c == '[') {
      if (open.size() == JsonNode::kMaxDepth) {
        throw InputError(
            path_, line_at(at),
            "nested deeper than " + std::to_string(JsonNode::kMaxDepth) + " levels of brackets");
      }
      open.emplace_back();
      ++at;
    } else if (c == '}' || c == ']') {
      if (!open.empty()) open.pop_back();
      ++at;
    } else if (c == '"') {
      const std::size_t end = skip_string(text, at);
      const std::size_t after = skip_space(text, end);
      if (after < text.size() && text[after] == ':' && !open.empty() &&
          !open.back().insert(text.substr(at, end - at)).second) {
        throw InputError(path_, line_at(at),
                         "member " + std::string(text.substr(at, end - at)) + " is given twice");
      }
      at = end;
    } else if (c == '-' || (c >= '0' && c <= '9')) {
      std::size_t end = at;
      while (end < text.size() && numeric(text[end])) ++end;
      double value = 0.0;
      if (std::from_chars(text.data() + at, text.data() + end, value).ec ==
          std::errc::result_out_of_range) {
        throw InputError(path_, line_at(at),
                         "number " +
                             std::string(text.substr(at, std::min<std::size_t>(end - at, 40))) +
                             " does not fit a double");
      }
      at = end;
    } else {
      ++at;
    }
  }
}

std::size_t JsonText::line_at(std::size_t byte) const {
  const auto end = text_.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text_.size()));
  return 1 + static_cast<std::size_t>(std::count(text_.begin(), end, '\n'));
}

std::size_t JsonText::line_of(std::span<const JsonNode::Step> steps) const {
  const std::string_view text = text_;
  std::size_t at = skip_space(text, 0);
  for (const JsonNode::Step& step : steps) {
    const std::size_t container = at++;  // past the bracket
    for (std::size_t count = 0;; ++count) {
      at = skip_space(text, at);
      if (at >= text.size() || text[at] == '}' || text[at] == ']') return line_at(container);
      bool found = !step.is_key && count == step.index;
      if (step.is_key) {
        const std::size_t end = skip_string(text, at);
        found = text.substr(at + 1, end - at - 2) == step.key;
        at = skip_space(text, skip_space(text, end) + 1);
      }
      if (found) break;
      at = skip_space(text, skip_value(text, at)) + 1;  // past the comma
    }
  }
  return line_at(at);
}

// ---- a value in it -----------------------------------------------------------------------------

void JsonNode::fail(const std::string& what) const {
  const std::span<const Step> steps(steps_.data(), depth_);
  std::string where;
  for (const Step& step : steps) {
    if (step.is_key) {
      if (!where.empty()) where += '.';
      where += step.key;
    } else {
      where += '[' + std::to_string(step.index) + ']';
    }
  }
  throw InputError(text_->path_, text_->line_of(steps), where.empty() ? what : where + ": " + what);
}

void JsonNode::fail_expected(const std::string& expected) const {
  std::string found = value_->is_object()  ? "an object"
                      : value_->is_array() ? "an array of " + std::to_string(value_->size())
                                           : value_->dump();
  if (found.size() > 40) found = found.substr(0, 37) + "...";
  fail("expected " + expected + ", found " + found);
}

bool JsonNode::is_array() const {
  return value_->is_array();
}
bool JsonNode::is_object() const {
  return value_->is_object();
}

JsonNode JsonNode::child(const json& value, Step step) const {
  JsonNode node = *this;
  node.value_ = &value;
  node.steps_.at(node.depth_++) = step;
  return node;
}

void JsonNode::expect_members(std::initializer_list<std::string_view> allowed) const {
  if (!value_->is_object()) fail_expected("an object");
  for (const auto& [key, member] : value_->items()) {
    if (std::find(allowed.begin(), allowed.end(), key) != allowed.end()) continue;
    std::string list;
    for (std::string_view name : allowed) list += (list.empty() ? "" : ", ") + std::string(name);
    child(member, {key, 0, true}).fail("unknown member; known here: " + list);
  }
}

bool JsonNode::has(std::string_view key) const {
  return value_->is_object() && value_->contains(key);
}

JsonNode JsonNode::operator[](std::string_view key) const {
  if (!value_->is_object()) fail_expected("an object with a member \"" + std::string(key) + "\"");
  const auto found = value_->find(key);
  if (found == value_->end()) fail("expected a member \"" + std::string(key) + "\", found none");
  return child(*found, {found.key(), 0, true});
}

std::size_t JsonNode::array_size() const {
  if (!value_->is_array()) fail_expected("an array");
  return value_->size();
}

void JsonNode::expect_array_of(std::size_t length) const {
  if (!value_->is_array() || value_->size() != length) {
    fail_expected("an array of " + std::to_string(length));
  }
}

JsonNode JsonNode::operator[](std::size_t index) const {
  if (index >= array_size()) fail_expected("at least " + std::to_string(index + 1) + " elements");
  return child((*value_)[index], {{}, index, false});
}

double JsonNode::number() const {
  if (!value_->is_number()) fail_expected("a number");
  // A whole number of more digits than a double holds would be another one.
  const bool whole = value_->is_number_integer();
  if (whole && Decimal(value_->get<double>()) != (value_->is_number_unsigned()
                                                      ? Decimal(value_->get<std::uint64_t>())
                                                      : Decimal(value_->get<std::int64_t>()))) {
    fail_expected("a number that a double holds exactly");
  }
  return value_->get<double>();
}

std::uint64_t JsonNode::integer_below(std::uint64_t limit, const std::string& what) const {
  if (!value_->is_number_unsigned() || value_->get<std::uint64_t>() >= limit) {
    fail_expected(what + " below " + std::to_string(limit));
  }
  return value_->get<std::uint64_t>();
}

std::string JsonNode::string() const {
  if (!value_->is_string()) fail_expected("a string");
  return value_->get<std::string>();
}

}  // namespace chainmail
