#include "reproduce/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "support/atomic_file.hpp"
#include "support/error.hpp"

namespace chainmail::reproduce {

namespace {

std::vector<std::string> split(std::string_view line) {
  std::vector<std::string> cells;
  for (std::size_t from = 0;;) {
    const std::size_t comma = line.find(',', from);
    cells.emplace_back(line.substr(from, comma - from));
    if (comma == std::string_view::npos) return cells;
    from = comma + 1;
  }
}

}  // namespace

Table Table::parse(std::string_view text, const std::string& path) {
  std::optional<Table> table;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    if (!table) {
      table.emplace(split(line));
      table->path_ = path;
      continue;
    }
    std::vector<std::string> cells = split(line);
    if (cells.size() != table->columns_.size()) {
      throw InputError(path, number,
                       fmt::format("expected {} cells as in the header, found {}",
                                   table->columns_.size(), cells.size()));
    }
    table->cells_.push_back(std::move(cells));
  }
  if (!table) throw InputError(path, 1, "expected a header line, found nothing");
  return std::move(*table);
}

Table Table::read(const std::string& path) {
  return parse(read_file(path), path);
}

void Table::add(std::vector<std::string> cells) {
  if (cells.size() != columns_.size()) throw std::logic_error("a row of another length");
  cells_.push_back(std::move(cells));
}

std::size_t Table::column(std::string_view name) const {
  const auto found = std::find(columns_.begin(), columns_.end(), name);
  if (found == columns_.end()) {
    throw InputError(path_, 1, fmt::format("expected a column '{}'", name));
  }
  return static_cast<std::size_t>(found - columns_.begin());
}

const std::string& Table::text(std::size_t row, std::string_view name) const {
  return cells_[row][column(name)];
}

std::optional<double> Table::optional_number(std::size_t row, std::string_view name) const {
  if (text(row, name).empty()) return std::nullopt;
  return number(row, name);
}

double Table::number(std::size_t row, std::string_view name) const {
  const std::string& found = text(row, name);
  double value = 0.0;
  const auto [end, error] = std::from_chars(found.data(), found.data() + found.size(), value);
  if (error != std::errc{} || end != found.data() + found.size()) {
    throw InputError(path_, row + 2, fmt::format("{}: expected a number, not '{}'", name, found));
  }
  return value;
}

std::string Table::csv() const {
  std::string csv = fmt::format("{}\n", fmt::join(columns_, ","));
  for (const auto& row : cells_) csv += fmt::format("{}\n", fmt::join(row, ","));
  return csv;
}

std::string Table::markdown() const {
  std::string text = fmt::format("| {} |\n|", fmt::join(columns_, " | "));
  for (std::size_t k = 0; k < columns_.size(); ++k) text += "---|";
  text += "\n";
  for (const auto& row : cells_) text += fmt::format("| {} |\n", fmt::join(row, " | "));
  return text;
}

std::string cell(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "";
}

std::string cell(double value, int digits) {
  return std::isfinite(value) ? fmt::format("{:.{}g}", value, digits) : "";
}

std::string cell(std::optional<double> value) {
  return value ? cell(*value) : "";
}

}  // namespace chainmail::reproduce
