#include "model/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

#include "problem/text_lines.hpp"
#include "support/atomic_file.hpp"
#include "support/error.hpp"
#include "support/json_text.hpp"

#include <nlohmann/json.hpp>

namespace chainmail {

NamedAnswer named_answer(const ConstrainedModel& model, std::span<const std::int64_t> values) {
  const Evaluation evaluation = evaluate(model, values);
  NamedAnswer answer{evaluation.objective,
                     evaluation.exact,
                     evaluation.feasible(),
                     {},
                     worst_of(evaluation.violations, kShownViolations),
                     evaluation.violations.size()};
  for (std::size_t v = 0; v < values.size(); ++v) {
    answer.variables.emplace_back(model.variables[v].name, values[v]);
  }
  return answer;
}

std::string solution_to_text(const NamedAnswer& answer, bool miplib) {
  std::string text =
      !miplib ? fmt::format("# objective {}, {}\n", answer.objective,
                            answer.feasible ? "feasible" : "not feasible")
              : fmt::format("=obj= {}\n", answer.exact ? answer.exact->text()
                                                       : fmt::format("{}", answer.objective));
  for (const auto& [name, value] : answer.variables) text += fmt::format("{} {}\n", name, value);
  return text;
}

namespace {

class SolutionReader {
 public:
  explicit SolutionReader(const ConstrainedModel& model)
      : model_(model), values_(model.variables.size()) {
    for (std::size_t v = 0; v < model.variables.size(); ++v) index_[model.variables[v].name] = v;
  }

  // What is wrong with it, or an empty message.
  std::string set(const std::string& name, std::int64_t value) {
    const auto found = index_.find(name);
    if (found == index_.end()) return "expected a variable of the model, found " + in_quotes(name);
    if (values_[found->second])
      return "expected each variable once, found " + in_quotes(name) + " again";
    values_[found->second] = value;
    return {};
  }

  void set_rest(std::int64_t value) {
    for (auto& v : values_) v = v.value_or(value);
  }

  std::vector<std::int64_t> all(const std::string& path) const {
    std::vector<std::int64_t> values;
    for (std::size_t v = 0; v < values_.size(); ++v) {
      if (!values_[v]) {
        throw InputError(path + ": expected a value for every variable, found none for " +
                         in_quotes(model_.variables[v].name));
      }
      values.push_back(*values_[v]);
    }
    return values;
  }

 private:
  const ConstrainedModel& model_;
  std::vector<std::optional<std::int64_t>> values_;
  std::unordered_map<std::string, std::size_t> index_;
};

void read_json_solution(const std::string& text, const std::string& path, SolutionReader& into) {
  const JsonText checked(text, path);  // complains with the line, about shape and doubles
  const JsonNode variables = checked.root()["variables"];
  if (!variables.is_object()) variables.fail_expected("an object of names and values");
  const auto tree = nlohmann::json::parse(text);
  for (const auto& [name, value] : tree["variables"].items()) {
    if (!value.is_number_integer()) variables[name].fail_expected("a whole number");
    const std::string fault = into.set(name, value.get<std::int64_t>());
    if (!fault.empty()) throw InputError(fmt::format("{}: {}", path, fault));
  }
}

// A whole number, also as 1.0 or 1e3.
std::int64_t whole(const TextLines& lines, std::size_t index) {
  const Decimal value = lines.decimal(index, "a whole number");
  constexpr int kTooMany = 39;  // digits
  const auto found =
      value.whole() ? times_power_of_ten(value.mantissa(), std::min(value.exponent(), kTooMany))
                    : std::nullopt;
  if (!found || *found != static_cast<std::int64_t>(*found)) {
    lines.fail("expected a whole number, found " + in_quotes(lines.words()[index]));
  }
  return static_cast<std::int64_t>(*found);
}

void read_text_solution(const std::string& text, const std::string& path, SolutionReader& into) {
  TextLines lines(text, path);
  std::optional<bool> names_alone;  // a list of what is 1, all else being 0
  bool miplib = false;              // which leaves out zeros
  while (lines.next()) {
    const auto& words = lines.words();
    if (words[0].starts_with("# ") || words[0] == "#") continue;
    if (words[0] == "=obj=") {
      lines.expect_words(2, "'=obj=' and the objective");
      miplib = true;
      continue;
    }
    if (!names_alone) names_alone = words.size() == 1;
    std::int64_t value = 1;
    if (*names_alone) {
      lines.expect_words(1, "the name of a variable that is 1, as in the lines before");
    } else {
      lines.expect_words(2, "a variable and its value");
      value = whole(lines, 1);
    }
    const std::string fault = into.set(std::string(words[0]), value);
    if (!fault.empty()) lines.fail(fault);
  }
  if (miplib || names_alone.value_or(false)) into.set_rest(0);
}

}  // namespace

std::vector<std::int64_t> read_model_solution(const std::string& path,
                                              const ConstrainedModel& model) {
  const std::string text = read_file(path);
  SolutionReader reader(model);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && text[first] == '{') {
    read_json_solution(text, path, reader);
  } else {
    read_text_solution(text, path, reader);
  }
  return reader.all(path);
}

}  // namespace chainmail
