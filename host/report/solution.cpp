#include "report/solution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

#include "support/atomic_file.hpp"
#include "support/error.hpp"
#include "support/printable.hpp"

namespace chainmail {
namespace {

std::string in_quotes(std::string_view token) {
  constexpr std::size_t kShown = 24;
  std::string text(token.substr(0, kShown));
  return "'" + text + (token.size() > kShown ? "...'" : "'");
}

std::string expected_count(std::size_t spins) {
  return "expected " + std::to_string(spins) + (spins == 1 ? " spin" : " spins");
}

// The parser counts bytes from 1.
std::size_t line_of(const std::string& text, std::size_t byte) {
  const std::size_t before = std::min(byte == 0 ? 0 : byte - 1, text.size());
  return static_cast<std::size_t>(
             std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(before), '\n')) +
         1;
}

std::vector<Spin> from_json(const std::string& path, const std::string& text, std::size_t spins) {
  nlohmann::json json;
  try {
    json = nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    throw InputError(path, line_of(text, error.byte),
                     "expected a JSON result: " + std::string(error.what()));
  } catch (const nlohmann::json::exception& error) {  // a number beyond double has no position
    throw InputError(path + ": expected a JSON result: " + error.what());
  }
  const auto field = json.find("solution");
  if (field == json.end())
    throw InputError(path + ": expected a result with a field \"solution\", found none");
  if (!field->is_array())
    throw InputError(path + ": field \"solution\": expected an array, found " + field->type_name());
  if (field->size() != spins)
    throw InputError(path + ": field \"solution\": " + expected_count(spins) + ", found " +
                     std::to_string(field->size()));
  std::vector<Spin> solution;
  nlohmann::json down;  // -1 or 0; one file stays with one of them
  for (const auto& value : *field) {
    constexpr std::array kKnown = {1, -1, 0};
    const bool known = std::any_of(kKnown.begin(), kKnown.end(), [&](int n) { return value == n; });
    const bool mixed = known && value != 1 && !down.is_null() && value != down;
    if (!known || mixed)
      throw InputError(path + ": field \"solution\", element " + std::to_string(solution.size()) +
                       ": expected 1 and -1 or 1 and 0, found " +
                       value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    if (value != 1) down = value;
    solution.push_back(value == 1 ? Spin{1} : Spin{-1});
  }
  return solution;
}

// How "down" is written; a file must be consistent, or a 0 may be a slip for a -1.
struct DownSign {
  std::string token;
  std::size_t line = 0;
};

std::vector<Spin> from_text(const std::string& path, const std::string& text, std::size_t spins) {
  std::vector<Spin> solution;
  DownSign down;
  std::istringstream lines(text);
  std::string line;
  std::size_t number = 0;
  while (std::getline(lines, line)) {
    ++number;
    std::istringstream tokens(line.substr(0, line.find('#')));
    for (std::string token; tokens >> token;) {
      const bool up = token == "1" || token == "+1";
      if (!up && token != "0" && token != "-1")
        throw InputError(path, number, "expected +1, -1, 1 or 0, found " + in_quotes(token));
      if (!up && down.line == 0) down = {token, number};
      if (!up && token != down.token)
        throw InputError(path, number,
                         "expected " + down.token + " for a spin down, as in line " +
                             std::to_string(down.line) + ", found " + in_quotes(token));
      if (solution.size() == spins)
        throw InputError(path, number, expected_count(spins) + ", found more");
      solution.push_back(up ? Spin{1} : Spin{-1});
    }
  }
  if (solution.size() != spins)
    throw InputError(path, number,
                     expected_count(spins) + ", found " + std::to_string(solution.size()));
  return solution;
}

}  // namespace

std::string to_solution(const Result& result, const std::string& path) {
  if (!result.answers.empty()) {
    return solution_to_text(result.answers.front(), path.ends_with(".sol"));
  }
  std::string text = fmt::format("# {} {}{}\n", printable(result.objective_name), result.objective,
                                 result.best.feasible ? "" : ", not feasible");
  const bool named = result.names.size() == result.best.solution.size();
  for (std::size_t k = 0; k < result.best.solution.size(); ++k) {
    const Spin spin = result.best.solution[k];
    text += spin > 0 ? "1" : result.bits ? "0" : "-1";
    text += named ? "  # " + printable(result.names[k]) + "\n" : "\n";
  }
  return text;
}

std::vector<Spin> read_solution(const std::string& path, std::size_t spins) {
  const std::string text = read_file(path);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool json = first != std::string::npos && text[first] == '{';
  return json ? from_json(path, text, spins) : from_text(path, text, spins);
}

}  // namespace chainmail
