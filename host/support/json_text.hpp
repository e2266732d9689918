// A JSON file as we read it: every error names file, line and member, so that readers of a value
// (problem, schedule, checkpoint) only state what they expect. Numbers that overflow, members given
// twice and nesting deeper than any of our files are refused before a tree is built.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

namespace chainmail {

class JsonText;

// One value inside a JsonText, which must outlive it. Cheap to copy.
class JsonNode {
 public:
  // Throws InputError "file:line: couplings[3][1]: what".
  [[noreturn]] void fail(const std::string& what) const;
  [[noreturn]] void fail_expected(const std::string& expected) const;  // adds what was found

  bool is_array() const;
  bool is_object() const;

  // Fails unless this is an object, all of whose members are among `allowed`.
  void expect_members(std::initializer_list<std::string_view> allowed) const;
  bool has(std::string_view key) const;
  JsonNode operator[](std::string_view key) const;  // fails when there is none

  // Fails unless this is an array (with exactly `length` elements, for the second).
  std::size_t array_size() const;
  void expect_array_of(std::size_t length) const;
  JsonNode operator[](std::size_t index) const;

  double number() const;
  std::uint64_t integer_below(std::uint64_t limit, const std::string& what) const;
  std::string string() const;

 private:
  friend class JsonText;
  struct Step {
    std::string_view key;  // of an object's member, or
    std::size_t index = 0;
    bool is_key = false;
  };
  static constexpr std::size_t kMaxDepth = 8;

  JsonNode child(const nlohmann::json& value, Step step) const;

  const JsonText* text_ = nullptr;
  const nlohmann::json* value_ = nullptr;
  std::array<Step, kMaxDepth> steps_;
  std::size_t depth_ = 0;
};

class JsonText {
 public:
  // Parses; InputError with the line of the first fault. `path` is only for messages.
  JsonText(std::string_view text, std::string path);
  ~JsonText();
  JsonText(const JsonText&) = delete;
  JsonText& operator=(const JsonText&) = delete;

  JsonNode root() const;

 private:
  friend class JsonNode;
  void check_shape() const;
  std::size_t line_at(std::size_t byte) const;
  std::size_t line_of(std::span<const JsonNode::Step> steps) const;

  std::string text_;
  std::string path_;
  std::unique_ptr<nlohmann::json> tree_;
};

}  // namespace chainmail
