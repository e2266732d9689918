#include "report/merge.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "report/json_layout.hpp"
#include "support/error.hpp"

namespace chainmail {
namespace {

using Json = nlohmann::ordered_json;

// If these differ, it was not the same run.
constexpr std::string_view kSame[] = {
    "problem",   "spins", "method", "copies",  "pbits",         "seed",  "sweeps_per_swap",
    "swap_sets", "moves", "rows",   "columns", "known_optimum", "names", "placement"};
constexpr std::string_view kSums[] = {"updates",     "seconds",  "tune_seconds",
                                      "round_trips", "quenches", "component_exchanges"};
constexpr std::string_view kMeans[] = {"rejections", "answer_feasible_rate", "mean_answer_energy",
                                       "acceptance_beta", "acceptance_penalty"};

struct Part {
  const ResultFile* file;
  Json json;
  std::size_t first = 0, count = 0;  // trials
};

const Json& field(const Part& part, std::string_view name) {
  const auto found = part.json.find(name);
  if (found == part.json.end()) {
    throw InputError(part.file->path + ": expected a field \"" + std::string(name) + "\"");
  }
  return *found;
}

Part read(const ResultFile& file) {
  Part part{&file, Json::parse(file.text, nullptr, false)};
  if (!part.json.is_object() || part.json.value("format", "") != "chainmail-result") {
    throw InputError(file.path + ": not a result of chainmail solve --json");
  }
  const Json &first = field(part, "first_trial"), &trials = field(part, "per_trial");
  if (!first.is_number_unsigned() || first == 0 || !trials.is_array() || trials.empty()) {
    throw InputError(file.path + ": expected the number of its first trial, and trials");
  }
  // Somebody who edited a result by hand needs the place, not what the JSON library says.
  const auto expect = [&](std::string_view name, bool fits, const char* what) {
    if (fits) return;
    throw InputError(file.path + ": expected \"" + std::string(name) + "\" to be " + what);
  };
  expect("feasible", field(part, "feasible").is_boolean(), "true or false");
  for (std::string_view name : {"energy", "g"}) {
    expect(name, field(part, name).is_number() || field(part, name).is_null(), "a number");
  }
  for (std::string_view name : kSums) {
    const Json& value = field(part, name);
    expect(name, value.is_number() && value >= 0, "a number of zero or more");
  }
  for (std::string_view name : kSame) field(part, name);
  for (std::string_view name : kMeans) {
    const Json& value = field(part, name);
    expect(name, value.is_array() || value.is_number() || value.is_null(), "a number or a list");
  }
  part.first = first;
  part.count = trials.size();
  return part;
}

void check_same(const Part& a, const Part& b) {
  for (std::string_view name : kSame) {
    if (field(a, name) == field(b, name)) continue;
    throw InputError(b.file->path + ": not from the same run as " + a.file->path + ": its \"" +
                     std::string(name) + "\" differs");
  }
}

// Feasible before not, then the lower energy, or g where neither is feasible; then the earlier.
bool better(const Part& a, const Part& b) {
  const bool feasible = field(a, "feasible");
  if (feasible != field(b, "feasible")) return feasible;
  const char* by = feasible ? "energy" : "g";
  return field(a, by) < field(b, by);
}

// sum += weight * value, number by number.
void add_weighted(Json& sum, const Json& value, double weight) {
  if (value.is_array()) {
    if (sum.is_null()) sum = Json::array();
    for (std::size_t k = 0; k < value.size(); ++k) {
      if (k == sum.size()) sum.push_back(nullptr);
      add_weighted(sum[k], value[k], weight);
    }
  } else if (value.is_number()) {
    sum = (sum.is_null() ? 0.0 : sum.get<double>()) + weight * value.get<double>();
  }
}

Json sum_of(const std::vector<Part>& parts, std::string_view name) {
  Json sum = field(parts.front(), name);
  for (std::size_t k = 1; k < parts.size(); ++k) {
    const Json& next = field(parts[k], name);
    if (sum.is_number_integer()) {
      sum = sum.get<std::uint64_t>() + next.get<std::uint64_t>();
    } else {
      sum = sum.get<double>() + next.get<double>();
    }
  }
  return sum;
}

}  // namespace

std::string merged_results(const std::vector<ResultFile>& files) {
  std::vector<Part> parts;
  parts.reserve(files.size());
  for (const ResultFile& file : files) parts.push_back(read(file));
  if (parts.empty()) throw UsageError("merge: expected results to merge");
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return a.first < b.first; });
  std::size_t trials = 0;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    check_same(parts.front(), parts[k]);
    trials += parts[k].count;
    if (k > 0 && parts[k - 1].first + parts[k - 1].count > parts[k].first) {
      throw InputError(parts[k].file->path + ": trial " + std::to_string(parts[k].first) +
                       " is in " + parts[k - 1].file->path + " too");
    }
  }
  Json merged = std::min_element(parts.begin(), parts.end(), better)->json;
  merged["trials"] = trials;
  merged["first_trial"] = parts.front().first;
  Json per_trial = Json::array();
  for (const Part& part : parts) {
    for (const Json& trial : field(part, "per_trial")) per_trial.push_back(trial);
  }
  merged["per_trial"] = std::move(per_trial);
  for (std::string_view name : kSums) merged[name] = sum_of(parts, name);
  for (std::string_view name : kMeans) {
    Json mean;
    for (const Part& part : parts) {
      try {
        add_weighted(mean, field(part, name),
                     static_cast<double>(part.count) / static_cast<double>(trials));
      } catch (const Json::exception&) {
        throw InputError(part.file->path + ": \"" + std::string(name) +
                         "\" has another shape than that of the other results");
      }
    }
    merged[name] = mean;
  }
  const double seconds = merged["seconds"];
  if (seconds > 0.0) merged["updates_per_ns"] = merged["updates"].get<double>() / (1e9 * seconds);
  return written(merged);
}

}  // namespace chainmail
