// What a file of unknown format looks like: a guess for the message, and where such a file gets
// in.
#pragma once

#include <string>
#include <string_view>

namespace chainmail {

// "it looks like ...: ..." or nothing.
std::string looks_like(std::string_view text);

}  // namespace chainmail
