#include "schedule/schedule_file.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "support/atomic_file.hpp"
#include "support/error.hpp"

namespace chainmail {

using nlohmann::json;

std::string schedule_to_json(const Schedule& schedule) {
  json document = {{"format", "chainmail-schedule"},
                   {"version", 1},
                   {"beta", schedule.beta},
                   {"penalty", schedule.penalty},
                   {"notes", schedule.notes}};
  if (schedule.answer_beta > 0.0) document["answer_beta"] = schedule.answer_beta;
  if (schedule.replica_sweeps > 0) document["replica_sweeps"] = schedule.replica_sweeps;
  if (!schedule.multipliers.empty()) document["multipliers"] = schedule.multipliers;
  if (!schedule.mean_f.empty()) {
    document["pilot"] = {{"mean_f", schedule.mean_f},
                         {"sigma_f", schedule.sigma_f},
                         {"mean_g", schedule.mean_g},
                         {"sigma_g", schedule.sigma_g}};
  }
  return document.dump(1) + "\n";
}

void check_schedule(const Schedule& schedule, const std::string& where) {
  if (!std::isfinite(schedule.answer_beta) || schedule.answer_beta < 0) {
    throw InputError(where + ": 'answer_beta' must be a finite number, zero or more");
  }
  for (const auto& [name, ladder] :
       {std::pair{"beta", &schedule.beta}, std::pair{"penalty", &schedule.penalty}}) {
    if (ladder->empty()) throw InputError(where + ": '" + name + "' is empty");
    for (std::size_t i = 0; i < ladder->size(); ++i) {
      const double value = (*ladder)[i];
      if (!std::isfinite(value) || value < 0) {
        throw InputError(where + ": " + name + "[" + std::to_string(i) +
                         "] must be a finite number, zero or more");
      }
      if (i > 0 && value < (*ladder)[i - 1]) {
        throw InputError(where + ": '" + name + "' must ascend, but " + name + "[" +
                         std::to_string(i) + "] is below the one before");
      }
    }
  }
}

Schedule schedule_from_json(const std::string& text, const std::string& path) {
  try {
    const json document = json::parse(text);
    if (!document.is_object() || document.value("format", "") != "chainmail-schedule") {
      throw InputError(path + ": expected a schedule written by 'chainmail tune'");
    }
    if (document.at("version") != 1) throw InputError(path + ": expected version 1");
    Schedule schedule;
    document.at("beta").get_to(schedule.beta);
    document.at("penalty").get_to(schedule.penalty);
    if (document.contains("notes")) document.at("notes").get_to(schedule.notes);
    schedule.answer_beta = document.value("answer_beta", 0.0);
    schedule.replica_sweeps = document.value("replica_sweeps", std::uint64_t{0});
    if (document.contains("multipliers")) {
      document.at("multipliers").get_to(schedule.multipliers);
    }
    if (document.contains("pilot")) {
      const json& pilot = document.at("pilot");
      for (auto [name, table] :
           {std::pair{"mean_f", &schedule.mean_f}, std::pair{"sigma_f", &schedule.sigma_f},
            std::pair{"mean_g", &schedule.mean_g}, std::pair{"sigma_g", &schedule.sigma_g}}) {
        pilot.at(name).get_to(*table);
        const bool fits = table->size() == schedule.rows() &&
                          std::all_of(table->begin(), table->end(), [&](const auto& row) {
                            return row.size() == schedule.columns();
                          });
        if (!fits) {
          throw InputError(path + ": pilot '" + name + "' must have a row per beta and a column " +
                           "per penalty");
        }
      }
    }
    check_schedule(schedule, path);
    return schedule;
  } catch (const json::exception& e) {
    throw InputError(path + ": not a valid schedule: " + e.what());
  }
}

Schedule read_schedule(const std::string& path) {
  return schedule_from_json(read_file(path), path);
}

}  // namespace chainmail
