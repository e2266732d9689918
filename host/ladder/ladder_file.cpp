#include "ladder/ladder_file.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "support/atomic_file.hpp"
#include "support/error.hpp"
#include "support/json_text.hpp"

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

namespace {

std::vector<double> numbers_in(const JsonNode& list) {
  std::vector<double> numbers(list.array_size());
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = list[k].number();
  return numbers;
}

}  // namespace

Ladder ladder_from_json(const std::string& text, const std::string& path) {
  const JsonText file(text, path);
  const JsonNode document = file.root();
  const bool ours = document.is_object() && document.has("format") &&
                    document["format"].string() == "chainmail-schedule";
  if (!ours) throw InputError(path + ": expected a schedule written by 'chainmail tune'");
  if (document["version"].number() != 1.0) document["version"].fail_expected("version 1");
  Ladder ladder;
  ladder.beta = numbers_in(document["beta"]);
  ladder.penalty = numbers_in(document["penalty"]);
  if (document.has("notes")) {
    const JsonNode notes = document["notes"];
    for (std::size_t k = 0; k < notes.array_size(); ++k) ladder.notes.push_back(notes[k].string());
  }
  if (document.has("answer_beta")) ladder.answer_beta = document["answer_beta"].number();
  if (document.has("replica_sweeps")) {
    ladder.replica_sweeps =
        document["replica_sweeps"].integer_below(UINT64_MAX, "a number of sweeps");
  }
  if (document.has("multipliers")) ladder.multipliers = numbers_in(document["multipliers"]);
  if (document.has("pilot")) {
    const JsonNode pilot = document["pilot"];
    for (auto [name, table] :
         {std::pair{"mean_f", &ladder.mean_f}, std::pair{"sigma_f", &ladder.sigma_f},
          std::pair{"mean_g", &ladder.mean_g}, std::pair{"sigma_g", &ladder.sigma_g}}) {
      const JsonNode rows = pilot[name];
      rows.expect_array_of(ladder.rows());
      for (std::size_t row = 0; row < ladder.rows(); ++row) {
        rows[row].expect_array_of(ladder.columns());
        table->push_back(numbers_in(rows[row]));
      }
    }
  }
  check_ladder(ladder, path);
  return ladder;
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
