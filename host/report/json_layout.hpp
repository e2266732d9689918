// How result files are laid out: a field per line, and a line for each row of a table.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace chainmail {

std::string written(const nlohmann::ordered_json& json);

}  // namespace chainmail
