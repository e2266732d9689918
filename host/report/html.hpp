// The report of a run as one HTML file that needs nothing else: inline SVG and styles, no scripts,
// light and dark, fit for a phone and for paper. The markup is also well-formed XML. The answer
// comes first, then the course of the run; how the machine got there is behind one fold.
#pragma once

#include <optional>
#include <string>

#include "report/grouping.hpp"
#include "run/source.hpp"
#include "solve/result.hpp"

namespace chainmail {

// command_line: what was typed, ready to be pasted into a shell; left out when empty.
// source: what was solved, for its constraints and a picture; may be missing.
// how: which variables become tables.
std::string to_html(const Result& result, const std::string& command_line = "",
                    const Source* source = nullptr, const Grouping& how = {});

// Its two parts, for a page that is written during the run.
std::string html_head(const std::string& title);
std::string html_body(const Result& result, const std::string& command_line, const Source* source,
                      const Grouping& how);

// The same page during the run: what is known so far, and a button with the id "stop".
struct Running {
  double fraction = 0.0;
  std::optional<double> seconds_left;
};
std::string html_body(const Result& so_far, const Running& running);

}  // namespace chainmail
