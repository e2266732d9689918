// What each member of a run over several devices or processes did, for people.
#pragma once

#include <string>
#include <vector>

#include "solve/result.hpp"

namespace chainmail {

struct MemberLine {
  std::string label, value;
};

// For the summary: a line per member, the first few of many; and which had nothing to do.
std::vector<MemberLine> member_lines(const Result& result);

// For the report: all of them in a table; nothing if there are none.
std::string member_table(const Result& result);

}  // namespace chainmail
