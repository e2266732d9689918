// Files of Chook, the generator of planted problems (Perera et al. 2020), in its default `ising`
// output: H = +sum J s s + sum h s, the opposite of our sign, 0-based. As text a line holds the
// spins of one term and its weight, separated by tabs, without a header (Wishart: `i j J`, seven
// digits, CRLF); as JSON {"problem": {"type": "ising", "terms": [{"w": J, "ids": [i, j]}, ...]}}.
// The ground-state energies are in a file of their own and are not read.
#include <algorithm>

#include "problem/entries.hpp"
#include "problem/formats.hpp"
#include "problem/text_lines.hpp"
#include "support/json_text.hpp"

namespace chainmail {

namespace {

struct Terms {
  EntryList couplings, fields;
  std::uint64_t highest = 0;

  void add(std::uint64_t i, std::uint64_t j, double weight, std::size_t place) {
    (i == j ? fields : couplings)
        .add(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), -weight, place);
    highest = std::max({highest, i, j});
  }
};

Problem problem_from(Terms terms, const EntryList::DuplicateFailure& duplicate) {
  Problem problem;
  problem.objective = Quadratic(terms.highest + 1);
  problem.objective.couplings = std::move(terms.couplings).couplings(duplicate);
  for (const Coupling& field : std::move(terms.fields).couplings(duplicate)) {
    problem.objective.fields[field.i] = field.value;
  }
  return problem;
}

std::string term_name(const Entry& entry) {
  return "the term of spin " + std::to_string(entry.i) +
         (entry.i == entry.j ? "" : " and " + std::to_string(entry.j));
}

Problem read_text(std::string_view text, const std::string& path) {
  Terms terms;
  TextLines lines(text, path);
  while (lines.next()) {
    const std::size_t words = lines.words().size();
    if (words > 3) throw HigherDegree(path + ": has terms of three or more spins");
    if (words < 2) lines.fail_expected("`i j J`, `i h` or `i j k ... T`");
    const std::uint64_t i = lines.integer(0, 0, kMaxSpins - 1, "a spin index");
    const std::uint64_t j = words == 3 ? lines.integer(1, 0, kMaxSpins - 1, "a spin index") : i;
    if (words == 3 && i == j) lines.fail("couples spin " + std::to_string(i) + " with itself");
    terms.add(i, j, lines.real(words - 1, "a weight"), lines.number_of_line());
  }
  return problem_from(std::move(terms), [&](const Entry& second, const Entry& first) {
    lines.fail_at(second.place,
                  term_name(second) + " was given before, on line " + std::to_string(first.place));
  });
}

Problem read_tree(std::string_view text, const std::string& path) {
  const JsonText document(text, path);
  const JsonNode root = document.root();
  root.expect_members({"problem"});
  const JsonNode body = root["problem"];
  body.expect_members({"type", "terms"});
  if (body["type"].string() != "ising") {
    body["type"].fail_expected("\"ising\" (let Chook write with `-o ising`)");
  }
  const JsonNode list = body["terms"];
  if (list.array_size() == 0) list.fail_expected("at least one term");
  Terms terms;
  for (std::size_t k = 0; k < list.array_size(); ++k) {
    const JsonNode term = list[k];
    term.expect_members({"w", "ids"});
    const JsonNode ids = term["ids"];
    const std::size_t order = ids.array_size();
    if (order > 2) throw HigherDegree(path + ": has terms of three or more spins");
    if (order == 0) ids.fail_expected("one spin or more");
    const std::uint64_t i = ids[0].integer_below(kMaxSpins, "a spin index");
    const std::uint64_t j = order == 2 ? ids[1].integer_below(kMaxSpins, "a spin index") : i;
    if (order == 2 && i == j) ids.fail("couples spin " + std::to_string(i) + " with itself");
    terms.add(i, j, term["w"].number(), k);
  }
  return problem_from(std::move(terms), [&](const Entry& second, const Entry& first) {
    list[second.place].fail(term_name(second) + " was given before, in terms[" +
                            std::to_string(first.place) + "]");
  });
}

}  // namespace

Problem read_chook(std::string_view text, const std::string& path) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  const bool json = start != std::string_view::npos && text[start] == '{';
  return json ? read_tree(text, path) : read_text(text, path);
}

}  // namespace chainmail
