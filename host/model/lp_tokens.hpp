// The words of a CPLEX LP file: numbers, names, operators and section headings, each with its line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "support/decimal.hpp"

namespace chainmail {

enum class LpSection {
  none,
  minimise,
  maximise,
  constraints,
  bounds,
  general,
  binary,
  spins,
  soft,
  sets,
  end
};

struct LpToken {
  enum class Kind { number, name, symbol, heading, finish };
  Kind kind = Kind::finish;
  std::string_view text;  // a symbol: one of + - * ^ / [ ] : -> <= >= =
  Decimal value = 0;      // of a number
  LpSection section = LpSection::none;
  std::size_t line = 1;

  bool is(std::string_view symbol) const { return kind == Kind::symbol && text == symbol; }
};

class LpTokens {
 public:
  // `text` must outlive this and its tokens; `path` is for messages.
  LpTokens(std::string_view text, std::string path);

  const LpToken& peek() const { return current_; }
  const LpToken& peek_after() const { return next_; }
  LpToken take();
  bool accept(std::string_view symbol);

  // "file:line: expected ..., found 'token'".
  [[noreturn]] void fail_expected(const std::string& expected) const;
  [[noreturn]] void fail(std::size_t line, const std::string& what) const;

 private:
  void advance();
  void scan();  // the token after `current_` into `next_`
  bool skip_blank();
  void read_number();
  void read_name();
  void read_symbol();
  bool read_heading();

  std::string_view text_;
  std::string path_;
  std::size_t at_ = 0, line_ = 1;
  bool line_start_ = true;
  LpToken current_, next_;
};

}  // namespace chainmail
