// Numbers as people read them: shared by the summary, the HTML report and the progress line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "support/counted.hpp"

namespace chainmail {

std::string number_text(double value, int digits = 6);  // "-41.25"; "n/a" when not finite
std::string amount_text(double value);                  // an objective: whole ones in full
std::string short_count_text(std::uint64_t value);      // "102k", "5.24G"
std::string percent_text(double share);                 // "97.5 %"
std::string duration_text(double seconds);              // "83 ms", "1.24 s", "2 min 03 s"
std::string memory_text(std::uint64_t kib);             // "35.2 MiB"

// At most this many whole characters; an ellipsis replaces the rest.
std::string shortened(std::string_view utf8, std::size_t most);

// x2 before x10: digits are compared as numbers.
bool natural_less(std::string_view a, std::string_view b);

// Text made safe for XML elements and quoted attributes; control characters and broken UTF-8 become
// U+FFFD, because one stray byte would make the whole document unreadable.
std::string xml_escaped(std::string_view text);

}  // namespace chainmail
