// Our own format, version 1: everything a Problem has. Members it does not know are errors, since a
// misspelt one would otherwise change the problem without a word.
#include <cmath>
#include <cstdint>

#include "problem/entries.hpp"
#include "problem/formats.hpp"
#include "support/json_text.hpp"

namespace chainmail {

namespace {

std::vector<Coupling> couplings_from(const JsonNode& list, std::size_t spins) {
  std::vector<Entry> entries;
  entries.reserve(list.array_size());
  for (std::size_t k = 0; k < list.array_size(); ++k) {
    const JsonNode triple = list[k];
    if (!triple.is_array() || triple.array_size() != 3) triple.fail_expected("a triple [i, j, J]");
    const auto i = static_cast<std::uint32_t>(triple[0].integer_below(spins, "a spin index"));
    const auto j = static_cast<std::uint32_t>(triple[1].integer_below(spins, "a spin index"));
    if (i == j) triple.fail("couples spin " + std::to_string(i) + " with itself");
    entries.push_back({i, j, triple[2].number(), k});
  }
  return distinct_couplings(std::move(entries), [&](const Entry& second, const Entry& first) {
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

Problem read_json(std::string_view text, const std::string& path) {
  const JsonText document(text, path);
  const JsonNode root = document.root();
  check_header(root);
  root.expect_members({"format", "version", "name", "spins", "fields", "couplings", "offset",
                       "constraint", "names", "objective", "known_optimum", "known_solution",
                       "reference_solution"});
  const auto spins = static_cast<std::size_t>(
      root["spins"].integer_below(kMaxSpins + 1, "a whole number of spins"));

  Problem problem;
  if (root.has("name")) problem.name = root["name"].string();
  problem.objective = quadratic_from(root, spins);
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
