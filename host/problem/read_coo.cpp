// Coordinate text: `i j J` is a coupling, `i i h` a field, 0-based, E = -sum J S S - sum h S. `#`
// begins a comment; a line that begins with `#:` carries what plain triples cannot (see
// docs/formats.md), so that our own files lose nothing and other tools still read them. dimod
// writes the same triples with the opposite sign, or of bits, and says so in a comment:
// `# vartype=SPIN` means E = sum J S S + sum h S, `# vartype=BINARY` E = sum Q x x.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "problem/entries.hpp"
#include "problem/formats.hpp"
#include "problem/qubo_matrix.hpp"
#include "problem/text_lines.hpp"

namespace chainmail {

namespace {

struct Coo {
  Problem problem;
  std::optional<std::uint64_t> spins;
  std::uint64_t highest = 0;  // highest index so far
  EntryList entries, fields;
  std::map<std::uint64_t, std::string> names;
  std::set<std::string> seen;  // directives
  std::string vartype;         // dimod's
};

// The word after "vartype=" or "vartype:" in a comment; empty: none.
std::string_view vartype_in(std::string_view comment) {
  constexpr std::string_view kName = "vartype";
  std::size_t at = comment.find(kName);
  if (at == std::string_view::npos) return {};
  comment.remove_prefix(at + kName.size());
  if (comment.empty() || (comment[0] != '=' && comment[0] != ':')) return {};
  comment.remove_prefix(std::min(comment.find_first_not_of(" \t", 1), comment.size()));
  return comment.substr(0, comment.find_first_of(" \t,;"));
}

void read_comment(const TextLines& lines, Coo& coo) {
  const std::string_view found = vartype_in(lines.line());
  if (found.empty()) return;
  if (found != "SPIN" && found != "BINARY")
    lines.fail_expected("`# vartype=SPIN` or `# vartype=BINARY`");
  if (!coo.seen.empty()) lines.fail("`# vartype=` is dimod's and does not go with `#:` lines");
  if (!coo.vartype.empty() && coo.vartype != found) lines.fail("another vartype was given before");
  coo.vartype = found;
}

std::vector<Spin> signs(const TextLines& lines) {
  lines.expect_words(3, "one word of + and -");
  std::vector<Spin> state;
  for (const char c : lines.words()[2]) {
    if (c != '+' && c != '-') lines.fail_expected("one word of + and -");
    state.push_back(c == '+' ? Spin{1} : Spin{-1});
  }
  return state;
}

// `#: key value ...`
void read_directive(const TextLines& lines, Coo& coo) {
  if (lines.words().size() < 3) lines.fail_expected("`#: key value`");
  const std::string key(lines.words()[1]);
  if (key == "variable") {
    if (lines.words().size() < 4) lines.fail_expected("`#: variable index name`");
    const std::uint64_t spin = lines.integer(2, 0, kMaxSpins - 1, "a spin index");
    if (!coo.names.emplace(spin, lines.rest(3)).second) {
      lines.fail("spin " + std::to_string(spin) + " is named twice");
    }
    return;
  }
  if (!coo.seen.insert(key).second) lines.fail("`#: " + key + "` is given twice");
  if (key == "chainmail-coo") {
    lines.integer(2, 1, 1, "a version");
  } else if (key == "name") {
    coo.problem.name = lines.rest(2);
  } else if (key == "spins") {
    coo.spins = lines.integer(2, 1, kMaxSpins, "a number of spins");
  } else if (key == "offset") {
    coo.problem.objective.offset = lines.real(2, "an offset");
  } else if (key == "objective") {
    if (lines.words().size() < 5) lines.fail_expected("`#: objective scale shift name`");
    coo.problem.user = {std::string(lines.rest(4)), lines.real(2, "a scale"),
                        lines.real(3, "a shift")};
  } else if (key == "known-optimum") {
    coo.problem.known_optimum = lines.real(2, "an energy");
  } else if (key == "known-solution") {
    coo.problem.known_solution = signs(lines);
  } else if (key == "reference-solution") {
    coo.problem.reference_solution = signs(lines);
  } else {
    lines.fail("unknown directive " + in_quotes(key) +
               "; known: chainmail-coo, name, spins, offset, objective, variable, known-optimum, "
               "known-solution, reference-solution");
  }
}

void read_entry(const TextLines& lines, Coo& coo) {
  lines.expect_words(3, "`i j J` or `i i h`");
  const std::uint64_t last = coo.spins.value_or(kMaxSpins) - 1;
  const std::uint64_t i = lines.integer(0, 0, last, "a spin index");
  const std::uint64_t j = lines.integer(1, 0, last, "a spin index");
  const double value = lines.real(2, i == j ? "a field" : "a coupling");
  (i == j ? coo.fields : coo.entries)
      .add(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), value,
           lines.number_of_line());
  coo.highest = std::max({coo.highest, i, j});
}

}  // namespace

Problem read_coo(std::string_view text, const std::string& path) {
  Coo coo;
  TextLines lines(text, path);
  while (lines.next()) {
    if (lines.words()[0] == "#:") {
      // Before the entries, so that `spins` is known when the first index is checked.
      if (coo.entries.size() + coo.fields.size() > 0) lines.fail("`#:` lines must come first");
      if (!coo.vartype.empty()) lines.fail("`#:` lines do not go with dimod's `# vartype=`");
      read_directive(lines, coo);
    } else if (lines.words()[0].starts_with('#')) {
      read_comment(lines, coo);
    } else {
      read_entry(lines, coo);
    }
  }
  if (!coo.spins && coo.entries.size() + coo.fields.size() == 0) {
    lines.fail("expected at least one line `i j J`, found the end of the file");
  }
  const auto duplicate = [&](const Entry& second, const Entry& first) {
    lines.fail_at(second.place,
                  (second.i == second.j ? "the field of spin " + std::to_string(second.i)
                                        : "the coupling of " + std::to_string(second.i) + " and " +
                                              std::to_string(second.j)) +
                      " was given before, on line " + std::to_string(first.place));
  };

  Quadratic& f = coo.problem.objective;
  const std::size_t size = coo.spins.value_or(coo.highest + 1);
  std::vector<Coupling> couplings = std::move(coo.entries).couplings(duplicate);
  const std::vector<Coupling> fields = std::move(coo.fields).couplings(duplicate);
  if (coo.vartype == "BINARY") {
    f = qubo_in_spins(size, fields, std::move(couplings));
    coo.problem.user.name = UserObjective::kQubo;
    return std::move(coo.problem);
  }
  const double sign = coo.vartype == "SPIN" ? -1.0 : 1.0;
  f.fields.assign(size, 0.0);
  for (const Coupling& field : fields) f.fields[field.i] = sign * field.value;
  for (Coupling& c : couplings) c.value *= sign;
  f.couplings = std::move(couplings);
  for (const auto& [spin, name] : coo.names) {
    if (spin != coo.problem.names.size()) break;  // a gap: validate() reports how many there are
    coo.problem.names.push_back(name);
  }
  if (coo.problem.names.size() != coo.names.size()) {
    lines.fail("spin " + std::to_string(coo.problem.names.size()) + " has no name but spin " +
               std::to_string(coo.names.rbegin()->first) + " has one");
  }
  return std::move(coo.problem);
}

bool coo_names_convention(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    at += line.size() + 1;
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos || line[first] != '#') continue;
    if (line.substr(first).starts_with("#:") || !vartype_in(line).empty()) return true;
  }
  return false;
}

}  // namespace chainmail
