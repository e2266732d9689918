#include "report/json_layout.hpp"

#include <nlohmann/json.hpp>

namespace chainmail {
namespace {

using Json = nlohmann::ordered_json;

// Names come from users' files: bytes that are not UTF-8 are replaced rather than fatal.
std::string compact(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// A field per line, and a line for each row of a table: a solution of 10^4 spins neither fills 10^4
// lines nor hides what follows.
std::string text_of(const Json& value) {
  const bool table = value.is_array() && !value.empty() && value.front().is_structured();
  if (!table) return compact(value);
  std::string text = "[";
  for (std::size_t k = 0; k < value.size(); ++k)
    text += (k == 0 ? "\n    " : ",\n    ") + compact(value[k]);
  return text + "\n  ]";
}

}  // namespace

std::string written(const Json& json) {
  std::string text = "{";
  bool first = true;
  for (const auto& [key, value] : json.items()) {
    text += (first ? "\n  \"" : ",\n  \"") + key + "\": " + text_of(value);
    first = false;
  }
  return text + "\n}\n";
}

}  // namespace chainmail
