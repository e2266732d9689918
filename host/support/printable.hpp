// Text from elsewhere (a file, a path, a device) made safe for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace chainmail {

// Control characters, in UTF-8 too, and bytes that are no UTF-8 become \xNN; line ends stay where
// `lines` says so. Everything else stays as it is.
std::string printable(std::string_view text, bool lines = false);

}  // namespace chainmail
