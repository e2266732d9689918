// The report of a run as one HTML file that needs nothing else: inline SVG and styles, no scripts,
// light and dark, fit for a phone and for paper. The markup is also well-formed XML.
#pragma once

#include <string>

#include "run/source.hpp"
#include "solve/result.hpp"

namespace chainmail {

// command_line: what was typed, ready to be pasted into a shell; left out when empty.
// source: what was solved, for its constraints and a picture; may be missing.
std::string to_html(const Result& result, const std::string& command_line = "",
                    const Source* source = nullptr);

// Its two parts, for a page that is written during the run.
std::string html_head(const std::string& title);
std::string html_body(const Result& result, const std::string& command_line, const Source* source);

}  // namespace chainmail
