// The command as a user could paste it into a shell again, for the report.
#pragma once

#include <string>

namespace chainmail {

// Arguments in single quotes where a shell would read something into them.
std::string command_line(int argc, const char* const* argv);

}  // namespace chainmail
