// The graphs of Rinaldi's rudy, as in the G-set: `n m`, then m lines `i j w`, 1-based, for max-cut.
// Lines that begin with `#` are comments (as in .mc files).
#include <algorithm>
#include <string>

#include "problem/entries.hpp"
#include "problem/formats.hpp"
#include "problem/max_cut.hpp"
#include "problem/text_lines.hpp"

namespace chainmail {

namespace {

bool next_line(TextLines& lines) {
  while (lines.next()) {
    if (!lines.words()[0].starts_with('#')) return true;
  }
  return false;
}

}  // namespace

Problem read_rudy(std::string_view text, const std::string& path) {
  TextLines lines(text, path);
  if (!next_line(lines)) lines.fail("expected `vertices edges`, found the end of the file");
  lines.expect_words(2, "`vertices edges`");
  const std::uint64_t vertices = lines.integer(0, 1, kMaxSpins, "a number of vertices");
  const std::uint64_t edges =
      lines.integer(1, 0, vertices * (vertices - 1) / 2, "a number of edges");

  EntryList entries;
  // The promised size is trusted only as far as the file's length allows.
  entries.reserve(std::min<std::uint64_t>(edges, text.size() / 6));
  const auto next_edge = [&](Triple& edge) {
    if (entries.size() < edges && lines.plain_triple(1, vertices, edge)) return true;
    if (!next_line(lines)) return false;
    if (entries.size() == edges) {
      lines.fail_expected("the end of the file after " + std::to_string(edges) + " edges");
    }
    lines.expect_words(3, "an edge `i j w`");
    edge.i = lines.integer(0, 1, vertices, "a vertex");
    edge.j = lines.integer(1, 1, vertices, "a vertex");
    edge.value = lines.real(2, "a weight");
    return true;
  };
  for (Triple edge{}; next_edge(edge);) {
    if (edge.i == edge.j) lines.fail("joins vertex " + std::to_string(edge.i) + " with itself");
    entries.add(static_cast<std::uint32_t>(edge.i - 1), static_cast<std::uint32_t>(edge.j - 1),
                edge.value, lines.number_of_line());
  }
  if (entries.size() != edges) {
    lines.fail("expected " + std::to_string(edges) + " edges, found the end of the file after " +
               std::to_string(entries.size()));
  }
  return max_cut(vertices, std::move(entries).couplings([&](const Entry& second,
                                                            const Entry& first) {
    lines.fail_at(second.place, "the edge " + std::to_string(second.i + 1) + " " +
                                    std::to_string(second.j + 1) + " was given before, on line " +
                                    std::to_string(first.place));
  }));
}

}  // namespace chainmail
