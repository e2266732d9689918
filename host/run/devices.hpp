// What can run a problem on this machine, for `chainmail devices` and the library.
#pragma once

#include <string>
#include <vector>

namespace chainmail {

// A line each: what --device takes, a colon or comma, what it is.
std::vector<std::string> list_devices();

}  // namespace chainmail
