// Line by line through a text format: words, line numbers, and numbers read the same in every
// locale. All text readers share it, so they agree on what a number is and how an error looks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/decimal.hpp"

namespace chainmail {

struct Triple {
  std::uint64_t i, j;
  double value;
};

class TextLines {
 public:
  // `text` must outlive this; `path` is for messages.
  TextLines(std::string_view text, std::string path) : text_(text), path_(std::move(path)) {}

  // Advances to the next line that has a word; false at the end. LF and CRLF both end a line.
  // Control characters other than tab are an error: no text format has them.
  bool next();

  // Takes a line `i j w` of plain whole numbers, i and j in [first, last] and w of few digits: what
  // nearly all of a large file is. Any other line is left to next(). There are no words then.
  bool plain_triple(std::uint64_t first, std::uint64_t last, Triple& triple);

  std::size_t number_of_line() const { return line_; }
  std::string_view line() const { return current_; }  // without its end
  const std::vector<std::string_view>& words() const { return words_; }
  // The line from word `index` on, without space at the end; empty when there is no such word.
  std::string_view rest(std::size_t index) const;

  // Throws InputError "file:line: what"; `fail_expected` adds the line as it was found.
  [[noreturn]] void fail(const std::string& what) const;
  [[noreturn]] void fail_expected(const std::string& expected) const;
  [[noreturn]] void fail_at(std::size_t line, const std::string& what) const;

  void expect_words(std::size_t count, std::string_view expected) const;

  // Word `index` as a whole number in [first, last].
  std::uint64_t integer(std::size_t index, std::uint64_t first, std::uint64_t last,
                        std::string_view what) const;
  // Word `index` as a finite number.
  double real(std::size_t index, std::string_view what) const;
  // The same, exactly; at most 38 digits.
  Decimal decimal(std::size_t index, std::string_view what) const;

 private:
  std::string_view without_plus(std::size_t index) const;

  std::string_view text_;
  std::string path_;
  std::size_t line_ = 0;
  std::string_view current_;
  std::vector<std::string_view> words_;
};

// A short, printable quotation of whatever the file contains.
std::string in_quotes(std::string_view found);

}  // namespace chainmail
