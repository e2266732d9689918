// Problems in spins of any degree, as a model: our own JSON with `terms` (problem/read_json.cpp has
// the rest of it) and Chook's files with terms of three and more spins (problem/read_chook.cpp).
// The variables are spins, -1 or 1, named as in the file or s0, s1, ...
#include <fmt/format.h>

#include <algorithm>

#include "model/model_formats.hpp"
#include "problem/entries.hpp"
#include "problem/formats.hpp"
#include "problem/text_lines.hpp"
#include "problem/validate.hpp"
#include "support/error.hpp"
#include "support/json_text.hpp"

namespace chainmail {

namespace {

void make_spins(ConstrainedModel& model, std::size_t count, const std::vector<std::string>& names) {
  model.objective_name = "energy";
  for (std::size_t i = 0; i < count; ++i) {
    model.variables.push_back({names.empty() ? fmt::format("s{}", i) : names[i], -1, 1, true});
  }
}

std::vector<std::uint32_t> spins_from(const JsonNode& list, std::size_t count, std::size_t spins) {
  std::vector<std::uint32_t> which;
  for (std::size_t k = 0; k < count; ++k) {
    const auto i = static_cast<std::uint32_t>(list[k].integer_below(spins, "a spin index"));
    if (std::find(which.begin(), which.end(), i) != which.end()) {
      list.fail("has spin " + std::to_string(i) + " twice");
    }
    which.push_back(i);
  }
  return which;
}

// f = offset - sum h S - sum J S S - sum T S S S ...
ConstrainedModel read_own(std::string_view text, const std::string& path) {
  const JsonText document(text, path);
  const JsonNode root = document.root();
  for (const char* member : {"constraint", "objective"}) {
    if (root.has(member)) root[member].fail("cannot be combined with terms; write an LP file");
  }
  const Problem rest = read_json(text, path, Higher::skipped);
  validate(rest, path);
  ConstrainedModel model;
  model.name = rest.name;
  make_spins(model, rest.size(), rest.names);
  model.objective.constant = rest.objective.offset;
  for (std::uint32_t i = 0; i < rest.size(); ++i) {
    model.objective.linear.push_back({i, -rest.objective.fields[i]});
  }
  for (const Coupling& c : rest.objective.couplings) {
    model.objective.products.push_back({c.i, c.j, -c.value});
  }
  const JsonNode terms = root["terms"];
  for (std::size_t k = 0; k < terms.array_size(); ++k) {
    const std::size_t size = terms[k].array_size();
    if (size < 4) terms[k].fail_expected("three or more spins and a value");
    model.objective.add(spins_from(terms[k], size - 1, rest.size()),
                        -Decimal(terms[k][size - 1].number()));
  }
  return model;
}

// H = + sum J S S ...
ConstrainedModel read_chook_tree(std::string_view text, const std::string& path) {
  const JsonText document(text, path);
  const JsonNode list = document.root()["problem"]["terms"];
  ConstrainedModel model;
  std::size_t count = 0;
  for (std::size_t k = 0; k < list.array_size(); ++k) {
    list[k].expect_members({"w", "ids"});
    const JsonNode ids = list[k]["ids"];
    if (ids.array_size() == 0) ids.fail_expected("one spin or more");
    const auto spins = spins_from(ids, ids.array_size(), kMaxSpins);
    count = std::max<std::size_t>(count, 1 + *std::max_element(spins.begin(), spins.end()));
    model.objective.add(spins, list[k]["w"].number());
  }
  make_spins(model, count, {});
  return model;
}

ConstrainedModel read_chook_text(std::string_view text, const std::string& path) {
  ConstrainedModel model;
  std::size_t count = 0;
  TextLines lines(text, path);
  while (lines.next()) {
    const std::size_t words = lines.words().size();
    if (words < 2) lines.fail_expected("spins and a weight");
    std::vector<std::uint32_t> spins;
    for (std::size_t k = 0; k + 1 < words; ++k) {
      const auto i = static_cast<std::uint32_t>(lines.integer(k, 0, kMaxSpins - 1, "a spin index"));
      if (std::find(spins.begin(), spins.end(), i) != spins.end()) {
        lines.fail("has spin " + std::to_string(i) + " twice");
      }
      spins.push_back(i);
      count = std::max<std::size_t>(count, i + 1);
    }
    model.objective.add(spins, lines.real(words - 1, "a weight"));
  }
  make_spins(model, count, {});
  return model;
}

}  // namespace

ConstrainedModel read_terms(std::string_view text, const std::string& path, const ModelOptions&) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  const bool json = start != std::string_view::npos && text[start] == '{';
  const bool own = json && text.find("chainmail-problem") != std::string_view::npos;
  ConstrainedModel model = own    ? read_own(text, path)
                           : json ? read_chook_tree(text, path)
                                  : read_chook_text(text, path);
  try {
    model.objective.normalise();
  } catch (const TooManyDigits& fault) {
    throw InputError(path + ": " + fault.what());
  }
  return model;
}

}  // namespace chainmail
