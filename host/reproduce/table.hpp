// Tables of named columns as CSV: what the experiments keep, publish and compare with.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace chainmail::reproduce {

class Table {
 public:
  explicit Table(std::vector<std::string> columns) : columns_(std::move(columns)) {}

  // `path` is named in messages. InputError for a row of another length than the header.
  static Table parse(std::string_view text, const std::string& path);
  static Table read(const std::string& path);

  // As many cells as columns; an empty one means there is no value.
  void add(std::vector<std::string> cells);
  std::size_t rows() const { return cells_.size(); }
  const std::vector<std::string>& columns() const { return columns_; }
  const std::string& text(std::size_t row, std::string_view column) const;
  double number(std::size_t row, std::string_view column) const;  // InputError unless it is one
  std::optional<double> optional_number(std::size_t row, std::string_view column) const;

  std::string csv() const;
  std::string markdown() const;

 private:
  std::size_t column(std::string_view name) const;

  std::string path_ = "table";
  std::vector<std::string> columns_;
  std::vector<std::vector<std::string>> cells_;
};

// Numbers in cells: enough digits to read them back exactly, or this many significant ones.
std::string cell(double value);
std::string cell(double value, int digits);
std::string cell(std::optional<double> value);

}  // namespace chainmail::reproduce
