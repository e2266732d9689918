#include "report/grouping.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include "report/format.hpp"
#include "support/error.hpp"

namespace chainmail {

Grouping grouping_from(const std::string& text) {
  if (text == "auto") return {};
  if (text == "off") return {.on = false};
  std::vector<std::size_t> places;
  const char *at = text.data(), *end = at + text.size();
  while (at != end) {
    std::size_t place = 0;
    const auto [rest, error] = std::from_chars(at, end, place);
    const bool comma = rest != end && *rest == ',' && rest + 1 != end;
    if (error != std::errc() || place < 1 || place > 99 || (rest != end && !comma)) {
      places.clear();
      break;
    }
    places.push_back(place - 1);
    at = comma ? rest + 1 : rest;
  }
  if (places.empty() || places.size() > 2 || (places.size() == 2 && places[0] == places[1])) {
    throw UsageError(
        "--group: expected auto, off, or which index gives rows and which columns, "
        "as 1,2; not '" +
        text + "'");
  }
  Grouping how{.chosen = true, .row = places.front(), .column = {}};
  if (places.size() == 2) how.column = places[1];
  return how;
}

std::vector<std::string> name_parts(std::string_view name) {
  const bool brackets = name.find_first_of("[({") != std::string_view::npos;
  const std::string_view separators = brackets ? "[](){},; " : "_";
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find_first_of(separators, at), name.size());
    // A stem may be missing, as in "(1, 2)"; "][" has nothing between.
    if (end > at || (at == 0 && brackets)) parts.emplace_back(name.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

namespace {

// Names of one stem and one number of parts.
struct Family {
  std::vector<std::size_t> members;
  std::vector<std::vector<std::string>> parts;  // of each
};

// Parts that differ within the family are its indices; the others are words of its name.
std::vector<std::size_t> indices_of(const Family& family) {
  std::vector<std::size_t> indices;
  for (std::size_t part = 0; part < family.parts.front().size(); ++part) {
    const std::string& first = family.parts.front()[part];
    if (std::any_of(family.parts.begin(), family.parts.end(),
                    [&](const auto& name) { return name[part] != first; })) {
      indices.push_back(part);
    }
  }
  return indices;
}

// Numbers in their order; words (mon, tue, wed) as the model names them.
std::vector<std::string> values_at(const Family& family, std::size_t part) {
  std::set<std::string> seen;
  std::vector<std::string> values;
  bool numbers = true;
  for (const auto& name : family.parts) {
    if (!seen.insert(name[part]).second) continue;
    values.push_back(name[part]);
    numbers = numbers && name[part].find_first_of("0123456789") != std::string::npos;
  }
  if (numbers) std::sort(values.begin(), values.end(), natural_less);
  return values;
}

std::map<std::string, std::size_t> places_of(const std::vector<std::string>& values) {
  std::map<std::string, std::size_t> places;
  for (std::size_t k = 0; k < values.size(); ++k) places[values[k]] = k;
  return places;
}

std::string joined(const std::vector<std::string>& parts, const char* between) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
  return text;
}

std::optional<NameTable> table_of(const Family& family, const NamedValues& variables,
                                  const Grouping& how) {
  const std::vector<std::size_t> indices = indices_of(family);
  const std::size_t needed = std::max(how.row, how.column.value_or(0)) + 1;
  if (indices.size() < needed) return {};
  const std::size_t row = indices[how.row];
  NameTable table;
  table.rows = values_at(family, row);
  if (how.column) table.columns = values_at(family, indices[*how.column]);
  const auto row_of = places_of(table.rows), column_of = places_of(table.columns);
  for (std::size_t k = 0; k < family.members.size(); ++k) {
    const std::vector<std::string>& parts = family.parts[k];
    std::vector<std::string> rest;
    for (std::size_t place = 0; place < indices.size(); ++place) {
      if (place != how.row && how.column != place) rest.push_back(parts[indices[place]]);
    }
    const std::size_t column = how.column ? column_of.at(parts[indices[*how.column]]) : 0;
    table.cells[{row_of.at(parts[row]), column}].push_back(
        {joined(rest, ","), variables[family.members[k]].second});
  }
  std::vector<std::string> words;
  for (std::size_t part = 0; part < family.parts.front().size(); ++part) {
    if (std::find(indices.begin(), indices.end(), part) == indices.end()) {
      words.push_back(family.parts.front()[part]);
    }
  }
  table.title = joined(words, "_");
  // Pairs that occur here and there, such as edges of a graph, are no grid.
  const std::size_t all = table.rows.size() * table.columns.size();
  if (!how.chosen && 2 * table.cells.size() < all) return {};
  // A page is wider than high: what is long and narrow lies on its side.
  constexpr std::size_t kLong = 15, kWidest = 40;
  if (!how.chosen && how.row == 0 && table.rows.size() > kLong && table.rows.size() <= kWidest &&
      table.rows.size() > 2 * table.columns.size()) {
    return table_of(family, variables, {.row = 1, .column = 0});
  }
  return table;
}

}  // namespace

Grouped grouped(const NamedValues& variables, const Grouping& how) {
  Grouped found;
  std::map<std::pair<std::string, std::size_t>, Family> families;
  std::vector<std::pair<std::string, std::size_t>> order;  // as the file names them
  for (std::size_t k = 0; how.on && k < variables.size(); ++k) {
    std::vector<std::string> parts = name_parts(variables[k].first);
    if (parts.size() < 2) continue;
    const std::pair key{parts.front(), parts.size()};
    if (!families.contains(key)) order.push_back(key);
    families[key].members.push_back(k);
    families[key].parts.push_back(std::move(parts));
  }
  std::vector<bool> taken(variables.size(), false);
  for (const auto& key : order) {
    const Family& family = families.at(key);
    auto table = table_of(family, variables, how);
    if (!table) continue;
    for (const std::size_t k : family.members) taken[k] = true;
    found.tables.push_back(std::move(*table));
  }
  for (std::size_t k = 0; k < variables.size(); ++k) {
    if (!taken[k]) found.others.push_back(variables[k]);
  }
  return found;
}

}  // namespace chainmail
