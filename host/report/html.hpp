// The report of a run as one HTML file that needs nothing else: inline SVG and styles, no scripts,
// light and dark, fit for a phone and for paper. The markup is also well-formed XML.
#pragma once

#include <string>

#include "solve/result.hpp"

namespace chainmail {

// command_line: what was typed, ready to be pasted into a shell; left out when empty.
std::string to_html(const Result& result, const std::string& command_line = "");

}  // namespace chainmail
