// "Did you mean ...": the name nearest to a mistyped one.
#pragma once

#include <string>
#include <vector>

namespace chainmail {

// " (did you mean NAME?)", or nothing when no name is near: within two letters, or a beginning.
std::string did_you_mean(const std::string& typed, const std::vector<std::string>& names);

}  // namespace chainmail
