// qbsolv's .qubo: `c` comments, `p qubo topology maxNodes nNodes nCouplers`, then nNodes lines
// `i i Q` and nCouplers lines `i j Q` with i < j, 0-based; minimise sum Q x x over x in {0, 1}.
#include <algorithm>
#include <string>

#include "problem/entries.hpp"
#include "problem/formats.hpp"
#include "problem/qubo_matrix.hpp"
#include "problem/text_lines.hpp"

namespace chainmail {

namespace {

bool next_line(TextLines& lines) {
  while (lines.next()) {
    const char first = lines.words()[0][0];
    if (first != 'c' && first != 'C') return true;
  }
  return false;
}

struct Header {
  std::uint64_t nodes, diagonals, couplers;
};

Header read_header(TextLines& lines) {
  const std::string expected = "`p qubo topology maxNodes nNodes nCouplers`";
  if (!next_line(lines)) lines.fail("expected " + expected + ", found the end of the file");
  const auto& words = lines.words();
  if (words.size() != 6 || (words[0] != "p" && words[0] != "P") || words[1] != "qubo") {
    lines.fail_expected(expected);
  }
  Header header{};
  header.nodes = lines.integer(3, 1, kMaxSpins, "maxNodes");
  header.diagonals = lines.integer(4, 0, header.nodes, "nNodes");
  header.couplers = lines.integer(5, 0, header.nodes * (header.nodes - 1) / 2, "nCouplers");
  return header;
}

}  // namespace

Problem read_qubo(std::string_view text, const std::string& path) {
  TextLines lines(text, path);
  const Header header = read_header(lines);
  EntryList diagonal, couplers;
  // The promised size is trusted only as far as the file's length allows.
  couplers.reserve(std::min<std::uint64_t>(header.couplers, text.size() / 6));
  while (next_line(lines)) {
    lines.expect_words(3, "`i i Q` or `i j Q`");
    const std::uint64_t i = lines.integer(0, 0, header.nodes - 1, "a node");
    const std::uint64_t j = lines.integer(1, 0, header.nodes - 1, "a node");
    if (i > j) lines.fail_expected("a coupler `i j Q` with i < j");
    EntryList& list = i == j ? diagonal : couplers;
    if (list.size() == (i == j ? header.diagonals : header.couplers)) {
      lines.fail_expected("no more than " + std::to_string(list.size()) +
                          (i == j ? " nodes" : " couplers"));
    }
    list.add(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j),
             lines.real(2, "a coefficient"), lines.number_of_line());
  }
  if (diagonal.size() != header.diagonals || couplers.size() != header.couplers) {
    lines.fail("expected " + std::to_string(header.diagonals) + " nodes and " +
               std::to_string(header.couplers) + " couplers, found the end of the file after " +
               std::to_string(diagonal.size()) + " and " + std::to_string(couplers.size()));
  }
  const auto duplicate = [&](const Entry& second, const Entry& first) {
    lines.fail_at(second.place, "the entry " + std::to_string(second.i) + " " +
                                    std::to_string(second.j) + " was given before, on line " +
                                    std::to_string(first.place));
  };
  Problem problem;
  problem.objective = qubo_in_spins(header.nodes, std::move(diagonal).couplings(duplicate),
                                    std::move(couplers).couplings(duplicate));
  problem.user.name = UserObjective::kQubo;
  return problem;
}

}  // namespace chainmail
