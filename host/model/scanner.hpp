// Character by character through a text whose statements end with ';' and need no lines of their
// own: pseudo-Boolean files and FlatZinc.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace chainmail {

class Scanner {
 public:
  // Comments begin with '*' in the first column, or with '%' anywhere. `text` and `path` must
  // outlive this.
  Scanner(std::string_view text, const std::string& path, char comment)
      : text_(text), path_(path), comment_(comment) {}

  // Throw InputError "file:line: what"; `fail_expected` adds what was found instead.
  [[noreturn]] void fail(const std::string& what) const;
  [[noreturn]] void fail_expected(const std::string& expected) const;

  // Skips to the next significant character; false at the end. What follows looks at that one.
  bool skip_space();
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool at_digit() const { return peek() >= '0' && peek() <= '9'; }

  bool take(std::string_view word);
  void expect(std::string_view word, const std::string& what);
  // Letters, digits and '_'; fails on none.
  std::string_view name(const std::string& what);
  // A whole number with or without sign, up to 2^53.
  std::int64_t number(const std::string& what);
  // Past the next `end`, which must come.
  void skip_past(char end);

 private:
  std::string_view text_;
  const std::string& path_;
  char comment_;
  std::size_t at_ = 0, line_ = 1;
};

}  // namespace chainmail
