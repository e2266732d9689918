// Proofs as files, JSON with a step per line.
#include <nlohmann/json.hpp>

#include "check/proof.hpp"
#include "support/error.hpp"

namespace chainmail::checker {

namespace {

using Json = nlohmann::ordered_json;  // in the order in which it is written

Json rows_json(const std::vector<ProofRow>& rows) {
  Json list = Json::array();
  for (const ProofRow& row : rows) {
    if (row.without.empty()) {
      list.push_back(row.name);
    } else {
      list.push_back({{"row", row.name}, {"without", row.without}});
    }
  }
  return list;
}

std::vector<ProofRow> rows_from(const nlohmann::json& list) {
  std::vector<ProofRow> rows;
  for (const nlohmann::json& row : list) {
    if (row.is_string()) {
      rows.push_back({row.get<std::string>(), ""});
    } else {
      rows.push_back({row.at("row").get<std::string>(), row.at("without").get<std::string>()});
    }
  }
  return rows;
}

Json multiplier_json(const ProofMultiplier& m) {
  Json json;
  if (m.clique.empty()) json["rows"] = rows_json(m.rows);
  if (!m.clique.empty()) json["clique"] = m.clique;
  json["times"] = m.times;
  return json;
}

ProofMultiplier multiplier_from(const nlohmann::json& json) {
  ProofMultiplier m;
  if (json.contains("rows")) m.rows = rows_from(json["rows"]);
  if (json.contains("clique")) m.clique = json["clique"].get<std::vector<std::string>>();
  m.times = json.at("times").get<std::string>();
  return m;
}

// Items one per line.
template <class Items, class ToJson>
std::string lines(const Items& items, ToJson to_json) {
  std::string text = "[";
  for (const auto& item : items) text += (text == "[" ? "\n  " : ",\n  ") + to_json(item).dump();
  return text + (items.empty() ? "]" : "\n ]");
}

}  // namespace

std::string to_json(const Proof& proof) {
  std::string text = "{\n \"format\": \"chainmail-proof\",\n \"version\": 2,\n \"claim\": ";
  text += proof.optimal ? "\"optimal\"" : "\"no solution\"";
  if (proof.enumerated) text += ",\n \"enumerated\": true";
  text += ",\n \"steps\": " + lines(proof.steps, [](const ProofStep& step) {
            Json json = {{"rows", rows_json(step.rows)}};
            if (!step.variable.empty()) {
              json["variable"] = step.variable;
              json[step.upper ? "at_most" : "at_least"] = step.value;
            }
            return json;
          });
  if (!proof.order.empty()) text += ",\n \"order\": " + Json(proof.order).dump();
  if (proof.optimal) {
    nlohmann::json solution = nlohmann::json::object();
    for (const auto& [name, value] : proof.solution) solution[name] = value;
    text += ",\n \"substitutions\": " + rows_json(proof.substitutions).dump();
    text += ",\n \"groups\": " + lines(proof.groups, rows_json);
    text += ",\n \"cliques\": " + lines(proof.cliques, [](const auto& c) { return Json(c); });
    text += ",\n \"multipliers\": " + lines(proof.multipliers, multiplier_json);
    text += ",\n \"products\": " + lines(proof.products, [](const auto& product) {
              Json json = multiplier_json(product.second);
              json["variable"] = product.first;
              return json;
            });
    text += ",\n \"solution\": " + solution.dump();
  }
  return text + "\n}\n";
}

Proof read_proof(std::string_view text, const std::string& path) {
  try {
    const auto json = nlohmann::json::parse(text);
    if (json.at("format") != "chainmail-proof" || json.at("version") != 2) {
      throw InputError(path + ": expected a proof of chainmail, version 2");
    }
    Proof proof;
    proof.optimal = json.at("claim") == "optimal";
    proof.enumerated = json.value("enumerated", false);
    for (const nlohmann::json& step : json.at("steps")) {
      ProofStep next{rows_from(step.at("rows")), step.value("variable", ""),
                     step.contains("at_most"), ""};
      if (!next.variable.empty())
        next.value = step.at(next.upper ? "at_most" : "at_least").get<std::string>();
      proof.steps.push_back(std::move(next));
    }
    if (json.contains("order")) proof.order = json["order"].get<std::vector<std::string>>();
    if (!proof.optimal) return proof;
    proof.substitutions = rows_from(json.at("substitutions"));
    for (const nlohmann::json& group : json.at("groups")) proof.groups.push_back(rows_from(group));
    proof.cliques = json.at("cliques").get<std::vector<std::vector<std::string>>>();
    for (const nlohmann::json& m : json.at("multipliers"))
      proof.multipliers.push_back(multiplier_from(m));
    for (const nlohmann::json& product : json.at("products")) {
      proof.products.emplace_back(product.at("variable").get<std::string>(),
                                  multiplier_from(product));
    }
    for (const auto& [name, value] : json.at("solution").items()) {
      proof.solution.emplace_back(name, value.get<std::string>());
    }
    return proof;
  } catch (const nlohmann::json::exception& fault) {
    throw InputError(path + ": expected a proof of chainmail: " + fault.what());
  }
}

}  // namespace chainmail::checker
