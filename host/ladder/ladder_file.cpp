#include "ladder/ladder_file.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "support/atomic_file.hpp"
#include "support/error.hpp"

namespace chainmail {

using nlohmann::json;

std::string ladder_to_json(const Ladder& ladder) {
  json document = {{"format", "chainmail-schedule"},
                   {"version", 1},
                   {"beta", ladder.beta},
                   {"penalty", ladder.penalty},
                   {"notes", ladder.notes}};
  if (ladder.answer_beta > 0.0) document["answer_beta"] = ladder.answer_beta;
  if (ladder.replica_sweeps > 0) document["replica_sweeps"] = ladder.replica_sweeps;
  if (!ladder.multipliers.empty()) document["multipliers"] = ladder.multipliers;
  if (!ladder.mean_f.empty()) {
    document["pilot"] = {{"mean_f", ladder.mean_f},
                         {"sigma_f", ladder.sigma_f},
                         {"mean_g", ladder.mean_g},
                         {"sigma_g", ladder.sigma_g}};
  }
  return document.dump(1) + "\n";
}

void check_ladder(const Ladder& ladder, const std::string& where) {
  if (!std::isfinite(ladder.answer_beta) || ladder.answer_beta < 0) {
    throw InputError(where + ": 'answer_beta' must be a finite number, zero or more");
  }
  for (const auto& [name, rungs] :
       {std::pair{"beta", &ladder.beta}, std::pair{"penalty", &ladder.penalty}}) {
    if (rungs->empty()) throw InputError(where + ": '" + name + "' is empty");
    for (std::size_t i = 0; i < rungs->size(); ++i) {
      const double value = (*rungs)[i];
      if (!std::isfinite(value) || value < 0) {
        throw InputError(where + ": " + name + "[" + std::to_string(i) +
                         "] must be a finite number, zero or more");
      }
      if (i > 0 && value < (*rungs)[i - 1]) {
        throw InputError(where + ": '" + name + "' must ascend, but " + name + "[" +
                         std::to_string(i) + "] is below the one before");
      }
    }
  }
}

Ladder ladder_from_json(const std::string& text, const std::string& path) {
  try {
    const json document = json::parse(text);
    if (!document.is_object() || document.value("format", "") != "chainmail-schedule") {
      throw InputError(path + ": expected a schedule written by 'chainmail tune'");
    }
    if (document.at("version") != 1) throw InputError(path + ": expected version 1");
    Ladder ladder;
    document.at("beta").get_to(ladder.beta);
    document.at("penalty").get_to(ladder.penalty);
    if (document.contains("notes")) document.at("notes").get_to(ladder.notes);
    ladder.answer_beta = document.value("answer_beta", 0.0);
    ladder.replica_sweeps = document.value("replica_sweeps", std::uint64_t{0});
    if (document.contains("multipliers")) {
      document.at("multipliers").get_to(ladder.multipliers);
    }
    if (document.contains("pilot")) {
      const json& pilot = document.at("pilot");
      for (auto [name, table] :
           {std::pair{"mean_f", &ladder.mean_f}, std::pair{"sigma_f", &ladder.sigma_f},
            std::pair{"mean_g", &ladder.mean_g}, std::pair{"sigma_g", &ladder.sigma_g}}) {
        pilot.at(name).get_to(*table);
        const bool fits = table->size() == ladder.rows() &&
                          std::all_of(table->begin(), table->end(), [&](const auto& row) {
                            return row.size() == ladder.columns();
                          });
        if (!fits) {
          throw InputError(path + ": pilot '" + name + "' must have a row per beta and a column " +
                           "per penalty");
        }
      }
    }
    check_ladder(ladder, path);
    return ladder;
  } catch (const json::exception& e) {
    throw InputError(path + ": not a valid schedule: " + e.what());
  }
}

Ladder read_ladder(const std::string& path) {
  return ladder_from_json(read_file(path), path);
}

Ladder ladder_by_hand(std::vector<double> betas, std::vector<double> penalties,
                      const std::string& where) {
  Ladder ladder;
  ladder.beta = std::move(betas);
  ladder.penalty = std::move(penalties);
  if (ladder.penalty.empty()) ladder.penalty = {0.0};
  check_ladder(ladder, where);
  return ladder;
}

}  // namespace chainmail
