// Our own format, version 1: everything a Problem has. Members it does not know are errors, since a
// misspelt one would otherwise silently change the problem.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "problem/entries.hpp"
#include "problem/formats.hpp"
#include "support/json_text.hpp"

namespace chainmail {

namespace {

// The text of the root's member `couplings`, brackets and all; empty where there is none.
std::string_view couplings_text(std::string_view text) {
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (c != '"') continue;
    std::size_t end = at + 1;
    while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
    if (end >= text.size()) return {};
    const std::string_view word = text.substr(at + 1, end - at - 1);
    at = end;
    if (depth != 1 || word != "couplings") continue;
    const std::size_t colon = text.find_first_not_of(" \t\r\n", end + 1);
    if (colon == std::string_view::npos || text[colon] != ':') continue;
    const std::size_t open = text.find_first_not_of(" \t\r\n", colon + 1);
    if (open == std::string_view::npos || text[open] != '[') return {};
    return text.substr(open);
  }
  return {};
}

// Reads the root's couplings where they are plain triples of numbers; `rest` becomes the text
// without them (but with their line ends, so that complaints about the rest name the right line).
// Nothing if anything is unusual: the tree parser then reports it.
std::optional<EntryList> take_couplings(std::string_view text, std::string& rest) {
  const std::string_view list = couplings_text(text);
  if (list.empty()) return std::nullopt;
  const char* at = list.data() + 1;
  const char* const end = list.data() + list.size();
  const auto skip = [&] {
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')) ++at;
  };
  const auto take = [&](char c) {
    skip();
    if (at == end || *at != c) return false;
    ++at;
    return true;
  };
  const auto number = [&](auto& value) {
    skip();
    const char* from = at;
    // JSON has no leading zeros, signs or dots that from_chars would take.
    const char* digit = at < end && *at == '-' ? at + 1 : at;
    if (digit == end || *digit < '0' || *digit > '9') return false;
    if (*digit == '0' && digit + 1 < end && digit[1] >= '0' && digit[1] <= '9') return false;
    const auto [stop, error] = std::from_chars(at, end, value);
    if (error != std::errc() || stop[-1] == '.') return false;
    if (!(static_cast<double>(value) < 0x1.0p53 && static_cast<double>(value) > -0x1.0p53)) {
      return false;
    }
    at = stop;
    return at > from;
  };
  EntryList entries;
  if (take(']')) return std::nullopt;
  do {
    Coupling c{};
    const bool triple = take('[') && number(c.i) && take(',') && number(c.j) && take(',') &&
                        number(c.value) && take(']');
    if (!triple) return std::nullopt;
    entries.add(c.i, c.j, c.value, entries.size());
  } while (take(','));
  if (!take(']')) return std::nullopt;
  const auto first = static_cast<std::size_t>(list.data() + 1 - text.data());
  const auto last = static_cast<std::size_t>(at - 1 - text.data());
  const std::string_view taken = text.substr(first, last - first);
  rest = text.substr(0, first);
  rest.append(static_cast<std::size_t>(std::count(taken.begin(), taken.end(), '\n')), '\n');
  rest += text.substr(last);
  return entries;
}

std::vector<Coupling> couplings_from(const JsonNode& list, std::size_t spins) {
  EntryList entries;
  entries.reserve(list.array_size());
  for (std::size_t k = 0; k < list.array_size(); ++k) {
    const JsonNode triple = list[k];
    if (!triple.is_array() || triple.array_size() != 3) triple.fail_expected("a triple [i, j, J]");
    const auto i = static_cast<std::uint32_t>(triple[0].integer_below(spins, "a spin index"));
    const auto j = static_cast<std::uint32_t>(triple[1].integer_below(spins, "a spin index"));
    if (i == j) triple.fail("couples spin " + std::to_string(i) + " with itself");
    entries.add(i, j, triple[2].number(), k);
  }
  return std::move(entries).couplings([&](const Entry& second, const Entry& first) {
    list[second.place].fail("couples " + std::to_string(second.i) + " and " +
                            std::to_string(second.j) + " again, after couplings[" +
                            std::to_string(first.place) + "]");
  });
}

// The members `fields`, `couplings` and `offset` of `node`, each of which may be absent.
Quadratic quadratic_from(const JsonNode& node, std::size_t spins) {
  Quadratic q(spins);
  if (node.has("fields")) {
    const JsonNode fields = node["fields"];
    fields.expect_array_of(spins);
    for (std::size_t i = 0; i < spins; ++i) q.fields[i] = fields[i].number();
  }
  if (node.has("couplings")) q.couplings = couplings_from(node["couplings"], spins);
  if (node.has("offset")) q.offset = node["offset"].number();
  return q;
}

std::vector<Spin> state_from(const JsonNode& list, std::size_t spins) {
  list.expect_array_of(spins);
  std::vector<Spin> state(spins);
  for (std::size_t i = 0; i < spins; ++i) {
    const double value = list[i].number();
    if (value != 1.0 && value != -1.0) list[i].fail_expected("1 or -1");
    state[i] = value > 0.0 ? Spin{1} : Spin{-1};
  }
  return state;
}

UserObjective objective_from(const JsonNode& node) {
  node.expect_members({"name", "scale", "shift"});
  UserObjective user;
  if (node.has("name")) user.name = node["name"].string();
  if (node.has("scale")) user.scale = node["scale"].number();
  if (node.has("shift")) user.shift = node["shift"].number();
  return user;
}

void check_header(const JsonNode& root) {
  if (!root.is_object()) root.fail_expected("an object");
  const JsonNode format = root["format"];
  if (format.string() != "chainmail-problem") format.fail_expected("\"chainmail-problem\"");
  const JsonNode version = root["version"];
  if (version.number() != 1.0) version.fail_expected("version 1");
}

}  // namespace

Problem read_json(std::string_view text, const std::string& path, Higher terms) {
  // Nearly all of a large file is its couplings; a tree of them takes ten times as long to build.
  std::string rest;
  std::optional<EntryList> plain = take_couplings(text, rest);
  const JsonText document(plain ? std::string_view(rest) : text, path);
  const JsonNode root = document.root();
  check_header(root);
  root.expect_members({"format", "version", "name", "spins", "fields", "couplings", "offset",
                       "terms", "constraint", "names", "objective", "known_optimum",
                       "known_solution", "reference_solution"});
  if (root.has("terms") && terms == Higher::refused) {
    throw HigherDegree(path + ": has terms of three or more spins");
  }
  const auto spins = static_cast<std::size_t>(
      root["spins"].integer_below(kMaxSpins + 1, "a whole number of spins"));

  Problem problem;
  if (root.has("name")) problem.name = root["name"].string();
  problem.objective = quadratic_from(root, spins);
  if (plain) {
    const bool fine = std::all_of(plain->given().begin(), plain->given().end(), [&](const auto& c) {
      return c.i < spins && c.j < spins && c.i != c.j && std::isfinite(c.value);
    });
    bool twice = false;
    if (fine) {
      problem.objective.couplings =
          std::move(*plain).couplings([&](const Entry&, const Entry&) { twice = true; });
    }
    // Parsed again in full, for the error message.
    if (!fine || twice) problem.objective = quadratic_from(JsonText(text, path).root(), spins);
  }
  if (root.has("constraint")) {
    const JsonNode constraint = root["constraint"];
    constraint.expect_members({"fields", "couplings", "offset"});
    problem.constraint = quadratic_from(constraint, spins);
  }
  if (root.has("names")) {
    const JsonNode names = root["names"];
    names.expect_array_of(spins);
    for (std::size_t i = 0; i < spins; ++i) problem.names.push_back(names[i].string());
  }
  if (root.has("objective")) problem.user = objective_from(root["objective"]);
  if (root.has("known_optimum")) problem.known_optimum = root["known_optimum"].number();
  if (root.has("known_solution")) {
    problem.known_solution = state_from(root["known_solution"], spins);
  }
  if (root.has("reference_solution")) {
    problem.reference_solution = state_from(root["reference_solution"], spins);
  }
  return problem;
}

}  // namespace chainmail
