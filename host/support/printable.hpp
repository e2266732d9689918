// Text from elsewhere (a file, a path, a device) made safe for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace chainmail {

// Control characters, also in UTF-8, and bytes that are not UTF-8 become \xNN; line ends are kept
// if `lines` is set. Everything else is unchanged.
std::string printable(std::string_view text, bool lines = false);

}  // namespace chainmail
