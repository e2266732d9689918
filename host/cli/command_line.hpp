// The command as a user could paste it into a shell again, for the report.
#pragma once

#include <string>
#include <vector>

namespace chainmail {

// Arguments in single quotes where a shell would read something into them.
std::string command_line(const std::string& command, const std::vector<std::string>& arguments);

}  // namespace chainmail
