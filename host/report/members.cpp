#include "report/members.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/format.hpp"
#include "report/html_parts.hpp"

namespace chainmail {
namespace {

constexpr std::size_t kShown = 8;

std::string share_text(double part, const Result& r) {
  return percent_text(r.seconds > 0.0 ? std::min(1.0, part / r.seconds) : 0.0);
}

}  // namespace

std::vector<MemberLine> member_lines(const Result& r) {
  std::vector<MemberLine> lines;
  if (r.members.empty()) return lines;
  for (std::size_t k = 0; k < std::min(kShown, r.members.size()); ++k) {
    const MemberUse& m = r.members[k];
    lines.push_back({k == 0 ? "members" : "",
                     fmt::format("{}: {}, busy {}, waited for {}{}", k + 1,
                                 counted(m.bursts, "burst"), share_text(m.busy_seconds, r),
                                 share_text(m.waited_seconds, r), m.lost ? ", lost" : "")});
  }
  if (r.members.size() > kShown) {
    lines.push_back({"", fmt::format("and {} more", r.members.size() - kShown)});
  }
  const auto idle = std::count_if(r.members.begin(), r.members.end(),
                                  [](const MemberUse& m) { return m.bursts == 0 && !m.lost; });
  if (idle > 0) {
    lines.push_back(
        {"note", fmt::format("{} of {} members had nothing to do: {}", idle, r.members.size(),
                             r.moves == "forms" ? "there are more of them than replicas"
                                                : "--tiles cuts a grid into parts for them")});
  }
  return lines;
}

std::string member_table(const Result& r) {
  if (r.members.empty()) return "";
  std::string rows =
      "<tr><th>member</th><th>device</th><th>bursts</th><th>busy</th><th>waited for</th></tr>\n";
  for (std::size_t k = 0; k < r.members.size(); ++k) {
    const MemberUse& m = r.members[k];
    rows += fmt::format("<tr><td>{}{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                        k + 1, m.lost ? ", lost" : "", html::escaped(m.name), count_text(m.bursts),
                        share_text(m.busy_seconds, r), share_text(m.waited_seconds, r));
  }
  return html::element("h3", "Members") + "<div class=\"box\"><table class=\"list\">\n" + rows +
         "</table></div>\n";
}

}  // namespace chainmail
