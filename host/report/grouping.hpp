// Variables whose names form a grid (x_w_d_h, x[1,2], x(1)(2)) become a table: rows by one index,
// columns by another, and what further indices there are in its cells.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace chainmail {

// Which index of a name gives the row and which the column, counted from 0. As --group writes it:
// auto, off, "2,1", or "1" for rows alone.
struct Grouping {
  bool on = true, chosen = false;  // not chosen: wherever names form a grid
  std::size_t row = 0;
  std::optional<std::size_t> column = 1;
};
Grouping grouping_from(const std::string& text);  // throws UsageError

// "x_3_2", "x[3,2]" and "x(3)(2)" are "x", "3", "2".
std::vector<std::string> name_parts(std::string_view name);

using NamedValues = std::vector<std::pair<std::string, std::int64_t>>;

struct NameTable {
  std::string title;                       // what all its names share: "x"
  std::vector<std::string> rows, columns;  // columns may be empty
  struct Entry {
    std::string rest;  // further indices: "late", "3,1"; may be empty
    std::int64_t value;
  };
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Entry>> cells;  // by row and column
};

struct Grouped {
  std::vector<NameTable> tables;
  NamedValues others;  // in their order
};
Grouped grouped(const NamedValues& variables, const Grouping& how);

}  // namespace chainmail
