// A list of edges as a spreadsheet writes it: `from,to` or `from,to,weight`, separated by commas,
// semicolons or tabs, with or without a heading. Vertices may have any name. The graph is to be
// cut, as in a rudy file.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "problem/entries.hpp"
#include "problem/formats.hpp"
#include "problem/max_cut.hpp"
#include "problem/text_lines.hpp"

namespace chainmail {

namespace {

std::vector<std::string> fields_of(const TextLines& lines, char separator) {
  std::vector<std::string> fields;
  std::string_view rest = lines.line();
  for (;;) {
    const std::size_t end = rest.find(separator);
    std::string_view field = rest.substr(0, end);
    const std::size_t first = field.find_first_not_of(" \t"), last = field.find_last_not_of(" \t");
    field = first == std::string_view::npos ? "" : field.substr(first, last + 1 - first);
    if (field.size() > 1 && field.front() == '"' && field.back() == '"') {
      field = field.substr(1, field.size() - 2);
    }
    fields.emplace_back(field);
    if (end == std::string_view::npos) return fields;
    rest.remove_prefix(end + 1);
  }
}

std::optional<double> number(const std::string& text) {
  double value = 0.0;
  const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

double weight(const TextLines& lines, const std::string& text) {
  const std::optional<double> value = number(text);
  if (!value) lines.fail("expected a weight, found " + in_quotes(text));
  return *value;
}

bool is_heading(const std::vector<std::string>& fields) {
  if (fields.size() == 3) return !number(fields[2]);
  // Two columns of names look like a heading themselves, so only the usual words count as one.
  static constexpr std::string_view kNames[] = {"source", "from",  "u",       "node1",
                                                "i",      "start", "vertex1", "head"};
  std::string first = fields[0];
  std::transform(first.begin(), first.end(), first.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::find(std::begin(kNames), std::end(kNames), first) != std::end(kNames);
}

}  // namespace

Problem read_csv(std::string_view text, const std::string& path) {
  TextLines lines(text, path);
  std::unordered_map<std::string, std::uint32_t> number_of;
  std::vector<std::string> names;
  EntryList edges;
  char separator = 0;  // not known yet
  std::size_t width = 0;
  while (lines.next()) {
    if (lines.words()[0].starts_with('#')) continue;
    const bool first = separator == 0;
    if (first) {
      const std::size_t at = lines.line().find_first_of(",;\t");
      if (at == std::string_view::npos)
        lines.fail_expected("an edge `from,to` or `from,to,weight`");
      separator = lines.line()[at];
    }
    const std::vector<std::string> fields = fields_of(lines, separator);
    if (first) width = fields.size();
    if (fields.size() != width || width < 2 || width > 3) {
      lines.fail_expected(width == 2   ? "an edge `from,to`"
                          : width == 3 ? "an edge `from,to,weight`"
                                       : "an edge `from,to` or `from,to,weight`");
    }
    if (first && is_heading(fields)) continue;
    std::uint32_t ends[2];
    for (std::size_t k = 0; k < 2; ++k) {
      if (fields[k].empty()) lines.fail("an edge with only one vertex");
      const auto [found, fresh] =
          number_of.try_emplace(fields[k], static_cast<std::uint32_t>(names.size()));
      if (fresh) names.push_back(fields[k]);
      if (names.size() > kMaxSpins) lines.fail("more than 1048576 vertices");
      ends[k] = found->second;
    }
    if (ends[0] == ends[1]) lines.fail("joins " + in_quotes(fields[0]) + " with itself");
    edges.add(ends[0], ends[1], width == 3 ? weight(lines, fields[2]) : 1.0,
              lines.number_of_line());
  }
  if (names.empty()) lines.fail("expected at least one edge, found the end of the file");
  Problem problem = max_cut(names.size(), std::move(edges).couplings([&](const Entry& second,
                                                                         const Entry& first) {
    lines.fail_at(second.place, "the edge " + names[second.i] + " " + names[second.j] +
                                    " was given before, on line " + std::to_string(first.place));
  }));
  problem.names = std::move(names);
  return problem;
}

}  // namespace chainmail
